//! DERIVE: seed → label → key, in four steps that depend on nothing else.
//!
//! ```text
//! PRK     = HKDF-Extract(SHA-256, salt = "argocd-peering/v1", IKM = seed)      RFC 5869, 2.2
//! info    = LP("wireguard") || LP(owner's cluster ID) || LP(peer's cluster ID) || u32be(generation)
//! OKM     = HKDF-Expand(PRK, info, 32)                                         RFC 5869, 2.3
//! private = clamp(OKM)                                                         RFC 7748, 5
//! public  = X25519(private, 9)                                                 RFC 7748, 6.1
//!
//! LP(x)   = u16be(length of x) || x
//! ```
//!
//! The scheme is frozen: a changed byte is another key, so a breaking release. The vectors are in
//! `tests/vectors/derive-v1.json`.

mod derive;
mod seed;

use crate::peering::networking::keys::OwnKey;
use crate::peering::values::PublicKey;
#[cfg(test)]
use base64::Engine as _;
#[cfg(test)]
use base64::engine::general_purpose::STANDARD;
pub(super) use derive::hkdf;
pub use derive::{derive, expand};
pub(crate) use seed::random;
pub use seed::{ImportProblem, NoRandomness, Seed, SeedProblem};
use x25519_dalek::StaticSecret;
use zeroize::Zeroizing;

/// A private key. Always clamped: the kernel clamps what it is given, and `wg show` must print what the Secret
/// holds. Neither `Debug` nor `Display` nor `PartialEq`; wiped when dropped.
pub struct PrivateKey(Zeroizing<[u8; 32]>);

/// A private key with its public key.
pub struct KeyPair {
    private: PrivateKey,
    public: PublicKey,
}

impl PrivateKey {
    /// RFC 7748, section 5: `decodeScalar25519`.
    fn clamped(mut bytes: Zeroizing<[u8; 32]>) -> Self {
        let [first, .., last] = &mut *bytes;
        *first &= 0b1111_1000;
        *last = (*last & 0b0111_1111) | 0b0100_0000;
        Self(bytes)
    }

    /// Standard base64 of the 32 bytes: what `wg genkey` prints, and the value in a Secret's `data`
    /// (Liqo mounts it and reads 32 raw bytes, `pkg/gateway/tunnel/wireguard/keys.go`).
    #[cfg(test)]
    pub fn expose_base64(&self) -> Zeroizing<String> {
        let text = Zeroizing::new(STANDARD.encode(*self.0));
        crate::diagnostic::secrecy::remember(&text);
        text
    }
}

impl From<KeyPair> for OwnKey {
    fn from(pair: KeyPair) -> Self {
        Self::Pair { private: pair.private.0, public: pair.public }
    }
}

impl KeyPair {
    /// The pair of a private key.
    pub fn new(private: PrivateKey) -> Self {
        let secret = StaticSecret::from(*private.0);
        let public = PublicKey::of_private_key(x25519_dalek::PublicKey::from(&secret).to_bytes());
        Self { private, public }
    }

    #[cfg(test)]
    pub const fn private(&self) -> &PrivateKey {
        &self.private
    }

    pub const fn public(&self) -> PublicKey {
        self.public
    }
}
