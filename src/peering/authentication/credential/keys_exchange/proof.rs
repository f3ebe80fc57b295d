//! The consumer's proof of its key: the public half, a certificate request and a signature. All of it is public.

use crate::diagnostic::{Code, Rule};
use crate::document::{scalar, texts};
use crate::peering::authentication::credential::identity::IdentityCertificate;
use crate::peering::authentication::credential::x509::{
    COMMON_NAME, ED25519, ORGANIZATION, object,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{Encode as _, EncodePem as _, Tag, Tagged as _};
use x509_cert::name::Name;
use x509_cert::request::CertReq;
use x509_cert::spki::SubjectPublicKeyInfoOwned;

/// The organisation of a control plane's certificate (liqo `authentication/csr.go`, OrganizationControlPlaneCSR).
pub(crate) const CONTROL_PLANE: &str = "liqo.io";

/// More than a request needs: the one for the longest cluster ID has 476 characters.
const CAP: usize = 2048;

texts! {
    /// The text that the consumer signs. Liqo only checks the signature over it (liqo `authentication/keys.go`, VerifyNonce). If no other
    /// provider has the same text, the signature cannot be used there.
    Nonce, takes "a nonce", schema { "type": "string", "pattern": "^[!-~]{16,128}$" }, check_nonce;
}

fn check_nonce(text: &str) -> Result<(), Rule> {
    let is_visible = text.as_bytes().iter().all(u8::is_ascii_graphic);
    if is_visible && (16..=128).contains(&text.len()) {
        return Ok(());
    }
    let help = "`openssl rand -hex 32` prints one; each peering has its own";
    Err(wrong("this is not 16 to 128 visible ASCII characters").help(help))
}

/// A consumer's public key: Ed25519, and a point that can verify signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterKey {
    base64: String,
    bytes: [u8; 32],
}

impl ClusterKey {
    fn parse(text: &str) -> Result<Self, Rule> {
        let help = "it is `data.publicKey` of the consumer's Secret `authentication-keys`, in Liqo's namespace";
        Self::from_base64(text).map_err(|why| wrong(why).help(help))
    }

    fn from_base64(text: &str) -> Result<Self, &'static str> {
        let (base64, pem) = decoded(text).ok_or(NOT_PEM)?;
        let info =
            object::<SubjectPublicKeyInfoOwned>(&pem).ok_or("this is not a public key in PEM")?;
        let bytes = ed25519(&info).ok_or(
            "this is not an Ed25519 key, as Liqo makes without `authentication.tlsCompatibilityMode`",
        )?;
        // only one spelling, so that the stream does not change with the spelling
        if info.to_pem(LineEnding::LF).ok().as_deref() != Some(&pem) {
            return Err("this has more than a public key");
        }
        // for a point of small order anyone can sign (RFC 8032, section 5.1.7, leaves this check to the caller)
        match VerifyingKey::from_bytes(&bytes) {
            Ok(key) if !key.is_weak() => Ok(Self { base64, bytes }),
            _ => Err("this key verifies no signature"),
        }
    }

    /// The SHA-256 of the key as PEM, as it is in Liqo's Secret.
    pub(crate) fn fingerprint(&self) -> String {
        let pem = STANDARD.decode(&self.base64).unwrap_or_default();
        format!("sha256:{:x}", Sha256::digest(pem))
    }

    /// Whether a signature over a nonce is made with this key.
    pub(super) fn has_signed_nonce(&self, nonce: &Nonce, signature: &NonceSignature) -> bool {
        has_signed(self.bytes, nonce.as_str().as_bytes(), &signature.0)
    }

    /// Whether a request is made with this key.
    pub(super) fn has_signed(&self, request: &SigningRequest) -> bool {
        self.bytes == request.key
    }

    /// Whether the first certificate is for this key and for this user.
    pub(super) fn signed(&self, certificate: &IdentityCertificate, user: &str) -> bool {
        let Some(certificate) = certificate.first_certificate() else {
            return false;
        };
        let certificate = certificate.tbs_certificate;
        ed25519(&certificate.subject_public_key_info) == Some(self.bytes)
            && self::user(&certificate.subject).as_deref() == Some(user)
    }
}

/// A certificate request (RFC 2986) for one user with the organisation of a control plane, and nothing else.
///
/// Liqo compares only the common name and the first organisation (liqo `authentication/csr.go`, CheckCSRForControlPlane). A second
/// organisation would be a second group for the API server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningRequest {
    base64: String,
    key: [u8; 32],
    /// The common name: the user of the certificate.
    pub(crate) user: String,
}

