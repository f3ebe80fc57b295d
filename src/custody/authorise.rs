//! Whether a sealed file may be opened for this caller. The one place where that is decided.
//!
//! Two parties decide, and both must allow: the owner of the secret by the file's terms ([`Terms`]), and, where there is
//! one, the operator of this Argo CD by a [`Policy`], which can therefore only narrow. What the caller is comes from
//! Argo CD's repo-server and from no Application's author ([`Caller`]). `tests/authorise.json` is the decision
//! table: one row for each condition that it alone denies.

use super::policy::Policy;
use super::terms::{ANY, ClusterPair, Term, Terms, normal_path, normal_repo};
use crate::argocd::caller::{Caller, for_log};
use crate::diagnostic::quoted;

/// Who denies, and why. Says what the caller is, not what the file allows: the caller may be the wrong one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The term is left out of the file.
    #[error("its terms name no {term}")]
    Absent {
        /// The term.
        term: Term,
    },
    /// Argo CD did not say.
    #[error("Argo CD did not say for which of its {term} it asks")]
    Unsaid {
        /// The term.
        term: Term,
    },
    /// The caller is another one.
    #[error("its terms do not name {found} among the {term}")]
    Other {
        /// The term.
        term: Term,
        /// What the caller is.
        found: String,
    },
    /// The file's terms allow the caller, and the operator's policy does not.
    #[error("this Argo CD's policy has no entry for the clusters {clusters} with {caller}")]
    Policy {
        /// The clusters of the peering.
        clusters: String,
        /// What the caller is.
        caller: String,
    },
}

impl Denied {
    /// The way out.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Unsaid { term: Term::Projects } => {
                "Argo CD says the project since 3.0 (ARGOCD_APP_PROJECT_NAME); upgrade it"
            }
            Self::Unsaid { .. } => {
                "inside Argo CD the repo-server says it; for a run of your own say --local"
            }
            Self::Other { term: Term::Clusters, .. } => {
                "are the document's two `clusterID`s right? `argocd-peering seed inspect` prints the file's terms; if this use is meant, its owner seals it again with terms that name it"
            }
            Self::Absent { .. } | Self::Other { .. } => {
                "whoever made the file chose its terms; if this use is meant, its owner seals it again with terms that name it"
            }
            Self::Policy { .. } => {
                "the file's own terms allow it; if this use is meant, the operator of this Argo CD adds it to the policy file"
            }
        }
    }

    /// What it says of the caller.
    pub(super) fn caller(&self) -> Option<&str> {
        match self {
            Self::Other { found, .. } => Some(found),
            Self::Policy { caller, .. } => Some(caller),
            Self::Absent { .. } | Self::Unsaid { .. } => None,
        }
    }
}

/// Decides. For a local run only the pair of clusters counts, since whoever holds the identity could open the file
/// with `age` itself.
///
/// # Errors
/// The first term that denies, the policy last.
pub fn authorise(
    terms: &Terms,
    policy: Option<&Policy>,
    clusters: &ClusterPair,
    caller: &Caller,
) -> Result<(), Denied> {
    if !terms.clusters.contains(clusters) {
        return Err(Denied::Other { term: Term::Clusters, found: clusters.to_string() });
    }
    let Caller::ArgoCd { project, repo, path } = caller else {
        return Ok(());
    };
    let exactly = |project: &str| Some(project.to_owned());
    let project = fact(Term::Projects, &terms.projects, project.as_deref(), exactly)?;
    let repo = fact(Term::Repos, &terms.repos, repo.as_deref(), |url| Some(normal_repo(url)))?;
    let path = fact(Term::Paths, &terms.paths, path.as_deref(), normal_path)?;
    match policy {
        Some(policy) if !policy.allows(clusters, &project, &repo, &path) => {
            Err(Denied::Policy { clusters: clusters.to_string(), caller: caller.to_string() })
        }
        _ => Ok(()),
    }
}

/// One fact about the caller in its one spelling, if it is among the allowed ones. It must be known, and have
/// such a spelling, even where any is allowed.
fn fact(
    term: Term,
    allowed: &[String],
    found: Option<&str>,
    normal: impl Fn(&str) -> Option<String>,
) -> Result<String, Denied> {
    if allowed.is_empty() {
        return Err(Denied::Absent { term });
    }
    let found = found.ok_or(Denied::Unsaid { term })?;
    normal(found)
        .filter(|normal| among(normal, allowed))
        .ok_or_else(|| Denied::Other { term, found: quoted(&for_log(found)) })
}

/// Whether a list allows a value.
pub(super) fn among(found: &str, allowed: &[String]) -> bool {
    allowed.iter().any(|allowed| allowed == ANY || allowed == found)
}

#[cfg(test)]
mod tests;
