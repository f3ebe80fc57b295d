//! Documents and sealed files that Git ignores, or that a filter changes on commit: they are right on this machine, and missing or
//! different in every commit.

use super::checked::Checked;
use crate::diagnostic::{Code, Invalid, Problems, Severity, Span, quoted};
use crate::input::file::shown_path;
use crate::input::folder::DOCUMENT;
use crate::state::repo::Files;
use crate::state::repo::ignored::By;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A file of a document, and the line of the repository that hides it.
struct Hidden {
    index: usize,
    name: String,
    span: Span,
    /// The path from the repository's root.
    file: PathBuf,
    by: By,
    /// Whether a filter changes the content; otherwise the file is not committed.
    is_filtered: bool,
}

/// The files that Git ignores or changes.
pub(super) struct PassedOver {
    hidden: Vec<Hidden>,
    /// Why it is not known whether Git ignores a file, if that is so.
    pub(super) unknown: Option<&'static str>,
}

impl PassedOver {
    /// The hidden ones of these documents and of the sealed files that they name.
    pub(super) fn of(documents: &[Checked], there: &Files) -> Self {
        let mut hidden = Vec::new();
        for (index, it) in documents
            .iter()
            .enumerate()
            .filter(|(_, it)| it.source.is_some())
        {
            let Some((folder, Some(root))) = &it.place else {
                continue;
            };
            let files = it.sealed.iter().map(|file| (file.name.as_str(), file.span));
            for (name, span) in files.chain([(DOCUMENT, Span::default())]) {
                let path = folder.join(name);
                let (passed, filtered) =
                    (there.passed_over(root, &path), there.filtered(root, &path));
                let both = passed
                    .map(|by| (by, false))
                    .into_iter()
                    .chain(filtered.map(|by| (by, true)));
                hidden.extend(both.map(|(by, is_filtered)| {
                    let file = by.file.strip_prefix(root).unwrap_or(&by.file).to_owned();
                    Hidden {
                        index,
                        name: name.to_owned(),
                        span,
                        file,
                        by,
                        is_filtered,
                    }
                }));
            }
        }
        Self {
            hidden,
            unknown: there.take_unknown(),
        }
    }
}

/// The problems, each with the number of its document.
pub(super) fn check(documents: &[Checked], passed_over: &PassedOver) -> Vec<(usize, Invalid)> {
    let mut found: BTreeMap<usize, [Problems; 2]> = BTreeMap::new();
    for it in &passed_over.hidden {
        let [errors, notes] = found.entry(it.index).or_default();
        let (name, line, by) = (quoted(&it.name), it.by.line, shown_path(&it.file));
        let (problems, message, help) = if it.is_filtered {
            // (argo-cd `util/git/client.go`, IsLFSEnabled)
            let message = format!(
                "line {line} of {by} has Git commit {name} through a filter, as Git LFS and git-crypt do: Argo CD has what the filter makes of it"
            );
            let help = format!(
                "add `{} -filter` after that line; for Git LFS alone, `enableLfs: \"true\"` in the repository's Secret of Argo CD does as well",
                it.name
            );
            (notes, message, help)
        } else {
            let message =
                format!("{name} is not committed: line {line} of {by} has Git pass over it");
            let other = if it.by.is_of_folder {
                "remove that line: what is in a folder that Git passes over cannot be taken in again"
                    .to_owned()
            } else {
                format!(
                    "add `!{}` after that line: Argo CD has only what is committed",
                    it.name
                )
            };
            (
                errors,
                message,
                format!("`git add -f` commits it once; or {other}"),
            )
        };
        problems.refuse(Code::IgnoredFile, it.span, message, help);
    }
    let found = found.into_iter().filter_map(|(index, [errors, notes])| {
        let source = documents.get(index)?.source.as_ref()?;
        let parts = Invalid::of_parts([(Severity::Error, errors), (Severity::Note, notes)], source);
        Some(parts.into_iter().map(move |it| (index, it)))
    });
    found.flatten().collect()
}
