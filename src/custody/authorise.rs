//! Whether a sealed file may be opened for this caller. This is decided here and nowhere else.
//!
//! Two parties decide, and both must allow: the owner of the secret by the file's terms ([`Terms`]), and, where there is
//! one, the operator of this Argo CD by a [`Policy`], which can therefore only narrow. The facts about the caller come from
//! Argo CD's repo-server, not from an Application's author ([`Caller`]). `tests/authorise.json` is the decision table: one
//! row for each condition that denies by itself.

use super::policy::Policy;
use super::terms::{ANY, ClusterPair, Term, Terms, name_and_role, normal_path, normal_repo};
use crate::argocd::caller::Caller;
use crate::peering::delivery::Delivery;
use crate::peering::values::Role;

/// Who denies, and why. It is not shown: from the terms that allow, a caller would learn what is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denied {
    /// The term is left out of the file.
    Absent {
        /// The term.
        term: Term,
    },
    /// Argo CD did not report it.
    Unreported {
        /// The term.
        term: Term,
    },
    /// The terms name others.
    Other {
        /// The term.
        term: Term,
    },
    /// The file's terms allow the caller, and the operator's policy does not.
    Policy,
}

/// Decides. For a local run only the pair of clusters and the delivery count, since anyone who has the identity could open
/// the file with `age` itself: these two are about the document, and not about the caller. Without a delivery only a public
/// key is printed. The error is the first term that denies, the policy last.
pub(super) fn authorise(
    terms: &Terms,
    policy: Option<&Policy>,
    clusters: &ClusterPair,
    role: Option<Role>,
    delivery: Option<Delivery>,
    caller: &Caller,
) -> Result<(), Denied> {
    if !terms.clusters.contains(clusters) {
        return Err(Denied::Other { term: Term::Clusters });
    }
    if !terms.delivery.is_empty() && delivery.is_some_and(|it| !terms.delivery.contains(&it)) {
        return Err(Denied::Other { term: Term::Delivery });
    }
    let Caller::ArgoCd { project, repo, path, revision } = caller else {
        return Ok(());
    };
    let exactly = |value: &str| Some(value.to_owned());
    let may_ask = |allowed: &str, project: &str| is_project(allowed, project, role);
    let project = fact(Term::Projects, &terms.projects, project.as_deref(), exactly, may_ask)?;
    let repo = fact(Term::Repos, &terms.repos, repo.as_deref(), |url| Some(normal_repo(url)), is)?;
    let path = fact(Term::Paths, &terms.paths, path.as_deref(), normal_path, is)?;
    let revisions = &terms.revisions;
    if !revisions.is_empty() {
        fact(Term::Revisions, revisions, revision.as_deref(), exactly, is)?;
    }
    match policy {
        Some(policy) if !policy.allows(clusters, role, &project, &repo, &path, revision.as_deref()) => {
            Err(Denied::Policy)
        }
        _ => Ok(()),
    }
}

/// One fact about the caller in its normal form, if it is among the allowed ones. It must be known, and have a normal
/// form, even where any is allowed.
fn fact(
    term: Term,
    allowed: &[String],
    found: Option<&str>,
    normal: impl Fn(&str) -> Option<String>,
    is: impl Fn(&str, &str) -> bool,
) -> Result<String, Denied> {
    if allowed.is_empty() {
        return Err(Denied::Absent { term });
    }
    let found = found.ok_or(Denied::Unreported { term })?;
    normal(found)
        .filter(|normal| allowed.iter().any(|allowed| is(allowed, normal)))
        .ok_or(Denied::Other { term })
}

/// Whether a project of a list is this one, and may ask for this role.
pub(super) fn is_project(allowed: &str, found: &str, role: Option<Role>) -> bool {
    let (name, only) = name_and_role(allowed);
    is(name, found) && only.is_none_or(|only| role.is_some_and(|role| role.word() == only))
}

/// Whether a list allows a value.
pub(super) fn among(found: &str, allowed: &[String]) -> bool {
    allowed.iter().any(|allowed| is(allowed, found))
}

fn is(allowed: &str, found: &str) -> bool {
    allowed == ANY || allowed == found
}

#[cfg(test)]
mod tests;
