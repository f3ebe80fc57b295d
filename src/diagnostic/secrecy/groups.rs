//! Encoded bytes in groups, or over lines: what is too short to be recognised, and together is a key.

use super::encoded_words::{Slash, changes, runs};
use std::ops::Range;

/// From this length on, groups are taken for a key; so short is half of one in hexadecimal digits or in base64.
const SHORTEST: usize = 32;

/// What is between two groups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// White space, and what YAML has around a line: quotes, a comment's `#`, a list's `-`, an escaped line break.
    Blank,
    /// A colon, as between the digits of a fingerprint.
    Colon,
    /// A hyphen, as in a UUID.
    Hyphen,
    /// Anything else: they do not belong together.
    None,
}

impl Joint {
    fn of(between: &str) -> Self {
        let blank = |c: char| c.is_whitespace() || "\\\"'#|>-".contains(c);
        match between {
            "-" => Self::Hyphen,
            _ if between.chars().all(blank) => Self::Blank,
            _ if between.contains(':') && between.chars().all(|c| c == ':' || blank(c)) => Self::Colon,
            _ => Self::None,
        }
    }
}

/// A way to write bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Base64,
    Hex,
    Bech32,
}

impl Encoding {
    /// Whether a group could be a part of it.
    fn has(self, group: &str) -> bool {
        match self {
            Self::Base64 => !group.trim_end_matches('=').contains('='),
            Self::Hex => group.bytes().all(|byte| byte.is_ascii_hexdigit()),
            Self::Bech32 => {
                // BIP 173: one case, and none of `1`, `b`, `i`, `o`
                let of_it = |byte: u8| b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte);
                group.bytes().all(of_it)
                    || group
                        .bytes()
                        .all(|byte| !byte.is_ascii_lowercase() && of_it(byte.to_ascii_lowercase()))
            }
        }
    }

    /// Which of the groups of a row are parts of a key.
    fn found(self, groups: &[&str], joint: Joint) -> Vec<Range<usize>> {
        let total: usize = groups.iter().map(|group| group.len()).sum();
        let digits = groups.iter().flat_map(|group| group.bytes()).filter(u8::is_ascii_digit).count();
        let is_one = match self {
            Self::Base64 => return restless(groups),
            // of random digits 10 of 16 are decimal; 32 with hyphens are a UUID, and no letter at all is a row of numbers
            Self::Hex => {
                digits * 4 >= total && digits < total && (joint != Joint::Hyphen || total > SHORTEST)
            }
            // of random digits 9 of 32 are decimal
            Self::Bech32 => digits * 8 >= total && digits * 2 <= total,
        };
        let found = (total >= SHORTEST && is_one).then_some(0..groups.len());
        found.into_iter().collect()
    }

    /// Whether groups with this between them can be parts of one whole.
    fn joins(self, joint: Joint) -> bool {
        match joint {
            Joint::Blank => true,
            Joint::Colon | Joint::Hyphen => self == Self::Hex,
            Joint::None => false,
        }
    }
}

pub(super) fn find_encoded(text: &str, slash: Slash) -> Vec<Range<usize>> {
    let ranges = runs(text, |c| match c {
        '+' | '=' => true,
        '/' => slash == Slash::IsDigit,
        c => c.is_ascii_alphanumeric(),
    });
    if ranges.iter().map(ExactSizeIterator::len).sum::<usize>() < SHORTEST {
        return Vec::new();
    }
    let groups: Vec<&str> = ranges.iter().filter_map(|range| text.get(range.clone())).collect();
    let between = |(one, next): (&Range<usize>, &Range<usize>)| text.get(one.end..next.start);
    let joints: Vec<Joint> =
        ranges.iter().zip(ranges.iter().skip(1)).filter_map(between).map(Joint::of).collect();
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

/// The longest rows of groups that could be parts of one whole, and what joins them.
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

/// Which groups of a row, that may be words of a sentence as well, are parts of base64: where the shortest row that is long
/// enough goes from one of upper case, lower case and digits to another at two of five places. Random base64 does so at two of
/// three, sentences with the words of Kubernetes at one of four.
fn restless(groups: &[&str]) -> Vec<Range<usize>> {
    let weights: Vec<(usize, usize, usize)> =
        groups.iter().map(|group| (group.len(), group.len().saturating_sub(1), changes(group))).collect();
    let length_of = |at: usize| weights.get(at).map_or(0, |(length, ..)| *length);
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut end, mut total, mut places, mut changed) = (0, 0, 0, 0);
    for (start, (length, its_places, its_changes)) in weights.iter().enumerate() {
        while total < SHORTEST
            && let Some((length, its_places, its_changes)) = weights.get(end)
        {
            (total, places, changed, end) =
                (total + length, places + its_places, changed + its_changes, end + 1);
        }
        // one that is long enough by itself says nothing of the words before it
        let is_row = end == start + 1 || length_of(end - 1) < SHORTEST;
        if total >= SHORTEST && is_row && places * 2 >= total && changed * 5 >= places * 2 {
            match found.last_mut() {
                Some(last) if last.end >= start => last.end = end,
                _ => found.push(start..end),
            }
        }
        (total, places, changed) = (total - length, places - its_places, changed - its_changes);
    }
    // what is left of a key at either end is too short to count by itself
    let is_rest = |group: &&&str| group.ends_with('=') || changes(group) * 3 >= group.len();
    let mut done = 0;
    for part in &mut found {
        let before = groups.get(done..part.start).unwrap_or_default();
        part.start -= before.iter().rev().take_while(is_rest).count();
        part.start = part.start.max(done);
        part.end = part.end.max(done);
        part.end += groups.iter().skip(part.end).take_while(is_rest).count();
        done = part.end;
    }
    found
}
