//! The outcome of a comparison, for a terminal.
//!
//! A hazard that many objects have is written once, with the number of objects; after that only its class is written.

mod markdown;

use super::{Report, painted};
use crate::diagnostic::secrecy::without_commands;
use crate::diagnostic::{Finding, Severity, Shown, counted, list_first, printed};
use crate::input::folder::DOCUMENT;
use crate::judge::change::{
    ChangeKind, ChangedPeering, Changes, Consequence, FieldChange, ObjectChange,
};
use crate::object::live::Impact;
use clap::builder::styling::{AnsiColor, Style};
pub(crate) use markdown::markdown;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// How many objects have each consequence, and which consequences are already written.
struct WrittenConsequences<'c> {
    counts: BTreeMap<&'c Consequence, usize>,
    written: BTreeSet<&'c Consequence>,
}

impl<'c> WrittenConsequences<'c> {
    fn new(changes: &'c Changes) -> Self {
        let mut counts = BTreeMap::new();
        for it in changes
            .changed
            .iter()
            .flat_map(|it| &it.objects)
            .flat_map(|it| &it.effects)
        {
            *counts.entry(it).or_default() += 1;
        }
        Self {
            counts,
            written: BTreeSet::new(),
        }
    }

    /// What a change does, in Markdown.
    fn lines(&mut self, change: &'c ObjectChange) -> Vec<String> {
        let asks = change
            .asks
            .then(|| "Argo CD asks before it deletes the object.".to_owned());
        change
            .effects
            .iter()
            .filter_map(|it| self.line(it))
            .chain(asks)
            .collect()
    }

    fn line(&mut self, it: &'c Consequence) -> Option<String> {
        let is_again = !self.written.insert(it);
        let label = it.class.label();
        if is_again {
            return label.map(|label| format!("**{label}**, as above."));
        }
        let count = self.counts.get(it).copied().unwrap_or_default();
        let many = if count > 1 {
            format!(" ({count} changes)")
        } else {
            String::new()
        };
        Some(match label {
            Some(label) => format!("**{label}{many}.** {}", it.message.masked()),
            None => it.message.masked(),
        })
    }
}

/// A note on a peering, with its class before it.
fn note(it: &Consequence) -> String {
    match it.class.label() {
        Some(label) => format!("**{label}.** {}", it.message.masked()),
        None => format!("note: {}", it.message.masked()),
    }
}

/// The outcome for a terminal, with or without colours.
pub(crate) fn text(changes: &Changes, is_coloured: bool) -> String {
    let mut written = WrittenConsequences::new(changes);
    let mut text = String::new();
    for peering in changes.changed.iter().filter(|it| !it.is_only_resealed()) {
        if !peering.folder.as_str().is_empty() {
            let _ = writeln!(text, "{}", quote_name(peering.folder.masked()));
        }
        for it in &peering.notes {
            let _ = writeln!(
                text,
                "  {}",
                painted(&plain(&note(it)), style_of(it.class), is_coloured)
            );
        }
        for change in &peering.objects {
            let (sign, colour) = match change.change {
                ChangeKind::Added => ('+', AnsiColor::Green),
                ChangeKind::Removed => ('-', AnsiColor::Red),
                ChangeKind::Changed => ('~', AnsiColor::Yellow),
            };
            let head = format!(
                "{sign} {}: {} {}",
                side(change),
                change.kind.as_str(),
                change.name.masked()
            );
            let _ = writeln!(text, "{}", painted(&head, colour.on_default(), is_coloured));
            for field in &change.fields {
                let _ = writeln!(text, "    {}", words(field, str::to_owned));
            }
            for line in written.lines(change) {
                let _ = writeln!(
                    text,
                    "  {}",
                    painted(&plain(&line), style_of(change.worst()), is_coloured)
                );
            }
        }
        text.push('\n');
    }
    if let Some((folders, notes)) = notes_if_only_resealed(changes) {
        let names: Vec<String> = folders
            .into_iter()
            .filter(|it| !it.is_empty())
            .map(quote_name)
            .collect();
        if !names.is_empty() {
            let _ = writeln!(text, "{}", list_first(names, FOLDERS));
        }
        for it in notes {
            let _ = writeln!(
                text,
                "  {}",
                painted(&plain(&note(it)), style_of(it.class), is_coloured)
            );
        }
        text.push('\n');
    }
    let last = changes.judged.line().map(|line| printed(&line) + "\n");
    without_commands(text) + &plain(&summary(changes)) + "\n" + &last.unwrap_or_default()
}

/// The most folders that are named if only sealed files changed in them.
const FOLDERS: usize = 5;

fn style_of(impact: Impact) -> Style {
    match impact {
        Impact::Data | Impact::Traffic | Impact::Protection => AnsiColor::Red.on_default(),
        Impact::Rights | Impact::Attention => AnsiColor::Yellow.on_default(),
        Impact::Harmless => Style::new(),
    }
}

/// The peerings of which only sealed files changed, and what that may do, written once for all.
fn notes_if_only_resealed(changes: &Changes) -> Option<(Vec<String>, BTreeSet<&Consequence>)> {
    let resealed: Vec<_> = changes
        .changed
        .iter()
        .filter(|it| it.is_only_resealed())
        .collect();
    let folders = resealed.iter().map(|it| it.folder.masked()).collect();
    (!resealed.is_empty()).then(|| (folders, resealed.iter().flat_map(|it| &it.notes).collect()))
}

