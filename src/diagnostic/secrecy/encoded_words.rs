//! Words that look like encoded bytes.

use super::run_end;
use std::ops::Range;

/// The meaning of a `/`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slash {
    /// A digit of base64.
    IsDigit,
    /// A separator in a path or a URL: each part is checked by itself.
    Parts,
}

/// A word of this length that mixes upper case, lower case and digits counts as encoded bytes. 16 bytes in base64 are
/// 22 characters; words of Kubernetes and Liqo in mixed case have no digits.
const ENCODED_WORD: usize = 22;

/// This many hexadecimal digits in a row count as a key (128 bits), also inside of a word.
const HEX_RUN: usize = 32;

/// This many letters of one case, with some digits, count as Bech32.
const BECH32_WORD: usize = 32;

/// Words of base64 (either alphabet), hexadecimal digits or Bech32.
pub(super) fn find_encoded(text: &str, slash: Slash) -> Vec<Range<usize>> {
    let mut hidden = runs(text, |c| match c {
        '+' | '=' | '_' | '-' => true,
        '/' => slash == Slash::IsDigit,
        c => c.is_ascii_alphanumeric(),
    });
    hidden.retain(|range| {
        let word = text.get(range.clone()).unwrap_or_default();
        let is_public = is_digest(text, range) || slash == Slash::Parts && is_commit(word);
        is_encoded(word) && !is_public
    });
    if slash == Slash::Parts {
        hidden.extend(keys_with_slashes(text));
    }
    hidden
}

/// The longest runs of characters for which `is_part` is true.
pub(super) fn runs(text: &str, is_part: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut from = 0;
    while from < text.len() {
        let start = run_end(text, from, |c| !is_part(c));
        from = run_end(text, start, &is_part);
        if start < from {
            runs.push(start..from);
        }
    }
    runs
}

/// The keys of 32 bytes in base64 that look like a path: 43 digits before a `=`, or alone.
fn keys_with_slashes(text: &str) -> Vec<Range<usize>> {
    const DIGITS: usize = 43;
    let is_key = |range: &Range<usize>| {
        let digits = text.get(range.clone()).unwrap_or_default();
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/".contains(&byte);
        digits.len() == DIGITS && digits.bytes().all(is_base64) && has_both_cases(digits)
    };
    let mut keys = Vec::new();
    for (end, _) in text.match_indices('=') {
        if let Some(start) = end.checked_sub(DIGITS) {
            keys.push(start..end);
        }
    }
    for alone in runs(text, |c| c.is_ascii_alphanumeric() || "+/".contains(c)) {
        // after `./`
        keys.push(alone.start + 1..alone.end);
        keys.push(alone);
    }
    keys.retain(is_key);
    keys
}

/// The keys of 32 bytes in base64 with breaks in them, as an editor, a mail or a string of YAML makes them: 44 digits with the padding, or
/// 43 without it if there is one break alone or each is an escape, since the words of a sentence can have 43 letters together.
pub(super) fn keys_over_lines(text: &str) -> Vec<Range<usize>> {
    let pieces = pieces(text);
    let mut keys = Vec::new();
    for (index, first) in pieces.iter().enumerate() {
        let (mut digits, mut end, mut is_escaped) = (0, first.start, true);
        for (count, piece) in pieces.iter().skip(index).enumerate() {
            let between = text.get(end..piece.start).unwrap_or_default();
            if digits > 44 || !is_break(between) {
                break;
            }
            is_escaped &= count == 0 || between.contains('\\');
            (digits, end) = (digits + piece.len(), piece.end);
            let whole = text.get(first.start..end).unwrap_or_default();
            let is_key = match digits {
                43 => count == 1 || is_escaped,
                44 => whole.ends_with('='),
                _ => false,
            };
            if count > 0 && is_key && has_both_cases(whole) {
                keys.push(first.start..end);
            }
        }
    }
    keys
}

/// The runs of digits of base64. The letter of an escape such as `\n` is a part of the break before the next run.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = runs(text, |c| c.is_ascii_alphanumeric() || "+/=".contains(c));
    for piece in &mut pieces {
        let before = text.get(..piece.start).unwrap_or_default();
        let run = text.get(piece.clone()).unwrap_or_default();
        let is_letter = run.starts_with(['n', 'r', 't']);
        piece.start += usize::from(is_letter && before.ends_with('\\'));
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Whether only white space and its escapes are between two runs.
fn is_break(between: &str) -> bool {
    let mut letters = between.chars();
    letters.all(|c| c.is_whitespace() || "\\nrt".contains(c))
}

fn has_byte(word: &str, test: fn(&u8) -> bool) -> bool {
    word.as_bytes().iter().any(test)
}

/// Whether a word has upper case and lower case.
fn has_both_cases(word: &str) -> bool {
    has_byte(word, u8::is_ascii_uppercase) && has_byte(word, u8::is_ascii_lowercase)
}

/// Whether a word has upper case, lower case, and digits or characters that only base64 has.
fn is_mixed(word: &str) -> bool {
    has_both_cases(word)
        && (has_byte(word, u8::is_ascii_digit) || word.contains('+') || word.ends_with('='))
}

fn is_encoded(word: &str) -> bool {
    (word.len() >= ENCODED_WORD && is_mixed(word)) || has_hex_key(word) || is_bech32(word)
}

/// Whether a word has a key in hexadecimal digits.
fn has_hex_key(word: &str) -> bool {
    let mut runs = word.as_bytes().split(|byte| !byte.is_ascii_hexdigit());
    runs.any(|run| run.len() >= HEX_RUN)
}

/// Whether a name is a commit (SHA-1), which is public.
fn is_commit(word: &str) -> bool {
    word.len() == 40
        && word
            .bytes()
            .all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a range is the digest in `sha256:…`, which is public.
fn is_digest(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let digits = text.get(range.clone()).unwrap_or_default();
    before.ends_with("sha256:")
        && digits.len() == 64
        && digits.as_bytes().iter().all(u8::is_ascii_hexdigit)
}

fn is_bech32(word: &str) -> bool {
    (has_run(word, u8::is_ascii_uppercase) || has_run(word, u8::is_ascii_lowercase))
        && word.bytes().filter(u8::is_ascii_digit).count() >= 4
}

/// Whether a word has a run of digits and of these letters that can be Bech32.
fn has_run(word: &str, is_letter: fn(&u8) -> bool) -> bool {
    let bytes = word.as_bytes();
    let mut runs = bytes.split(|byte| !byte.is_ascii_digit() && !is_letter(byte));
    runs.any(|run| run.len() >= BECH32_WORD)
}

/// A digit of Bech32 in small letters: none of `1`, `b`, `i`, `o` (BIP 173).
pub(super) fn is_bech32_digit(byte: u8) -> bool {
    b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte)
}
