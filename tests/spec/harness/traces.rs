//! The forms in which a secret could be seen.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// A secret of 32 bytes or more in each of its forms: its bytes, their hexadecimal digits, and base64 of
/// both alphabets wherever the secret begins in what is encoded. All have at least 32 bytes.
pub(crate) fn traces<'s>(name: &'s str, secret: &[u8]) -> Vec<(&'s str, String, Vec<u8>)> {
    let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut forms = vec![
        ("raw".to_owned(), secret.to_vec()),
        ("HEX".to_owned(), hex.to_uppercase().into_bytes()),
    ];
    forms.push(("hex".to_owned(), hex.into_bytes()));
    for skipped in 0..3 {
        // what is encoded before and after it changes the characters at both ends
        let whole = secret.get(skipped..).unwrap_or_default();
        let whole = whole.get(..whole.len() / 3 * 3).unwrap_or_default();
        forms.push((
            format!("base64 {skipped}"),
            STANDARD_NO_PAD.encode(whole).into_bytes(),
        ));
        let url = URL_SAFE_NO_PAD.encode(whole).into_bytes();
        if forms.last().is_some_and(|(_, standard)| *standard != url) {
            forms.push((format!("base64url {skipped}"), url));
        }
    }
    forms
        .into_iter()
        .map(|(form, bytes)| (name, form, bytes))
        .collect()
}
