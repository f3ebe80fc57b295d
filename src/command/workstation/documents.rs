//! The peerings that a user names, in the order of their paths.

use crate::command::error::workstation::WorkstationError;
use crate::command::{Error, Result};
use crate::input::file::{folder_of, shown_path};
use crate::input::folder::DOCUMENT;
use crate::state::repo::{FoundDocument, Repo, ValidDocument, documents};
use std::path::{Path, PathBuf};

/// The peerings of these paths, in the order of the paths. At least one is required: an empty table or drawing would hide a mistake
/// in the path.
///
/// # Errors
/// All problems of all these peerings.
pub(super) fn peerings(paths: &[PathBuf]) -> Result<Vec<ValidDocument>> {
    let found = documents(paths)?;
    if let Some(none) = paths.first().filter(|_| found.is_empty()) {
        let reason = format!("no peering.yaml in or below {}", shown_path(none));
        return Err(Error::flag("PATHS", reason));
    }
    described(Repo::of_documents("PATHS", &found)?)
}

/// The folder that this path names: a folder itself, or that of a document.
pub(super) fn folder_of_peering(path: &Path) -> PathBuf {
    let is_document = path.file_name() == Some(DOCUMENT.as_ref());
    if is_document {
        folder_of(path).to_owned()
    } else {
        path.to_owned()
    }
}

/// The peerings of a repository, in the order of their paths.
///
/// # Errors
/// All problems of all these peerings.
fn described(mut repo: Repo) -> Result<Vec<ValidDocument>> {
    repo.documents
        .sort_by(|one, other| one.path.cmp(&other.path));
    let peerings = repo.documents.len();
    let (mut described, mut errors) = (Vec::new(), Vec::new());
    for found in repo.documents.into_iter().map(FoundDocument::described) {
        match found {
            Ok(peering) => described.push(peering),
            Err(error) => errors.push(error.into()),
        }
    }
    if errors.is_empty() {
        return Ok(described);
    }
    Err(WorkstationError::of_peerings(errors, peerings))
}
