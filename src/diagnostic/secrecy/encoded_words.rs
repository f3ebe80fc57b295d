//! Words that look like encoded bytes.

use super::run_end;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a `/` is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slash {
    /// A digit of base64.
    IsDigit,
    /// What parts a path or a URL: each part is looked at by itself.
    Parts,
}

/// From this length on, a word that mixes upper case, lower case and digits is taken for encoded bytes.
/// 16 bytes in base64 are 22 characters; words of Kubernetes and Liqo in mixed case have no digits.
const ENCODED_WORD: usize = 22;

/// From this length on, hexadecimal digits are taken for a key (128 bits), in whatever word they stand.
const HEX_RUN: usize = 32;

/// From this length on, letters of one case with some digits are taken for Bech32.
const BECH32_WORD: usize = 32;

/// From this length on, a part of a word that goes from one case to the other at half of its places is taken for base64; with
/// digits at two of five: `Rome2Milan` does not.
const RESTLESS: usize = 10;

/// From this length on, base64 is recognised by its padding.
const PADDED: usize = 8;

/// A longer part of a document without white space is shown if it could be a name, a path or a URL. No field takes another one
/// that long, but for certificates and keys.
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

/// The longest runs of such characters.
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

/// What is long, and is no name, path or URL.
pub(super) fn long(text: &str) -> Vec<Range<usize>> {
    let mut runs = runs(text, |c| !c.is_whitespace() && !"{}[],\"'`".contains(c));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".:/_@?=&%~#+();-".contains(c);
    runs.retain(|range| {
        range.len() > LONGEST && !text.get(range.clone()).is_some_and(|run| run.chars().all(is_plain))
    });
    runs
}

/// Parts of a path that together are as long as a key of 32 bytes in base64, with or without its padding.
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
            let Some(run) = text.get(*start..start + length) else { continue };
            if run.contains('/')
                && edges.contains(&(start + length))
                && run.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
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

/// Upper case and lower case.
fn has_both_cases(word: &str) -> bool {
    has(word, u8::is_ascii_uppercase) && has(word, u8::is_ascii_lowercase)
}

/// Upper case, lower case, and digits or what only base64 has.
fn is_mixed(word: &str) -> bool {
    has_both_cases(word) && (has(word, |b| b.is_ascii_digit() || *b == b'+') || word.ends_with('='))
}

/// How often a word goes from one of upper case, lower case and digits to another. Random base64 does so at two of three
/// places, the words of people at one of four.
pub(super) fn changes(word: &str) -> usize {
    let kind = |byte: &u8| (byte.is_ascii_uppercase(), byte.is_ascii_lowercase());
    let bytes = word.as_bytes();
    bytes.iter().zip(bytes.iter().skip(1)).filter(|(one, next)| kind(one) != kind(next)).count()
}

fn is_encoded(word: &str) -> bool {
    // most words of a message
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
    word.as_bytes().split(|byte| !test(byte)).map(<[u8]>::len).max().unwrap_or_default()
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
    (1..=2).contains(&padding) && length >= PADDED && length.is_multiple_of(4) && has_both_cases(digits)
}
