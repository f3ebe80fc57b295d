//! Terms as the JSON of a sealed file has them.

use super::certificates::CertificatesJson;
use super::clusters::PeeringJson;
use super::{Certificates, ClusterPair, Clusters, Entry, Term, Terms};
use serde::{Deserialize, Serialize};

/// An entry; at the top also the certificates, and `allow` where there are several entries. Files that were sealed before
/// terms had roles have `clusters` in the place of `peerings`, and keep their meaning.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::custody) struct TermsJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<Vec<[String; 2]>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    peerings: Vec<PeeringJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    projects: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repos: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    revisions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    delivery: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    namespaces: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allow: Vec<Self>,
    #[serde(skip_serializing_if = "CertificatesJson::is_empty")]
    certificates: CertificatesJson,
}

impl TermsJson {
    fn entry(&self) -> Option<Entry> {
        let clusters = match (&self.clusters, self.peerings.as_slice()) {
            (Some(pairs), []) => {
                Clusters::Either(pairs.iter().map(ClusterPair::from_words).collect::<Option<_>>()?)
            }
            (None, [_, ..]) => {
                Clusters::Peerings(self.peerings.iter().map(PeeringJson::read).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Entry::of(clusters).with_all(self.lists()).ok()
    }

    const fn lists(&self) -> [(Term, &[String]); 6] {
        [
            (Term::Projects, self.projects.as_slice()),
            (Term::Repos, self.repos.as_slice()),
            (Term::Paths, self.paths.as_slice()),
            (Term::Revisions, self.revisions.as_slice()),
            (Term::Delivery, self.delivery.as_slice()),
            (Term::Namespaces, self.namespaces.as_slice()),
        ]
    }

    /// Whether it has entries and certificates only.
    fn is_list(&self) -> bool {
        self.clusters.is_none()
            && self.peerings.is_empty()
            && self.lists().iter().all(|(_, list)| list.is_empty())
    }
}

impl From<&Entry> for TermsJson {
    fn from(entry: &Entry) -> Self {
        let values = |term| entry.values(term).to_vec();
        let pair = |pair: &ClusterPair| pair.ids().map(ToString::to_string);
        let (clusters, peerings) = match &entry.clusters {
            Clusters::Any => (None, Vec::new()),
            Clusters::Either(pairs) => (Some(pairs.iter().map(pair).collect()), Vec::new()),
            Clusters::Peerings(peerings) => (None, peerings.iter().map(PeeringJson::new).collect()),
        };
        Self {
            clusters,
            peerings,
            projects: values(Term::Projects),
            repos: values(Term::Repos),
            paths: values(Term::Paths),
            revisions: values(Term::Revisions),
            delivery: values(Term::Delivery),
            namespaces: values(Term::Namespaces),
            ..Self::default()
        }
    }
}

impl Terms {
    /// The terms as JSON has them, or nothing if they are malformed.
    pub(in crate::custody) fn from_json(json: &TermsJson) -> Option<Self> {
        let is_entry = |json: &TermsJson| json.allow.is_empty() && json.certificates.is_empty();
        let entries = match json.allow.as_slice() {
            [] => vec![json.entry()?],
            entries if json.is_list() && entries.iter().all(is_entry) => {
                entries.iter().map(TermsJson::entry).collect::<Option<_>>()?
            }
            _ => return None,
        };
        Self::of(entries).with_certificates(Certificates::from_json(&json.certificates)?).ok()
    }
}

impl Terms {
    pub(in crate::custody) fn to_json(&self) -> TermsJson {
        let terms = match self.entries.as_slice() {
            [entry] => entry.into(),
            entries => {
                TermsJson { allow: entries.iter().map(TermsJson::from).collect(), ..Default::default() }
            }
        };
        TermsJson { certificates: self.certificates.to_json(), ..terms }
    }
}
