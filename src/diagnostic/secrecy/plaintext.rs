//! This program's own secrets in plain text: age identities, seeds, WireGuard keys and kubeconfigs, as they are or in base64, which hides
//! nothing. Other secrets are for programs such as gitleaks.

use super::encoded_words::{is_bech32_digit, runs};
use super::labelled::{ends_with, fields, prefixes};
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
        }
    }
}

/// A secret that was found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SecretMatch {
    /// The byte where it begins.
    pub(crate) place: usize,
    pub(crate) kind: Plaintext,
    /// Whether it was found in base64.
    pub(crate) is_encoded: bool,
}

impl SecretMatch {
    const fn in_clear(place: usize, kind: Plaintext) -> Self {
        Self {
            place,
            kind,
            is_encoded: false,
        }
    }
}

/// The identities of `examples/identities`, by their first digits.
const DEMO: [&str; 3] = ["1FMHULHHX", "1F2HNQWZ4", "1NHHXGF66"];

/// A shorter run of base64 is not decoded: an identity has 99 digits.
const SHORTEST: usize = 60;

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The text of a file's bytes. All secrets are ASCII, so UTF-16, which PowerShell writes, is read by removing its zero bytes.
pub(crate) fn text_of_bytes(bytes: &[u8]) -> String {
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The secrets in plain text, in the order of their places. Only complete secrets count: a page that names `AGE-SECRET-KEY-1…` has none.
pub(crate) fn plaintexts(text: &str) -> Vec<SecretMatch> {
    let mut found = secrets_in_clear(text);
    for (place, digits) in base64_runs(text) {
        let decoded = LENIENT.decode(digits).unwrap_or_default();
        let inner = secrets_in_clear(&text_of_bytes(&decoded));
        if let Some(first) = inner.into_iter().min() {
            found.push(SecretMatch {
                place,
                is_encoded: true,
                ..first
            });
        }
    }
    found.sort_unstable();
    found
}

fn secrets_in_clear(text: &str) -> Vec<SecretMatch> {
    let mut found = Vec::new();
    for range in prefixes(text) {
        found.extend(identity_at(text, range));
    }
    let is_kubeconfig = is_kubeconfig(text);
    for field in fields(text) {
        let place = field.value.start;
        // a line can have thousands of fields, so the value is looked at last
        let value = || first_word(text.get(field.value.clone()).unwrap_or_default());
        let kind = match field.name {
            "privatekey" | "private-key" | "private_key" if is_wireguard_key(value()) => {
                Plaintext::WireguardKey
            }
            "token" | "password" | "client-key-data" if is_kubeconfig && is_credential(value()) => {
                Plaintext::Kubeconfig
            }
            _ => continue,
        };
        found.push(SecretMatch::in_clear(place, kind));
    }
    found
}

/// `AGE-SECRET-KEY-1…`, `AGE-PLUGIN-NAME-1…` and a seed: a prefix, `1`, and digits of Bech32 (BIP 173).
fn identity_at(text: &str, range: Range<usize>) -> Option<SecretMatch> {
    // the shortest one has this many digits: 16 bytes and a checksum
    const SHORTEST: usize = 32;
    let word = text.get(range.clone())?;
    let digits = match word.strip_prefix('1') {
        Some(digits) => digits.bytes(),
        None => word.split_once("-1")?.1.bytes(),
    };
    let digits = digits.take_while(|byte| is_bech32_digit(byte.to_ascii_lowercase()));
    if digits.count() < SHORTEST {
        return None;
    }
    let kind = match ends_with(text.as_bytes().get(..range.start)?, "ARGOCD-PEERING-SEED-") {
        true => Plaintext::Seed,
        false if DEMO.iter().any(|demo| word.starts_with(demo)) => Plaintext::DemoIdentity,
        false => Plaintext::AgeIdentity,
    };
    Some(SecretMatch::in_clear(range.start, kind))
}

/// Whether a text is a kubeconfig, in YAML or JSON (client-go `tools/clientcmd/api/v1/types.go`, Config; without `kind` it is still read as
/// one). A page of text or a program can have an example.
fn is_kubeconfig(text: &str) -> bool {
    if !text.contains("users") || text.contains("\n```") {
        return false;
    }
    let mut lines = text
        .lines()
        .map(|line| line.trim_start_matches('\u{feff}').trim());
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#') && *line != "---");
    let first = first.unwrap_or_default();
    let is_yaml = matches!(first.split_once(':'), Some((key, _)) if !key.contains(' '));
    let (mut has_users, mut is_config) = (false, false);
    for field in text.split(['\n', '{', ',', '}']) {
        let field = field.replace(['"', '\'', '\\', ' ', '\t', '\r'], "");
        has_users |= field.starts_with("users:");
        is_config |= field == "kind:Config" || field.starts_with("current-context:");
    }
    (is_yaml || first.starts_with(['{', '-'])) && has_users && is_config
}

/// The scalar at the beginning of a value: a line can have thousands of fields.
fn first_word(value: &str) -> &str {
    let value = value.trim_start_matches(|c: char| c.is_whitespace() || "\\\"'|>-".contains(c));
    let end = value.find(|c: char| c.is_whitespace() || "\"'\\,}];".contains(c));
    value.get(..end.unwrap_or(value.len())).unwrap_or_default()
}

/// Whether a value is not what `kubectl config view` writes in place of a secret, and not a placeholder.
fn is_credential(value: &str) -> bool {
    const SHOWN: [&str; 2] = ["REDACTED", "DATA+OMITTED"];
    value.len() >= 6
        && !SHOWN.contains(&value)
        && !value.starts_with(['<', '$', '{', '*', '.', '…', '?'])
        && !value.ends_with(':')
}

/// Whether a word is 32 bytes in base64, as `wg` writes them, or that text in base64 again, as a Secret has it.
fn is_wireguard_key(word: &str) -> bool {
    matches!(word.len(), 44 | 60) && word.trim_end_matches('=').chars().all(is_digit)
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/')
}

/// The long runs of base64, each with its place. A run goes on in the next line, as `base64` writes it.
fn base64_runs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut end, mut is_long) = (0, false);
    for range in runs(text, is_digit) {
        let between = text.get(end..range.start).unwrap_or_default();
        let is_next_line = between.contains('\n') && between.trim().is_empty();
        let digits = text.get(range.clone()).unwrap_or_default();
        end = range.end;
        if is_long
            && is_next_line
            && let Some((_, all)) = found.last_mut()
        {
            all.push_str(digits);
            continue;
        }
        is_long = digits.len() >= SHORTEST;
        if is_long {
            found.push((range.start, digits.to_owned()));
        }
    }
    for (_, digits) in &mut found {
        // one digit too many: it belongs to the next word
        digits.truncate(digits.len() - usize::from(digits.len() % 4 == 1));
    }
    found
}

#[cfg(test)]
mod tests;
