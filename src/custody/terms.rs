//! The terms of a sealed file: for which peerings, projects, repositories and folders it may be opened.

mod clusters;
mod entry;
mod json;
mod spelling;
mod term;

pub(crate) use clusters::{ClusterPair, EntryClusters};
pub(crate) use entry::TermsEntry;
pub(super) use json::{EntryFields, TermsJson};
pub use spelling::{normal_path, normal_repo};
pub use term::Term;
pub(crate) use term::TermSubject;

use super::sealed_secret::Certificate;
use crate::argocd::caller::in_quotes;
use crate::diagnostic::readable;
use crate::peering::values::{ClusterId, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Allows any value of a term.
pub(crate) const ANY: &str = "*";

/// The rule for an entry's list that may not be empty.
pub(super) const EMPTY: &str = "it is empty, so the entry allows nothing";

/// A value that a term cannot have. It was meant to restrict something, so it is refused, not ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{rule}")]
pub(crate) struct TermProblem {
    pub(crate) term: Term,
    pub(crate) rule: &'static str,
}

/// The terms. A use is allowed if one entry allows all of it; entries are not combined.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    entries: Vec<TermsEntry>,
    /// Certificates of clusters that the entries name, and of no others.
    certificates: Certificates,
}

impl Terms {
    pub(crate) fn new(entries: Vec<TermsEntry>) -> Self {
        Self {
            entries,
            ..Self::default()
        }
    }

    /// Replaces all certificates. The error is a cluster that the terms do not name.
    pub(crate) fn with_certificates(self, certificates: Certificates) -> Result<Self, ClusterId> {
        if let Some(stranger) = certificates.keys().find(|cluster| !self.names(cluster)) {
            return Err(stranger.clone());
        }
        Ok(Self {
            certificates,
            ..self
        })
    }

    pub(crate) fn entries(&self) -> &[TermsEntry] {
        &self.entries
    }

    pub(crate) const fn certificates(&self) -> &Certificates {
        &self.certificates
    }

    pub(crate) fn names(&self, cluster: &ClusterId) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|entry| entry.clusters.names(cluster))
    }
}

/// The certificates in a sealed file, next to its terms: for each cluster, that of its sealed-secrets controller. They are taken from
/// nowhere else. If a certificate were a file of the repository, anyone with push access could have the secrets sealed to their own key.
pub(crate) type Certificates = BTreeMap<ClusterId, Certificate>;

/// A line for each certificate: the cluster, the SHA-256 of the `SubjectPublicKeyInfo`, and the size of the key.
pub(crate) fn certificate_lines(certificates: &Certificates) -> impl Iterator<Item = String> {
    certificates.iter().map(|(cluster, certificate)| {
        let digest = readable(&format!("sha256:{:x}", certificate.fingerprint()));
        let (cluster, bits) = (in_quotes(cluster.as_str()), certificate.bits());
        format!("{cluster} {digest} ({bits} bits)")
    })
}

// what people choose and see, before a file is sealed
impl Terms {
    /// The pairs of clusters that they are for, each once.
    pub(crate) fn pairs(&self) -> BTreeSet<ClusterPair> {
        let mut pairs = BTreeSet::new();
        for entry in &self.entries {
            pairs.extend(entry.clusters.pairs());
        }
        pairs
    }

    /// The first value of a term for a role, without its side.
    pub(crate) fn first_value(&self, term: Term, role: Role) -> Option<&str> {
        let mut entries = self.entries.iter();
        entries.find_map(|entry| entry.first_value(term, role))
    }

    /// Whether Argo CD can open the file at all.
    pub(crate) fn allow_argo_cd(&self) -> bool {
        self.entries.iter().any(TermsEntry::allows_argo_cd)
    }

    /// The terms as the rows of a table, of each entry first those that limit something, and the certificates.
    pub(crate) fn rows(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for (entry, number) in self.entries.iter().zip(1..) {
            let mut terms = entry.shown_terms();
            terms.sort_by_key(|term| *term != Term::Clusters && entry.values(*term).is_empty());
            for term in terms {
                let name = match self.entries.len() {
                    1 => term.to_string(),
                    _ => format!("entry {number} {term}"),
                };
                rows.push(format!("  {name:<13} {}", entry.line(term)));
            }
        }
        for line in certificate_lines(&self.certificates) {
            rows.push(format!("  {:<13} {line}", "certificate"));
        }
        rows
    }

    /// The terms of each entry, with names and values. Several entries are numbered.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let mut lines = Vec::new();
        for (entry, number) in self.entries.iter().zip(1..) {
            if self.entries.len() != 1 {
                lines.push(format!("entry {number}"));
            }
            for term in entry.shown_terms() {
                lines.push(format!("{term}: {}", entry.line(term)));
            }
        }
        lines.into_iter()
    }
}

#[cfg(test)]
mod tests;
