//! The peerings that a person names.

use super::order::natural;
use crate::command::error::Error;
use crate::input::file::{ReadProblem, named};
use crate::input::folder::DOCUMENT;
use crate::state::repo::{Described, Found, Repo, documents};
use std::path::PathBuf;

/// The peerings of these paths, in the natural order of theirs. At least one: a table or a drawing of nothing hides a mistake in the
/// path.
///
/// # Errors
/// All that is wrong with any of them.
pub(super) fn peerings(paths: &[PathBuf]) -> Result<Vec<Described>, Error> {
    let found = documents(paths)?;
    if let Some(none) = paths.first().filter(|_| found.is_empty()) {
        return Err(named(&none.join(DOCUMENT))(ReadProblem::Missing).into());
    }
    described(Repo::of_documents("PATHS", &found, |_, _| {})?)
}

/// The peerings of a repository, in the natural order of their paths.
///
/// # Errors
/// All that is wrong with any of them.
pub(super) fn described(mut repo: Repo) -> Result<Vec<Described>, Error> {
    repo.documents.sort_by(|one, other| natural(&one.path.to_string_lossy(), &other.path.to_string_lossy()));
    let peerings = repo.documents.len();
    let (mut described, mut errors) = (Vec::new(), Vec::new());
    for found in repo.documents.into_iter().map(Found::described) {
        match found {
            Ok(peering) => described.push(peering),
            Err(error) => errors.push(error.into()),
        }
    }
    if errors.is_empty() {
        return Ok(described);
    }
    Err(Error::of_peerings(errors, peerings))
}
