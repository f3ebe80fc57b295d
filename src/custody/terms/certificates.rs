//! The certificates that a sealed file has beside its terms: for a cluster, that of its sealed-secrets controller.
//!
//! They are taken from nowhere else: with a certificate beside the sealed file, anyone with push access would have the secrets
//! sealed to a key of their own.

use super::fields::{Fields, read_fields};
use crate::argocd::caller::in_quotes;
use crate::custody::sealed_secret::Certificate;
use crate::diagnostic::readable;
use crate::peering::values::ClusterId;
use serde::de::{Deserializer, MapAccess};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One certificate for a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Certificates(BTreeMap<ClusterId, Certificate>);

impl Certificates {
    /// Adds one, and gives back the one that it replaces.
    pub(crate) fn insert(&mut self, cluster: ClusterId, certificate: Certificate) -> Option<Certificate> {
        self.0.insert(cluster, certificate)
    }

    /// The certificate of a cluster.
    pub(crate) fn get(&self, cluster: &ClusterId) -> Option<&Certificate> {
        self.0.get(cluster)
    }

    /// The certificate of a cluster, taken out.
    pub(crate) fn take(&mut self, cluster: &ClusterId) -> Option<Certificate> {
        self.0.remove(cluster)
    }

    /// Each cluster with its certificate.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&ClusterId, &Certificate)> {
        self.0.iter()
    }

    pub(crate) fn clusters(&self) -> impl Iterator<Item = &ClusterId> {
        self.0.keys()
    }

    /// Each on a line: the cluster, the SHA-256 of the `SubjectPublicKeyInfo`, and the size of the key.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(cluster, certificate)| {
            let mut digest = "sha256:".to_owned();
            for byte in certificate.fingerprint() {
                digest += &format!("{byte:02x}");
            }
            let digest = readable(&digest);
            format!("{} {digest} ({} bits)", in_quotes(cluster.as_str()), certificate.bits())
        })
    }

    /// The certificates as JSON has them, or nothing if one of them is not a certificate.
    pub(super) fn from_json(CertificatesJson(json): &CertificatesJson) -> Option<Self> {
        let one = |(id, pem): (&String, &String)| Some((id.parse().ok()?, pem.parse().ok()?));
        json.iter().map(one).collect::<Option<_>>().map(Self)
    }

    pub(super) fn to_json(&self) -> CertificatesJson {
        let one =
            |(id, certificate): (&ClusterId, &Certificate)| (id.to_string(), certificate.pem().to_owned());
        CertificatesJson(self.0.iter().map(one).collect())
    }
}

/// As the JSON has them. A cluster that is there twice is refused: readers of JSON do not agree on which one counts.
#[derive(Serialize, Default)]
pub(super) struct CertificatesJson(BTreeMap<String, String>);

impl CertificatesJson {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'d> Fields<'d> for CertificatesJson {
    fn take<A: MapAccess<'d>>(&mut self, cluster: &str, map: &mut A) -> Result<(), A::Error> {
        self.0.insert(cluster.to_owned(), map.next_value()?);
        Ok(())
    }
}

impl<'d> Deserialize<'d> for CertificatesJson {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        read_fields(deserializer)
    }
}
