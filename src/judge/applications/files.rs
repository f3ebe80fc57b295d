//! The files that have something of Argo CD's.

use super::overrides::{Other, leads_out};
use crate::argocd::application::{Declared, UNREAD};
use crate::diagnostic::{Judged, Source, Span, shown_name};
use crate::input::file::{repository, shown_path};
use crate::input::folder::DOCUMENT;
use crate::input::yaml::documents;
use crate::state::StateError;
use crate::state::repo::argocd::{Allowance, ArgoFiles, FILE_CAP, is_override};
use std::collections::BTreeSet;
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

/// The files below the paths that have something of Argo CD's, in their order; a file that two paths lead to is one. One that
/// is too large is not judged.
///
/// # Errors
/// When a folder cannot be read, or the files that name an API group of Argo CD's are too many bytes together, whatever is in them.
pub(crate) fn files(paths: &[PathBuf], judged: &mut Judged) -> Result<Vec<File>, StateError> {
    let (mut found, mut seen, mut allowance) = (Vec::new(), BTreeSet::new(), Allowance::of("PATHS"));
    for path in paths {
        let is_document = path.file_name() == Some(DOCUMENT.as_ref());
        let below = path.parent().filter(|_| is_document).unwrap_or(path);
        let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        if !below.is_dir() {
            continue;
        }
        let canonical = below.canonicalize().ok();
        let root = canonical.as_deref().and_then(repository).map(Path::to_owned);
        let ArgoFiles { texts, too_large, links } = ArgoFiles::of_folder(below, &mut allowance)?;
        for path in too_large {
            let reason = format!("it has more than {} MiB", FILE_CAP >> 20);
            judged.leave_out("file", shown_path(&below.join(path)), reason);
        }
        for (path, target) in links {
            let path = below.join(path);
            let folder = path.parent().and_then(|it| it.canonicalize().ok());
            let seen_path = folder.as_ref().zip(path.file_name()).map(|(folder, name)| folder.join(name));
            if seen_path.is_some_and(|path| seen.insert(path)) {
                found.extend(folder.and_then(|folder| File::of_link(&path, folder, root.clone()?, &target)));
            }
        }
        for (path, text) in texts {
            let path = below.join(path);
            let Ok(canonical) = path.canonicalize() else { continue };
            let folder = canonical.parent().unwrap_or(&canonical).to_owned();
            if !seen.insert(canonical) {
                continue;
            }
            found.extend(File::of(&path, folder, root.clone(), text));
        }
    }
    Ok(found)
}

impl File {
    /// Of a text, under the name of its path; none if it has nothing of Argo CD's.
    pub(crate) fn of(path: &Path, folder: PathBuf, root: Option<PathBuf>, text: String) -> Option<Self> {
        let mut declared = Declared::of_text(&text);
        let unread = declared.unread.take().filter(|_| is_called_application(path));
        if unread.is_some() {
            declared.unjudged.retain(|(kind, _)| *kind != UNREAD);
        }
        let other = is_override(path).then(|| Other::Override(documents(&text).next()));
        let source = Source::new(&path.display().to_string(), text);
        let is_one = !declared.is_empty() || unread.is_some() || other.is_some();
        is_one.then_some(Self { source, folder, root, declared, unread, other })
    }

    /// Of a link, whose text is where it leads, as Git has it; none if that is in the repository.
    fn of_link(path: &Path, folder: PathBuf, root: PathBuf, target: &Path) -> Option<Self> {
        let text = shown_name(&target.display().to_string());
        leads_out(target, &folder, &root).then(|| Self {
            source: Source::new(&path.display().to_string(), text),
            folder,
            root: Some(root),
            declared: Declared::default(),
            unread: None,
            other: Some(Other::Link),
        })
    }
}

/// As `init` and argocd-app call them.
fn is_called_application(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("application"))
}
