//! Whether a client certificate and its key belong together, as Go's `tls.X509KeyPair` asks (`crypto/tls/tls.go`).

use super::Kubeconfig;
use super::usable::contains;
use crate::peering::authentication::credential::x509::{ED25519, decode_base64, first_certificate};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;
use x509_cert::der::Document;
use x509_cert::der::asn1::ObjectIdentifier;
use zeroize::Zeroizing;

/// RSA (RFC 8017, appendix C) and keys of elliptic curves (RFC 5480, section 2.1.1).
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");

impl Kubeconfig {
    /// Whether its certificate belongs to its key. `None` if that is not known: there is no certificate, or the key does not contain its
    /// public half.
    pub(crate) fn is_pair(&self) -> Option<bool> {
        let certificate = decode_base64(self.user.client_certificate_data.as_deref()?)?;
        let key = decode_base64(self.user.client_key_data.as_deref()?)?;
        let info = first_certificate(&certificate)?
            .tbs_certificate
            .subject_public_key_info;
        let public = info.subject_public_key.as_bytes()?;
        let pem = std::str::from_utf8(&key).ok()?;
        let (_, document) = Document::from_pem(pem.get(pem.find("-----BEGIN ")?..)?).ok()?;
        let der = Zeroizing::new(document.as_bytes().to_vec());
        match info.algorithm.oid {
            ED25519 => {
                let key = SigningKey::from_pkcs8_der(&der);
                Some(matches!(key, Ok(key) if key.verifying_key().as_bytes() == public))
            }
            // the modulus is the first number of both the certificate's key and the private key (RFC 8017, appendix A.1)
            RSA => Some(contains(&der, modulus(public)?)),
            // RFC 5915, section 3: the public key is optional, and OpenSSL and Go write it
            EC if contains(&der, public) => Some(true),
            EC => contains(&der, &bit_string(public)).then_some(false),
            _ => None,
        }
    }
}

/// The most significant bytes of a modulus: enough to be unique.
fn modulus(public: &[u8]) -> Option<&[u8]> {
    const HEADERS: usize = 12;
    const ENOUGH: usize = 64;
    public.get(HEADERS..HEADERS + ENOUGH)
}

/// The beginning of a key of this length as a bit string (X.690, 8.6): the tag, the length, no unused bits, uncompressed (SEC 1, 2.3.3).
fn bit_string(public: &[u8]) -> Vec<u8> {
    const TAG: u8 = 0x03;
    let length = u8::try_from(public.len() + 1).unwrap_or(u8::MAX);
    let length = if length < 0x80 {
        vec![length]
    } else {
        vec![0x81, length]
    };
    [vec![TAG], length, vec![0, 0x04]].concat()
}
