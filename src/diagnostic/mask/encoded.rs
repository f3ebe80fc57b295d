//! Words that look like encoded bytes.

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

/// From this length on, two words that only white space parts are taken for a key that an editor has wrapped.
const WRAPPED: usize = 40;

/// Words of base64 (either alphabet), hexadecimal digits or Bech32, also where one is wrapped.
pub(super) fn encoded_words(text: &str, slash: Slash) -> Vec<Range<usize>> {
    let encoded =
        |c: char| c.is_ascii_alphanumeric() || "+=_-".contains(c) || (c == '/' && slash == Slash::IsDigit);
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(encoded)) {
        let start = from + start;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c| !encoded(c)).unwrap_or(rest.len());
        words.push(start..start + length);
        from = start + length;
    }
    let word = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let mut hidden: Vec<Range<usize>> =
        words.iter().filter(|range| is_encoded(word(range))).cloned().collect();
    for pair in words.windows(2) {
        let [one, two] = pair else { continue };
        let between = text.get(one.end..two.start).unwrap_or_default();
        // `\n` in a quoted string leaves its `n` at the head of the second word
        let (first, second) = (word(one), word(two));
        if between.chars().all(|c| c.is_whitespace() || c == '\\')
            && first.len() + second.len() >= WRAPPED
            && is_base64(first)
            && is_base64(second)
            && is_mixed(&[first, second].concat())
        {
            hidden.extend([one.clone(), two.clone()]);
        }
    }
    if slash == Slash::Parts {
        hidden.extend(keys_with_slashes(text));
    }
    hidden
}

/// Parts of a path that together are as long as a key of 32 bytes in base64, with or without its padding.
fn keys_with_slashes(text: &str) -> Vec<Range<usize>> {
    let edges: BTreeSet<usize> = text
        .char_indices()
        .filter(|(_, c)| !c.is_ascii_alphanumeric() && !"+=".contains(*c))
        .flat_map(|(at, c)| [at, at + c.len_utf8()])
        .chain([0, text.len()])
        .collect();
    let mut keys = Vec::new();
    for start in &edges {
        for length in [43, 44] {
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

fn is_base64(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
}

/// Upper case, lower case, and digits or what only base64 has.
fn is_mixed(word: &str) -> bool {
    let has = |test: fn(&u8) -> bool| word.as_bytes().iter().any(test);
    has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(|b| b.is_ascii_digit() || b"+=".contains(b))
}

fn is_encoded(word: &str) -> bool {
    let longest = |test: fn(&u8) -> bool| {
        word.as_bytes().split(|byte| !test(byte)).map(<[u8]>::len).max().unwrap_or_default()
    };
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let one_case = longest(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        .max(longest(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
    (word.len() >= ENCODED_WORD && is_mixed(word))
        || longest(u8::is_ascii_hexdigit) >= HEX_RUN
        || (one_case >= BECH32_WORD && digits >= 4)
}
