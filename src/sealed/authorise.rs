//! Whether a sealed file's terms allow this caller. The one place where that is decided.

use super::bind::{Bind, Pair, normal_path, normal_repo};
use crate::caller::Caller;
use std::fmt;

/// A term of a sealed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// `bind.clusters`.
    Clusters,
    /// `bind.projects`.
    Projects,
    /// `bind.repos`.
    Repos,
    /// `bind.paths`.
    Paths,
}

impl Term {
    const fn word(self) -> &'static str {
        match self {
            Self::Clusters => "clusters",
            Self::Projects => "projects",
            Self::Repos => "repos",
            Self::Paths => "paths",
        }
    }
}

/// Which term denies, and why. Says what the caller is, not what the file allows: the caller may be the wrong one.
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
}

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl Denied {
    /// The way out.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Unsaid { term: Term::Projects } => {
                "Argo CD says the project since 3.0 (ARGOCD_APP_PROJECT_NAME); upgrade it"
            }
            Self::Unsaid { .. } => {
                "inside Argo CD the repo-server says it; for a run of your own say --local"
            }
            Self::Absent { .. } | Self::Other { .. } => {
                "whoever made the file chose its terms; if this use is meant, its owner seals it again with terms that name it"
            }
        }
    }
}

/// Decides. Every term must allow; for a local run only the pair of clusters counts, since whoever holds the
/// identity could open the file with `age` itself.
///
/// # Errors
/// The first term that denies.
pub fn authorise(bind: &Bind, clusters: &Pair, caller: &Caller) -> Result<(), Denied> {
    if !bind.clusters.contains(clusters) {
        return Err(Denied::Other { term: Term::Clusters, found: clusters.to_string() });
    }
    match caller {
        Caller::Local => Ok(()),
        Caller::ArgoCd { project, repo, path } => {
            one(Term::Projects, &bind.projects, project.as_deref(), |said| Some(said.to_owned()))?;
            one(Term::Repos, &bind.repos, repo.as_deref(), |said| Some(normal_repo(said)))?;
            one(Term::Paths, &bind.paths, path.as_deref(), normal_path)
        }
    }
}

/// Whether one fact is among the allowed ones. The fact must be known even where any is allowed.
fn one(
    term: Term,
    allowed: &[String],
    said: Option<&str>,
    normal: impl Fn(&str) -> Option<String>,
) -> Result<(), Denied> {
    if allowed.is_empty() {
        return Err(Denied::Absent { term });
    }
    let said = said.ok_or(Denied::Unsaid { term })?;
    let found = normal(said);
    if allowed.iter().any(|allowed| allowed == "*" || Some(allowed) == found.as_ref()) {
        return Ok(());
    }
    Err(Denied::Other { term, found: crate::diagnostic::quoted(said) })
}
