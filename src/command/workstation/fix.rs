//! `validate --fix`: applies the edits that the helps suggest, where there is exactly one.

use super::rotate::has_other_changes;
use crate::command::{Result, Streams};
use crate::custody::store;
use crate::diagnostic::secrecy::mask_document;
use crate::diagnostic::{Edit, Source, counted};
use crate::input::file::shown_path;
use crate::input::folder::Folder;
use crate::input::yaml::splice;
use crate::rules;
use std::path::{Path, PathBuf};

/// How often a document is read again: one edit can reveal the next problem.
const ROUNDS: usize = 200;

/// Writes what can be fixed, and shows each line that changes.
pub(in crate::command) fn fix(
    allows_dirty: bool,
    paths: &[PathBuf],
    streams: &mut Streams<'_>,
) -> Result {
    for path in paths {
        // a document that cannot be read is reported later
        let Ok(source) = Folder::read_file(path) else {
            continue;
        };
        let Some(fixed) = fixed(&source) else {
            continue;
        };
        if !allows_dirty && has_other_changes(path, source.text(), streams) {
            streams.note(&format!(
                "note: {} has changes that are not committed, so it was not fixed: commit them first, or add --allow-dirty",
                shown_path(path)
            ));
            continue;
        }
        let edits = write(path, source.text(), &fixed)?;
        streams.note(&format!(
            "fixed {}: {}",
            shown_path(path),
            counted(edits.len(), "line")
        ));
        streams.note_all(&edits);
    }
    Ok(())
}

/// The text without problems, if the suggested edits lead there. Otherwise no edit is made: half a repair would hide the rest of the
/// mistake.
pub(super) fn fixed(document: &Source) -> Option<String> {
    let mut text = document.text().to_owned();
    for round in 0..ROUNDS {
        let source = Source::new(document.name(), &text);
        let Some(invalid) = rules::examine(&source, |_| true).invalid else {
            return (round > 0).then_some(text);
        };
        let edit = invalid.problems.iter().find_map(|it| it.edit.as_ref())?;
        text = apply(&text, edit)?;
    }
    None
}

/// Applies an edit. A value keeps its quotes.
fn apply(
    text: &str,
    Edit {
        span,
        text: instead,
    }: &Edit,
) -> Option<String> {
    let old = text.get(span.start..span.end)?;
    let quote = ['"', '\'']
        .into_iter()
        .find(|quote| old.len() > 1 && old.starts_with(*quote) && old.ends_with(*quote));
    let quote = quote.map(String::from).unwrap_or_default();
    let edited = splice(text, *span, &format!("{quote}{instead}{quote}"))?;
    (edited != text).then_some(edited)
}

/// Writes the document, and returns the changed lines: each new line below the old one.
fn write(path: &Path, old: &str, new: &str) -> Result<Vec<String>> {
    store::replace(path, old.as_bytes(), new.as_bytes(), true)?;
    let pairs = old
        .lines()
        .zip(new.lines())
        .enumerate()
        .filter(|(_, (old, new))| old != new);
    let lines = pairs.map(|(line, (old, new))| {
        // a line can contain a carriage return, with which a terminal would overwrite the line
        let [old, new] = [old, new].map(|it| {
            mask_document(it)
                .trim_end_matches(' ')
                .replace('\r', "\u{240d}")
        });
        format!("{:>5} - {old}\n      + {new}", line + 1)
    });
    Ok(lines.collect())
}
