//! Hides what could be key material in text that people will see.
//!
//! Argo CD stores a plugin's stderr in the Application's status, in Redis and in its logs, so this runs over
//! every line before it leaves the process. It errs on the side of hiding: a false positive costs a person a
//! look into the file, a false negative costs a key.

mod encoded;

use crate::uri::credentials;
use encoded::{Slash, encoded_words};
use std::ops::Range;

/// What a hidden character becomes. One byte for one byte, so that spans stay right.
const HIDDEN: u8 = b'*';

/// Words after which the next value is hidden: fields of a kubeconfig, of a key Secret and of `wg`.
const SECRET_FIELDS: [&str; 15] = [
    "token",
    "password",
    "passphrase",
    "client-key-data",
    "client-certificate-data",
    "privatekey",
    "private-key",
    "clientsecret",
    "client-secret",
    "apikey",
    "api-key",
    "accesskey",
    "secretkey",
    "secret-key",
    "secretaccesskey",
];

/// Words that begin key material of their own, whatever its length.
const SECRET_PREFIXES: [&str; 3] = ["AGE-SECRET-KEY-", "AGE-PLUGIN-", "ARGOCD-PEERING-SEED-"];

/// The text with everything that could be key material hidden, and with a `?` for every character that could
/// forge what a terminal shows; of the same length in bytes, with the same line breaks. The ranges in `public`
/// (bytes that are known to be public) are left readable.
pub fn mask(text: &str, public: &[Range<usize>]) -> String {
    masked(text, public, Slash::IsDigit)
}

/// The same for names of files, folders and repositories: a path is no key because it is long, but a part of it may be one.
pub fn mask_names(text: &str) -> String {
    masked(text, &[], Slash::Parts)
}

fn masked(text: &str, public: &[Range<usize>], slash: Slash) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut replace = |range: Range<usize>, by: u8| {
        for at in range {
            if let Some(byte) = bytes.get_mut(at)
                && !byte.is_ascii_whitespace()
                && !public.iter().any(|range| range.contains(&at))
            {
                *byte = by;
            }
        }
    };
    let mut secrets = pem_blocks(text);
    secrets.extend(secret_fields(text));
    secrets.extend(secret_prefixes(text));
    secrets.extend(credentials(text));
    secrets.extend(encoded_words(text, slash));
    secrets.sort_unstable_by_key(|range| range.start);
    // each byte once: thousands of ranges can end at the same place
    let mut done = 0;
    for range in secrets {
        replace(range.start.max(done)..range.end, HIDDEN);
        done = done.max(range.end);
    }
    for (at, c) in text.char_indices() {
        if forges(c) {
            replace(at..at + c.len_utf8(), b'?');
        }
    }
    // every range begins and ends at a character's boundary
    String::from_utf8(bytes).unwrap_or_else(|_| "*".repeat(text.len()))
}

/// Controls, line breaks of YAML 1.1, and marks that change the direction of text.
fn forges(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// `-----BEGIN … PRIVATE KEY-----` up to its end, or to the end of the text.
fn pem_blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut from = 0;
    while let Some(begin) = text.get(from..).and_then(|rest| rest.find("-----BEGIN")) {
        let begin = from + begin;
        let end = text
            .get(begin..)
            .and_then(|rest| {
                rest.find("-----END").and_then(|end| Some((rest.get(end + 8..)?, begin + end + 8)))
            })
            .map_or(text.len(), |(rest, at)| at + rest.find('\n').unwrap_or(rest.len()));
        blocks.push(begin..end);
        from = end;
    }
    blocks
}

/// `token: …` and its like, in YAML or JSON, also in a string of YAML: the rest of the line, or the first line after it
/// that is not empty.
fn secret_fields(text: &str) -> Vec<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let mut values = Vec::new();
    for field in SECRET_FIELDS {
        for (at, _) in lower.match_indices(field) {
            let after = text.get(at + field.len()..).unwrap_or_default();
            let Some(value) = after.trim_start_matches(['"', '\'', '\\', ' ']).strip_prefix([':', '='])
            else {
                continue;
            };
            let from = text.len() - value.len();
            let mut length = 0;
            for line in value.split_inclusive('\n') {
                length += line.len();
                let says = line.trim_matches(|c: char| c.is_whitespace() || "\"'\\|>-+".contains(c));
                if !says.is_empty() && !says.starts_with('#') {
                    break;
                }
            }
            values.push(from..from + length);
        }
    }
    values
}

/// `AGE-SECRET-KEY-1…` and its like, in either case (Bech32 may be written in both). The prefix itself says what was
/// hidden.
fn secret_prefixes(text: &str) -> Vec<Range<usize>> {
    let upper = text.to_ascii_uppercase();
    let mut secrets = Vec::new();
    for prefix in SECRET_PREFIXES {
        let mut done = 0;
        for (at, _) in upper.match_indices(prefix) {
            // in a word that is hidden already
            if at < done {
                continue;
            }
            let from = at + prefix.len();
            let rest = text.get(from..).unwrap_or_default();
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            done = from + length;
            // the prefix alone, or with `1…`, is a word of the documentation
            if length > "1".len() {
                secrets.push(from..from + length);
            }
        }
    }
    secrets
}

#[cfg(test)]
mod tests;
