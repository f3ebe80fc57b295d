//! Secrets in plain text in a file: texts with the form of a complete secret, as they are or in base64, which hides nothing.

mod named_secrets;

use super::encoded_words::is_bech32_digit;
use super::labelled::{ends_with, prefixes};
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::ops::Range;

/// A secret in plain text, by its form in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Plaintext {
    AgeIdentity,
    /// An identity of this program's examples. It is public and opens nothing else.
    DemoIdentity,
    Seed,
    WireguardKey,
    Kubeconfig,
    /// A credential in one of Argo CD's Secrets for clusters and repositories.
    ArgoCd,
    ServiceAccount,
    Cloud,
    PrivateKey,
}

impl Plaintext {
    /// The name of the kind, for a sentence after `is`.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::AgeIdentity => "an age identity",
            Self::DemoIdentity => "a demo identity of argocd-peering's examples",
            Self::Seed => "a seed",
            Self::WireguardKey => "a WireGuard private key",
            Self::Kubeconfig => "a credential of a kubeconfig",
            Self::ArgoCd => "a credential of an Argo CD Secret",
            Self::ServiceAccount => "a token of a ServiceAccount",
            Self::Cloud => "a key of a cloud account",
            Self::PrivateKey => "a private key",
        }
    }
}

/// A secret that was found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// The byte where it begins.
    pub(crate) place: usize,
    pub(crate) kind: Plaintext,
    /// Whether it was found in base64.
    pub(crate) is_encoded: bool,
}

/// How often base64 is decoded: a kubeconfig has a key in base64, a Secret has the kubeconfig in base64, and the tool that made the Secret
/// may encode it once more.
const DEPTH: usize = 4;

/// The identities of `examples/identities`, by their first digits.
const DEMO: [&str; 3] = ["1FMHULHHX", "1F2HNQWZ4", "1NHHXGF66"];

