//! The terms of a sealed file: for which clusters, projects, repositories and folders it may be opened.

use crate::peering::name::ClusterId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Two clusters, in no order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair(ClusterId, ClusterId);

impl Pair {
    /// The pair of two clusters; the order does not matter.
    #[must_use]
    pub fn new(one: ClusterId, other: ClusterId) -> Self {
        if one <= other { Self(one, other) } else { Self(other, one) }
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.0, self.1)
    }
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
    /// The terms as JSON has them, or nothing if they are malformed.
    pub(super) fn of_json(json: BindJson) -> Option<Self> {
        let pair = |[one, other]: [String; 2]| {
            let (one, other): (ClusterId, ClusterId) = (one.parse().ok()?, other.parse().ok()?);
            (one != other).then(|| Pair::new(one, other))
        };
        Some(Self {
            clusters: json.clusters.into_iter().map(pair).collect::<Option<_>>()?,
            projects: json.projects,
            repos: json.repos.iter().map(|repo| normal_repo(repo)).collect(),
            paths: json.paths.iter().map(|path| normal_path(path)).collect::<Option<_>>()?,
        })
    }

    pub(super) fn to_json(&self) -> BindJson {
        let pair = |pair: &Pair| [pair.0.to_string(), pair.1.to_string()];
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
        let list = |items: &[String]| if items.is_empty() { "none".to_owned() } else { items.join(" ") };
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

/// A repository's URL in one spelling: no trailing `/` and `.git`, the host in lower case. Everything else counts:
/// scheme, user, port and path are compared as they are.
#[must_use]
pub fn normal_repo(url: &str) -> String {
    let trimmed = url.trim_end_matches('/');
    let trimmed = trimmed.strip_suffix(".git").unwrap_or(trimmed).trim_end_matches('/');
    let (before, host_on) = match trimmed.split_once("://") {
        Some((scheme, rest)) => (format!("{}://", scheme.to_ascii_lowercase()), rest),
        None => (String::new(), trimmed),
    };
    // what stands before the first `/` (of a URL) or `:` (of `git@host:path`), less the user
    let end = if before.is_empty() { host_on.find([':', '/']) } else { host_on.find('/') };
    let (authority, path) = host_on.split_at(end.unwrap_or(host_on.len()));
    match authority.rsplit_once('@') {
        Some((user, host)) => format!("{before}{user}@{}{path}", host.to_ascii_lowercase()),
        None => format!("{before}{}{path}", authority.to_ascii_lowercase()),
    }
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
mod tests {
    use super::{normal_path, normal_repo};

    #[test]
    fn repositories_have_one_spelling() {
        for (url, normal) in [
            ("https://Git.Example.ORG/Net/peerings.git", "https://git.example.org/Net/peerings"),
            ("https://git.example.org/net/peerings/", "https://git.example.org/net/peerings"),
            ("https://git.example.org/net/peerings.git/", "https://git.example.org/net/peerings"),
            ("https://Me@Git.example.org:8443/a.git", "https://Me@git.example.org:8443/a"),
            ("git@GIT.example.org:Net/a.git", "git@git.example.org:Net/a"),
            ("ssh://git@Host:22/a", "ssh://git@host:22/a"),
            ("HTTPS://host/a", "https://host/a"),
            ("https://host", "https://host"),
            ("*", "*"),
        ] {
            assert_eq!(normal_repo(url), normal);
            assert_eq!(normal_repo(normal), normal, "normal is normal");
        }
        // what differs stays different
        for (one, other) in [
            ("https://host/a", "https://host/A"),
            ("https://host/a", "http://host/a"),
            ("https://host/a", "https://host:443/a"),
            ("https://host/a", "https://host/a.git.git"),
            ("https://me@host/a", "https://host/a"),
            ("git@host:a", "host:a"),
        ] {
            assert_ne!(normal_repo(one), normal_repo(other), "{one} {other}");
        }
    }

    #[test]
    fn paths_have_one_spelling_or_none() {
        for (path, normal) in
            [("a/b", Some("a/b")), ("./a/b/", Some("a/b")), (".", Some(".")), ("./", Some("."))]
        {
            assert_eq!(normal_path(path).as_deref(), normal, "{path}");
        }
        for path in ["", "..", "a/../b", "/a", "a//b", "a/./b", "a/..", "a//"] {
            assert_eq!(normal_path(path), None, "{path}");
        }
    }
}
