//! Documents and sealed files that Git ignores, or that a filter changes on commit: they are right on this machine, and missing or
//! different in every commit.

use super::checked::Checked;
use crate::diagnostic::{Code, Invalid, Problems, Severity, Span, quoted};
use crate::state::repo::Files;
use std::collections::BTreeMap;

/// A file of a document that is not committed, or not as it is.
struct Hidden {
    index: usize,
    name: String,
    span: Span,
    /// The line by which Git ignores the file. None if a filter changes it.
    line: Option<String>,
}

/// The files that Git ignores or changes.
pub(super) struct PassedOver(Vec<Hidden>);

impl PassedOver {
    /// The hidden ones of these documents and of the sealed files that they name.
    pub(super) fn of(documents: &[Checked], files: &Files) -> Self {
        let mut hidden = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            for (path, name, span) in document.committed_files() {
                let mut add = |line| {
                    let name = name.to_owned();
                    hidden.push(Hidden {
                        index,
                        name,
                        span,
                        line,
                    });
                };
                if let Some(line) = files.ignoring_line(&path) {
                    add(Some(line.to_owned()));
                }
                if files.is_filtered(&path) {
                    add(None);
                }
            }
        }
        Self(hidden)
    }
}

/// The problems, each with the number of its document.
pub(super) fn check(documents: &[Checked], passed_over: &PassedOver) -> Vec<(usize, Invalid)> {
    let mut found: BTreeMap<usize, [Problems; 2]> = BTreeMap::new();
    for it in &passed_over.0 {
        let [errors, notes] = found.entry(it.index).or_default();
        let name = quoted(&it.name);
        if let Some(line) = &it.line {
            let message = format!("{name} is not committed: {line} has Git pass over it");
            let help = "`git add -f` commits it once; or remove that line: Argo CD has only what is committed";
            errors.refuse(Code::IgnoredFile, it.span, message, help);
        } else {
            // (argo-cd `util/git/client.go`, IsLFSEnabled)
            let message = format!(
                ".gitattributes has Git commit {name} through a filter, as Git LFS and git-crypt do: Argo CD has what the filter makes of it"
            );
            let help = format!(
                "add `{} -filter` after the line with the filter; for Git LFS alone, `enableLfs: \"true\"` in the repository's Secret of Argo CD does as well",
                it.name
            );
            notes.refuse(Code::IgnoredFile, it.span, message, help);
        }
    }
    let found = found.into_iter().filter_map(|(index, [errors, notes])| {
        let source = documents.get(index)?.source.as_ref()?;
        let parts = Invalid::of_parts([(Severity::Error, errors), (Severity::Note, notes)], source);
        Some(parts.into_iter().map(move |it| (index, it)))
    });
    found.flatten().collect()
}
