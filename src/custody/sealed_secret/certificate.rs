//! The certificate of a sealed-secrets controller: `kubeseal --fetch-cert` prints it.

use crate::diagnostic::reasons;
use crate::peering::authentication::credential::x509::object;
use crypto_bigint::{BoxedUint, Odd};
use sha2::digest::Output;
use sha2::{Digest as _, Sha256};
use std::str::FromStr;
use x509_cert::der::asn1::{ObjectIdentifier, UintRef};
use x509_cert::der::{Decode as _, Encode as _, Reader as _, SliceReader};

/// RSA (RFC 8017, appendix C).
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// The moduli that are accepted, in bits. The controller makes 4096 (sealed-secrets `cmd/controller/main.go`); more than 8192 only cost
/// time.
const BITS: std::ops::RangeInclusive<usize> = 2048..=8192;

/// Small exponents make related messages solvable; Go refuses larger ones (Go `crypto/rsa`).
const EXPONENTS: std::ops::RangeInclusive<u64> = 65_537..=0x7fff_ffff;

/// Longer than any certificate with such a key.
pub(crate) const CAP: u64 = 16 * 1024;

/// The certificate of a controller, with a key that values may be sealed to. Its dates are not checked: a stream must not depend on the
/// clock, and the controller keeps its old keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    pem: String,
    pub(super) key: RsaPublicKey,
    fingerprint: Output<Sha256>,
}

/// An RSA public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RsaPublicKey {
    pub(super) modulus: Odd<BoxedUint>,
    /// The modulus' size in bytes.
    pub(super) size: usize,
    pub(super) exponent: u64,
}

const DEFAULT: &str =
    "let the controller make its own, and fetch it with `kubeseal --context CLUSTER --fetch-cert`";

const FETCH: &str =
    "`kubeseal --context CLUSTER --fetch-cert` prints the certificate of a cluster's controller";

reasons! {
    /// Why a text is not a certificate that values are sealed to.
    pub enum CertificateProblem {
        /// The text has no certificate in PEM, or a broken one.
        NotACertificate
            error("it is not a certificate in PEM")
            help FETCH;
        /// The text has more than one PEM block.
        Blocks(count: usize)
            error("it has {0} PEM blocks; give only the newest certificate")
            help FETCH;
        NotRsa
            error("its key is not RSA, which sealed-secrets needs")
            help DEFAULT;
        /// A key that can be broken, or that costs too much.
        Bits(bits: usize)
            error("its RSA modulus has {0} bits, not 2048 to 8192")
            help DEFAULT;
        /// The modulus is even, so it is not the product of two large primes.
        Even
            error("its RSA modulus is even")
            help DEFAULT;
        /// The exponent is too small for a derived padding, or larger than Go accepts.
        Exponent
            error("its RSA exponent is not from 65537 to 2147483647, or is even")
            help DEFAULT;
    }
}

impl Certificate {
    /// The PEM as it was written, without the text before it.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// SHA-256 of the SubjectPublicKeyInfo.
    pub const fn fingerprint(&self) -> &Output<Sha256> {
        &self.fingerprint
    }

    /// The size of its key.
    pub fn bits(&self) -> u32 {
        self.key.modulus.bits()
    }
}

impl FromStr for Certificate {
    type Err = CertificateProblem;

    fn from_str(pem: &str) -> Result<Self, CertificateProblem> {
        use CertificateProblem as P;
        let blocks = pem.matches("-----BEGIN ").count();
        if blocks > 1 {
            return Err(P::Blocks(blocks));
        }
        let begin = pem.find("-----BEGIN ").ok_or(P::NotACertificate)?;
        let text = pem
            .get(begin..)
            .unwrap_or_default()
            .trim()
            .replace("\r\n", "\n");
        if text.len() as u64 > CAP {
            return Err(P::NotACertificate);
        }
        let parsed: x509_cert::Certificate = object(&text).ok_or(P::NotACertificate)?;
        let info = parsed.tbs_certificate.subject_public_key_info;
        if info.algorithm.oid != RSA {
            return Err(P::NotRsa);
        }
        let der = info.to_der().map_err(|_| P::NotACertificate)?;
        let key = RsaPublicKey::parse(info.subject_public_key.as_bytes().ok_or(P::NotRsa)?)?;
        Ok(Self {
            pem: text,
            key,
            fingerprint: Sha256::digest(der),
        })
    }
}

impl RsaPublicKey {
    /// Reads an `RSAPublicKey` (RFC 8017, appendix A.1.1).
    fn parse(der: &[u8]) -> Result<Self, CertificateProblem> {
        use CertificateProblem as P;
        let (modulus, digits) = integers(der).map_err(|_| P::NotRsa)?;
        let zeros = modulus.first().ok_or(P::NotRsa)?.leading_zeros();
        let bits = modulus.len() * 8 - zeros as usize;
        if !BITS.contains(&bits) {
            return Err(P::Bits(bits));
        }
        let mut exponent = 0_u64;
        for byte in digits {
            exponent = exponent.checked_mul(256).ok_or(P::Exponent)? + u64::from(byte);
        }
        if !EXPONENTS.contains(&exponent) || exponent.is_multiple_of(2) {
            return Err(P::Exponent);
        }
        let odd = Odd::new(BoxedUint::from_be_slice_vartime(&modulus))
            .into_option()
            .ok_or(P::Even)?;
        Ok(Self {
            modulus: odd,
            size: modulus.len(),
            exponent,
        })
    }
}

/// The modulus and the exponent.
fn integers(der: &[u8]) -> x509_cert::der::Result<(Vec<u8>, Vec<u8>)> {
    let (modulus, exponent) = SliceReader::new(der)?
        .sequence(|inner| Ok((UintRef::decode(inner)?, UintRef::decode(inner)?)))?;
    Ok::<_, x509_cert::der::Error>((modulus.as_bytes().to_vec(), exponent.as_bytes().to_vec()))
}
