//! Documents and their sealed files that Git passes over: they are on this machine, and in no commit.

use super::copies::Named;
use super::is_named_as_document;
use crate::diagnostic::{Code, Invalid, Judged, Problems, Severity, Source, Span, quoted};
use crate::input::file::{folder_of, repository, shown_path};
use crate::input::folder::DOCUMENT;
use crate::state::repo::ignored::{By, Ignored};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Those of these documents, each with the number of its document.
pub(super) fn check(
    documents: &[(usize, Source, Vec<Named>)],
    paths: &[PathBuf],
    judged: &mut Judged,
) -> Vec<(usize, Invalid)> {
    let mut repositories: BTreeMap<PathBuf, Ignored> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, source, files) in documents {
        // one of another name, or of standard input, has no folder
        let path = paths.get(*index).filter(|path| is_named_as_document(path));
        let Some(folder) = path.and_then(|path| folder_of(path).canonicalize().ok()) else { continue };
        let Some(root) = repository(&folder) else { continue };
        let ignored = repositories.entry(root.to_owned()).or_insert_with(|| Ignored::of(root));
        let mut problems = Problems::default();
        let files = files.iter().map(|file| (file.name.as_str(), file.span));
        for (name, span) in files.chain([(DOCUMENT, Span::default())]) {
            let Some(By { file: by, line, is_of_folder }) = ignored.by(&folder.join(name)) else { continue };
            let by = shown_path(by.strip_prefix(root).unwrap_or(&by));
            let message =
                format!("{} is not committed: line {line} of {by} has Git pass over it", quoted(name));
            let other = if is_of_folder {
                "remove that line: what is in a folder that Git passes over cannot be taken in again"
                    .to_owned()
            } else {
                format!("add `!{name}` after that line: Argo CD has only what is committed")
            };
            let help = format!("`git add -f` commits it once; or {other}");
            problems.refuse(Code::IgnoredFile, span, message, help);
        }
        if !problems.is_empty() {
            found.push((*index, Invalid::of_file(Severity::Error, problems, source)));
        }
    }
    if repositories.values().any(Ignored::is_cut) {
        judged.leave_out(
            "sealed file",
            "whether Git passes over sealed files",
            "the `.gitignore` files are too long",
        );
    }
    found
}
