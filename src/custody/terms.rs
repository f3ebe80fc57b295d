//! The terms of a sealed file: for which clusters, projects, repositories and folders it may be opened.

mod certificates;
mod spelling;

pub(crate) use certificates::Certificates;
pub(super) use spelling::{name_and_role, normalised, path, project, repo, revision};
pub use spelling::{normal_path, normal_repo};

use super::age::Recipient;
use crate::argocd::caller::in_quotes;
use crate::peering::delivery::Delivery;
use crate::peering::values::ClusterId;
use certificates::CertificatesJson;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
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
    /// `revisions`. Left out, it allows any: files that were sealed before it existed have none.
    Revisions,
    /// `delivery`. Left out, it allows any, for the same reason.
    Delivery,
}

impl Term {
    /// In the order in which they are shown.
    pub(crate) const ALL: [Self; 6] =
        [Self::Clusters, Self::Projects, Self::Repos, Self::Paths, Self::Revisions, Self::Delivery];

    /// The field's name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Clusters => "clusters",
            Self::Projects => "projects",
            Self::Repos => "repos",
            Self::Paths => "paths",
            Self::Revisions => "revisions",
            Self::Delivery => "delivery",
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

/// The terms. All of them must hold; a term that is left out denies, except revisions and delivery; `*` in a list of strings allows
/// any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    pub(crate) clusters: Vec<ClusterPair>,
    /// In the form of [`project`].
    pub(crate) projects: Vec<String>,
    /// In the form of [`normal_repo`].
    pub(crate) repos: Vec<String>,
    /// In the form of [`normal_path`].
    pub(crate) paths: Vec<String>,
    /// Compared as they are.
    pub(crate) revisions: Vec<String>,
    /// How what is in the file may reach its cluster.
    pub(crate) delivery: Vec<Delivery>,
    /// Only of `clusters`, and only in a seed's file.
    certificates: Certificates,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    revisions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    delivery: Vec<String>,
    #[serde(default, skip_serializing_if = "CertificatesJson::is_empty")]
    certificates: CertificatesJson,
}

impl Terms {
    /// Terms, each value in its normal form.
    pub(crate) fn new(
        clusters: Vec<ClusterPair>,
        projects: &[String],
        repos: &[String],
        paths: &[String],
        revisions: &[String],
    ) -> Result<Self, TermProblem> {
        Ok(Self {
            clusters,
            projects: normalised(Term::Projects, projects, project)?,
            repos: normalised(Term::Repos, repos, repo)?,
            paths: normalised(Term::Paths, paths, path)?,
            revisions: normalised(Term::Revisions, revisions, revision)?,
            ..Self::default()
        })
    }

    /// The same with these certificates, in the place of those of the same clusters. The error is a cluster that the terms
    /// do not name.
    pub(crate) fn with_certificates(self, certificates: Certificates) -> Result<Self, ClusterId> {
        let stranger = certificates.clusters().find(|cluster| !self.names(cluster)).cloned();
        match stranger {
            Some(stranger) => Err(stranger),
            None => Ok(Self { certificates: certificates.or(self.certificates), ..self }),
        }
    }

    pub(crate) const fn certificates(&self) -> &Certificates {
        &self.certificates
    }

    fn names(&self, cluster: &ClusterId) -> bool {
        self.clusters.iter().any(|pair| pair.ids().contains(&cluster))
    }

    /// The terms as JSON has them, or nothing if they are malformed.
    pub(super) fn from_json(json: &TermsJson) -> Option<Self> {
        let clusters = json.clusters.iter().map(ClusterPair::from_words).collect::<Option<_>>()?;
        let terms = Self::new(clusters, &json.projects, &json.repos, &json.paths, &json.revisions).ok()?;
        let delivery = json.delivery.iter().map(|word| Delivery::find(word)).collect::<Option<_>>()?;
        Self { delivery, ..terms }.with_certificates(Certificates::from_json(&json.certificates)?).ok()
    }

