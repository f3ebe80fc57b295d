//! The path from an Application to a document.

use super::{Asked, Fault, File, Flaw, Place};
use crate::argocd::application::Application;
use crate::diagnostic::{quoted, shell_word, shown_name};
use crate::input::file::cleaned;
use crate::input::folder::{DOCUMENT, NEARLY};
use crate::state::repo::Files;
use std::collections::HashMap;
use std::path::Path;

/// The documents by the ends of their folders' paths; the longest end is the whole path. So an Application is not compared with each of
/// thousands of documents.
pub(super) struct Ways<'p>(HashMap<&'p Path, &'p Place>);

impl<'p> Ways<'p> {
    pub(super) fn to(places: &'p [Place]) -> Self {
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

    fn find(&self, end: &Path) -> Option<&'p Place> {
        self.0.get(end).copied()
    }

    /// The document that an Application's path leads to, or the one that it is next to.
    pub(super) fn lead(&self, file: &File, application: &Application, there: &Files) -> Way<'p> {
        let made_for = application
            .made_for
            .as_ref()
            .zip(file.root.as_ref())
            .map(|(folder, root)| root.join(folder));
        let beside = match made_for {
            Some(folder) => self.find(&folder),
            None => self
                .find(&file.folder)
                .filter(|_| !application.is_generated),
        };
        let path = application
            .source
            .path
            .as_ref()
            .filter(|_| !application.source.is_rendered);
        let Some(path) = path else {
            return Way::To(beside);
        };
        let written = path.value.trim_start_matches("./").trim_end_matches('/');
        let written = if written == "." { "" } else { written };
        let Some(root) = &file.root else {
            return Way::To(beside.or_else(|| self.find(Path::new(written))));
        };
        let folder = root.join(cleaned(Path::new(written)));
        if let Some(place) = self.find(&folder) {
            return Way::To(Some(place));
        }
        // Argo CD follows a link of the repository, and gives the plugin the path as it is written (argo-cd `reposerver/repository/
        // repository.go`, ARGOCD_APP_SOURCE_PATH)
        let linked = there.follow(&folder).and_then(|folder| self.find(&folder));
        // a document outside of the given paths, or one that cannot be read or is refused, which is reported
        if linked.is_none() && (has_document(&folder, there) || path.value.contains("{{")) {
            return Way::To(None);
        }
        let Some(place) = linked.or(beside) else {
            let message = format!("no peering.yaml is at its `path` {}", quoted(&path.value));
            let help = if application.is_generated {
                "exclude the folder in the set's generator, or correct the path, unless `repoURL` is another repository than this one"
            } else {
                "correct the path, unless `repoURL` is another repository than this one"
            };
            return Way::Wrong(None, Fault::note(message, help, path.span));
        };
        let here = place
            .folder
            .strip_prefix(root)
            .unwrap_or(&place.folder)
            .display()
            .to_string();
        let here = if here.is_empty() { "." } else { &here };
        let (word, here) = (shell_word(here), shown_name(here));
        let message = format!(
            "its `path` is {}, and this folder is `{here}`",
            quoted(&path.value)
        );
        let help = format!(
            "write `path: {here}`, and seal the folder's files again for it: `argocd-peering reseal {word} --identity-file FILE --recipients-file FILE --path {word}`; they open only in the folder that their terms name"
        );
        Way::Wrong(Some(place), Fault::error(message, &help, path.span))
    }
}

/// Whether a folder has a document, or a file that was meant to be one.
pub(super) fn has_document(folder: &Path, there: &Files) -> bool {
    [DOCUMENT]
        .into_iter()
        .chain(NEARLY)
        .any(|name| there.has(&folder.join(name)))
}

/// The branch that a revision means, as far as its name tells. `HEAD` is the default branch, which is known if the clone has noted it.
pub(super) fn branch_of<'s>(revision: &'s str, default: Option<&'s str>) -> Option<&'s str> {
    match revision.strip_prefix("refs/heads/").unwrap_or(revision) {
        "" | "HEAD" => default,
        branch => Some(branch),
    }
}

/// The faults of Applications that take a document from another branch than the remote's default one, into which merge requests go.
pub(super) fn branches(asked: &[Asked<'_>], files: &[File]) -> Vec<Flaw> {
    let flaws = asked.iter().filter_map(|it| {
        let place = it.way.place()?;
        let revision = it.application.source.target_revision.as_ref()?;
        let default = files.get(it.file)?.branch.as_deref()?;
        let name = branch_of(&revision.value, None)?;
        // a tag, a range of versions and a commit are a person's choice (argo-cd `docs/user-guide/tracking_strategies.md`)
        let is_branch = !name.starts_with("refs/")
            && !name.contains(['.', '*', '<', '>', '=', '{', '^', '~'])
            && !name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let message = format!(
            "its `targetRevision` is {}, and the default branch of `origin` is {}",
            quoted(&revision.value),
            quoted(default)
        );
        let help = format!(
            "write `refs/heads/{}`, unless the branch is meant",
            shown_name(default)
        );
        (is_branch && name != default)
            .then(|| Fault::note(message, &help, revision.span).within(it.file, place.index))
    });
    flaws.collect()
}

/// The document that an Application leads to.
pub(super) enum Way<'p> {
    To(Option<&'p Place>),
    /// It leads elsewhere, but is next to this document.
    Wrong(Option<&'p Place>, Fault),
}

impl<'p> Way<'p> {
    pub(super) const fn place(&self) -> Option<&'p Place> {
        match self {
            Self::To(place) | Self::Wrong(place, _) => *place,
        }
    }

    pub(super) const fn fault(&self) -> Option<&Fault> {
        if let Self::Wrong(_, fault) = self {
            Some(fault)
        } else {
            None
        }
    }
}