/// The role, and the cluster's ID if it is a different word.
fn side(change: &ObjectChange) -> String {
    let cluster = change
        .cluster
        .as_ref()
        .map(Shown::masked)
        .unwrap_or_default();
    match change.role {
        None => "Argo CD".to_owned(),
        Some(role) if cluster == role => cluster,
        Some(role) => format!("{role} {cluster}"),
    }
}

/// One sentence about all changes.
fn summary(changes: &Changes) -> String {
    let peerings = counted(changes.peerings, "peering");
    let all = &changes.changed;
    if all.is_empty() {
        return format!("No object changes in {peerings}.");
    }
    let counts = [
        (ChangeKind::Changed, "changed"),
        (ChangeKind::Added, "added"),
        (ChangeKind::Removed, "removed"),
    ]
    .into_iter();
    let counts = counts.filter_map(|(what, word)| {
        let count = all
            .iter()
            .flat_map(|it| &it.objects)
            .filter(|it| it.change == what)
            .count();
        (count > 0).then(|| format!("{} {word}", counted(count, "object")))
    });
    let counts: Vec<String> = counts.collect();
    let counts = match (counts.is_empty(), all.iter().any(|it| it.resealed > 0)) {
        (false, _) => counts.join(", "),
        (true, true) => "sealed files only".to_owned(),
        (true, false) => "no object".to_owned(),
    };
    let classes: BTreeSet<Impact> = all
        .iter()
        .flat_map(ChangedPeering::consequences)
        .map(|it| it.class)
        .collect();
    let labels = classes.iter().rev().filter_map(|class| class.label());
    let labels: Vec<String> = labels.map(str::to_lowercase).collect();
    let impact = if labels.is_empty() {
        String::new()
    } else {
        format!(" This {}.", labels.join(", "))
    };
    format!(
        "Changes in {} of {peerings}: {counts}.{impact}",
        all.iter().filter(|it| it.is_peering).count()
    )
}

/// The name of a folder on its own line. It is quoted if it could be read as another row, or as a command of a job's
/// log: `::error::`.
fn quote_name(name: String) -> String {
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-*".contains(c))
        && !name.starts_with('-');
    if is_name {
        name
    } else {
        Value::from(name).to_string()
    }
}

/// The change of a field; `code` marks text that comes from a document.
fn words(field: &FieldChange, code: fn(&str) -> String) -> String {
    let path = code(&field.path.masked());
    let values = [&field.from, &field.to];
    match (
        field.note,
        values.map(|it| it.as_ref().map(|text| code(&text.masked()))),
    ) {
        (Some(note), [_, Some(to)]) => format!("{path} {note} {to}"),
        (note, [None, None]) => format!("{path} {}", note.unwrap_or_default()),
        (_, [Some(from), Some(to)]) => format!("{path}: {from} → {to}"),
        (_, [None, Some(to)]) => format!("{path}: added {to}"),
        (_, [Some(from), None]) => format!("{path}: removed {from}"),
    }
}

/// Removes the program's own Markdown, for a terminal.
fn plain(words: &str) -> String {
    words.replace("**", "")
}

/// Each consequence of a peering that is worse than harmless, once, at its document. The worst come first.
pub(crate) fn annotations(changes: &Changes) -> Report {
    let mut findings: Vec<(Impact, Finding)> =
        changes.changed.iter().flat_map(of_peering).collect();
    findings.sort_by_key(|(class, _)| std::cmp::Reverse(*class));
    Report {
        peerings: changes.peerings,
        headline: None,
        findings: findings.into_iter().map(|(_, finding)| finding).collect(),
        more: 0,
        judged: changes.judged.clone(),
    }
}

fn of_peering(peering: &ChangedPeering) -> Vec<(Impact, Finding)> {
    let mut objects: BTreeMap<&Consequence, Vec<&ObjectChange>> = BTreeMap::new();
    for it in &peering.notes {
        objects.entry(it).or_default();
    }
    for change in &peering.objects {
        for it in &change.effects {
            objects.entry(it).or_default().push(change);
        }
    }
    let file = Path::new(peering.folder.as_str())
        .join(DOCUMENT)
        .display()
        .to_string();
    let mut findings = Vec::new();
    for (it, changes) in objects {
        let level = match it.class {
            Impact::Harmless => continue,
            Impact::Attention => Severity::Note,
            _ => Severity::Warning,
        };
        let words = plain(it.message.as_str());
        let mut finding = Finding::new(level, it.class.name(), words).beginning(&file);
        finding.object = objects_of(&changes).map(Into::into);
        findings.push((it.class, finding));
    }
    findings
}

/// The first object, and how many more there are.
fn objects_of(changes: &[&ObjectChange]) -> Option<String> {
    let first = changes.first()?;
    let role = first
        .role
        .map(|role| format!("{role}: "))
        .unwrap_or_default();
    let more = match changes.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "{role}{} {}{more}",
        first.kind.as_str(),
        first.name.as_str()
    ))
}
