//! Whether a sealed file may be opened for this caller. This is decided here and nowhere else.
//!
//! Two parties decide, and both must allow: the owner of the secret by the file's terms ([`Terms`]), and, where there is
//! one, the operator of this Argo CD by a [`Policy`], which can therefore only narrow. The facts about the caller come from
//! Argo CD's repo-server, not from an Application's author ([`Caller`]). `tests/authorise.json` is the decision table: one
//! row for each condition that denies by itself.

use super::policy::Policy;
use super::terms::{ANY, ClusterPair, Term, Terms, name_and_role, normal_path, normal_repo};
use crate::argocd::caller::{Caller, for_log};
use crate::peering::values::Role;

/// Who denies, and why. It names the caller and not what the file allows, since the caller may be an attacker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The term is left out of the file.
    #[error("its terms name no {term}")]
    Absent {
        /// The term.
        term: Term,
    },
    /// Argo CD did not report it.
    #[error("Argo CD did not report {}, so the file's {term} cannot be checked", reported(*term))]
    Unreported {
        /// The term.
        term: Term,
    },
    /// The terms name others.
    #[error("its terms do not name {found} among the {term}")]
    Other {
        /// The term.
        term: Term,
        /// The fact about the caller.
        found: String,
    },
    /// The file's terms allow the caller, and the operator's policy does not.
    #[error("this Argo CD's policy has no entry for the clusters {clusters} with {caller}")]
    Policy {
        /// The clusters of the peering.
        clusters: String,
        /// The facts about the caller.
        caller: String,
    },
}

impl Denied {
    /// What to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Unreported { term: Term::Projects } => "Argo CD reports it since 3.0; upgrade Argo CD",
            Self::Unreported { term: Term::Revisions } => "set the Application's `targetRevision`",
            Self::Unreported { .. } => "Argo CD's repo-server sets it; for your own run use --local",
            Self::Other { term: Term::Clusters, .. } => {
                "check the document's two `clusterID`s; `argocd-peering seed inspect` prints the file's terms; if this use is intended, the file's owner reseals it with terms that allow it"
            }
            Self::Absent { .. } | Self::Other { .. } => {
                "the file's owner chose its terms; if this use is intended, the owner reseals it with terms that allow it"
            }
            Self::Policy { .. } => {
                "the file's own terms allow it; if this use is intended, the operator of this Argo CD adds it to the policy file"
            }
        }
    }
}

/// The caller's fact that a term is about, and where Argo CD reports it.
const fn reported(term: Term) -> &'static str {
    match term {
        Term::Clusters => "its clusters",
        Term::Projects => "its project (ARGOCD_APP_PROJECT_NAME)",
        Term::Repos => "its repository (ARGOCD_APP_SOURCE_REPO_URL)",
        Term::Paths => "its path (ARGOCD_APP_SOURCE_PATH)",
        Term::Revisions => "its revision (ARGOCD_APP_SOURCE_TARGET_REVISION)",
    }
}

/// Decides. For a local run only the pair of clusters counts, since anyone who has the identity could open the file
/// with `age` itself. The error is the first term that denies, the policy last.
pub(super) fn authorise(
    terms: &Terms,
    policy: Option<&Policy>,
    clusters: &ClusterPair,
    role: Option<Role>,
    caller: &Caller,
) -> Result<(), Denied> {
    if !terms.clusters.contains(clusters) {
        return Err(Denied::Other { term: Term::Clusters, found: clusters.to_string() });
    }
    let Caller::ArgoCd { project, repo, path, revision } = caller else {
        return Ok(());
    };
    let exactly = |value: &str| Some(value.to_owned());
    let role_word = role.map_or("?", Role::word);
    let has_role = |project: &String| name_and_role(project).1.is_some();
    let may_ask = |allowed: &str, project: &str| is_project(allowed, project, role);
    let project =
        fact(Term::Projects, &terms.projects, project.as_deref(), exactly, may_ask).map_err(|denied| {
            match denied {
                // the role counts where a term has one
                Denied::Other { term, found } if terms.projects.iter().any(has_role) => {
                    Denied::Other { term, found: format!("{found} as {role_word}") }
                }
                denied => denied,
            }
        })?;
    let repo = fact(Term::Repos, &terms.repos, repo.as_deref(), |url| Some(normal_repo(url)), is)?;
    let path = fact(Term::Paths, &terms.paths, path.as_deref(), normal_path, is)?;
    let revisions = &terms.revisions;
    if !revisions.is_empty() {
        fact(Term::Revisions, revisions, revision.as_deref(), exactly, is)?;
    }
    match policy {
        Some(policy) if !policy.allows(clusters, role, &project, &repo, &path, revision.as_deref()) => {
            Err(Denied::Policy {
                clusters: clusters.to_string(),
                caller: format!("{caller} role={role_word}"),
            })
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
        .ok_or_else(|| Denied::Other { term, found: format!("`{}`", for_log(found)) })
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
