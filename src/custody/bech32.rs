//! Bech32 (BIP 173): 32 bytes as text with a prefix and a checksum, as seeds, identities and recipients are written.

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Hrp};
use zeroize::Zeroizing;

/// The bytes of a text with this prefix, in capitals or in small letters.
pub(super) fn decoded(text: &str, prefix: &str) -> Option<Zeroizing<[u8; 32]>> {
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

/// The text of these bytes, in small letters. The prefix is valid, and what it gives is within Bech32's 90 characters.
pub(super) fn encoded(prefix: &str, bytes: &[u8; 32]) -> String {
    let text = Hrp::parse(prefix).ok().and_then(|hrp| bech32::encode_lower::<Bech32>(hrp, bytes).ok());
    debug_assert!(text.is_some(), "{prefix}");
    text.unwrap_or_default()
}
