//! The document that an Application's path leads to.

use super::application_rules::refusal;
use super::{ArgoFile, Place, error, note};
use crate::argocd::application::Application;
use crate::diagnostic::{Diagnostic, quoted, shell_word, shown_name};
use crate::input::folder::{DOCUMENT, NEARLY};
use crate::state::repo::Files;
use std::collections::HashMap;
use std::path::Path;

/// The documents by the ends of their folders' paths; the longest end is the whole path. So an Application is not compared with each of
/// thousands of documents.
pub(super) struct DocumentsByPath<'p>(HashMap<&'p Path, &'p Place<'p>>);

impl<'p> DocumentsByPath<'p> {
    pub(super) fn new(places: &'p [Place<'p>]) -> Self {
        let mut ends = HashMap::new();
        for place in places {
            let mut components = place.folder.components();
            loop {
                let end = components.as_path();
                if components.next().is_none() {
                    break;
                }
                ends.entry(end).or_insert(place);
            }
        }
        Self(ends)
    }

    fn find(&self, end: &Path) -> Option<&'p Place<'p>> {
        self.0.get(end).copied()
    }

    /// The document that an Application's path leads to, or the one that it is next to; and the fault of a path that leads elsewhere.
    pub(super) fn document_of(
        &self,
        file: &ArgoFile,
        application: &Application,
        repo_files: &Files,
    ) -> (Option<&'p Place<'p>>, Option<Diagnostic>) {
        let mut beside = self.find(&file.folder);
        if application.is_generated {
            beside = None;
        }
        let Some(path) = &application.source.path else {
            return (beside, None);
        };
        let (Some(root), Some(folder)) = (&file.root, file.folder_at(path)) else {
            let written = Path::new(path.trim_start_matches("./").trim_end_matches('/'));
            return (beside.or(self.find(written)), None);
        };
        if let Some(place) = self.find(&folder) {
            return (Some(place), None);
        }
        // Argo CD refuses the path, which is reported already
        if refusal(path).is_some() {
            let written = root.join(path.trim_start_matches('/'));
            return (self.find(&written).or(beside), None);
        }
        // a document outside of the given paths, or one that cannot be read or is refused, which is reported
        if has_document(&folder, repo_files) {
            return (None, None);
        }
        let Some(place) = beside else {
            let message = format!("no peering.yaml is at its `path` {}", quoted(path));
            let help = "correct it, unless `repoURL` is another repository";
            return (None, Some(note(message, help, path.span)));
        };
        let here = place.folder.strip_prefix(root).unwrap_or(place.folder);
        let here = if here.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            here.display().to_string()
        };
        let (word, here) = (shell_word(&here), shown_name(&here));
        let shown = quoted(path);
        let message = format!("its `path` is {shown}, and this folder is `{here}`");
        let help = format!(
            "write `path: {here}`, and seal the files for it: `argocd-peering reseal {word} --identity-file FILE --recipients-file FILE --path {word}`"
        );
        (Some(place), Some(error(message, &help, path.span)))
    }
}

/// Whether a folder has a document, or a file that was meant to be one.
fn has_document(folder: &Path, repo_files: &Files) -> bool {
    let mut names = [DOCUMENT].into_iter().chain(NEARLY);
    names.any(|name| repo_files.has_file(&folder.join(name)))
}
