//! The operator's policy: for whom this Argo CD opens sealed files at all.
//!
//! The owner of a sealed file chooses its terms. The policy is the second opinion, by the operator of the repo-server: a
//! file that only `plugin.yaml` names, outside all repositories. It can only narrow.
//!
//! ```yaml
//! apiVersion: argocd-peering/v1alpha1
//! kind: Policy
//! allow:
//!   - projects: [peering-consumer, peering-provider]
//!     repos: [https://git.example.org/net/peerings.git]
//!     paths: [peerings/*]
//!     clusters: [[rome, milan]] # may be left out
//!     revisions: [main] # may be left out
//! ```

use super::authorise::{among, is_project};
use super::terms::{self, ClusterPair, Term, TermProblem, normalised};
use crate::input::file::{Links, TextProblem, is_world_writable, read, utf8};
use crate::peering::values::Role;
use serde::Deserialize;
use serde_saphyr::{DuplicateKeyPolicy, Error as Unread};
use std::path::Path;

/// Thousands of entries fit.
const POLICY_CAP: u64 = 64 * 1024;

const API_VERSION: &str = "argocd-peering/v1alpha1";
const KIND: &str = "Policy";

/// What an operator allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy(Vec<Entry>);

/// One use that is allowed. All of its terms must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    projects: Vec<String>,
    repos: Vec<String>,
    paths: Vec<String>,
    /// `None` allows any.
    clusters: Option<Vec<ClusterPair>>,
    /// `None` allows any.
    revisions: Option<Vec<String>>,
}

/// Why a policy was not accepted. Quotes nothing: Argo CD shows it to people who need not know the operator's files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyProblem {
    /// The file was not read.
    #[error("the policy file: {0}")]
    File(TextProblem),
    /// Others can change the file.
    #[error("the policy file is writable by everyone")]
    WorldWritable,
    /// The file is in the repository that it is about.
    #[error("the policy file is inside the repository that it is about")]
    Inside,
    /// Not the YAML of a policy.
    #[error("the policy file, line {line}: {reason}")]
    Line {
        /// Counted from 1; 0 where it is not known.
        line: u64,
        /// What is wrong.
        reason: &'static str,
    },
    /// Not a policy.
    #[error("the policy file does not have `apiVersion: argocd-peering/v1alpha1` and `kind: Policy`")]
    Other,
    /// A value that its term cannot have.
    #[error("the policy file, entry {entry} of `allow`, `{term}`: {rule}")]
    Term {
        /// Counted from 1.
        entry: usize,
        /// Which field.
        term: Term,
        /// What is wrong.
        rule: &'static str,
    },
}

