//! The files that have something of Argo CD's.

use crate::argocd::application::Declared;
use crate::command::error::Error;
use crate::diagnostic::{Judged, Source, Span};
use crate::input::file::{self, Links, ReadProblem, shown_path, utf8};
use crate::input::folder::DOCUMENT;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Argo CD's own manifests have 2 MiB.
const FILE_CAP: u64 = 4 << 20;

/// The Applications of five thousand peerings, a file each. A value of two bytes takes fifty in memory.
const BYTES_MAX: usize = 16 << 20;

/// A file with something of Argo CD's.
pub(in super::super) struct File {
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
pub(in super::super) fn files(paths: &[PathBuf], judged: &mut Judged) -> Result<Vec<File>, Error> {
    let (mut found, mut seen, mut bytes) = (Vec::new(), BTreeSet::new(), 0);
    for path in paths {
        let is_document = path.file_name() == Some(DOCUMENT.as_ref());
        let folder = path.parent().filter(|_| is_document).unwrap_or(path);
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if !folder.is_dir() {
            continue;
        }
        let root = repository(folder);
        for path in manifests(folder)? {
            let Ok(canonical) = path.canonicalize() else { continue };
            let folder = canonical.parent().unwrap_or(&canonical).to_owned();
            if !seen.insert(canonical) {
                continue;
            }
            let Some(source) = read(&path, judged) else { continue };
            // most files
            if !source.text().contains("argoproj.io/") {
                continue;
            }
            bytes += source.text().len();
            if bytes > BYTES_MAX {
                return Err(too_large());
            }
            let declared = Declared::of_text(source.text());
            let unread = declared.unread.clone().filter(|_| is_called_application(&path));
            if !declared.is_empty() || unread.is_some() {
                found.push(File { source, folder, root: root.clone(), declared, unread });
            }
        }
    }
    Ok(found)
}

fn too_large() -> Error {
    let reason = format!(
        "the files with `argoproj.io/` in them have more than {} MiB; name fewer folders at once",
        BYTES_MAX >> 20
    );
    Error::Flag { flag: "PATHS", reason }
}

/// The manifests in a folder and below, in their order.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut manifests = Vec::new();
    file::walk(folder, &mut |path, is_folder| {
        let is_manifest = path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "json")
            && path.file_name() != Some(DOCUMENT.as_ref());
        manifests.extend((is_manifest && !is_folder).then(|| path.to_owned()));
    })?;
    manifests.sort();
    Ok(manifests)
}

/// As `init` and argocd-app call them.
fn is_called_application(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("application"))
}

/// A file, if it is a text.
fn read(path: &Path, judged: &mut Judged) -> Option<Source> {
    let bytes = match file::read(path, FILE_CAP, Links::Refuse) {
        Err(ReadProblem::TooLarge { .. }) => {
            let reason = format!("it has more than {} MiB", FILE_CAP >> 20);
            judged.leave_out("file", shown_path(path), reason);
            return None;
        }
        bytes => bytes.ok()?,
    };
    Some(Source::new(&path.display().to_string(), utf8(&bytes).ok()?))
}

/// The repository that a folder is in: the nearest with `.git`. Git itself is not run: it would do what the repository says.
fn repository(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().find(|it| it.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
}