impl SigningRequest {
    fn parse(text: &str) -> Result<Self, Rule> {
        Self::from_base64(text).map_err(|why| wrong(why).help(MADE))
    }

    fn from_base64(text: &str) -> Result<Self, &'static str> {
        let decoded = decoded(text).filter(|it| it.0.len() <= CAP);
        let (base64, pem) = decoded.ok_or(NOT_PEM)?;
        let request = object::<CertReq>(&pem).ok_or("this is not a certificate request in PEM")?;
        // Liqo refuses another spelling of the same request forever (liqo `pkg/identityManager/certificateIdentityProvider.go`)
        if request.to_pem(LineEnding::LF).ok().as_deref() != Some(&pem) {
            return Err("this has more than a certificate request");
        }
        let info = &request.info;
        let user = match user(&info.subject) {
            Some(user) if info.attributes.is_empty() => user,
            _ => return Err("this must ask only for a user and organisation `liqo.io`"),
        };
        let key = ed25519(&info.public_key).ok_or("its key is not an Ed25519 key")?;
        if has_signed_itself(&request, key) != Some(true) {
            return Err("its own key has not signed it");
        }
        Ok(Self { base64, key, user })
    }
}

/// Whether a request's signature is made with its own key (RFC 2986, section 4.2).
fn has_signed_itself(request: &CertReq, key: [u8; 32]) -> Option<bool> {
    let signature = request.signature.as_bytes()?.try_into().ok()?;
    Some(has_signed(key, &request.info.to_der().ok()?, signature))
}

/// A signature over the nonce: 64 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NonceSignature([u8; 64]);

impl NonceSignature {
    fn parse(text: &str) -> Result<Self, Rule> {
        match STANDARD.decode(text).unwrap_or_default().try_into() {
            Ok(bytes) => Ok(Self(bytes)),
            Err(_) => Err(wrong("this is not an Ed25519 signature: base64 of 64 bytes").help(MADE)),
        }
    }
}

scalar!(ClusterKey, takes "base64 of a public key in PEM", read Self::parse, shown |it| it.base64, schema {
    "type": "string", "pattern": "^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$",
});
scalar!(SigningRequest, takes "base64 of a certificate request in PEM", read Self::parse, shown |it| it.base64, schema {
    "type": "string", "pattern": "^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$",
});
scalar!(NonceSignature, takes "base64 of a signature", read Self::parse, shown |it| STANDARD.encode(it.0), schema {
    "type": "string", "pattern": "^[A-Za-z0-9+/]{86}==$",
});

/// Whether these texts are a handshake of this user; with a certificate, whether that belongs to it too.
pub(super) fn holds(
    [nonce, key, csr, signature]: [&str; 4],
    user: &str,
    certificate: Option<&str>,
) -> bool {
    let (Ok(nonce), Ok(key)) = (nonce.parse(), key.parse::<ClusterKey>()) else {
        return false;
    };
    let (Ok(csr), Ok(signature)) = (csr.parse::<SigningRequest>(), signature.parse()) else {
        return false;
    };
    let is_signed = |text: &str| matches!(text.parse(), Ok(it) if key.signed(&it, user));
    csr.user == user
        && key.has_signed(&csr)
        && key.has_signed_nonce(&nonce, &signature)
        && certificate.is_none_or(is_signed)
}

/// The command that makes all of them.
pub(super) const MADE: &str =
    "write `keysExchange: pending`, then run `argocd-peering authenticate consumer`";

const NOT_PEM: &str = "this is not base64 of PEM";

/// An error without the value: it could be a private key in the wrong place.
fn wrong(why: &str) -> Rule {
    Rule::new(Code::KeysExchange, why)
}

/// A text without its line breaks, which Go's `encoding/base64` ignores, and the PEM in it.
fn decoded(text: &str) -> Option<(String, String)> {
    let base64 = text.replace(['\r', '\n'], "");
    let pem = String::from_utf8(STANDARD.decode(&base64).ok()?).ok()?;
    Some((base64, pem))
}