    pub(super) fn to_json(&self) -> TermsJson {
        let pair = |pair: &ClusterPair| pair.ids().map(ToString::to_string);
        TermsJson {
            clusters: self.clusters.iter().map(pair).collect(),
            projects: self.projects.clone(),
            repos: self.repos.clone(),
            paths: self.paths.clone(),
            revisions: self.revisions.clone(),
            delivery: self.delivery.iter().map(ToString::to_string).collect(),
            certificates: self.certificates.to_json(),
        }
    }

    /// A term's values on one line, for a log. Anyone could have written them.
    pub(crate) fn line(&self, term: Term) -> String {
        let values: Vec<_> = match term {
            Term::Clusters => self.clusters.iter().map(ToString::to_string).collect(),
            Term::Projects => self.projects.clone(),
            Term::Repos => self.repos.clone(),
            Term::Paths => self.paths.clone(),
            Term::Revisions => self.revisions.clone(),
            Term::Delivery => self.delivery.iter().map(ToString::to_string).collect(),
        };
        let shown = |value: &String| match term {
            Term::Projects if name_and_role(value).1.is_none() => {
                format!("{} (both roles)", in_quotes(value))
            }
            _ => in_quotes(value),
        };
        match term {
            Term::Revisions | Term::Delivery if values.is_empty() => "any".to_owned(),
            _ if values.is_empty() => "none".to_owned(),
            _ => values.iter().map(shown).collect::<Vec<_>>().join(" "),
        }
    }

    /// Whether Argo CD can open the file at all: inside it a term that is left out denies.
    pub(crate) const fn allow_argo_cd(&self) -> bool {
        let Self { clusters: _, projects, repos, paths, revisions: _, delivery: _, certificates: _ } = self;
        !projects.is_empty() && !repos.is_empty() && !paths.is_empty()
    }

    /// These terms, with those of a sealed file where a term is left out, and with its certificates. `*` is not inherited, and its term is the error:
    /// anyone can make a file that allows any.
    pub(crate) fn or(self, file: Self) -> Result<Self, Term> {
        let or = |term, values: Vec<String>, inherited: Vec<String>| match values.is_empty() {
            true if inherited.iter().any(|value| name_and_role(value).0 == ANY) => Err(term),
            true => Ok(inherited),
            false => Ok(values),
        };
        let terms = Self {
            clusters: if self.clusters.is_empty() { file.clusters } else { self.clusters },
            projects: or(Term::Projects, self.projects, file.projects)?,
            repos: or(Term::Repos, self.repos, file.repos)?,
            paths: or(Term::Paths, self.paths, file.paths)?,
            revisions: or(Term::Revisions, self.revisions, file.revisions)?,
            delivery: if self.delivery.is_empty() { file.delivery } else { self.delivery },
            certificates: self.certificates,
        };
        // of a cluster that the file is no longer for, there is nothing to seal
        let inherited = file.certificates.only(|cluster| terms.names(cluster));
        Ok(Self { certificates: terms.certificates.or(inherited), ..terms })
    }

    /// SHA-256 of the terms of files and of who can open all of them, in hexadecimal.
    pub(crate) fn digest(files: &[&Self], recipients: &[Recipient]) -> String {
        let recipients: BTreeSet<String> = recipients.iter().map(ToString::to_string).collect();
        let files: Vec<TermsJson> = files.iter().map(|terms| terms.to_json()).collect();
        // strings serialize
        let json = serde_json::to_vec(&(files, recipients)).unwrap_or_default();
        format!("sha256:{:x}", Sha256::digest(json))
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = Term::ALL.map(|term| format!("{term} {}", self.line(term)));
        formatter.write_str(&terms.join("; "))?;
        let certificates: Vec<String> = self.certificates.lines().collect();
        if certificates.is_empty() {
            Ok(())
        } else {
            write!(formatter, "; certificates {}", certificates.join(" "))
        }
    }
}

#[cfg(test)]
mod tests;