/// The text of a file's bytes. All secrets are ASCII, so UTF-16 and UTF-32, with or without a byte order mark, are read by removing their
/// zero bytes.
pub(crate) fn text_of_bytes(bytes: &[u8]) -> String {
    if !bytes.contains(&0) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The secrets in plain text, in the order of their places. Only complete secrets count: a page that names `AGE-SECRET-KEY-1…` has none.
pub(crate) fn plaintexts(text: &str) -> Vec<Found> {
    find(text, DEPTH)
}

fn find(text: &str, depth: usize) -> Vec<Found> {
    let clear = prefixes(text)
        .into_iter()
        .filter_map(|range| identity(text, range))
        .chain(
            private_keys(text)
                .into_iter()
                .map(|place| (place, Plaintext::PrivateKey)),
        )
        .chain(
            tokens(text)
                .into_iter()
                .map(|place| (place, Plaintext::ServiceAccount)),
        )
        .chain(named_secrets::credentials(text));
    let mut found: Vec<Found> = clear
        .map(|(place, kind)| Found {
            place,
            kind,
            is_encoded: false,
        })
        .collect();
    if depth > 0 {
        for encoded in texts(text) {
            let first = find(&encoded.text, depth - 1).into_iter().next();
            found.extend(first.map(|it| Found {
                place: encoded.place,
                is_encoded: true,
                ..it
            }));
        }
    }
    found.sort_unstable();
    found
}

/// `AGE-SECRET-KEY-1…`, `AGE-PLUGIN-NAME-1…` and a seed: a prefix, `1`, and digits of Bech32 (BIP 173).
fn identity(text: &str, range: Range<usize>) -> Option<(usize, Plaintext)> {
    // the shortest one has this many digits: 16 bytes and a checksum
    const SHORTEST: usize = 32;
    let word = text.get(range.clone())?;
    let digits = word
        .strip_prefix('1')
        .or_else(|| Some(word.split_once("-1")?.1))?;
    if digits
        .bytes()
        .take_while(|byte| is_bech32_digit(byte.to_ascii_lowercase()))
        .count()
        < SHORTEST
    {
        return None;
    }
    let kind = match ends_with(text.as_bytes().get(..range.start)?, "ARGOCD-PEERING-SEED-") {
        true => Plaintext::Seed,
        false if DEMO.iter().any(|demo| word.starts_with(demo)) => Plaintext::DemoIdentity,
        false => Plaintext::AgeIdentity,
    };
    Some((range.start, kind))
}

/// Private keys in PEM (RFC 7468), also in a string of JSON or YAML with `\n` between the lines; also encrypted ones, and those of OpenSSH
/// and PGP.
fn private_keys(text: &str) -> Vec<usize> {
    // the longest label in use has 31 characters
    const LABEL: usize = 64;
    const LINE: usize = 24;
    let mut found = Vec::new();
    for (place, begin) in text.match_indices("-----BEGIN ") {
        let rest = text.get(place + begin.len()..).unwrap_or_default();
        let Some((label, body)) = rest
            .split_once("-----")
            .filter(|(label, _)| label.len() <= LABEL)
        else {
            continue;
        };
        let body = body.split("-----").next().unwrap_or_default();
        let has_key = label.contains("PRIVATE KEY")
            && body
                .split(|c: char| !is_digit(c))
                .any(|run| run.len() >= LINE);
        found.extend(has_key.then_some(place));
    }
    found
}

/// The signed tokens of ServiceAccounts (kubernetes `pkg/serviceaccount/claims.go`: the subject), which are JWTs (RFC 7519).
fn tokens(text: &str) -> Vec<usize> {
    const SIGNATURE: usize = 40;
    const SUBJECT: &str = "\"system:serviceaccount:";
    let mut found = Vec::new();
    // `{"` in base64, the beginning of a header
    for (place, _) in text.match_indices("eyJ") {
        let before = text.get(..place).and_then(|text| text.chars().next_back());
        if before.is_some_and(|c| is_word(c) || c == '.') {
            continue;
        }
        let rest = text.get(place..).unwrap_or_default();
        let end = rest
            .find(|c: char| !is_word(c) && c != '.')
            .unwrap_or(rest.len());
        let parts: Vec<&str> = rest
            .get(..end)
            .unwrap_or_default()
            .split('.')
            .take(4)
            .collect();
        if let [_, claims, signature] = parts[..]
            && signature.len() >= SIGNATURE
            && decoded(claims).is_some_and(|claims| claims.contains(SUBJECT))
        {
            found.push(place);
        }
    }
    found
}

/// A shorter run is not decoded. An identity has 99 digits, and a cluster's configuration with a token of 8 has 36.
const SHORTEST: usize = 24;

/// How many bytes at the beginning are checked to be text. Of ciphertext, three of eight bytes look like text.
const BEGINNING: usize = 96;

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

struct Encoded {
    /// The place where it begins.
    place: usize,
    text: String,
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/')
}

/// A letter, a digit, `_` or `-`: the characters of names, and of base64 for URLs (RFC 4648, section 5).
const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The texts in base64, also over several lines.
fn texts(text: &str) -> Vec<Encoded> {
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

/// The decoded digits of either alphabet, if the beginning is text.
fn decoded(digits: &str) -> Option<String> {
    let mut digits = digits.replace('-', "+").replace('_', "/");
    // one digit too many: it belongs to the next word
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    let start = LENIENT
        .decode(digits.get(..digits.len().min(BEGINNING / 3 * 4))?)
        .ok()?;
    let text = start
        .iter()
        .filter(|it| it.is_ascii_graphic() || it.is_ascii_whitespace() || **it == 0);
    (text.count() * 10 >= start.len() * 8)
        .then(|| LENIENT.decode(digits).ok())
        .flatten()
        .map(|bytes| text_of_bytes(&bytes))
}

fn end_of_run(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest
        .iter()
        .position(|byte| !is_digit(char::from(*byte)))
        .unwrap_or(rest.len())
}

/// The digits of the next line, if they continue those that end here. Between them may be a line break, as it is or as `\n` in a string,
/// and white space; the line must have nothing else.
fn next_line(bytes: &[u8], end: usize) -> Option<(usize, usize)> {
    let mut from = end;
    loop {
        from += match (bytes.get(from)?, bytes.get(from + 1)) {
            (b'\\', Some(b'n' | b'r' | b'\\')) => 2,
            (b'\\' | b'\n' | b'\r' | b' ' | b'\t', _) => 1,
            _ => break,
        };
    }
    let is_break = bytes
        .get(end..from)?
        .iter()
        .any(|byte| matches!(byte, b'\n' | b'\\'));
    let digits_end = end_of_run(bytes, from);
    let is_whole = matches!(
        bytes.get(digits_end),
        None | Some(b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b'=' | b' ')
    );
    (is_break && digits_end > from && is_whole).then_some((from, digits_end))
}

#[cfg(test)]
mod tests;
