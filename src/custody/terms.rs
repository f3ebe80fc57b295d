//! The terms of a sealed file: for which clusters, projects, repositories and folders it may be opened.

use crate::argocd::caller::for_log;
use crate::peering::values::ClusterId;
use crate::uri::{Uri, has_password};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Allows any project, repository or folder. A file's terms have no other patterns.
pub(super) const ANY: &str = "*";

/// Two clusters, in no order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClusterPair(ClusterId, ClusterId);

impl ClusterPair {
    pub(crate) fn new(one: ClusterId, other: ClusterId) -> Self {
        if one <= other { Self(one, other) } else { Self(other, one) }
    }

    /// The pair that two words name, if they are the IDs of two clusters.
    pub(super) fn from_words([one, other]: &[String; 2]) -> Option<Self> {
        let (one, other): (ClusterId, ClusterId) = (one.parse().ok()?, other.parse().ok()?);
        (one != other).then(|| Self::new(one, other))
    }

    /// In alphabetical order.
    pub(crate) const fn ids(&self) -> [&ClusterId; 2] {
        [&self.0, &self.1]
    }
}

impl fmt::Display for ClusterPair {
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
    /// In the order in which they are shown.
    pub(crate) const ALL: [Self; 4] = [Self::Clusters, Self::Projects, Self::Repos, Self::Paths];

    /// The field's name.
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

/// A value that a term cannot have. It was meant as something, so it is refused and not ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{rule}")]
pub(crate) struct TermProblem {
    pub(crate) term: Term,
    pub(crate) rule: &'static str,
}

/// The terms. All of them must hold; a term that is left out denies; `*` in a list of strings allows any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    pub(crate) clusters: Vec<ClusterPair>,
    /// Compared as they are.
    pub(crate) projects: Vec<String>,
    /// In the form of [`normal_repo`].
    pub(crate) repos: Vec<String>,
    /// In the form of [`normal_path`].
    pub(crate) paths: Vec<String>,
}

/// As the JSON has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TermsJson {
    clusters: Vec<[String; 2]>,
    #[serde(default)]
    projects: Vec<String>,
    #[serde(default)]
    repos: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
}

impl Terms {
    /// Terms, each value in its normal form.
    pub(crate) fn new(
        clusters: Vec<ClusterPair>,
        projects: &[String],
        repos: &[String],
        paths: &[String],
    ) -> Result<Self, TermProblem> {
        Ok(Self {
            clusters,
            projects: normalised(Term::Projects, projects, |project| Ok(project.to_owned()))?,
            repos: normalised(Term::Repos, repos, repo)?,
            paths: normalised(Term::Paths, paths, path)?,
        })
    }

    /// The terms as JSON has them, or nothing if they are malformed.
    pub(super) fn from_json(json: &TermsJson) -> Option<Self> {
        let clusters = json.clusters.iter().map(ClusterPair::from_words).collect::<Option<_>>()?;
        Self::new(clusters, &json.projects, &json.repos, &json.paths).ok()
    }

    pub(super) fn to_json(&self) -> TermsJson {
        let pair = |pair: &ClusterPair| pair.ids().map(ToString::to_string);
        TermsJson {
            clusters: self.clusters.iter().map(pair).collect(),
            projects: self.projects.clone(),
            repos: self.repos.clone(),
            paths: self.paths.clone(),
        }
    }
}

impl Terms {
    /// A term's values on one line, for a log; `none` if it has no value. Anyone could have written them.
    pub(crate) fn line(&self, term: Term) -> String {
        let values = match term {
            Term::Clusters => self.clusters.iter().map(ToString::to_string).collect(),
            Term::Projects => self.projects.clone(),
            Term::Repos => self.repos.clone(),
            Term::Paths => self.paths.clone(),
        };
        let values: Vec<String> = values.iter().map(|value| for_log(value)).collect();
        if values.is_empty() { "none".to_owned() } else { values.join(" ") }
    }

    /// Whether Argo CD can open the file at all: inside it a term that is left out denies.
    pub(crate) const fn allow_argo_cd(&self) -> bool {
        let Self { clusters: _, projects, repos, paths } = self;
        !projects.is_empty() && !repos.is_empty() && !paths.is_empty()
    }

    /// These terms, with those of another file where a term is left out.
    pub(crate) fn or(self, other: Self) -> Self {
        fn or<T>(values: Vec<T>, others: Vec<T>) -> Vec<T> {
            if values.is_empty() { others } else { values }
        }
        Self {
            clusters: or(self.clusters, other.clusters),
            projects: or(self.projects, other.projects),
            repos: or(self.repos, other.repos),
            paths: or(self.paths, other.paths),
        }
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = Term::ALL.map(|term| format!("{term} {}", self.line(term)));
        formatter.write_str(&terms.join("; "))
    }
}

/// The values of a term in their normal form.
pub(super) fn normalised(
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

/// A value that is compared as it is. One with a `*` in it was meant as a pattern, so it is refused.
pub(super) fn literal(value: &str) -> Result<&str, &'static str> {
    match value {
        blank if blank.trim().is_empty() => Err("it is empty"),
        // logs show all terms on one line
        hidden if hidden.chars().any(char::is_control) => {
            Err("it has a line break or another control character")
        }
        pattern if pattern.contains('*') => {
            Err("`*` must be the whole value, and then allows any; other patterns are not supported")
        }
        value => Ok(value),
    }
}

/// A repository's URL in the form of a term. A password is refused, since logs show terms.
pub(super) fn repo(url: &str) -> Result<String, &'static str> {
    if has_password(url) {
        return Err("leave the password out; Argo CD takes it from its own Repository Secret");
    }
    Ok(normal_repo(url))
}

/// A folder in the form of a term.
pub(super) fn path(folder: &str) -> Result<String, &'static str> {
    normal_path(folder)
        .ok_or("it must be a folder relative to the repository's root, without `..`; `.` is the root")
}

/// A repository's URL in its normal form: no trailing `/` and `.git`, the host in lower case. Everything else, such as the
/// scheme, user, port and path, is compared as it is.
pub(super) fn normal_repo(url: &str) -> String {
    let trimmed = url.trim_end_matches('/');
    let trimmed = trimmed.strip_suffix(".git").unwrap_or(trimmed).trim_end_matches('/');
    let Uri { scheme, authority, rest } = Uri::split(trimmed);
    let scheme = scheme.map(|scheme| format!("{}://", scheme.to_ascii_lowercase())).unwrap_or_default();
    let user = authority.user.map(|user| format!("{user}@")).unwrap_or_default();
    let port = authority.port.map(|port| format!(":{port}")).unwrap_or_default();
    let place = format!("{}{port}", authority.host).to_ascii_lowercase();
    format!("{scheme}{user}{place}{rest}")
}

/// A folder's path in its normal form: no leading `./`, no trailing `/`, `.` for the root. A path with `..`, an empty part
/// or a leading `/` has no normal form, since it could mean another folder.
pub(super) fn normal_path(path: &str) -> Option<String> {
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
