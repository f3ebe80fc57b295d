//! The seed: 32 random bytes from which both gateways' keys are derived.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Hrp};
use std::collections::BTreeSet;
use std::str::FromStr;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// Bech32's human-readable part, in lower case as BIP 173 computes the checksum.
const PREFIX: &str = "argocd-peering-seed-";

/// 32 secret bytes. Neither `Debug` nor `Display` nor `PartialEq`: no message shows a seed, and two seeds are compared
/// by their public keys. Wiped when dropped.
#[derive(ZeroizeOnDrop)]
pub struct Seed([u8; 32]);

/// Why a text is not a seed. It quotes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not `ARGOCD-PEERING-SEED-1…` in capitals with its checksum")]
pub struct SeedProblem;

/// Why bytes from elsewhere are not accepted as a seed. It quotes none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImportProblem {
    #[error("this is not padded base64 on one line")]
    NotBase64,
    #[error("a seed has 32 bytes, and these are {0}")]
    Length(usize),
    /// All zeros, or a repeated pattern. Random bytes look like this once in 2^48.7.
    #[error("only {0} different byte values: this is not random")]
    Repetitive(usize),
    /// A passphrase, or hexadecimal digits taken as bytes. Random bytes look like this once in 2^45.8.
    #[error("all bytes are printable: this is not random")]
    Printable,
}

impl ImportProblem {
    /// What to do about it.
    pub const fn help(self) -> &'static str {
        "`argocd-peering seed new` creates a random seed"
    }
}

/// The operating system gives no randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gives no random bytes")]
pub struct NoRandomness;

/// 32 random bytes have more different values than this, except once in 2^48.7.
const FEW: usize = 16;

impl Seed {
    /// A seed that was made elsewhere: 32 bytes in base64.
    ///
    /// # Errors
    /// When they are not 32 bytes, or cannot be random. A seed that can be guessed may pass: no test finds them all.
    pub fn import(base64: &str) -> Result<Self, ImportProblem> {
        let Ok(decoded) = STANDARD.decode(base64.trim()) else {
            return Err(ImportProblem::NotBase64);
        };
        let decoded = Zeroizing::new(decoded);
        let Ok(bytes) = <&[u8; 32]>::try_from(decoded.as_slice()) else {
            return Err(ImportProblem::Length(decoded.len()));
        };
        let different = bytes.iter().collect::<BTreeSet<_>>().len();
        if different <= FEW {
            return Err(ImportProblem::Repetitive(different));
        }
        if bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(ImportProblem::Printable);
        }
        Ok(Self(*bytes))
    }

    /// A new seed from the operating system's randomness.
    ///
    /// # Errors
    /// When the operating system gives none.
    pub fn generate() -> Result<Self, NoRandomness> {
        Ok(Self(*random()?))
    }

    /// A seed of these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl Seed {
    pub(crate) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The printable form, for the payload of a sealed file.
    pub fn expose_text(&self) -> Zeroizing<String> {
        let mut text = to_bech32(PREFIX, &self.0);
        text.make_ascii_uppercase();
        Zeroizing::new(text)
    }
}

impl FromStr for Seed {
    type Err = SeedProblem;

    fn from_str(text: &str) -> Result<Self, SeedProblem> {
        let seed = Self(*from_bech32(text, PREFIX).ok_or(SeedProblem)?);
        // the canonical form only: no padding bits, capitals
        if seed.expose_text().as_str() != text {
            return Err(SeedProblem);
        }
        Ok(seed)
    }
}

/// Bytes from the operating system's randomness.
pub(crate) fn random<const N: usize>() -> Result<Zeroizing<[u8; N]>, NoRandomness> {
    let mut bytes = Zeroizing::new([0; N]);
    getrandom::getrandom(&mut *bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

/// The 32 bytes of a text in Bech32 (BIP 173) with this prefix, as seeds, identities and recipients are written: in capitals or in small letters.
pub(crate) fn from_bech32(text: &str, prefix: &str) -> Option<Zeroizing<[u8; 32]>> {
    // a decoder refuses mixed case
    let parsed = CheckedHrpstring::new::<Bech32>(text).ok()?;
    if !parsed.hrp().as_str().eq_ignore_ascii_case(prefix) {
        return None;
    }
    let mut bytes = Zeroizing::new([0; 32]);
    let mut iterator = parsed.byte_iter();
    for byte in &mut *bytes {
        *byte = iterator.next()?;
    }
    iterator.next().is_none().then_some(bytes)
}

/// The text of these bytes, in lower case. The prefix is valid, and the text is within Bech32's 90 characters.
pub(crate) fn to_bech32(prefix: &str, bytes: &[u8; 32]) -> String {
    let text = Hrp::parse(prefix)
        .ok()
        .and_then(|hrp| bech32::encode_lower::<Bech32>(hrp, bytes).ok());
    debug_assert!(text.is_some(), "{prefix}");
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{ImportProblem as P, STANDARD, Seed};
    use base64::Engine as _;

    #[test]
    fn two_seeds_differ_and_round_trip() {
        let (one, two) = (
            Seed::generate().expect("random"),
            Seed::generate().expect("random"),
        );
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

    fn import_text(text: &str) -> Result<[u8; 32], P> {
        Seed::import(text).map(|seed| *seed.bytes())
    }

    fn import(bytes: &[u8]) -> Result<[u8; 32], P> {
        import_text(&STANDARD.encode(bytes))
    }

    #[test]
    fn imports_that_cannot_be_random() {
        let counting: [u8; 32] = std::array::from_fn(|at| u8::try_from(at).expect("small"));
        assert_eq!(import(&counting), Ok(counting));
        assert_eq!(
            import_text(&format!(" {}\n", STANDARD.encode(counting))),
            Ok(counting)
        );
        let [sixteen, seventeen] = [16, 17]
            .map(|different| -> [u8; 32] { std::array::from_fn(|at| counting[at % different]) });
        assert_eq!(import(&[0; 32]), Err(P::Repetitive(1)));
        assert_eq!(import(&sixteen), Err(P::Repetitive(16)));
        assert_eq!(import(&seventeen), Ok(seventeen));
        let mut text = *b"abcdefghijklmnopqrstuvwxyz ~6789";
        assert_eq!(import(&text), Err(P::Printable));
        text[0] = 0x7f;
        assert_eq!(import(&text), Ok(text));
        text[0] = 0x1f;
        assert_eq!(import(&text), Ok(text));
        for wrong in [0, 31, 33, 64] {
            assert_eq!(import(&vec![7; wrong]), Err(P::Length(wrong)));
        }
        for wrong in [
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f0",
            "%",
            "AAEC\nAwQ=",
        ] {
            assert_eq!(import_text(wrong), Err(P::NotBase64), "{wrong}");
        }
    }
}
