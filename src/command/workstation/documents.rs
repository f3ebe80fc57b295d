//! The peerings that a person names.

use super::order::natural;
use crate::command::error::Error;
use crate::command::workstation::flags::PeeringPaths;
use crate::diagnostic::quoted;
use crate::input::file::{ReadProblem, folder_of, named, shown_path};
use crate::input::folder::DOCUMENT;
use crate::state::git::Git;
use crate::state::repo::{Commit, Described, Files, Found, Repo, documents};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// The same, of the files as they are now or as a commit has them.
///
/// # Errors
/// As above, and when git gives no answer.
pub(super) fn peerings_at(PeeringPaths { paths, from }: &PeeringPaths) -> Result<Vec<Described>, Error> {
    match from {
        Some(revision) => described(committed(paths, revision)?.0),
        None => peerings(paths),
    }
}

/// The documents of these paths as a commit has them, and the folders of it.
///
/// # Errors
/// When a path has no document there, or git gives no answer.
pub(in crate::command) fn committed(paths: &[PathBuf], revision: &str) -> Result<(Repo, Vec<Commit>), Error> {
    let (mut documents, mut commits) = (Vec::new(), Vec::new());
    for path in paths {
        let (git, place) = Git::of(&folder_of_peering(path))?;
        let commit = Commit::of(&git, &place, "--from", revision)?;
        let repo = commit.repo()?;
        commits.push(commit);
        if repo.documents.is_empty() {
            let reason = format!("{} has no {DOCUMENT} in {}", quoted(revision), shown_path(path));
            return Err(Error::Flag { flag: "--from", reason });
        }
        documents.extend(repo.documents);
    }
    // two paths can lead to one document
    let mut seen = BTreeSet::new();
    documents.retain(|it| seen.insert(it.path.clone()));
    Ok((Repo { documents, files: Files::default() }, commits))
}

/// A folder, or that of a document that is named itself.
pub(super) fn folder_of_peering(path: &Path) -> PathBuf {
    let is_document = path.file_name() == Some(DOCUMENT.as_ref());
    if is_document { folder_of(path).to_owned() } else { path.to_owned() }
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
