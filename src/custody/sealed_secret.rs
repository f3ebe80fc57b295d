//! SealedSecrets that depend only on what is sealed: the same commit gives the same stream.
//!
//! ```text
//! item  = base64(u16be(length of C) || C || AES-256-GCM(SK, nonce 0, value))     sealed-secrets `pkg/crypto/crypto.go`
//! C     = RSA-OAEP(SHA-256, label "<namespace>/<name>", SK)                      RFC 8017, 7.1
//! f     = LP(SHA-256(SPKI)) || LP("strict") || LP("<namespace>/<name>") || LP(item) || LP(SHA-256(value)) || u32be(0)
//! SK    = HKDF(seed, LP("sealedsecret/session-key") || f)[32]
//! OAEP's seed = HKDF(seed, LP("sealedsecret/oaep-seed") || f)[32]
//! ```
//!
//! The controller's own `kubeseal` draws random bytes. Here they come from a function that is keyed with the seed. Without the seed, an
//! observer learns only whether two seals are equal. Each certificate, label, item and value has its own session key, so the nonce is never
//! used twice, and no two paddings are related. `docs/delivery.md` has the argument.

mod certificate;

use super::keys::{Seed, expand};
use crate::diagnostic::Bug;
use aes_gcm::aead::Aead as _;
use aes_gcm::{Aes256Gcm, KeyInit as _, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
pub use certificate::Certificate;
use certificate::RsaPublicKey;
pub(crate) use certificate::{CAP, CertificateProblem};
use crypto_bigint::BoxedUint;
use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

/// Seals values for the controller of one cluster.
pub struct Sealer {
    seed: Seed,
    /// The certificate to which it seals.
    pub(super) certificate: Certificate,
}

impl Sealer {
    /// A sealer with this seed, for the controller that has the certificate's private key.
    pub const fn new(seed: Seed, certificate: Certificate) -> Self {
        Self { seed, certificate }
    }

    /// One item of a Secret's data, as in `spec.encryptedData`. Only a Secret of this namespace and name can use it: the controller's
    /// strict scope.
    ///
    /// # Errors
    /// Only for a bug: the value is longer than AES-GCM can seal.
    pub fn seal(
        &self,
        namespace: &str,
        name: &str,
        item: &str,
        value: &[u8],
    ) -> Result<String, Bug> {
        let label = format!("{namespace}/{name}");
        let fields: [&[u8]; 5] = [
            self.certificate.fingerprint(),
            b"strict",
            label.as_bytes(),
            item.as_bytes(),
            &Sha256::digest(value),
        ];
        let session_key = expand(&self.seed, "sealedsecret/session-key", &fields, 0);
        let oaep_seed = expand(&self.seed, "sealedsecret/oaep-seed", &fields, 0);
        let wrapped = encrypt(
            &self.certificate.key,
            &session_key,
            label.as_bytes(),
            &oaep_seed,
        );
        let sealed = Aes256Gcm::new((&*session_key).into()).encrypt(&Nonce::default(), value);
        let (Ok(sealed), Ok(length)) = (sealed, u16::try_from(wrapped.len())) else {
            return Err(Bug::new("a value that cannot be sealed"));
        };
        let mut item = length.to_be_bytes().to_vec();
        item.extend(wrapped);
        item.extend(sealed);
        Ok(STANDARD.encode(item))
    }
}

const HASH: usize = 32;

/// A session key, encrypted: the private key and the label decrypt it. The key's modulus has at least 2048 bits, so the
/// session key always has room.
fn encrypt(key: &RsaPublicKey, session_key: &[u8; 32], label: &[u8], seed: &[u8; HASH]) -> Vec<u8> {
    let mut block = Zeroizing::new(vec![0; key.size]);
    // 00 || seed || hash of the label || zeros || 01 || session key
    let (start, database) = block.split_at_mut(1 + HASH);
    let masked_seed = start.split_at_mut(1).1;
    masked_seed.copy_from_slice(seed);
    let (hash, rest) = database.split_at_mut(HASH);
    hash.copy_from_slice(&Sha256::digest(label));
    let (padding, tail) = rest.split_at_mut(rest.len() - session_key.len());
    if let Some(last) = padding.last_mut() {
        *last = 1;
    }
    tail.copy_from_slice(session_key);
    mask(database, masked_seed);
    mask(masked_seed, database);
    power(key, &block)
}

/// XOR with MGF1 of a seed (RFC 8017, appendix B.2.1).
fn mask(bytes: &mut [u8], seed: &[u8]) {
    for (counter, chunk) in (0_u32..).zip(bytes.chunks_mut(HASH)) {
        let hash = Sha256::new()
            .chain_update(seed)
            .chain_update(counter.to_be_bytes())
            .finalize();
        for (byte, mask) in chunk.iter_mut().zip(hash) {
            *byte ^= mask;
        }
    }
}

/// RSAEP (RFC 8017, section 5.1.1): the block to the power of the exponent, as long as the modulus. The block begins with a zero byte, so
/// it is smaller than the modulus. Exponent and modulus are public, so only the operations on the block take constant time. The crate's own
/// `pow` keeps the exponent secret and takes five times as long.
fn power(key: &RsaPublicKey, block: &[u8]) -> Vec<u8> {
    let params = BoxedMontyParams::new_vartime(key.modulus.clone());
    let base = BoxedUint::from_be_slice_truncated(block, key.modulus.bits_precision());
    let base = BoxedMontyForm::new(base, &params);
    let mut power = base.clone();
    for bit in (0..key.exponent.checked_ilog2().unwrap_or_default()).rev() {
        power = power.square();
        if key.exponent >> bit & 1 == 1 {
            power = power.mul(&base);
        }
    }
    let power = power.retrieve().to_be_bytes();
    power.split_at(power.len() - key.size).1.to_vec()
}

#[cfg(test)]
mod tests;
