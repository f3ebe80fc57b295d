//! The terms of a sealed file: for which clusters, projects, repositories and folders it may be opened.

use crate::argocd::caller::shown;
use crate::peering::values::name::ClusterId;
use crate::uri::{Uri, has_password};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Allows any project, repository or folder. There are no other patterns in a file's terms.
pub(super) const ANY: &str = "*";

/// Two clusters, in no order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair(ClusterId, ClusterId);

impl Pair {
    /// The pair of two clusters; the order does not matter.
    #[must_use]
    pub fn new(one: ClusterId, other: ClusterId) -> Self {
        if one <= other { Self(one, other) } else { Self(other, one) }
    }

    /// The pair that two words name, if they are the IDs of two clusters.
    pub(super) fn of_words([one, other]: &[String; 2]) -> Option<Self> {
        let (one, other): (ClusterId, ClusterId) = (one.parse().ok()?, other.parse().ok()?);
        (one != other).then(|| Self::new(one, other))
    }

    /// The two clusters, in alphabetical order.
    #[must_use]
    pub const fn ids(&self) -> [&ClusterId; 2] {
        [&self.0, &self.1]
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.0, self.1)
    }
}

/// A term of a sealed file, or of an operator's policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// `clusters`.
    Clusters,
    /// `projects`.
    Projects,
    /// `repos`.
    Repos,
    /// `paths`.
    Paths,
}

impl Term {
    /// The field's name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Clusters => "clusters",
            Self::Projects => "projects",
            Self::Repos => "repos",
            Self::Paths => "paths",
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// A value that a term cannot have. Whoever wrote it meant something by it, so it is not taken for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{rule}")]
pub struct TermProblem {
    /// Of which term.
    pub term: Term,
    /// What is wrong with it.
    pub rule: &'static str,
}

/// The terms. All of them must hold; a term that is left out denies; `*` in a list of strings allows any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bind {
    /// Pairs of cluster IDs.
    pub clusters: Vec<Pair>,
    /// Argo CD projects, spelled exactly.
    pub projects: Vec<String>,
    /// Repositories, in the form of [`normal_repo`].
    pub repos: Vec<String>,
    /// Folders in them, in the form of [`normal_path`].
    pub paths: Vec<String>,
}

/// As the JSON has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BindJson {
    clusters: Vec<[String; 2]>,
    #[serde(default)]
    projects: Vec<String>,
    #[serde(default)]
    repos: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
}

impl Bind {
    /// Terms, each value in its one spelling.
    ///
    /// # Errors
    /// When a value is none that its term can have.
    pub fn new(
        clusters: Vec<Pair>,
        projects: &[String],
        repos: &[String],
        paths: &[String],
    ) -> Result<Self, TermProblem> {
        Ok(Self {
            clusters,
            projects: spelled(Term::Projects, projects, |project| Ok(project.to_owned()))?,
            repos: spelled(Term::Repos, repos, repo)?,
            paths: spelled(Term::Paths, paths, path)?,
        })
    }

    /// The terms as JSON has them, or nothing if they are malformed.
    pub(super) fn of_json(json: &BindJson) -> Option<Self> {
        let clusters = json.clusters.iter().map(Pair::of_words).collect::<Option<_>>()?;
        Self::new(clusters, &json.projects, &json.repos, &json.paths).ok()
    }

    pub(super) fn to_json(&self) -> BindJson {
        let pair = |pair: &Pair| pair.ids().map(ToString::to_string);
        BindJson {
            clusters: self.clusters.iter().map(pair).collect(),
            projects: self.projects.clone(),
            repos: self.repos.clone(),
            paths: self.paths.clone(),
        }
    }
}

impl fmt::Display for Bind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // it stands in the sidecar's log, and is written by whoever made the file
        let list = |items: &[String]| match items {
            [] => "none".to_owned(),
            items => items.iter().map(|item| shown(item)).collect::<Vec<_>>().join(" "),
        };
        let clusters: Vec<String> = self.clusters.iter().map(ToString::to_string).collect();
        write!(
            formatter,
            "clusters {}; projects {}; repos {}; paths {}",
            list(&clusters),
            list(&self.projects),
            list(&self.repos),
            list(&self.paths)
        )
    }
}

/// The values of a term in their one spelling.
pub(super) fn spelled(
    term: Term,
    written: &[String],
    normal: impl Fn(&str) -> Result<String, &'static str>,
) -> Result<Vec<String>, TermProblem> {
    let one = |value: &String| match value.as_str() {
        ANY => Ok(value.clone()),
        value => literal(value).and_then(&normal),
    };
    written.iter().map(|value| one(value).map_err(|rule| TermProblem { term, rule })).collect()
}

/// A value that is compared letter by letter. One with a `*` in it was meant as a pattern, so it is refused.
pub(super) fn literal(value: &str) -> Result<&str, &'static str> {
    match value {
        blank if blank.trim().is_empty() => Err("it is empty"),
        // terms are shown in logs, a line each
        hidden if hidden.chars().any(char::is_control) => {
            Err("it has a line break or another control character")
        }
        pattern if pattern.contains('*') => {
            Err("`*` stands alone and allows any; this is no pattern that is known here")
        }
        value => Ok(value),
    }
}

/// A repository's URL as a term has it. A password has no place in it: terms are shown.
pub(super) fn repo(url: &str) -> Result<String, &'static str> {
    if has_password(url) {
        return Err("leave the password out; Argo CD takes it from its own Repository Secret");
    }
    Ok(normal_repo(url))
}

/// A folder as a term has it.
pub(super) fn path(folder: &str) -> Result<String, &'static str> {
    normal_path(folder).ok_or("a folder relative to the repository's root, without `..`; `.` for the root")
}

/// A repository's URL in one spelling: no trailing `/` and `.git`, the host in lower case. Everything else counts:
/// scheme, user, port and path are compared as they are.
#[must_use]
pub fn normal_repo(url: &str) -> String {
    let trimmed = url.trim_end_matches('/');
    let trimmed = trimmed.strip_suffix(".git").unwrap_or(trimmed).trim_end_matches('/');
    let Uri { scheme, authority, rest } = Uri::split(trimmed);
    let scheme = scheme.map(|scheme| format!("{}://", scheme.to_ascii_lowercase())).unwrap_or_default();
    let user = authority.user.map(|user| format!("{user}@")).unwrap_or_default();
    let port = authority.port.map(|port| format!(":{port}")).unwrap_or_default();
    let place = format!("{}{port}", authority.host).to_ascii_lowercase();
    format!("{scheme}{user}{place}{rest}")
}

/// A folder's path in one spelling: no leading `./`, no trailing `/`, `.` for the root. A path with `..`, an
/// empty part or a leading `/` has none, since it could mean another folder.
#[must_use]
pub fn normal_path(path: &str) -> Option<String> {
    let mut rest = path;
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter;
    }
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    match rest {
        "" if path.is_empty() => None,
        "" | "." => Some(".".into()),
        _ if rest.split('/').any(|part| matches!(part, "" | "." | "..")) => None,
        _ => Some(rest.to_owned()),
    }
}

#[cfg(test)]
mod tests;
