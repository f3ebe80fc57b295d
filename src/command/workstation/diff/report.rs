//! The outcome of a comparison, for a terminal.
//!
//! A hazard that many objects have is written once, with their number; where it comes again, only its class is.

mod json;
mod markdown;

use super::notes::{Note, of_resealed};
use super::objects::{Change, Row, What};
use crate::diagnostic::secrecy::{printed, without_commands};
use crate::diagnostic::{counted, shown_name};
use crate::object::live::{Effect, Hazard, Holds, Impact};
use crate::peering::names::is_placeholder;
use clap::builder::styling::{AnsiColor, Style};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub(in crate::command) use json::Report;
pub(super) use json::json;
pub(super) use markdown::markdown;

/// One peering that is not the same.
pub(super) struct Changed {
    /// Its folder, from the one that is compared; empty for that one itself.
    pub(super) folder: String,
    /// Whether it has a document: Applications can be in another folder.
    pub(super) is_peering: bool,
    /// What has to be said of it as a whole.
    pub(super) notes: Vec<Note>,
    pub(super) rows: Vec<Row>,
    /// Files that were sealed again and may hold other secrets, and what they hold.
    pub(super) resealed: BTreeMap<String, Holds>,
}

impl Changed {
    /// Whether sealed files are all that changed.
    fn is_only_resealed(&self) -> bool {
        self.rows.is_empty() && self.notes.is_empty()
    }

    fn impacts(&self) -> impl Iterator<Item = Impact> {
        let rows = self.rows.iter().flat_map(|row| &row.effects).map(|effect| effect.impact);
        let resealed = self.resealed.values().map(|_| Impact::Attention);
        rows.chain(self.notes.iter().map(|note| note.impact)).chain(resealed)
    }
}

/// The worst that a change does.
pub(super) fn worst(changed: &[Changed]) -> Impact {
    changed.iter().flat_map(Changed::impacts).max().unwrap_or(Impact::Harmless)
}

/// How many objects have each hazard, and which were written already.
struct Hazards {
    counts: BTreeMap<Hazard, usize>,
    written: BTreeSet<Hazard>,
}

impl Hazards {
    fn of(changed: &[Changed]) -> Self {
        let mut counts = BTreeMap::new();
        for effect in changed.iter().flat_map(|it| &it.rows).flat_map(|row| &row.effects) {
            *counts.entry(effect.hazard()).or_default() += 1;
        }
        Self { counts, written: BTreeSet::new() }
    }

    /// What a row does, in Markdown.
    fn lines(&mut self, row: &Row) -> Vec<String> {
        let asks = row.asks.then(|| "Argo CD asks before it deletes the object.".to_owned());
        let keeps = row.keeps().map(ToOwned::to_owned);
        row.effects.iter().filter_map(|effect| self.line(effect)).chain(keeps).chain(asks).collect()
    }

    fn line(&mut self, effect: &'static Effect) -> Option<String> {
        let key = effect.hazard();
        let is_again = !self.written.insert(key);
        let label = effect.impact.label();
        if is_again {
            return label.map(|label| format!("**{label}**, as above."));
        }
        let count = self.counts.get(&key).copied().unwrap_or_default();
        let many = if count > 1 { format!(" ({count} objects)") } else { String::new() };
        Some(match label {
            Some(label) => format!("**{label}{many}.** {}", effect.words),
            None => effect.words.to_owned(),
        })
    }
}

/// For a terminal; in colours, if it has them.
pub(super) fn text(all: usize, peerings: &[Changed], is_coloured: bool) -> String {
    let paint = |style: Style, text: &str| {
        if is_coloured { format!("{style}{text}{style:#}") } else { text.to_owned() }
    };
    let mut hazards = Hazards::of(peerings);
    let mut text = String::new();
    for peering in peerings.iter().filter(|it| !it.is_only_resealed()) {
        if !peering.folder.is_empty() {
            let _ = writeln!(text, "{}", quote_name(printed(&shown_name(&peering.folder))));
        }
        for note in peering.notes.iter().cloned().chain(of_resealed(&peering.resealed)) {
            let _ = writeln!(text, "  {}", paint(style_of(note.impact), &plain(&note.line())));
        }
        for row in &peering.rows {
            let (sign, colour) = match row.what {
                What::Added => ('+', AnsiColor::Green),
                What::Removed => ('-', AnsiColor::Red),
                What::Changed(_) => ('~', AnsiColor::Yellow),
            };
            let head = format!("{sign} {}: {} {}", side(row), row.object.kind, name(row));
            let _ = writeln!(text, "{}", paint(colour.on_default(), &head));
            if let What::Changed(changes) = &row.what {
                for change in changes {
                    let _ = writeln!(text, "    {}", words(change, str::to_owned));
                }
            }
            let worst = row.effects.iter().map(|effect| effect.impact).max().unwrap_or(Impact::Harmless);
            for line in hazards.lines(row) {
                let _ = writeln!(text, "  {}", paint(style_of(worst), &plain(&line)));
            }
        }
        text.push('\n');
    }
    if let Some((folders, notes)) = notes_if_only_resealed(peerings) {
        if folders.iter().any(|folder| !folder.is_empty()) {
            let _ = writeln!(text, "{}", quoted_list(&folders));
        }
        for note in notes {
            let _ = writeln!(text, "  {}", paint(style_of(note.impact), &plain(&note.line())));
        }
        text.push('\n');
    }
    without_commands(text) + &plain(&summary(all, peerings)) + "\n"
}

