//! The seed: 32 random bytes that both gateways' keys come from.

use crate::error::Error;
use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Hrp};
use std::str::FromStr;
use zeroize::{Zeroize as _, ZeroizeOnDrop, Zeroizing};

/// Bech32's human-readable part, in lower case as BIP 173 computes the checksum.
const PREFIX: &str = "argocd-peering-seed-";

/// 32 secret bytes. Neither `Debug` nor `Display` nor `PartialEq`: it is shown in no message and compared by
/// its public keys. Wiped when dropped.
#[derive(ZeroizeOnDrop)]
pub struct Seed([u8; 32]);

/// Why a text is no seed. Says nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not `ARGOCD-PEERING-SEED-1…` in capitals with its checksum (Bech32, 32 bytes)")]
pub struct SeedProblem;

impl Seed {
    /// A seed of these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A new seed from the operating system's randomness.
    ///
    /// # Errors
    /// When there is none.
    pub fn generate() -> Result<Self, Error> {
        let mut seed = Self([0; 32]);
        let mut filled = 0;
        while let Some(rest) = seed.0.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match rustix::rand::getrandom(rest, rustix::rand::GetRandomFlags::empty()) {
                Ok(0) => return Err(Error::Randomness),
                Ok(more) => filled += more,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return Err(Error::Randomness),
            }
        }
        Ok(seed)
    }

    pub(crate) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The printable form, for the inside of a sealed file.
    #[must_use]
    pub fn expose_text(&self) -> Zeroizing<String> {
        let text = Hrp::parse(PREFIX).ok().and_then(|hrp| bech32::encode_upper::<Bech32>(hrp, &self.0).ok());
        debug_assert!(text.is_some(), "the prefix is valid and 79 characters are within Bech32's 90");
        Zeroizing::new(text.unwrap_or_default())
    }
}

impl FromStr for Seed {
    type Err = SeedProblem;

    fn from_str(text: &str) -> Result<Self, SeedProblem> {
        // BIP 173: a decoder refuses mixed case; this program writes capitals and takes nothing else
        let parsed = CheckedHrpstring::new::<Bech32>(text).map_err(|_| SeedProblem)?;
        if !parsed.hrp().as_str().eq_ignore_ascii_case(PREFIX) {
            return Err(SeedProblem);
        }
        let mut bytes = [0; 32];
        let mut iterator = parsed.byte_iter();
        for byte in &mut bytes {
            *byte = iterator.next().ok_or(SeedProblem)?;
        }
        let seed = Self(bytes);
        bytes.zeroize();
        // the canonical form only: no further byte, no padding bits, capitals
        if iterator.next().is_some() || seed.expose_text().as_str() != text {
            return Err(SeedProblem);
        }
        Ok(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;

    #[test]
    fn two_seeds_differ_and_round_trip() {
        let (one, two) = (Seed::generate().expect("random"), Seed::generate().expect("random"));
        assert_ne!(one.bytes(), two.bytes());
        let text = one.expose_text();
        assert_eq!(text.len(), 79);
        assert_eq!(text.parse::<Seed>().expect("a seed").bytes(), one.bytes());
    }

    #[test]
    fn lower_case_is_refused() {
        let text = Seed::new([7; 32]).expose_text().to_lowercase();
        assert!(text.parse::<Seed>().is_err());
    }
}
