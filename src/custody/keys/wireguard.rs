//! `WireGuard` key pairs: Curve25519 keys as `wg` prints them.

use crate::peering::networking::keys::OwnKey;
use crate::peering::values::PublicKey;
#[cfg(test)]
use base64::Engine as _;
#[cfg(test)]
use base64::engine::general_purpose::STANDARD;
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
    pub(super) fn clamped(mut bytes: Zeroizing<[u8; 32]>) -> Self {
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
