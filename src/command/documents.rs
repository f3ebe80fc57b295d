//! The documents of the folders that a person names, and how many there may be.

use super::error::Error;
use crate::input::file;
use crate::input::folder::{DOCUMENT, NEARLY};
use crate::input::links;
use crate::{
    input::file::{ReadProblem, named},
    input::folder::Folder,
    peering::Peering,
    rules,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The most documents of a fleet, and their most bytes together: all of them are in memory, since any two can contradict each
/// other, or be one that has moved.
const DOCUMENTS_MAX: usize = 20_000;
pub(super) const BYTES_MAX: usize = 64 << 20;

fn too_many(flag: &'static str, what: &str) -> Error {
    let reason = format!("there are {what}; name fewer folders at once");
    Error::Flag { flag, reason }
}

/// The error for documents that are too large together.
pub(super) fn too_large(flag: &'static str) -> Error {
    too_many(flag, &format!("documents of more than {} MiB", BYTES_MAX >> 20))
}

/// Refuses so many documents of what a flag names.
pub(super) fn check_count(flag: &'static str, documents: usize) -> Result<(), Error> {
    if documents > DOCUMENTS_MAX {
        return Err(too_many(flag, &format!("more than {DOCUMENTS_MAX} documents")));
    }
    Ok(())
}

/// The documents of the given paths: a file, a folder with a document, or a folder of such folders, in which there may be none.
/// Sorted, so that a report is the same on every run. A link of a checkout on the way there is refused: what is reported, or
/// written, would be of another place.
pub(super) fn documents(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            let reason = "standard input is one document: name it alone".into();
            return Err(Error::Flag { flag: "-", reason });
        }
        links::refuse(path)?;
        if path.is_dir() {
            search(path, "PATHS", &mut found)?;
        } else {
            found.push(path.clone());
            check_count("PATHS", found.len())?;
        }
    }
    found.sort();
    // a file that two paths lead to is one peering, and not in conflict with itself
    let mut seen = BTreeSet::new();
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    Ok(found)
}

/// Adds the documents in a folder that a flag names.
pub(super) fn search(folder: &Path, flag: &'static str, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    // a name that is nearly right was meant, and Argo CD would not find it: then the document is reported as missing
    let is_there = |folder: &Path, name: &str| folder.join(name).symlink_metadata().is_ok();
    let mut visit = |path: &Path, is_folder: bool| {
        let mut names = [DOCUMENT].into_iter().chain(NEARLY);
        if is_folder && found.len() <= DOCUMENTS_MAX && names.any(|name| is_there(path, name)) {
            found.push(path.join(DOCUMENT));
        }
    };
    file::walk(folder, &mut visit)?;
    check_count(flag, found.len())
}

/// The documents of the given paths, at least one: a table or a drawing of nothing hides a mistake in the path.
pub(super) fn some_documents(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let found = documents(paths)?;
    match paths.first().filter(|_| found.is_empty()) {
        Some(none) => Err(named(&none.join(DOCUMENT))(ReadProblem::Missing).into()),
        None => Ok(found),
    }
}

/// A peering and its document.
pub(super) struct Described {
    pub(super) path: PathBuf,
    pub(super) peering: Peering,
}

/// The peerings of these documents.
///
/// # Errors
/// All that is wrong with any of them.
pub(super) fn peerings(paths: Vec<PathBuf>) -> Result<Vec<Described>, Error> {
    let (count, mut bytes) = (paths.len(), 0);
    let (mut read, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        let source = Folder::read_file(&path).map_err(Error::from);
        bytes += source.as_ref().map_or(0, |source| source.text().len());
        if bytes > BYTES_MAX {
            return Err(too_large("PATHS"));
        }
        match source.and_then(|source| Ok(rules::read(&source)?)) {
            Ok(peering) => read.push(Described { path, peering }),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        return Ok(read);
    }
    Err(Error::Invalid { wrong: errors.len(), peerings: count, errors, silent: false })
}
