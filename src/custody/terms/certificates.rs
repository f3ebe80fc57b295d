//! The certificates that a sealed file has beside its terms: for a cluster, that of its sealed-secrets controller.
//!
//! They are taken from nowhere else: with a certificate beside the sealed file, anyone with push access would have the secrets
//! sealed to a key of their own.

use super::json_map::{Fields, read_fields};
use crate::argocd::caller::in_quotes;
use crate::custody::sealed_secret::Certificate;
use crate::diagnostic::readable;
use crate::peering::values::ClusterId;
use serde::de::{Deserializer, MapAccess};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One certificate for a cluster.
pub(crate) type Certificates = BTreeMap<ClusterId, Certificate>;

/// Each on a line: the cluster, the SHA-256 of the `SubjectPublicKeyInfo`, and the size of the key.
pub(crate) fn certificate_lines(certificates: &Certificates) -> impl Iterator<Item = String> {
    certificates.iter().map(|(cluster, certificate)| {
        let mut digest = "sha256:".to_owned();
        for byte in certificate.fingerprint() {
            digest += &format!("{byte:02x}");
        }
        let digest = readable(&digest);
        format!("{} {digest} ({} bits)", in_quotes(cluster.as_str()), certificate.bits())
    })
}

/// As the JSON has them. A cluster that is there twice is refused: readers of JSON do not agree on which one counts.
#[derive(Serialize, Default)]
pub(super) struct CertificatesJson(BTreeMap<String, String>);

impl CertificatesJson {
    pub(super) fn of(certificates: &Certificates) -> Self {
        let one =
            |(id, certificate): (&ClusterId, &Certificate)| (id.to_string(), certificate.pem().to_owned());
        Self(certificates.iter().map(one).collect())
    }

    /// None if one of them is not a certificate.
    pub(super) fn read(&self) -> Option<Certificates> {
        self.0.iter().map(|(id, pem)| Some((id.parse().ok()?, pem.parse().ok()?))).collect()
    }

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
