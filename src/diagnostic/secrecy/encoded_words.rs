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
    runs.retain(|range| range.len() > LONGEST && !text.get(range.clone()).is_some_and(could_be_url));
    runs
}

fn could_be_url(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || ".:/_@?=&%~#+();-".contains(c))
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
pub(super) fn changes(word: &str) -> usize {
    let kinds = word.bytes().map(|byte| (byte.is_ascii_uppercase(), byte.is_ascii_lowercase()));
    kinds.clone().zip(kinds.skip(1)).filter(|(one, next)| one != next).count()
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

/// The shortest row of groups that counts as a key: half of a key in hexadecimal digits or in base64 is this short.
const SHORTEST_ROW: usize = 32;

/// The text between two groups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// White space, and the marks that YAML has around a line: quotes, a comment's `#`, a list's `-`, an escaped line break.
    Blank,
    /// A colon, as between the digits of a fingerprint.
    Colon,
    /// A hyphen, as in a UUID.
    Hyphen,
    /// Anything else: the groups do not belong together.
    None,
}

impl Joint {
    fn of(between: &str) -> Self {
        match between {
            "-" => Self::Hyphen,
            _ if between.chars().all(is_blank) => Self::Blank,
            _ if between.contains(':') && between.chars().all(|c| c == ':' || is_blank(c)) => Self::Colon,
            _ => Self::None,
        }
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || "\\\"'#|>-".contains(c)
}

/// A digit of Bech32 in small letters: none of `1`, `b`, `i`, `o` (BIP 173).
pub(super) fn is_bech32_digit(byte: u8) -> bool {
    b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte)
}

/// A way to write bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Base64,
    Hex,
    Bech32,
}

impl Encoding {
    /// Whether a group could be a part of bytes in this encoding.
    fn has(self, group: &str) -> bool {
        match self {
            Self::Base64 => !group.trim_end_matches('=').contains('='),
            Self::Hex => group.bytes().all(|byte| byte.is_ascii_hexdigit()),
            // all letters in one case
            Self::Bech32 => {
                group.bytes().all(is_bech32_digit)
                    || !group.bytes().any(|byte| byte.is_ascii_lowercase())
                        && group.bytes().all(|byte| is_bech32_digit(byte.to_ascii_lowercase()))
            }
        }
    }

    /// The groups of a row that are parts of a key.
    fn found(self, groups: &[&str], joint: Joint) -> Vec<Range<usize>> {
        let total: usize = groups.iter().map(|group| group.len()).sum();
        let digits = groups.iter().flat_map(|group| group.bytes()).filter(u8::is_ascii_digit).count();
        let is_one = match self {
            Self::Base64 => return restless_groups(groups),
            // of random digits, 10 of 16 are decimal; 32 digits with hyphens are a UUID, and digits without any letter are a row of numbers
            Self::Hex => {
                digits * 4 >= total && digits < total && (joint != Joint::Hyphen || total > SHORTEST_ROW)
            }
            // of random digits, 9 of 32 are decimal
            Self::Bech32 => digits * 8 >= total && digits * 2 <= total,
        };
        let found = (total >= SHORTEST_ROW && is_one).then_some(0..groups.len());
        found.into_iter().collect()
    }

    /// Whether groups with this joint can be parts of one key.
    fn joins(self, joint: Joint) -> bool {
        match joint {
            Joint::Blank => true,
            Joint::Colon | Joint::Hyphen => self == Self::Hex,
            Joint::None => false,
        }
    }
}

/// Encoded bytes in groups, or over several lines: each group is too short to be recognised, and together they are a key.
pub(super) fn find_groups(text: &str, slash: Slash) -> Vec<Range<usize>> {
    let ranges = runs(text, |c| match c {
        '+' | '=' => true,
        '/' => slash == Slash::IsDigit,
        c => c.is_ascii_alphanumeric(),
    });
    if ranges.iter().map(ExactSizeIterator::len).sum::<usize>() < SHORTEST_ROW {
        return Vec::new();
    }
    let groups: Vec<&str> = ranges.iter().filter_map(|range| text.get(range.clone())).collect();
    let between = ranges.iter().zip(ranges.iter().skip(1));
    let between = between.filter_map(|(one, next)| text.get(one.end..next.start));
    let joints: Vec<Joint> = between.map(Joint::of).collect();
    let mut hidden = Vec::new();
    for encoding in [Encoding::Base64, Encoding::Hex, Encoding::Bech32] {
        for (row, joint) in rows(encoding, &groups, &joints) {
            let groups = groups.get(row.clone()).unwrap_or_default();
            for found in encoding.found(groups, joint) {
                hidden.extend_from_slice(
                    ranges.get(row.start + found.start..row.start + found.end).unwrap_or_default(),
                );
            }
        }
    }
    hidden
}

/// The longest rows of groups that could be parts of one key, and their joint.
fn rows(encoding: Encoding, groups: &[&str], joints: &[Joint]) -> Vec<(Range<usize>, Joint)> {
    let fits: Vec<bool> = groups.iter().map(|group| encoding.has(group)).collect();
    let mut rows: Vec<(Range<usize>, Joint)> = Vec::new();
    for ((at, joint), fit) in joints.iter().enumerate().zip(fits.windows(2)) {
        if !encoding.joins(*joint) || fit.contains(&false) {
            continue;
        }
        match rows.last_mut() {
            Some((row, before)) if before == joint && row.end == at + 1 => row.end += 1,
            _ => rows.push((at..at + 2, *joint)),
        }
    }
    rows
}

/// The groups of a row that are parts of base64; the others may be words of a sentence. The shortest row that is long enough must change
/// between upper case, lower case and digits at two of five places. Random base64 does so at two of three, sentences with the words of
/// Kubernetes at one of four.
fn restless_groups(groups: &[&str]) -> Vec<Range<usize>> {
    let weights: Vec<(usize, usize, usize)> =
        groups.iter().map(|group| (group.len(), group.len().saturating_sub(1), changes(group))).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut end, mut total, mut places, mut changed) = (0, 0, 0, 0);
    for (start, (length, its_places, its_changes)) in weights.iter().enumerate() {
        while total < SHORTEST_ROW
            && let Some((length, its_places, its_changes)) = weights.get(end)
        {
            (total, places, changed, end) =
                (total + length, places + its_places, changed + its_changes, end + 1);
        }
        // a group that is long enough by itself proves nothing about the words before it
        let is_row = end == start + 1 || groups.get(end - 1).is_none_or(|last| last.len() < SHORTEST_ROW);
        if total >= SHORTEST_ROW && is_row && places * 2 >= total && changed * 5 >= places * 2 {
            match found.last_mut() {
                Some(last) if last.end >= start => last.end = end,
                _ => found.push(start..end),
            }
        }
        (total, places, changed) = (total - length, places - its_places, changed - its_changes);
    }
    // the rest of a key at either end is too short to count by itself, so it is added
    let mut done = 0;
    for part in &mut found {
        let before = groups.get(done..part.start).unwrap_or_default();
        part.start -= before.iter().rev().take_while(|group| is_rest_of_key(group)).count();
        part.start = part.start.max(done);
        part.end = part.end.max(done);
        part.end += groups.iter().skip(part.end).take_while(|group| is_rest_of_key(group)).count();
        done = part.end;
    }
    found
}

fn is_rest_of_key(group: &str) -> bool {
    group.ends_with('=') || changes(group) * 3 >= group.len()
}
