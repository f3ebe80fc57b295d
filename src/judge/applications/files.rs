//! The files that have something of Argo CD's.

use super::overrides::{Other, leads_out};
use crate::argocd::declared::{Declared, UNREAD};
use crate::diagnostic::{Source, Span, shown_name};
use crate::input::file::{folder_of, repository};
use crate::input::yaml::documents;
use crate::state::repo::argocd::{ArgoFiles, is_kustomization, is_override};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file with something of Argo CD's.
pub(crate) struct File {
    pub(super) source: Source,
    /// The folder that it is in.
    pub(super) folder: PathBuf,
    /// The root of its repository, if there is one.
    pub(super) root: Option<PathBuf>,
    pub(super) declared: Declared,
    /// Of a file that is called as Applications are, why a part of it was not read.
    pub(super) unread: Option<(String, Span)>,
    pub(super) other: Option<Other>,
}

/// The files that have something of Argo CD's, in their order.
pub(crate) fn files(ArgoFiles { texts, links, .. }: ArgoFiles) -> Vec<File> {
    let (mut files, mut folders) = (Vec::new(), Folders::default());
    for (path, target) in links {
        let Some((folder, Some(root))) = folders.of(&path) else { continue };
        files.extend(File::of_link(&path, folder, root, &target));
    }
    for (path, text) in texts {
        let Some((folder, root)) = folders.of(&path) else { continue };
        files.extend(File::of(&path, folder, root, text));
    }
    files
}

/// A folder without links, and the root of its repository, if there is one.
type Place = (PathBuf, Option<PathBuf>);

/// The folders of files, each looked at once.
#[derive(Default)]
struct Folders(BTreeMap<PathBuf, Option<Place>>);

impl Folders {
    fn of(&mut self, path: &Path) -> Option<Place> {
        let place = |folder: &PathBuf| {
            let folder = folder.canonicalize().ok()?;
            let root = repository(&folder).map(Path::to_owned);
            Some((folder, root))
        };
        self.0.entry(folder_of(path).to_owned()).or_insert_with_key(place).clone()
    }
}

impl File {
    /// Of a text, under the name of its path; none if it has nothing of Argo CD's.
    pub(crate) fn of(path: &Path, folder: PathBuf, root: Option<PathBuf>, text: String) -> Option<Self> {
        let mut declared = Declared::of_text(&text);
        let unread = declared.unread.take().filter(|_| is_called_application(path));
        if unread.is_some() {
            declared.unjudged.retain(|(kind, _)| *kind != UNREAD);
        }
        let other = match path {
            path if is_override(path) => Some(Other::Override(documents(&text).next())),
            path if is_kustomization(path) => Other::of_kustomization(&text),
            _ => None,
        };
        let source = Source::new(&path.display().to_string(), text);
        let is_one = !declared.is_empty() || unread.is_some() || other.is_some();
        is_one.then_some(Self { source, folder, root, declared, unread, other })
    }

    /// Without links.
    pub(super) fn path(&self) -> Option<PathBuf> {
        Some(self.folder.join(Path::new(self.source.name()).file_name()?))
    }

    /// Of a link, whose text is where it leads, as Git has it; none if that is in the repository.
    fn of_link(path: &Path, folder: PathBuf, root: PathBuf, target: &Path) -> Option<Self> {
        let text = shown_name(&target.display().to_string());
        let out = leads_out(target, &folder, &root).then_some(Other::Link);
        let other = Some(out.or_else(|| is_override(path).then_some(Other::Override(None)))?);
        let (source, declared) = (Source::new(&path.display().to_string(), text), Declared::default());
        Some(Self { source, folder, root: Some(root), declared, unread: None, other })
    }
}

/// As `init` and argocd-app call them.
fn is_called_application(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("application"))
}
