//! The outcome as Markdown, for a comment on a pull request.
//!
//! A pull request can be anybody's, and a comment is posted in the name of who runs this. So all that comes from a document is in
//! code, where no mention, link, image or HTML counts.

use super::super::notes::of_resealed;
use super::super::objects::What;
use super::{Changed, Hazards, name, notes_if_only_resealed, summary, words};
use crate::diagnostic::secrecy::printed;
use crate::diagnostic::shown_name;
use std::fmt::Write as _;

/// The most bytes of a comment's tables; GitHub takes 65,536 characters.
const COMMENT: usize = 56_000;

pub(in super::super) fn markdown(all: usize, peerings: &[Changed]) -> String {
    let mut hazards = Hazards::of(peerings);
    let mut text = format!("**{}**\n", summary(all, peerings));
    let mut left_out = 0;
    for peering in peerings.iter().filter(|it| !it.is_only_resealed()) {
        let mut lines = Vec::new();
        for row in &peering.rows {
            let what = match &row.what {
                What::Added => "added".to_owned(),
                What::Removed => "**removed**".to_owned(),
                What::Changed(changes) => {
                    changes.iter().map(|it| words(it, code)).collect::<Vec<_>>().join("<br>")
                }
            };
            let cluster = match row.role {
                None => "Argo CD".to_owned(),
                Some(role) => format!("{role} {}", code(&printed(&shown_name(&row.cluster)))),
            };
            let object = code(&name(row));
            let effects = hazards.lines(row).join("<br>");
            lines.push(format!("| {cluster} | {} {object} | {what} | {effects} |\n", row.object.kind));
        }
        let mut head = String::from("\n");
        if !peering.folder.is_empty() {
            let _ = write!(head, "### {}\n\n", code(&printed(&shown_name(&peering.folder))));
        }
        for note in peering.notes.iter().cloned().chain(of_resealed(&peering.resealed)) {
            let _ = write!(head, "{}\n\n", note.line());
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
    if let Some((folders, notes)) = notes_if_only_resealed(peerings) {
        let notes: Vec<String> = notes.iter().map(super::Note::line).collect();
        let _ = write!(text, "\n{}\n\n{}\n", first_names(&folders), notes.join("\n\n"));
    }
    if left_out > 0 {
        let _ = write!(
            text,
            "\n{left_out} more rows are left out here: `argocd-peering diff` prints them as text.\n"
        );
    }
    text
}

/// The first names, as many as are read at a glance and leave a comment's room to the tables, and how many more there are.
fn first_names(folders: &[String]) -> String {
    const SHOWN: usize = 20;
    const BYTES: usize = 4_000;
    let named: Vec<&String> = folders.iter().filter(|it| !it.is_empty()).collect();
    let mut text = String::new();
    let mut shown = 0;
    for folder in named.iter().take(SHOWN) {
        let name = code(folder);
        if text.len() + name.len() > BYTES {
            break;
        }
        text = if text.is_empty() { name } else { format!("{text}, {name}") };
        shown += 1;
    }
    match named.len() - shown {
        0 => text,
        rest => format!("{text} and {rest} more"),
    }
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
