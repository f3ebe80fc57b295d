//! Secrets that are recognised by a field's name, a prefix, the first line of PEM, or a fixed form.

use super::run_end;
use std::ops::Range;

/// Words after which the next value is hidden: fields of a kubeconfig, of a key Secret and of `wg`.
#[rustfmt::skip] // a table
const FIELDS: [&str; 16] = [
    "token", "password", "passphrase", "client-key-data", "client-certificate-data",
    "privatekey", "private-key", "private_key", "clientsecret", "client-secret", "apikey",
    "api-key", "accesskey", "secretkey", "secret-key", "secretaccesskey",
];

/// The prefixes of key material, which is hidden at any length.
const PREFIXES: [&str; 3] = ["AGE-SECRET-KEY-", "AGE-PLUGIN-", "ARGOCD-PEERING-SEED-"];

/// The ranges that are secret. A public range is a name, so no field begins at its end.
pub(super) fn secrets(text: &str, public: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut secrets = pem_blocks(text);
    for field in fields(text) {
        let next = public.partition_point(|range| range.end < field.end);
        match public.get(next) {
            Some(range) if range.start < field.end => {}
            _ => secrets.push(field.value),
        }
    }
    secrets.extend(prefixes(text));
    for (dot, _) in text.match_indices('.') {
        secrets.extend(bootstrap_token(text.as_bytes(), dot));
    }
    secrets
}

/// `-----BEGIN … PRIVATE KEY-----` up to its end, or to the end of the text.
pub(super) fn pem_blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    // cheaper than a search, and most texts have none
    if !text.contains("-----BEGIN") {
        return blocks;
    }
    let mut from = 0;
    while let Some(begin) = text.get(from..).and_then(|rest| rest.find("-----BEGIN")) {
        let begin = from + begin;
        let end = match text.get(begin..).and_then(|rest| rest.find("-----END")) {
            Some(end) => run_end(text, begin + end, |c| c != '\n'),
            None => text.len(),
        };
        blocks.push(begin..end);
        from = end;
    }
    blocks
}

/// The characters around a key or a value in YAML and JSON, also inside of a string.
pub(super) const QUOTES: [char; 4] = ['"', '\'', '\\', ' '];

/// Whether a text ends with a word, in upper or lower case.
pub(super) fn ends_with(text: &[u8], word: &str) -> bool {
    let start = text.len().saturating_sub(word.len());
    let end = text.get(start..).unwrap_or_default();
    end.eq_ignore_ascii_case(word.as_bytes())
}

/// A field that has a secret.
pub(super) struct SecretField {
    /// The name in [`FIELDS`].
    pub(super) name: &'static str,
    /// The end of the name in the text.
    end: usize,
    pub(super) value: Range<usize>,
}

/// The name of [`FIELDS`] that a text ends with.
pub(super) fn field_at_end(text: &str) -> Option<&'static str> {
    let mut fields = FIELDS.into_iter();
    fields.find(|field| ends_with(text.as_bytes(), field))
}

/// `token: …` and similar fields, in YAML or JSON, also inside of a string of YAML. The value is the rest of the line, or up to the end of
/// the next line that has content.
pub(super) fn fields(text: &str) -> Vec<SecretField> {
    let mut lines = None;
    let mut values = Vec::new();
    for (colon, separator) in text.match_indices([':', '=']) {
        let before = text.split_at(colon).0.trim_end_matches(QUOTES);
        if let Some(name) = field_at_end(before) {
            let value = colon + separator.len();
            let lines = lines.get_or_insert_with(|| TextLines::new(text));
            values.push(SecretField {
                name,
                end: before.len(),
                value: value..lines.end_of_value(value),
            });
        }
    }
    values
}

/// The lines of a text.
struct TextLines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    /// For each line, the end of the first line from there on that has content: more than a comment, quotes and a block's `|`.
    ends: Vec<usize>,
}

