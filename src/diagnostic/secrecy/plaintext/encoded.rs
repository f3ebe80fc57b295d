//! Texts in base64, as the `data` of a Secret, a kubeconfig and `base64` write them.

use super::text_of_bytes;
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// A shorter run is not decoded: an identity has 99 digits, and a cluster's configuration with a token of 8 has 36.
const SHORTEST: usize = 24;

/// How much of the beginning must be text, of so many bytes. Ciphertext is text in three of eight bytes.
const BEGINNING: usize = 96;

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

pub(super) struct Encoded {
    /// Where it begins.
    pub(super) place: usize,
    pub(super) text: String,
}

pub(super) const fn is_digit(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/')
}

/// The texts that are in base64, also over several lines.
pub(super) fn texts(text: &str) -> Vec<Encoded> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at = end_of_run(bytes, start);
        if at - start < SHORTEST {
            at += 1;
            continue;
        }
        // the `n` of `\n`
        let is_escaped = start.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\\');
        let place = start + usize::from(is_escaped);
        let mut digits = text.get(place..at).unwrap_or_default().to_owned();
        while let Some((from, end)) = next_line(bytes, at) {
            digits += text.get(from..end).unwrap_or_default();
            at = end;
        }
        found.extend(decoded(&digits).map(|text| Encoded { place, text }));
    }
    found
}

/// What digits of either alphabet encode, if it begins as a text.
pub(super) fn decoded(digits: &str) -> Option<String> {
    let mut digits = digits.replace('-', "+").replace('_', "/");
    // one digit more than whole bytes encode is the next word's
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    let start = LENIENT.decode(digits.get(..digits.len().min(BEGINNING / 3 * 4))?).ok()?;
    let is_text = |byte: &&u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace() || **byte == 0;
    (start.iter().filter(is_text).count() * 10 >= start.len() * 8)
        .then(|| LENIENT.decode(digits).ok())
        .flatten()
        .map(|bytes| text_of_bytes(&bytes))
}

fn end_of_run(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|byte| !is_digit(char::from(*byte))).unwrap_or(rest.len())
}

/// The digits of the line after the place where digits end, if they go on there: a line break, as it is or as `\n` in a string, white
/// space, and nothing else in the line.
fn next_line(bytes: &[u8], end: usize) -> Option<(usize, usize)> {
    let mut from = end;
    loop {
        from += match (bytes.get(from)?, bytes.get(from + 1)) {
            (b'\\', Some(b'n' | b'r' | b'\\')) => 2,
            (b'\\' | b'\n' | b'\r' | b' ' | b'\t', _) => 1,
            _ => break,
        };
    }
    let is_break = bytes.get(end..from)?.iter().any(|byte| matches!(byte, b'\n' | b'\\'));
    let digits_end = end_of_run(bytes, from);
    let is_whole =
        matches!(bytes.get(digits_end), None | Some(b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b'=' | b' '));
    (is_break && digits_end > from && is_whole).then_some((from, digits_end))
}