impl PolicyProblem {
    /// What to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::WorldWritable => {
                "anyone who can change it decides who may open sealed files: remove write access for others (`chmod o-w`)"
            }
            Self::File(_) => {
                "the operator of this Argo CD must mount it at the path of --policy-file in plugin.yaml; until then nothing is opened"
            }
            Self::Inside => {
                "anyone with push access to the repository would decide; keep the policy elsewhere"
            }
            Self::Line { .. } | Self::Other | Self::Term { .. } => {
                "it has `allow`, a list of entries with `projects`, `repos`, `paths` and optionally `clusters` and `revisions`; docs/custody.md shows one"
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PolicyYaml {
    api_version: String,
    kind: String,
    allow: Vec<EntryYaml>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryYaml {
    projects: Vec<String>,
    repos: Vec<String>,
    paths: Vec<String>,
    #[serde(default, deserialize_with = "present")]
    clusters: Option<Vec<[String; 2]>>,
    #[serde(default, deserialize_with = "present")]
    revisions: Option<Vec<String>>,
}

/// `clusters:` without a value is refused: it must not count as left out, which allows any.
fn present<'d, T: Deserialize<'d>, D: serde::Deserializer<'d>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

impl Policy {
    /// Reads a policy file.
    ///
    /// # Errors
    /// When it cannot be read, everyone can write it, or it is not exactly a policy. Then nothing is opened.
    pub fn read(path: &Path) -> Result<Self, PolicyProblem> {
        if is_world_writable(path) {
            return Err(PolicyProblem::WorldWritable);
        }
        let bytes =
            read(path, POLICY_CAP, Links::Follow).map_err(|problem| PolicyProblem::File(problem.into()))?;
        Self::parse(utf8(&bytes).map_err(PolicyProblem::File)?)
    }

    /// Reads a policy.
    ///
    /// # Errors
    /// When it is not exactly one: an unknown field could be a condition that an operator relies on.
    pub fn parse(text: &str) -> Result<Self, PolicyProblem> {
        let options = serde_saphyr::options! {
            with_snippet: false,
            duplicate_keys: DuplicateKeyPolicy::Error,
            reject_unsupported_tags: true,
            budget: serde_saphyr::budget! { max_depth: 8, max_nodes: 20_000, max_anchors: 0, max_aliases: 0, max_documents: 1 },
        };
        let yaml: PolicyYaml =
            serde_saphyr::from_str_with_options(text, options).map_err(|error| malformed(&error))?;
        if yaml.api_version != API_VERSION || yaml.kind != KIND {
            return Err(PolicyProblem::Other);
        }
        yaml.allow
            .iter()
            .enumerate()
            .map(|(index, yaml)| Entry::new(index + 1, yaml))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether one entry allows all of it together. The values are in their normal form.
    pub(super) fn allows(
        &self,
        clusters: &ClusterPair,
        role: Option<Role>,
        project: &str,
        repo: &str,
        path: &str,
        revision: Option<&str>,
    ) -> bool {
        self.0.iter().any(|entry| {
            entry.clusters.as_ref().is_none_or(|allowed| allowed.contains(clusters))
                && entry.projects.iter().any(|allowed| is_project(allowed, project, role))
                && among(repo, &entry.repos)
                && (among(path, &entry.paths) || entry.paths.iter().any(|allowed| directly_in(path, allowed)))
                && entry.revisions.as_ref().is_none_or(|them| revision.is_some_and(|it| among(it, them)))
        })
    }
}

impl Entry {
    fn new(entry: usize, yaml: &EntryYaml) -> Result<Self, PolicyProblem> {
        let wrong = |TermProblem { term, rule }| PolicyProblem::Term { entry, term, rule };
        let filled = |term, values: &[String]| match values {
            [] => Err(TermProblem { term, rule: "it is empty, so the entry would allow nothing" }),
            _ => Ok(()),
        };
        let pair = |words| {
            let rule = "a pair has the IDs of two different clusters";
            ClusterPair::from_words(words).ok_or(TermProblem { term: Term::Clusters, rule })
        };
        filled(Term::Projects, &yaml.projects).map_err(wrong)?;
        filled(Term::Repos, &yaml.repos).map_err(wrong)?;
        filled(Term::Paths, &yaml.paths).map_err(wrong)?;
        let clusters = yaml.clusters.as_ref().map(|pairs| pairs.iter().map(pair).collect::<Result<_, _>>());
        let revisions =
            yaml.revisions.as_ref().map(|them| normalised(Term::Revisions, them, terms::revision));
        Ok(Self {
            projects: normalised(Term::Projects, &yaml.projects, terms::project).map_err(wrong)?,
            repos: normalised(Term::Repos, &yaml.repos, terms::repo).map_err(wrong)?,
            paths: normalised(Term::Paths, &yaml.paths, folder).map_err(wrong)?,
            revisions: revisions.transpose().map_err(wrong)?,
            clusters: clusters.transpose().map_err(wrong)?,
        })
    }
}

/// A folder, or `folder/*`: any folder directly in it.
fn folder(written: &str) -> Result<String, &'static str> {
    match written.strip_suffix("/*") {
        Some(inner) => terms::path(inner).map(|inner| format!("{inner}/*")),
        None => terms::path(written),
    }
}

/// Whether a folder's path is directly in the folder of a `folder/*`; `./*` are those of the root.
fn directly_in(path: &str, allowed: &str) -> bool {
    let Some(folder) = allowed.strip_suffix("/*") else {
        return false;
    };
    let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
    parent == folder && name != "."
}

fn malformed(error: &Unread) -> PolicyProblem {
    let reason = match error {
        Unread::SerdeUnknownField { .. } => "unknown field",
        Unread::SerdeMissingField { .. } => {
            "a field is missing: `projects`, `repos`, `paths` in an entry of `allow`"
        }
        Unread::DuplicateMappingKey { .. } => "duplicate key",
        Unread::Budget { .. } => "anchors, aliases, a second document, or more than a policy can need",
        _ => "not valid YAML for a policy",
    };
    PolicyProblem::Line { line: error.location().map_or(0, |location| location.line()), reason }
}

#[cfg(test)]
mod tests;
