//! The key of a client certificate, which is never written to a file, and the request for the certificate. The key is new, or the one of a
//! cluster's Liqo.

use crate::diagnostic::{Bug, secrecy};
use crate::peering::authentication::credential::x509::{
    COMMON_NAME, ED25519, ORGANIZATION, first_certificate,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _, KeypairBytes};
use ed25519_dalek::{Signer as _, SigningKey};
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::{
    Any, BitString, ObjectIdentifier, PrintableStringRef, SetOfVec, Utf8StringRef,
};
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{self, EncodePem as _};
use x509_cert::name::{RdnSequence, RelativeDistinguishedName};
use x509_cert::request::{CertReq, CertReqInfo, Version};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use zeroize::Zeroizing;

const ALGORITHM: AlgorithmIdentifierOwned = AlgorithmIdentifierOwned {
    oid: ED25519,
    parameters: None,
};

/// An Ed25519 key.
pub(crate) struct ClientKey(SigningKey);

impl ClientKey {
    /// The key of 32 random bytes.
    pub(crate) fn new(random: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(random))
    }

    /// The key of Liqo, from its Secret `authentication-keys` (liqo `authentication/keys.go`, GenerateEd25519Keys).
    pub(crate) fn of_liqo(pem: &str) -> Option<Self> {
        SigningKey::from_pkcs8_pem(pem).ok().map(Self)
    }

    /// The PEM of the public key, as Liqo writes it, in base64.
    pub(crate) fn public_key(&self) -> Result<String, Bug> {
        match self.public().and_then(|it| it.to_pem(LineEnding::LF)) {
            Ok(pem) => Ok(STANDARD.encode(pem)),
            Err(_) => Err(Bug::new("a client key: its public half")),
        }
    }

    /// A signature, in base64.
    pub(crate) fn sign(&self, message: &[u8]) -> String {
        STANDARD.encode(self.0.sign(message).to_bytes())
    }

    /// The private key as PKCS#8 that Go reads (RFC 8410, section 7), without the public key, which is in the certificate.
    pub(crate) fn pem(&self) -> Result<Zeroizing<String>, Bug> {
        let bytes = KeypairBytes {
            secret_key: self.0.to_bytes(),
            public_key: None,
        };
        let Ok(pem) = bytes.to_pkcs8_pem(LineEnding::LF) else {
            return Err(Bug::new("a client key: its PEM"));
        };
        secrecy::remember(&pem);
        Ok(pem)
    }

    /// The PEM of a certificate request (RFC 2986) for this user, in this group.
    pub(crate) fn request(&self, user: &str, group: Option<&str>) -> Result<String, Bug> {
        self.signed(user, group)
            .map_err(|_| Bug::new("a client certificate: its request"))
    }

    /// The request with the same bytes as Go's, since Liqo compares them (Go `crypto/x509/pkix`, ToRDNSequence: the organisation first;
    /// `encoding/asn1`: a PrintableString where it can be one; liqo `pkg/identityManager/certificateIdentityProvider.go`).
    fn signed(&self, user: &str, group: Option<&str>) -> der::Result<String> {
        let mut subject = Vec::new();
        if let Some(group) = group {
            subject.push(part(ORGANIZATION, group)?);
        }
        subject.push(part(COMMON_NAME, user)?);
        let info = CertReqInfo {
            version: Version::V1,
            subject: RdnSequence(subject),
            public_key: self.public()?,
            attributes: SetOfVec::new(),
        };
        let signature = self.0.sign(&der::Encode::to_der(&info)?);
        let signature = BitString::from_bytes(&signature.to_bytes())?;
        CertReq {
            info,
            algorithm: ALGORITHM,
            signature,
        }
        .to_pem(LineEnding::LF)
    }

    fn public(&self) -> der::Result<SubjectPublicKeyInfoOwned> {
        let subject_public_key = BitString::from_bytes(self.0.verifying_key().as_bytes())?;
        Ok(SubjectPublicKeyInfoOwned {
            algorithm: ALGORITHM,
            subject_public_key,
        })
    }

    /// Whether the first of these certificates is for this key.
    pub(crate) fn signs_certificate(&self, pem: &[u8]) -> bool {
        let key = first_certificate(pem).map(|it| it.tbs_certificate.subject_public_key_info);
        self.public().is_ok_and(|own| key == Some(own))
    }
}

/// A part of a distinguished name.
fn part(oid: ObjectIdentifier, text: &str) -> der::Result<RelativeDistinguishedName> {
    let value = match PrintableStringRef::new(text) {
        Ok(printable) => Any::encode_from(&printable)?,
        Err(_) => Any::encode_from(&Utf8StringRef::new(text)?)?,
    };
    Ok(RelativeDistinguishedName(SetOfVec::try_from(vec![
        AttributeTypeAndValue { oid, value },
    ])?))
}
