//! The peerings that a user names, in the order of their paths.

use crate::command::error::workstation::WorkstationError;
use crate::command::{Error, Result};
use crate::input::file::{folder_of, shown_path};
use crate::input::folder::DOCUMENT;
use crate::state::repo::{Repo, ValidDocument, documents};
use std::path::{Path, PathBuf};

/// The peerings of these paths, in the order of the paths. At least one is required: an empty table or drawing would hide a mistake
/// in the path.
///
/// # Errors
/// All problems of all these peerings.
pub(super) fn peerings(paths: &[PathBuf]) -> Result<Vec<ValidDocument>> {
    let found = documents(paths)?;
    if let Some(first) = paths.first().filter(|_| found.is_empty()) {
        return Err(Error::flag("PATHS", no_peering(first)));
    }
    let all = Repo::of_documents("PATHS", &found)?.documents;
    let count = all.len();
    let (mut valid, mut errors) = (Vec::new(), Vec::new());
    for document in all {
        match document.described() {
            Ok(document) => valid.push(document),
            Err(error) => errors.push(error.into()),
        }
    }
    if errors.is_empty() {
        return Ok(valid);
    }
    Err(WorkstationError::of_peerings(errors, count))
}

/// The message that a path leads to no document.
pub(in crate::command) fn no_peering(path: &Path) -> String {
    format!("no peering.yaml in or below {}", shown_path(path))
}

/// The folder that this path names: a folder itself, or that of a document.
pub(super) fn folder_of_peering(path: &Path) -> PathBuf {
    let is_document = path.file_name() == Some(DOCUMENT.as_ref());
    if is_document { folder_of(path) } else { path }.to_owned()
}
