//! The files that have something of Argo CD's.

use crate::argocd::application::{Declared, UNREAD};
use crate::diagnostic::{Judged, Source, Span};
use crate::input::file::shown_path;
use crate::input::folder::DOCUMENT;
use crate::state::StateError;
use crate::state::repo::argocd::{Allowance, ArgoFiles, FILE_CAP};
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
        let root = repository(below);
        let ArgoFiles { texts, too_large } = ArgoFiles::of_folder(below, &mut allowance)?;
        for path in too_large {
            let reason = format!("it has more than {} MiB", FILE_CAP >> 20);
            judged.leave_out("file", shown_path(&below.join(path)), reason);
        }
        for (path, text) in texts {
            let path = below.join(path);
            let Ok(canonical) = path.canonicalize() else { continue };
            let folder = canonical.parent().unwrap_or(&canonical).to_owned();
            if !seen.insert(canonical) {
                continue;
            }
            let mut declared = Declared::of_text(&text);
            let unread = declared.unread.take().filter(|_| is_called_application(&path));
            if unread.is_some() {
                declared.unjudged.retain(|(kind, _)| *kind != UNREAD);
            }
            if !declared.is_empty() || unread.is_some() {
                let source = Source::new(&path.display().to_string(), text);
                found.push(File { source, folder, root: root.clone(), declared, unread });
            }
        }
    }
    Ok(found)
}

/// As `init` and argocd-app call them.
fn is_called_application(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("application"))
}

/// The repository that a folder is in: the nearest with `.git`. Git itself is not run: it would do what the repository says.
fn repository(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().find(|it| it.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
}