/// Whether a signature over a message is made with this key. Go accepts every signature that is accepted here (RFC 8032, section 5.1.7; Go
/// `crypto/ed25519`).
fn has_signed(key: [u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let signature = Signature::from_bytes(signature);
    let key = VerifyingKey::from_bytes(&key);
    matches!(key, Ok(key) if key.verify_strict(message, &signature).is_ok())
}

fn ed25519(info: &SubjectPublicKeyInfoOwned) -> Option<[u8; 32]> {
    if info.algorithm.oid != ED25519 || info.algorithm.parameters.is_some() {
        return None;
    }
    info.subject_public_key.as_bytes()?.try_into().ok()
}

/// The common name of a subject that has only this name and the organisation of a control plane.
fn user(subject: &Name) -> Option<String> {
    let parts: Vec<_> = subject.0.iter().flat_map(|part| part.0.iter()).collect();
    let organization = attribute_text(&parts, ORGANIZATION)?;
    let user = attribute_text(&parts, COMMON_NAME)?;
    (parts.len() == 2 && organization == CONTROL_PLANE).then_some(user)
}

/// The text of the first attribute of this kind.
fn attribute_text(parts: &[&AttributeTypeAndValue], kind: ObjectIdentifier) -> Option<String> {
    let value = &parts.iter().find(|part| part.oid == kind)?.value;
    match value.tag() {
        Tag::Utf8String | Tag::PrintableString => String::from_utf8(value.value().to_vec()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ClusterKey, SigningRequest, has_signed};
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    fn hex<const N: usize>(text: &str) -> [u8; N] {
        std::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hex"))
    }

    fn pem(key: [u8; 32]) -> String {
        let prefix: [u8; 12] = hex("302a300506032b6570032100");
        let der = [&prefix[..], &key].concat();
        STANDARD.encode(format!(
            "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
            STANDARD.encode(der)
        ))
    }

    /// RFC 8032, section 7.1, tests 2 and 3.
    const VECTORS: [(&str, &[u8], &str); 2] = [
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            &[0x72],
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            &[0xaf, 0x82],
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ];

    #[test]
    fn a_signature_is_checked_as_the_rfc_has_it() {
        for (key, message, signature) in VECTORS {
            let (key, signature) = (hex(key), hex(signature));
            assert!(pem(key).parse::<ClusterKey>().is_ok());
            assert!(has_signed(key, message, &signature));
            assert!(!has_signed(key, &[0], &signature), "another message");
            for at in 0..64 {
                let mut other = signature;
                other[at] ^= 1;
                assert!(!has_signed(key, message, &other), "byte {at}");
            }
            // s and s + L are the same number (RFC 8032, section 8.4)
            let order: [u8; 32] =
                hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
            let (mut larger, mut carry) = (signature, 0_u16);
            for (byte, add) in larger[32..].iter_mut().zip(order) {
                let sum = u16::from(*byte) + u16::from(add) + carry;
                (*byte, carry) = (sum.to_le_bytes()[0], sum >> 8);
            }
            assert!(
                !has_signed(key, message, &larger),
                "another spelling of the number"
            );
        }
    }

    /// With these anyone can sign (https://cr.yp.to/ecdh.html#validate, as points of Edwards' curve).
    #[test]
    fn a_key_of_small_order_is_none() {
        let mut one = [0; 32];
        one[0] = 1;
        let mut minus_one = [0xff; 32];
        (minus_one[0], minus_one[31]) = (0xec, 0x7f);
        for key in [one, [0; 32], minus_one] {
            assert!(pem(key).parse::<ClusterKey>().is_err(), "{key:?}");
        }
    }

    /// What else a request could ask for: other groups, other names, another form.
    #[test]
    fn a_request_asks_for_a_control_plane_alone() {
        let liqos = include_str!("../../../../../tests/certificates/handshake.csr");
        assert_eq!(
            STANDARD
                .encode(liqos)
                .parse::<SigningRequest>()
                .expect("a request")
                .user,
            "rome"
        );
        let others = [
            format!("{liqos}{liqos}"),
            format!("a comment\n{liqos}"),
            liqos.replace('\n', "\r\n"),
            liqos.replace("CERTIFICATE REQUEST", "CERTIFICATE"),
            include_str!("../../../../../tests/certificates/two-groups.csr").to_owned(),
            include_str!("../../../../../tests/certificates/no-group.csr").to_owned(),
            include_str!("../../../../../tests/certificates/alternative-name.csr").to_owned(),
        ];
        for other in others {
            assert!(
                STANDARD.encode(&other).parse::<SigningRequest>().is_err(),
                "{other}"
            );
        }
    }
}
