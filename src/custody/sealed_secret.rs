//! SealedSecrets whose bytes depend on nothing but what is sealed: the same commit gives the same stream.
//!
//! ```text
//! item  = base64(u16be(length of C) || C || AES-256-GCM(SK, nonce 0, value))     sealed-secrets `pkg/crypto/crypto.go`
//! C     = RSA-OAEP(SHA-256, label "<namespace>/<name>", SK)                      RFC 8017, 7.1
//! f     = LP(SHA-256(SPKI)) || LP("strict") || LP("<namespace>/<name>") || LP(item) || LP(SHA-256(value)) || u32be(0)
//! SK    = HKDF(seed, LP("sealedsecret/session-key") || f)[32]
//! OAEP's seed = HKDF(seed, LP("sealedsecret/oaep-seed") || f)[32]
//! ```
//!
//! Where a controller's own `kubeseal` draws random bytes, these come from a function that is keyed with the seed. Without
//! the seed, one learns only whether two seals are equal. Each certificate, label, item and value has its own session key,
//! so the nonce is never used twice, and no two paddings are related. `docs/delivery.md` has the argument.

mod certificate;
mod oaep;

pub use certificate::Certificate;
pub(crate) use certificate::{CAP, CertificateProblem, x509};

use super::keys::{Seed, expand};
use crate::diagnostic::Bug;
use aes_gcm::aead::Aead as _;
use aes_gcm::{Aes256Gcm, KeyInit as _, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// Seals values for the controller of one cluster.
pub struct Sealer {
    seed: Seed,
    certificate: Certificate,
}

impl Sealer {
    /// With this seed, for the controller that has this certificate's private key.
    pub const fn new(seed: Seed, certificate: Certificate) -> Self {
        Self { seed, certificate }
    }

    /// To which it seals.
    pub const fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// One item of a Secret's data, as `spec.encryptedData` has it. Only a Secret of this namespace and name opens it: the
    /// controller's strict scope.
    ///
    /// # Errors
    /// Only for a bug: the value is longer than AES-GCM can seal.
    pub fn seal(&self, namespace: &str, name: &str, item: &str, value: &[u8]) -> Result<String, Bug> {
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
        let wrapped =
            oaep::encrypt(self.certificate.public_key(), &session_key, label.as_bytes(), &oaep_seed);
        let sealed = Aes256Gcm::new((&*session_key).into())
            .encrypt(&Nonce::default(), value)
            .map_err(|_| Bug::new("a value that cannot be sealed"))?;
        let length = u16::try_from(wrapped.len()).map_err(|_| Bug::new("a modulus of 64 KiB"))?;
        let mut item = length.to_be_bytes().to_vec();
        item.extend(wrapped);
        item.extend(sealed);
        Ok(STANDARD.encode(item))
    }
}

#[cfg(test)]
mod tests;
