//! Words that look like encoded bytes.

use super::run_end;
use std::collections::BTreeSet;
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

/// A part of a word of this length counts as base64 if the case changes at half of its places, or at two of five if it has digits.
/// `Rome2Milan` does not.
const RESTLESS: usize = 10;

/// The shortest base64 that is recognised by its padding.
const PADDED: usize = 8;

/// A longer piece of a document without white space is shown only if it could be a name, a path or a URL. Except for certificates and keys,
/// no field takes such a long value of another form.
const LONGEST: usize = 64;

/// Words of base64 (either alphabet), hexadecimal digits or Bech32.
pub(super) fn find_encoded(text: &str, slash: Slash) -> Vec<Range<usize>> {
    let mut hidden = runs(text, |c| match c {
        '+' | '=' | '_' | '-' => true,
        '/' => slash == Slash::IsDigit,
        c => c.is_ascii_alphanumeric(),
    });
    hidden.retain(|range| text.get(range.clone()).is_some_and(is_encoded));
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

/// The long pieces that are not a name, a path or a URL.
pub(super) fn long(text: &str) -> Vec<Range<usize>> {
    let mut runs = runs(text, |c| !c.is_whitespace() && !"{}[],\"'`".contains(c));
    runs.retain(|range| {
        range.len() > LONGEST && !text.get(range.clone()).is_some_and(could_be_url)
    });
    runs
}

fn could_be_url(word: &str) -> bool {
    word.chars()
        .all(|c| c.is_ascii_alphanumeric() || ".:/_@?=&%~#+();-".contains(c))
}

/// Neighbouring parts of a path that together have the length of a key of 32 bytes in base64, with or without padding.
fn keys_with_slashes(text: &str) -> Vec<Range<usize>> {
    const LENGTHS: [usize; 2] = [43, 44];
    if text.len() < LENGTHS[0] {
        return Vec::new();
    }
    let edges: BTreeSet<usize> = text
        .char_indices()
        .filter(|(_, c)| !c.is_ascii_alphanumeric() && !"+=".contains(*c))
        .flat_map(|(at, c)| [at, at + c.len_utf8()])
        .chain([0, text.len()])
        .collect();
    let mut keys = Vec::new();
    for start in &edges {
        for length in LENGTHS {
            let Some(run) = text.get(*start..start + length) else {
                continue;
            };
            if run.contains('/')
                && edges.contains(&(start + length))
                && run
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
                && is_mixed(run)
            {
                keys.push(*start..start + length);
            }
        }
    }
    keys
}

fn has(word: &str, test: fn(&u8) -> bool) -> bool {
    word.as_bytes().iter().any(test)
}

/// Whether a word has upper case and lower case.
fn has_both_cases(word: &str) -> bool {
    has(word, u8::is_ascii_uppercase) && has(word, u8::is_ascii_lowercase)
}

/// Whether a word has upper case, lower case, and digits or characters that only base64 has.
fn is_mixed(word: &str) -> bool {
    has_both_cases(word) && (has(word, |b| b.is_ascii_digit() || *b == b'+') || word.ends_with('='))
}

/// How often a word changes between upper case, lower case and digits. Random base64 does so at two of three places, people's words at one
/// of four.
fn changes(word: &str) -> usize {
    let kinds = word
        .bytes()
        .map(|byte| (byte.is_ascii_uppercase(), byte.is_ascii_lowercase()));
    kinds
        .clone()
        .zip(kinds.skip(1))
        .filter(|(one, next)| one != next)
        .count()
}

fn is_encoded(word: &str) -> bool {
    // most words of a message end here
    if word.len() < PADDED {
        return false;
    }
    (word.len() >= ENCODED_WORD && is_mixed(word))
        || (word.len() >= HEX_RUN && longest(word, u8::is_ascii_hexdigit) >= HEX_RUN)
        || (word.len() >= BECH32_WORD && is_bech32(word))
        || word.split(['-', '_', '=']).any(is_restless)
        || is_padded(word)
}

/// How long the longest run of such characters is.
fn longest(word: &str, test: fn(&u8) -> bool) -> usize {
    word.as_bytes()
        .split(|byte| !test(byte))
        .map(<[u8]>::len)
        .max()
        .unwrap_or_default()
}

fn is_bech32(word: &str) -> bool {
    let upper = longest(word, |b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let lower = longest(word, |b| b.is_ascii_lowercase() || b.is_ascii_digit());
    upper.max(lower) >= BECH32_WORD && word.bytes().filter(u8::is_ascii_digit).count() >= 4
}

fn is_restless(part: &str) -> bool {
    let of_ten = if is_mixed(part) { 4 } else { 5 };
    part.len() >= RESTLESS && has_both_cases(part) && changes(part) * 10 + 4 >= part.len() * of_ten
}

/// `aHVudGVyMg==`, also after `password=`.
fn is_padded(word: &str) -> bool {
    let digits = word.trim_end_matches('=');
    let padding = word.len() - digits.len();
    let digits = digits.rsplit(['-', '_', '=']).next().unwrap_or_default();
    let length = digits.len() + padding;
    (1..=2).contains(&padding)
        && length >= PADDED
        && length.is_multiple_of(4)
        && has_both_cases(digits)
}

/// A digit of Bech32 in small letters: none of `1`, `b`, `i`, `o` (BIP 173).
pub(super) fn is_bech32_digit(byte: u8) -> bool {
    b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte)
}
