//! The files with objects of Argo CD.

use crate::argocd::declared::ArgoObjects;
use crate::argocd::plugin::PLUGIN;
use crate::diagnostic::Source;
use crate::state::repo::Files;
use crate::state::repo::api_groups::{ArgoFiles, is_kustomization, is_override};
use std::path::{Path, PathBuf};

/// A file with objects of Argo CD, or one that changes them.
pub(crate) struct ArgoFile {
    /// The path as it was found. The file's text has the same name.
    pub(crate) path: PathBuf,
    pub(super) source: Source,
    /// The folder that it is in, without links.
    pub(super) folder: PathBuf,
    /// The root of its repository, if there is one.
    pub(super) root: Option<PathBuf>,
    pub(super) declared: ArgoObjects,
}

/// The files with objects of Argo CD, in order.
pub(crate) fn files(argo: &mut ArgoFiles, repo_files: &mut Files) -> Vec<ArgoFile> {
    let mut files = Vec::new();
    for (path, text) in std::mem::take(&mut argo.texts) {
        let Some((folder, root)) = repo_files.place(&path) else {
            continue;
        };
        let source = Source::new(&path.display().to_string(), text);
        files.push(ArgoFile {
            declared: ArgoObjects::of_text(source.text()),
            path,
            source,
            folder,
            root,
        });
    }
    files
}

impl ArgoFile {
    pub(super) fn is_override(&self) -> bool {
        is_override(&self.path)
    }

    /// Whether it is a kustomization that names the plugin.
    pub(super) fn is_kustomization(&self) -> bool {
        is_kustomization(&self.path) && self.source.text().contains(PLUGIN)
    }

    /// A folder of its repository, by the path that Argo CD has of it.
    pub(super) fn folder_at(&self, path: &str) -> Option<PathBuf> {
        let path = crate::input::file::cleaned(Path::new(path.trim_start_matches("./")));
        Some(self.root.as_ref()?.join(path))
    }
}