impl<'t> TextLines<'t> {
    fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let mut ends = vec![text.len(); starts.len()];
        let mut end = text.len();
        let mut next = text.len();
        for (start, place) in starts.iter().zip(&mut ends).rev() {
            if has_content(text, *start) {
                end = next;
            }
            *place = end;
            next = *start;
        }
        Self { text, starts, ends }
    }

    fn end_of_value(&self, value: usize) -> usize {
        let line = self.starts.partition_point(|start| *start <= value);
        if has_content(self.text, value) {
            return self.starts.get(line).copied().unwrap_or(self.text.len());
        }
        self.ends.get(line).copied().unwrap_or(self.text.len())
    }
}

/// Whether the line has content from this place on: more than a comment.
fn has_content(text: &str, from: usize) -> bool {
    let end = run_end(text, from, |c| {
        c != '\n' && (c.is_whitespace() || "\"'\\|>-+".contains(c))
    });
    !matches!(text.as_bytes().get(end), None | Some(b'\n' | b'#'))
}

/// `AGE-SECRET-KEY-1…` and similar texts, in upper or lower case (Bech32 allows both). The prefix stays, and shows what
/// was hidden.
pub(super) fn prefixes(text: &str) -> Vec<Range<usize>> {
    let mut secrets = Vec::new();
    let mut done = 0;
    // each prefix ends with a hyphen; a search for the prefixes costs more than all the rest for a short text
    for (hyphen, _) in text.match_indices('-') {
        let from = hyphen + "-".len();
        // not in a word that is already hidden
        let before = text.as_bytes().get(done..from).unwrap_or_default();
        if PREFIXES.iter().any(|prefix| ends_with(before, prefix)) {
            done = run_end(text, from, |c| c.is_ascii_alphanumeric() || c == '-');
            // the prefix alone, or with `1…`, is text of a documentation
            if done - from > "1".len() {
                secrets.push(from..done);
            }
        }
    }
    secrets
}

/// The token around a dot, `[a-z0-9]{6}\.[a-z0-9]{16}`, with which a machine joins a cluster (kubernetes
/// `staging/src/k8s.io/cluster-bootstrap` `token/api/types.go`, `BootstrapTokenPattern`).
fn bootstrap_token(bytes: &[u8], dot: usize) -> Option<Range<usize>> {
    const ID: usize = 6;
    const SECRET: usize = 16;
    let (from, end) = (dot.checked_sub(ID)?, dot + 1 + SECRET);
    let mut digits = bytes.get(from..dot)?.iter().chain(bytes.get(dot + 1..end)?);
    let is_one = digits.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    // a part of a longer word, such as a domain name, is not a token
    let before = from.checked_sub(1).and_then(|at| bytes.get(at));
    let longer = is_word(before)
        || before == Some(&b'.')
        || is_word(bytes.get(end))
        || (bytes.get(end) == Some(&b'.') && is_word(bytes.get(end + 1)));
    (is_one && !longer).then_some(from..end)
}

fn is_word(byte: Option<&u8>) -> bool {
    matches!(
        byte,
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_')
    )
}

/// Lines with `\x65`, `\u0065` or `\U00000065`. The text that YAML reads there cannot be recognised, so the whole line is hidden.
pub(super) fn escaped_lines(text: &str) -> Vec<Range<usize>> {
    let mut from = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        // what follows each backslash
        if line.split('\\').skip(1).any(is_escape) {
            lines.push(from..from + line.len());
        }
        from += line.len();
    }
    lines
}

/// Whether a character written as a number follows a backslash.
fn is_escape(rest: &str) -> bool {
    let rest = rest.as_bytes();
    let digits = match rest.first() {
        Some(b'x') => rest.get(1..=2),
        Some(b'u') => rest.get(1..=4),
        Some(b'U') => rest.get(1..=8),
        _ => None,
    };
    matches!(digits, Some(digits) if digits.iter().all(u8::is_ascii_hexdigit))
}