fn style_of(impact: Impact) -> Style {
    match impact {
        Impact::Data | Impact::Traffic | Impact::Protection => AnsiColor::Red.on_default(),
        Impact::Rights | Impact::Attention => AnsiColor::Yellow.on_default(),
        Impact::Harmless => Style::new(),
    }
}

/// The peerings of which only sealed files changed, and what that may do, once for all.
fn notes_if_only_resealed(peerings: &[Changed]) -> Option<(Vec<String>, Vec<Note>)> {
    let of_files = || peerings.iter().filter(|it| it.is_only_resealed());
    let files: BTreeMap<String, Holds> =
        of_files().flat_map(|it| &it.resealed).map(|(file, holds)| (file.clone(), *holds)).collect();
    let folders: Vec<String> = of_files().map(|it| printed(&shown_name(&it.folder))).collect();
    (!folders.is_empty()).then(|| (folders, of_resealed(&files)))
}

/// The first names, and how many more there are.
fn quoted_list(folders: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> =
        folders.iter().filter(|it| !it.is_empty()).take(SHOWN).cloned().map(quote_name).collect();
    let rest = folders.len().saturating_sub(SHOWN);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    shown.join(", ") + &more
}

/// The role, and the cluster's ID unless they are one word.
fn side(row: &Row) -> String {
    let cluster = printed(&shown_name(&row.cluster));
    match row.role {
        None => "Argo CD".to_owned(),
        Some(role) if cluster == role.word() => cluster,
        Some(role) => format!("{role} {cluster}"),
    }
}

/// One sentence about all of it.
fn summary(all: usize, changed: &[Changed]) -> String {
    let peerings = counted(all, "peering");
    if changed.is_empty() {
        return format!("No object changes in {peerings}.");
    }
    let rows = || changed.iter().flat_map(|it| &it.rows);
    let count = |is: fn(&What) -> bool, what: &str| {
        let count = rows().filter(|row| is(&row.what)).count();
        (count > 0).then(|| format!("{} {what}", counted(count, "object")))
    };
    let counts = [
        count(|what| matches!(what, What::Changed(_)), "changed"),
        count(|what| matches!(what, What::Added), "added"),
        count(|what| matches!(what, What::Removed), "removed"),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    let counts = match (counts.is_empty(), changed.iter().any(|it| !it.resealed.is_empty())) {
        (false, _) => counts.join(", "),
        (true, true) => "sealed files only".to_owned(),
        (true, false) => "no object".to_owned(),
    };
    let is_there = |impact: &&Impact| changed.iter().flat_map(Changed::impacts).any(|it| it == **impact);
    let labels = Impact::ALL.iter().rev().filter(is_there).filter_map(|impact| impact.label());
    let labels: Vec<String> = labels.map(str::to_lowercase).collect();
    let impact = if labels.is_empty() { String::new() } else { format!(" This {}.", labels.join(", ")) };
    format!(
        "Changes in {} of {peerings}: {counts}.{impact}",
        changed.iter().filter(|it| it.is_peering).count()
    )
}

/// The name of a folder on a line of its own, where it could be another row, or a command of a job's log: `::error::`.
fn quote_name(name: String) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-*".contains(c);
    let is_name = name.chars().all(is_plain) && !name.starts_with('-');
    if is_name { name } else { Value::from(name).to_string() }
}

/// A change; `code` marks what comes from a document.
fn words(change: &Change, code: fn(&str) -> String) -> String {
    let Change { field, note, from, to } = change;
    let field = code(field);
    match (from, to) {
        (None, None) => format!("{field} {note}"),
        (Some(from), Some(to)) => format!("{field}: {} → {}", code(from), code(to)),
        (None, Some(to)) => format!("{field}: added {}", code(to)),
        (Some(from), None) => format!("{field}: removed {}", code(from)),
    }
}

/// `namespace/name`, masked. The name of a Secret of keys follows from its key, which is not known.
fn name(row: &Row) -> String {
    let name = if is_placeholder(&row.object.name) { "gw-keys-…" } else { &row.object.name };
    let namespace = &row.object.namespace;
    let whole = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") };
    printed(&shown_name(&whole))
}

/// Our own Markdown on a terminal.
fn plain(words: &str) -> String {
    words.replace("**", "")
}
