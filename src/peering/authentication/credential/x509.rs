//! Object identifiers of certificates, requests and keys.

use x509_cert::der::asn1::ObjectIdentifier;

/// id-Ed25519 (RFC 8410, section 3).
pub(crate) const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// `id-at-commonName` and `id-at-organizationName` (RFC 5280, appendix A.1): Kubernetes' user and groups (kubernetes
/// `staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go`, `CommonNameUserConversion`).
pub(crate) const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
pub(crate) const ORGANIZATION: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.10");
