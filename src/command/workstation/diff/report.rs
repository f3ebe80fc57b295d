//! The outcome of a comparison, for a terminal and as Markdown.
//!
//! A pull request can be anybody's, and a comment is posted in the name of who runs this. So in Markdown all that comes from a
//! document is in code, where no mention, link, image or HTML counts.

use super::objects::{Change, Row, What};
use crate::command::workstation::compare::is_placeholder;
use crate::diagnostic::secrecy::printed;
use crate::diagnostic::secrecy::without_commands;
use crate::diagnostic::{counted, shown_name};
use crate::object::live::Impact;
use serde_json::Value;
use std::fmt::Write as _;

/// One peering that is not the same.
pub(super) struct Changed {
    /// Its folder, from the one that is compared; empty for that one itself.
    pub(super) folder: String,
    /// What has to be said of it as a whole, each in Markdown.
    pub(super) notes: Vec<&'static str>,
    pub(super) rows: Vec<Row>,
}

/// The most bytes of a comment's tables; GitHub takes 65,536 characters.
const COMMENT: usize = 56_000;

/// For a terminal.
pub(super) fn text(all: usize, peerings: &[Changed]) -> String {
    let mut text = String::new();
    for peering in peerings {
        if !peering.folder.is_empty() {
            let _ = writeln!(text, "{}", quoted(printed(&shown_name(&peering.folder))));
        }
        for note in &peering.notes {
            let _ = writeln!(text, "  note: {}", plain(note));
        }
        for row in &peering.rows {
            let sign = match row.what {
                What::Added => '+',
                What::Removed => '-',
                What::Changed(_) => '~',
            };
            let (kind, name, cluster) = (&row.object.kind, name(row), printed(&shown_name(&row.cluster)));
            let _ = writeln!(text, "{sign} {} {cluster}: {kind} {name}", row.role);
            if let What::Changed(changes) = &row.what {
                for change in changes {
                    let _ = writeln!(text, "    {}", words(change, str::to_owned));
                }
            }
            for words in effects(row) {
                let _ = writeln!(text, "  {}", plain(&words));
            }
        }
        text.push('\n');
    }
    without_commands(text) + &plain(&summary(all, peerings)) + "\n"
}

/// The name of a folder on a line of its own, where it could be another row, or a command of a job's log: `::error::`.
fn quoted(name: String) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-*".contains(c);
    let is_name = name.chars().all(is_plain) && !name.starts_with('-');
    if is_name { name } else { Value::from(name).to_string() }
}

/// For a comment on a pull request.
pub(super) fn markdown(all: usize, peerings: &[Changed]) -> String {
    let mut text = format!("**{}**\n", summary(all, peerings));
    let mut left_out = 0;
    for peering in peerings {
        let mut lines = Vec::new();
        for row in &peering.rows {
            let what = match &row.what {
                What::Added => "added".to_owned(),
                What::Removed => "**removed**".to_owned(),
                What::Changed(changes) => {
                    changes.iter().map(|it| words(it, code)).collect::<Vec<_>>().join("<br>")
                }
            };
            let (cluster, object) = (code(&printed(&shown_name(&row.cluster))), code(&name(row)));
            let effects = effects(row).collect::<Vec<_>>().join("<br>");
            lines.push(format!(
                "| {} {cluster} | {} {object} | {what} | {effects} |\n",
                row.role, row.object.kind
            ));
        }
        let mut head = String::from("\n");
        if !peering.folder.is_empty() {
            let _ = write!(head, "### {}\n\n", code(&printed(&shown_name(&peering.folder))));
        }
        for note in &peering.notes {
            let _ = write!(head, "{note}\n\n");
        }
        if !lines.is_empty() {
            head += "| cluster | object | change | what it does |\n|---|---|---|---|\n";
        }
        // whole rows only, and once one is left out, none after it: a table is never cut in the middle
        let room = |text: &str, more: usize| left_out == 0 && text.len() + more < COMMENT;
        if !room(&text, head.len()) {
            left_out += lines.len().max(1);
            continue;
        }
        text += &head;
        for line in lines {
            if left_out == 0 && text.len() + line.len() < COMMENT {
                text += &line;
            } else {
                left_out += 1;
            }
        }
    }
    if left_out > 0 {
        let _ = write!(
            text,
            "\n{left_out} more rows are left out here: `argocd-peering diff` prints them as text.\n"
        );
    }
    text
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
    let counts = if counts.is_empty() { "no object".to_owned() } else { counts.join(", ") };
    let is_there = |impact: &Impact| rows().flat_map(|row| &row.effects).any(|it| it.impact == *impact);
    let labels = [Impact::Data, Impact::Traffic, Impact::Attention].into_iter().filter(is_there);
    let labels: Vec<String> = labels.filter_map(Impact::label).map(str::to_lowercase).collect();
    let impact = if labels.is_empty() { String::new() } else { format!(" This {}.", labels.join(", ")) };
    format!("Changes in {} of {peerings}: {counts}.{impact}", changed.len())
}

/// What a row does, in Markdown.
fn effects(row: &Row) -> impl Iterator<Item = String> {
    let asks = row.asks.then(|| "Argo CD asks before it deletes the object.".to_owned());
    let words = row.effects.iter().map(|effect| match effect.impact.label() {
        Some(label) => format!("**{label}.** {}", effect.words),
        None => effect.words.to_owned(),
    });
    words.chain(asks)
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

/// Code of one line, in a cell of a table. A backtick would end it, and a `|` the cell, also within it (GitHub Flavored Markdown
/// 4.10); a text with one of them, or with the beginning of a command of a job's log, is written in HTML, with every
/// character escaped that could mean something.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    if !text.contains(['`', '|']) && !text.contains("##") && !text.trim().is_empty() {
        return format!("`{text}`");
    }
    let mut html = String::from("<code>");
    for c in text.chars() {
        if c.is_alphanumeric() || c == ' ' {
            html.push(c);
        } else {
            let _ = write!(html, "&#{};", u32::from(c));
        }
    }
    html + "</code>"
}
