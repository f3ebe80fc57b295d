//! The key of a client certificate, which is never written anywhere, and the request for the certificate.

use crate::custody;
use crate::diagnostic::{Bug, secrecy};
use ed25519_dalek::pkcs8::{EncodePrivateKey as _, KeypairBytes};
use ed25519_dalek::{Signer as _, SigningKey};
use x509_cert::Certificate;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::{Any, BitString, ObjectIdentifier, SetOfVec, Utf8StringRef};
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{self, EncodePem as _};
use x509_cert::name::{RdnSequence, RelativeDistinguishedName};
use x509_cert::request::{CertReq, CertReqInfo, Version};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use zeroize::Zeroizing;

/// id-Ed25519 (RFC 8410, section 3).
const ED25519: AlgorithmIdentifierOwned =
    AlgorithmIdentifierOwned { oid: ObjectIdentifier::new_unwrap("1.3.101.112"), parameters: None };

/// `id-at-commonName` (RFC 5280, appendix A.1): Kubernetes' user.
const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");

/// A new key.
pub(super) struct ClientKey(SigningKey);

impl ClientKey {
    pub(super) fn generate() -> Result<Self, custody::Error> {
        let bytes = custody::keys::random()?;
        Ok(Self(SigningKey::from_bytes(&bytes)))
    }

    /// The PKCS#8 that Go reads (RFC 8410, section 7), without the public key: that is in the certificate.
    pub(super) fn pem(&self) -> Result<Zeroizing<String>, Bug> {
        let bytes = KeypairBytes { secret_key: self.0.to_bytes(), public_key: None };
        let pem = bytes.to_pkcs8_pem(LineEnding::LF).map_err(|_| Bug::new("a client key: its PEM"))?;
        secrecy::remember(&pem);
        Ok(pem)
    }

    /// The PEM of a request (RFC 2986) for a certificate of this user.
    pub(super) fn request(&self, user: &str) -> Result<String, Bug> {
        self.signed(user).map_err(|_| Bug::new("a client certificate: its request"))
    }

    fn signed(&self, user: &str) -> der::Result<String> {
        let name =
            AttributeTypeAndValue { oid: COMMON_NAME, value: Any::encode_from(&Utf8StringRef::new(user)?)? };
        let name = RelativeDistinguishedName(SetOfVec::try_from(vec![name])?);
        let info = CertReqInfo {
            version: Version::V1,
            subject: RdnSequence(vec![name]),
            public_key: self.public()?,
            attributes: SetOfVec::new(),
        };
        let signature = self.0.sign(&der::Encode::to_der(&info)?);
        let signature = BitString::from_bytes(&signature.to_bytes())?;
        CertReq { info, algorithm: ED25519, signature }.to_pem(LineEnding::LF)
    }

    fn public(&self) -> der::Result<SubjectPublicKeyInfoOwned> {
        let subject_public_key = BitString::from_bytes(self.0.verifying_key().as_bytes())?;
        Ok(SubjectPublicKeyInfoOwned { algorithm: ED25519, subject_public_key })
    }

    /// Whether the first of these certificates is for this key.
    pub(super) fn is_of(&self, pem: &[u8]) -> bool {
        let chain = Certificate::load_pem_chain(pem).unwrap_or_default();
        let key = chain.first().map(|it| &it.tbs_certificate.subject_public_key_info);
        key.is_some() && key == self.public().ok().as_ref()
    }
}
