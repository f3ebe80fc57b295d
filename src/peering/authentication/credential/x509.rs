//! Certificates in PEM, and object identifiers of certificates, requests and keys.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;
use x509_cert::Certificate;
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::der::pem::PemLabel;
use x509_cert::der::{Decode as _, DecodeOwned, Document};
use zeroize::Zeroizing;

/// id-Ed25519 (RFC 8410, section 3).
pub(crate) const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// `id-at-commonName` and `id-at-organizationName` (RFC 5280, appendix A.1): Kubernetes' user and groups (kubernetes
/// `staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go`, `CommonNameUserConversion`).
pub(crate) const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
pub(crate) const ORGANIZATION: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.10");

/// The bytes of a text in base64. Go ignores the line breaks that `base64` without `-w0` writes (`encoding/base64`).
pub(crate) fn decode_base64(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let text = Zeroizing::new(text.replace(['\r', '\n'], ""));
    STANDARD.decode(text.as_bytes()).ok().map(Zeroizing::new)
}

/// An object in PEM. It is decoded first and parsed afterwards: `DecodePem` of der 0.7 does both at once, and never ends if the text ends
/// within an object, such as `MII=`.
pub(crate) fn object<T: PemLabel + DecodeOwned>(pem: &str) -> Option<T> {
    let (label, der) = Document::from_pem(pem).ok()?;
    T::validate_pem_label(label).ok()?;
    T::from_der(der.as_bytes()).ok()
}

/// When a certificate begins and when it ends, since 1970.
pub(crate) fn validity(certificate: &Certificate) -> [Duration; 2] {
    let validity = &certificate.tbs_certificate.validity;
    [
        validity.not_before.to_unix_duration(),
        validity.not_after.to_unix_duration(),
    ]
}

/// The first certificate of a text, whatever else the text has.
pub(crate) fn first_certificate(pem: &[u8]) -> Option<Certificate> {
    blocks(&String::from_utf8_lossy(pem)).next()?
}

/// All certificates of a text, whatever is around them; none if one of them cannot be read.
pub(crate) fn all_certificates(pem: &[u8]) -> Option<Vec<Certificate>> {
    blocks(&String::from_utf8_lossy(pem)).collect()
}

fn blocks(text: &str) -> impl Iterator<Item = Option<Certificate>> {
    text.split("-----BEGIN CERTIFICATE-----").skip(1).map(block)
}

fn block(text: &str) -> Option<Certificate> {
    let (body, _) = text.split_once("-----END CERTIFICATE-----")?;
    let body: String = body.split_ascii_whitespace().collect();
    Certificate::from_der(&STANDARD.decode(body).ok()?).ok()
}

/// The certificates of a text that has nothing else; at least one. A block begins at the beginning of a line (Go `encoding/pem`, Decode):
/// client-go does not find others.
pub(crate) fn certificates(pem: &str) -> Option<Vec<Certificate>> {
    let text = pem.replace("\r\n", "\n");
    let (mut all, mut rest) = (Vec::new(), text.trim_matches('\n'));
    while !rest.is_empty() {
        let (body, after) = rest
            .strip_prefix("-----BEGIN CERTIFICATE-----\n")?
            .split_once("\n-----END CERTIFICATE-----")?;
        let der = STANDARD.decode(body.replace('\n', "")).ok()?;
        all.push(Certificate::from_der(&der).ok()?);
        rest = after.trim_start_matches('\n');
        (rest.is_empty() || rest.len() < after.len()).then_some(())?;
    }
    (!all.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::{Certificate, all_certificates, certificates, first_certificate, object};
    use x509_cert::request::CertReq;
    use x509_cert::spki::SubjectPublicKeyInfoOwned;

    /// A reader that waits for more of an object never ends.
    #[test]
    fn an_object_that_is_cut_off_is_none() {
        for body in ["MII=", "MIIB", "MA==", "MIIBgA==", ""] {
            let [key, request, certificate] = ["PUBLIC KEY", "CERTIFICATE REQUEST", "CERTIFICATE"]
                .map(|label| format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n"));
            assert!(
                object::<SubjectPublicKeyInfoOwned>(&key).is_none(),
                "{body}"
            );
            assert!(object::<CertReq>(&request).is_none(), "{body}");
            assert!(object::<Certificate>(&certificate).is_none(), "{body}");
            assert!(
                first_certificate(certificate.as_bytes()).is_none(),
                "{body}"
            );
            assert!(certificates(&certificate).is_none(), "{body}");
        }
    }

    #[test]
    fn the_first_certificate_is_found_in_a_text() {
        let pem = include_str!("../../../../tests/certificates/handshake.crt");
        let one = object::<Certificate>(pem);
        assert!(one.is_some());
        assert_eq!(
            first_certificate(format!("subject=CN = rome\n{pem}{pem}").as_bytes()),
            one
        );
        assert_eq!(
            certificates(&format!("{pem}{pem}")).map(|all| all.len()),
            Some(2)
        );
        assert_eq!(
            all_certificates(format!("a\n{pem}b\n{pem}").as_bytes()).map(|all| all.len()),
            Some(2)
        );
        let cut = pem.replace("-----END", "-----end");
        assert_eq!(all_certificates(format!("{pem}{cut}").as_bytes()), None);
    }
}
