//! The output: all text for people passes here, and only here it is masked as a whole. Two more things are hidden here. The first is every
//! secret that this run has opened or derived, since a password in a kubeconfig looks like a word. The second is characters that are
//! invisible, or change how others look.

use super::labelled::field_at_end;
use super::{TextKind, masked};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::{Range, RangeInclusive};
use std::sync::{Mutex, MutexGuard, PoisonError};
use zeroize::{Zeroize as _, Zeroizing};

/// The marks around text that stays readable although it looks like key material: names of files, folders and repositories, and public keys
/// that people compare.
///
/// All text is masked on its way out, so readable text must be marked where it enters a message. The marks are two noncharacters, which
/// Unicode reserves for internal use (Unicode 17, section 23.7); the way out removes them. No one can set a mark from outside: in a value
/// or a name it is shown as `?`, or removed.
const BEGIN: char = '\u{fdd0}';
const END: char = '\u{fdd1}';

/// The name of a file, a folder or a repository in a message. Its parts are checked one by one: a path is not a key because it is long, but
/// a part of it may be one.
pub(crate) fn shown_name(name: &str) -> String {
    let shown = masked(&on_one_line(name), &[], TextKind::Name);
    // `rome-token: it is not there` is a message, not a field with a value
    if field_at_end(&shown).is_some() {
        format!("{BEGIN}{shown}{END}")
    } else {
        readable(&shown)
    }
}

/// The name of a file in a folder that exists. Its path is not a key in pieces, so only single parts of it can be a key.
pub(crate) fn shown_parts(name: &str) -> String {
    let mut parts = Vec::new();
    for part in on_one_line(name).split('/') {
        parts.push(masked(part, &[], TextKind::Name));
    }
    format!("{BEGIN}{}{END}", parts.join("/"))
}

fn on_one_line(name: &str) -> String {
    name.replace([BEGIN, END], "")
        .replace(['\n', '\r', '\t'], "?")
}

/// A name, quoted for a shell, in a command that a person copies. Anyone with push access may have chosen the name. It stays one word, and
/// cannot be a flag (POSIX.1-2024, XCU 2.2.2, Single-Quotes).
pub(crate) fn shell_word(name: &str) -> String {
    let mut letters = name.chars();
    let is_plain = letters.all(|c| c.is_ascii_alphanumeric() || "/._-:@=,+%".contains(c));
    let here = if name.starts_with('-') { "./" } else { "" };
    let shown = shown_name(name);
    // zsh expands `=` at the beginning
    if !name.is_empty() && !name.starts_with('=') && is_plain {
        return format!("{here}{shown}");
    }
    // a backtick would end the command in a message
    format!("'{here}{}'", shown.replace('\'', r"'\''").replace('`', "?"))
}

/// A public text that is not masked: a public key, a recipient, a digest.
pub(crate) fn readable(text: &str) -> String {
    if masked(text, &[], TextKind::Text) == text {
        text.to_owned()
    } else {
        format!("{BEGIN}{text}{END}")
    }
}

pub(super) const fn is_mark(c: char) -> bool {
    matches!(c, BEGIN | END)
}

/// A text as it is printed, with the parts of it that are not masked.
#[derive(Default)]
pub(super) struct Parts<'t> {
    /// The text without marks and escape sequences.
    pub(super) text: String,
    pub(super) readable: Vec<Range<usize>>,
    /// Escape sequences for colours, each with its place in the text.
    pub(super) escapes: Vec<(usize, &'t str)>,
}

impl<'t> Parts<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut parts = Self::default();
        let mut begin = None;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            if c == BEGIN {
                begin = Some(parts.text.len());
            } else if c == END {
                if let Some(begin) = begin.take() {
                    parts.readable.push(begin..parts.text.len());
                }
            } else if let Some(escape) = escape(rest) {
                parts.escapes.push((parts.text.len(), escape));
                length = escape.len();
            } else {
                parts.text.push(c);
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        parts
    }
}

/// A sequence that sets a colour. Values and documents cannot have one: `mask` shows their
/// escape characters as `?`.
fn escape(text: &str) -> Option<&str> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    let rest = parameters.get(end..)?.strip_prefix('m')?;
    text.get(..text.len() - rest.len())
}

/// A text as it leaves the process: without possible key material, except where it is marked as readable, and without any secret that this
/// run has seen. It is masked line by line: secrets over several lines are masked where a document enters a text.
pub fn printed(text: &str) -> String {
    text.split_inclusive('\n').map(line).collect()
}

fn line(text: &str) -> String {
    let parts = Parts::new(text);
    let text = masked(&parts.text, &parts.readable, TextKind::Text);
    let mut whole = String::with_capacity(text.len());
    let mut from = 0;
    for (at, escape) in parts.escapes {
        // masking keeps all places
        whole += text.get(from..at).unwrap_or_default();
        whole += escape;
        from = at;
    }
    whole += text.get(from..).unwrap_or_default();
    without_commands(redacted(&whole))
}

