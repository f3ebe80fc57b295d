//! Certificates in PEM, and object identifiers of certificates, requests and keys.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;
use x509_cert::der::asn1::ObjectIdentifier;

/// id-Ed25519 (RFC 8410, section 3).
pub(crate) const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// `id-at-commonName` and `id-at-organizationName` (RFC 5280, appendix A.1): Kubernetes' user and groups (kubernetes
/// `staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go`, `CommonNameUserConversion`).
pub(crate) const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
pub(crate) const ORGANIZATION: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.10");

/// The certificates of a text that has them and nothing else, at least one. A block begins at the beginning of a line (Go
/// `encoding/pem`, Decode): client-go would not see another one.
pub(crate) fn certificates(pem: &str) -> Option<Vec<Certificate>> {
    let text = pem.replace("\r\n", "\n");
    let (mut all, mut rest) = (Vec::new(), text.trim_matches('\n'));
    while !rest.is_empty() {
        let (body, after) =
            rest.strip_prefix("-----BEGIN CERTIFICATE-----\n")?.split_once("\n-----END CERTIFICATE-----")?;
        let der = STANDARD.decode(body.replace('\n', "")).ok()?;
        all.push(Certificate::from_der(&der).ok()?);
        rest = after.trim_start_matches('\n');
        (rest.is_empty() || rest.len() < after.len()).then_some(())?;
    }
    (!all.is_empty()).then_some(all)
}
