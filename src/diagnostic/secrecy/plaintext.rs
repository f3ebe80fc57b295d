//! Secrets in clear in a file: what has the form of a whole secret, as it is written, or in base64, which hides nothing.

mod encoded;
mod fields;

use super::labelled::prefixes;
use std::ops::Range;

/// A secret in clear, by the form that it has in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Plaintext {
    AgeIdentity,
    /// One of this program's examples, which opens nothing else and is public.
    DemoIdentity,
    Seed,
    WireguardKey,
    Kubeconfig,
    /// Of Argo CD's Secrets for clusters and repositories.
    ArgoCd,
    ServiceAccount,
    Cloud,
    PrivateKey,
}

impl Plaintext {
    /// What it is, after `is`.
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

/// What was found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// The byte where it begins.
    pub(crate) place: usize,
    pub(crate) kind: Plaintext,
    /// Whether it is in base64.
    pub(crate) is_encoded: bool,
}

/// A kubeconfig has a key in base64, a Secret has a kubeconfig in base64, and what made the Secret may encode once more.
const DEPTH: usize = 4;

/// The identities of `examples/identities`, by their first digits.
const DEMO: [&str; 3] = ["1FMHULHHX", "1F2HNQWZ4", "1NHHXGF66"];

/// The text of a file's bytes. All secrets are ASCII, so UTF-16 and UTF-32, with or without a byte order mark, are that text without
/// its zeros.
pub(crate) fn text_of_bytes(bytes: &[u8]) -> String {
    if !bytes.contains(&0) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The secrets in clear of a text, in the order of their places. Only what has the form of a whole secret: a page that names
/// `AGE-SECRET-KEY-1…` has none.
pub(crate) fn plaintexts(text: &str) -> Vec<Found> {
    find(text, DEPTH)
}

fn find(text: &str, depth: usize) -> Vec<Found> {
    let clear = |(place, kind)| Found { place, kind, is_encoded: false };
    let mut found: Vec<Found> = identities(text).into_iter().map(clear).collect();
    found.extend(private_keys(text).into_iter().map(|place| clear((place, Plaintext::PrivateKey))));
    found.extend(tokens(text).into_iter().map(|place| clear((place, Plaintext::ServiceAccount))));
    found.extend(fields::credentials(text).into_iter().map(clear));
    if depth > 0 {
        for encoded in encoded::texts(text) {
            let first = find(&encoded.text, depth - 1).into_iter().next();
            found.extend(first.map(|it| Found { place: encoded.place, is_encoded: true, ..it }));
        }
    }
    found.sort_unstable();
    found
}

/// `AGE-SECRET-KEY-1…`, `AGE-PLUGIN-NAME-1…` and a seed: a prefix, `1`, and digits of Bech32 (BIP 173).
fn identities(text: &str) -> Vec<(usize, Plaintext)> {
    // what the shortest of them has: 16 bytes and a checksum
    const SHORTEST: usize = 32;
    const DIGITS: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    const SEED: &str = "ARGOCD-PEERING-SEED-";
    let kind = |range: Range<usize>| {
        let word = text.get(range.clone())?;
        let digits = word.strip_prefix('1').or_else(|| Some(word.split_once("-1")?.1))?;
        let is_digit = |c: &char| DIGITS.contains(c.to_ascii_lowercase());
        if digits.chars().take_while(is_digit).count() < SHORTEST {
            return None;
        }
        let before = text.get(..range.start).unwrap_or_default();
        let end = before.get(before.len().saturating_sub(SEED.len())..).unwrap_or_default();
        let kind = match end.eq_ignore_ascii_case(SEED) {
            true => Plaintext::Seed,
            false if DEMO.iter().any(|demo| word.starts_with(demo)) => Plaintext::DemoIdentity,
            false => Plaintext::AgeIdentity,
        };
        Some((range.start, kind))
    };
    prefixes(text).into_iter().filter_map(kind).collect()
}

/// PEM (RFC 7468), also in a string of JSON or YAML, where its lines are parted by `\n`; also encrypted, of OpenSSH, of PGP.
fn private_keys(text: &str) -> Vec<usize> {
    // the longest label that there is has 31
    const LABEL: usize = 64;
    const LINE: usize = 24;
    let mut found = Vec::new();
    for (place, begin) in text.match_indices("-----BEGIN ") {
        let rest = text.get(place + begin.len()..).unwrap_or_default();
        let Some((label, body)) = rest.split_once("-----").filter(|(label, _)| label.len() <= LABEL) else {
            continue;
        };
        let body = body.split("-----").next().unwrap_or_default();
        let has_key = label.contains("PRIVATE KEY")
            && body.split(|c: char| !encoded::is_digit(c)).any(|run| run.len() >= LINE);
        found.extend(has_key.then_some(place));
    }
    found
}

/// The signed tokens of ServiceAccounts (kubernetes `pkg/serviceaccount/claims.go`: the subject), which are JWTs (RFC 7519).
fn tokens(text: &str) -> Vec<usize> {
    const SIGNATURE: usize = 40;
    const SUBJECT: &str = "\"system:serviceaccount:";
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut found = Vec::new();
    // `{"`, with which a header begins
    for (place, _) in text.match_indices("eyJ") {
        let before = text.get(..place).and_then(|text| text.chars().next_back());
        if before.is_some_and(|c| is_digit(c) || c == '.') {
            continue;
        }
        let rest = text.get(place..).unwrap_or_default();
        let end = rest.find(|c: char| !is_digit(c) && c != '.').unwrap_or(rest.len());
        let mut parts = rest.get(..end).unwrap_or_default().split('.');
        if let (Some(_), Some(claims), Some(signature), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
            && signature.len() >= SIGNATURE
            && encoded::decoded(claims).is_some_and(|claims| claims.contains(SUBJECT))
        {
            found.push(place);
        }
    }
    found
}

#[cfg(test)]
mod tests;