/// GitHub and Azure Pipelines run `##[` and `##vso[` as commands anywhere in the log of a job (actions/runner
/// `src/Runner.Common/ActionCommand.cs`). In `###[`, one replacement leaves a `##[`, so it is done twice.
pub(crate) fn without_commands(text: String) -> String {
    if text.contains("##") {
        text.replace("##", "#\\#").replace("##", "#\\#")
    } else {
        text
    }
}

/// A writer that shows each line as [`printed`] does.
pub struct Redacting<W: Write> {
    inner: W,
    line: Vec<u8>,
}

impl<W: Write> Redacting<W> {
    /// Hides secrets in what goes to this writer.
    pub const fn new(inner: W) -> Self {
        Self {
            inner,
            line: Vec::new(),
        }
    }

    fn pass(&mut self, end: usize) -> io::Result<()> {
        let rest = self.line.split_off(end);
        let lines = std::mem::replace(&mut self.line, rest);
        let text = printed(&String::from_utf8_lossy(&lines));
        self.inner.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Redacting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            self.pass(end + 1)?;
        }
        Ok(bytes.len())
    }

    /// Writes the rest of a line too: a prompt has no line break.
    fn flush(&mut self) -> io::Result<()> {
        self.pass(self.line.len())?;
        self.inner.flush()
    }
}

impl<W: Write> Drop for Redacting<W> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

// A text for people, masked on its way out like those on standard error. A doc comment would become the schema's description.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "String")]
pub struct Shown(String);

impl Shown {
    /// The text before it is masked.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as it leaves the process.
    pub(crate) fn masked(&self) -> String {
        printed(&self.0)
    }
}

impl From<String> for Shown {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Serialize for Shown {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.masked())
    }
}

/// The secrets that were opened or derived in this run.
static SEEN: Mutex<Vec<Zeroizing<String>>> = Mutex::new(Vec::new());

fn seen_secrets() -> MutexGuard<'static, Vec<Zeroizing<String>>> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The shortest secret that is remembered. A shorter value would hide parts of normal words.
const SHORTEST: usize = 6;

/// Remembers a secret until [`forget`].
pub(crate) fn remember(secret: &str) {
    let mut seen = seen_secrets();
    if secret.len() >= SHORTEST && seen.iter().all(|known| known.as_str() != secret) {
        // the longest first: a shorter one may be a part of it
        let place = seen.partition_point(|known| known.len() >= secret.len());
        seen.insert(place, Zeroizing::new(secret.to_owned()));
    }
}

/// Wipes what was remembered.
pub fn forget() {
    seen_secrets().zeroize();
}

/// The text without any remembered secret.
pub(super) fn redacted(text: &str) -> String {
    let mut text = text.to_owned();
    for secret in seen_secrets().iter() {
        // a text is copied only if it contains the secret: a fleet has thousands of secrets
        if text.contains(secret.as_str()) {
            text = text.replace(secret.as_str(), "***");
        }
    }
    text
}

/// Unicode's control and format characters (general categories Cc, Cf, Zl, Zp), the default ignorable ones (`DerivedCoreProperties.txt`),
/// and U+2800, the one empty letter that is in neither. In the order of their codes.
///
/// This is a table, not a crate at run time: `icu_properties` would bring 35 more crates, some with unsafe code, and
/// `unicode-general-category` 49 KB and nothing about default ignorable characters. A test compares the table with the crate `regex`, code
/// by code, so a new release of Unicode fails the test.
#[rustfmt::skip] // a table
const UNSEEN: [RangeInclusive<char>; 28] = [
    '\0'..='\u{1f}', '\u{7f}'..='\u{9f}', '\u{ad}'..='\u{ad}', '\u{34f}'..='\u{34f}',
    '\u{600}'..='\u{605}', '\u{61c}'..='\u{61c}', '\u{6dd}'..='\u{6dd}', '\u{70f}'..='\u{70f}',
    '\u{890}'..='\u{891}', '\u{8e2}'..='\u{8e2}', '\u{115f}'..='\u{1160}', '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}', '\u{200b}'..='\u{200f}', '\u{2028}'..='\u{202e}', '\u{2060}'..='\u{206f}',
    '\u{2800}'..='\u{2800}', '\u{3164}'..='\u{3164}', '\u{fe00}'..='\u{fe0f}', '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}', '\u{fff0}'..='\u{fffb}', '\u{110bd}'..='\u{110bd}', '\u{110cd}'..='\u{110cd}',
    '\u{13430}'..='\u{1343f}', '\u{1bca0}'..='\u{1bca3}', '\u{1d173}'..='\u{1d17a}', '\u{e0000}'..='\u{e0fff}',
];

/// Whether a character must not be in a name, nor reach a terminal.
pub(crate) fn is_unseen(c: char) -> bool {
    if matches!(c, ' '..='~') {
        return false;
    }
    let at = UNSEEN.partition_point(|range| *range.end() < c);
    matches!(UNSEEN.get(at), Some(range) if range.contains(&c))
}

#[cfg(test)]
mod tests;
