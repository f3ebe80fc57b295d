//! The documents of the folders that a person names, and how many there may be.

use super::error::Error;
use crate::input::file;
use crate::input::folder::{DOCUMENT, NEARLY};
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
pub(super) fn bounded(flag: &'static str, documents: usize) -> Result<(), Error> {
    if documents > DOCUMENTS_MAX {
        return Err(too_many(flag, &format!("more than {DOCUMENTS_MAX} documents")));
    }
    Ok(())
}

/// The documents of the given paths: a file, a folder with a document, or a folder of such folders, in which there may be none.
/// Sorted, so that a report is the same on every run.
pub(super) fn documents(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            search(path, "PATHS", &mut found)?;
        } else {
            found.push(path.clone());
            bounded("PATHS", found.len())?;
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
    bounded(flag, found.len())
}
