//! The outcome as Markdown, for a comment on a pull request.
//!
//! Anyone can open a pull request, and the comment is posted in the name of the person or token that runs this. So all text from a document
//! is in code, where no mention, link, image or HTML counts.

use super::{UnwrittenConsequences, field_line, note_line, notes_if_only_resealed, summary};
use crate::diagnostic::{Shown, counted, list_first, printed};
use crate::judge::change::{ChangeKind, Changes, ObjectChange};
use std::cmp::Reverse;

/// The most bytes of a comment's tables; GitHub accepts 65,536 characters.
const COMMENT: usize = 56_000;

pub(crate) fn markdown(changes: &Changes) -> String {
    let (text, left_out) = tables(changes, false);
    if left_out == 0 {
        return text;
    }
    // what is cut off must not be the worst
    tables(changes, true).0
}

/// The tables, and how many rows are left out.
fn tables(changes: &Changes, worst_first: bool) -> (String, usize) {
    let mut unwritten = UnwrittenConsequences::new(changes);
    let mut text = format!("**{}**\n", summary(changes));
    let mut left_out = 0;
    let mut peerings: Vec<_> = changes.changed.iter().collect();
    if worst_first {
        peerings.sort_by_key(|it| Reverse(it.consequences().map(|it| it.class).max()));
    }
    for peering in peerings.into_iter().filter(|it| !it.is_only_resealed()) {
        let mut objects: Vec<_> = peering.objects.iter().collect();
        if worst_first {
            objects.sort_by_key(|it| Reverse(it.worst()));
        }
        let mut head = String::from("\n");
        if !peering.folder.as_str().is_empty() {
            head += &format!("### {}\n\n", code_span(&peering.folder.masked()));
        }
        for it in &peering.notes {
            head += &format!("{}\n\n", note_line(it));
        }
        if !objects.is_empty() {
            head += "| cluster | object | change | what it does |\n|---|---|---|---|\n";
        }
        // only whole rows are written, and none after one that is left out, so that no table is cut in the middle
        if left_out > 0 || text.len() + head.len() >= COMMENT {
            left_out += objects.len().max(1);
            continue;
        }
        text += &head;
        for change in objects {
            let line = row(change, &mut unwritten);
            if left_out == 0 && text.len() + line.len() < COMMENT {
                text += &line;
            } else {
                left_out += 1;
            }
        }
    }
    let (folders, notes) = notes_if_only_resealed(changes);
    if !notes.is_empty() {
        let notes: Vec<String> = notes.into_iter().map(note_line).collect();
        text += &format!("\n{}\n\n{}\n", first_names(&folders), notes.join("\n\n"));
    }
    if left_out > 0 {
        let rows = counted(left_out, "more row");
        text += &format!("\n{rows}: `argocd-peering diff` prints them.\n");
    }
    if let Some(line) = changes.judged.line() {
        text += &format!("\n{}\n", escape_html(&printed(&line)));
    }
    (text, left_out)
}

/// A row of a peering's table.
fn row(change: &ObjectChange, unwritten: &mut UnwrittenConsequences<'_>) -> String {
    let mut what = match change.change {
        ChangeKind::Added => vec!["added".to_owned()],
        ChangeKind::Removed => vec!["**removed**".to_owned()],
        ChangeKind::Changed => Vec::new(),
    };
    what.extend(change.fields.iter().map(|it| field_line(it, code_span)));
    let cluster = change.cluster.as_ref().map(Shown::masked);
    let cluster = match change.role {
        None => "Argo CD".to_owned(),
        Some(role) => format!("{role} {}", code_span(&cluster.unwrap_or_default())),
    };
    let (kind, name) = (change.kind.as_str(), code_span(&change.name.masked()));
    let effects = unwritten.lines(change).join("<br>");
    let what = what.join("<br>");
    format!("| {cluster} | {kind} {name} | {what} | {effects} |\n")
}

/// The first names, and how many more there are: few enough to read at a glance and to leave room for the comment's tables.
fn first_names(folders: &[String]) -> String {
    const SHOWN: usize = 20;
    const BYTES: usize = 4_000;
    let names: Vec<String> = folders.iter().map(|it| code_span(it)).collect();
    let (mut shown, mut bytes) = (0, 0);
    for name in names.iter().take(SHOWN) {
        bytes += name.len() + 2;
        shown += usize::from(bytes <= BYTES);
    }
    list_first(names, shown)
}

/// Code on one line, in a cell of a table. A backtick would end the code, and a `|` the cell, also within code (GitHub Flavored Markdown
/// 4.10). A text with one of them, or with the beginning of a command of a job's log, is written in HTML, with every character escaped that
/// could mean something.
fn code_span(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    if !text.contains(['`', '|']) && !text.contains("##") && !text.trim().is_empty() {
        return format!("`{text}`");
    }
    format!("<code>{}</code>", escape_html(&text))
}

/// A text in HTML, with every character escaped that could mean something.
fn escape_html(text: &str) -> String {
    let mut html = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || c == ' ' {
            html.push(c);
        } else {
            html += &format!("&#{};", u32::from(c));
        }
    }
    html
}
