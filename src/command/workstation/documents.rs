//! The peerings that a user names, in the order of their paths.

use crate::command::error::workstation::WorkstationError;
use crate::command::{Error, Result};
use crate::diagnostic::{shell_word, shown_name};
use crate::input::file::folder_of;
use crate::input::folder::{DOCUMENT, UnreadDocument};
use crate::state::git::Git;
use crate::state::repo::{Described, Found, Repo, documents};
use std::path::{Path, PathBuf};

/// The peerings of these paths, in the order of the paths. At least one is required: an empty table or drawing would hide a mistake
/// in the path.
///
/// # Errors
/// All problems of all these peerings.
pub(super) fn peerings(paths: &[PathBuf]) -> Result<Vec<Described>> {
    let found = documents(paths)?;
    if let Some(none) = paths.first().filter(|_| found.is_empty()) {
        return Err(UnreadDocument::missing(&none.join(DOCUMENT)).into());
    }
    described(Repo::of_documents("PATHS", &found)?)
}

/// Refuses arguments that are not paths here, but revisions of the checkout.
///
/// # Errors
/// For the first of them, with the flags to use instead.
pub(super) fn refuse_revisions<'p>(
    flag: &'static str,
    words: impl IntoIterator<Item = &'p PathBuf>,
) -> Result {
    let missing = words.into_iter().filter(|it| !it.exists());
    let missing: Vec<&str> = missing.filter_map(|it| it.to_str()).collect();
    let Some(word) = missing.first() else {
        return Ok(());
    };
    let Ok((git, _)) = Git::of(Path::new(".")) else {
        return Ok(());
    };
    let words = match word.split_once("..") {
        Some((old, new)) => vec![old, new.trim_start_matches('.')],
        None => missing.clone(),
    };
    let is_revision = |word: &&str| git.commit(flag, word).is_ok();
    if !words.first().is_some_and(is_revision) {
        return Ok(());
    }
    let words: Vec<&str> = words.into_iter().filter(is_revision).collect();
    let way = match words
        .into_iter()
        .map(shell_word)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [old, new] => {
            format!("`argocd-peering diff --from {old} --to {new}` compares these revisions")
        }
        all => format!("for the revision write `--from {}`", all.concat()),
    };
    Err(Error::flag(
        flag,
        format!("there is no folder {}; {way}", shown_name(word)),
    ))
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
fn described(mut repo: Repo) -> Result<Vec<Described>> {
    repo.documents
        .sort_by(|one, other| one.path.cmp(&other.path));
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
    Err(WorkstationError::of_peerings(errors, peerings))
}
