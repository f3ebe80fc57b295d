//! The peerings that a user names, in the order that people expect of names: `c2` before `c10`.

use crate::command::error::workstation::WorkstationError;
use crate::command::workstation::flags::PeeringPaths;
use crate::command::{Error, Result};
use crate::diagnostic::{quoted, shell_word, shown_name};
use crate::input::file::{folder_of, shown_path};
use crate::input::folder::{DOCUMENT, UnreadDocument};
use crate::state::git::Git;
use crate::state::repo::{Commit, Described, Files, Found, Repo, documents};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The peerings of these paths, in the natural order of the paths. At least one is required: an empty table or drawing would hide a mistake
/// in the path.
///
/// # Errors
/// All problems of all these peerings.
pub(super) fn peerings(paths: &[PathBuf]) -> Result<Vec<Described>> {
    let found = documents(paths)?;
    if let Some(none) = paths.first().filter(|_| found.is_empty()) {
        return Err(UnreadDocument::missing(&none.join(DOCUMENT)).into());
    }
    described(Repo::of_documents("PATHS", &found, |_, _| {})?)
}

/// The peerings of these paths, as the files are now or as a commit has them.
///
/// # Errors
/// As [`peerings`], and when git gives no answer.
pub(super) fn peerings_at(PeeringPaths { paths, from }: &PeeringPaths) -> Result<Vec<Described>> {
    match from {
        Some(revision) => described(committed(paths, revision)?.0),
        None => refuse_revisions("PATH", paths).and_then(|()| peerings(paths)),
    }
}

/// Refuses arguments that are not paths here, but revisions of the checkout.
///
/// # Errors
/// For the first of them, with the flags to use instead.
pub(in crate::command) fn refuse_revisions<'p>(
    flag: &'static str,
    words: impl IntoIterator<Item = &'p PathBuf>,
) -> Result {
    let Some(word) = words
        .into_iter()
        .find(|it| !it.exists())
        .and_then(|it| it.to_str())
    else {
        return Ok(());
    };
    let Ok((git, _)) = Git::of(Path::new(".")) else {
        return Ok(());
    };
    let words = word
        .split_once("..")
        .map_or_else(|| vec![word], |(old, new)| vec![old, new]);
    if !words.iter().all(|word| git.commit(flag, word).is_ok()) {
        return Ok(());
    }
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

/// The documents of these paths as a commit has them, and the folders of the commit.
///
/// # Errors
/// When a path has no document there, or git gives no answer.
pub(in crate::command) fn committed(
    paths: &[PathBuf],
    revision: &str,
) -> Result<(Repo, Vec<Commit>)> {
    let (mut documents, mut commits) = (Vec::new(), Vec::new());
    for path in paths {
        let (git, place) = Git::of(&folder_of_peering(path))?;
        let commit = Commit::of(&git, &place, "--from", revision)?.beside(&commits);
        let repo = commit.repo()?;
        commits.push(commit);
        if repo.documents.is_empty() {
            let reason = format!(
                "{} has no {DOCUMENT} in {}",
                quoted(revision),
                shown_path(path)
            );
            return Err(Error::flag("--from", reason));
        }
        documents.extend(repo.documents);
    }
    // two paths can lead to one document
    let mut seen = BTreeSet::new();
    documents.retain(|it| seen.insert(it.path.clone()));
    Ok((
        Repo {
            documents,
            files: Files::default(),
        },
        commits,
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

/// The peerings of a repository, in the natural order of their paths.
///
/// # Errors
/// All problems of all these peerings.
pub(super) fn described(mut repo: Repo) -> Result<Vec<Described>> {
    repo.documents
        .sort_by(|one, other| natural(&one.path.to_string_lossy(), &other.path.to_string_lossy()));
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

/// Compares two names, with the numbers in them by value. Two different names are never equal.
pub(super) fn natural(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    while let (Some(first), Some(second)) = (left.chars().next(), right.chars().next()) {
        let order = if let (Some(one), Some(other)) = (number(left), number(right)) {
            (left, right) = (after(left, one), after(right, other));
            // without leading zeros, the longer number is the larger one
            let [one, other] = [one, other].map(|it| it.trim_start_matches('0'));
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        } else {
            (left, right) = (
                left.split_at(first.len_utf8()).1,
                right.split_at(second.len_utf8()).1,
            );
            first.cmp(&second)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| one.cmp(other))
}

/// The digits that a text begins with.
fn number(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end).filter(|digits| !digits.is_empty())
}

fn after<'t>(text: &'t str, begin: &str) -> &'t str {
    text.get(begin.len()..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_are_compared_by_their_values() {
        let sorted = [
            "", "0", "00", "01", "1", "2", "10", "a", "b", "c", "c1", "c02x", "c2y", "c9-10",
            "c10", "c10-2", "c10-10", "d", "ü2", "ü10",
        ];
        for (index, one) in sorted.iter().enumerate() {
            for (place, other) in sorted.iter().enumerate() {
                assert_eq!(natural(one, other), index.cmp(&place), "{one} {other}");
            }
        }
        let long = "9".repeat(5_000);
        assert!(natural(&long, &format!("{long}0")).is_lt(), "of any length");
    }
}
