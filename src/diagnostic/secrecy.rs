//! What is never shown: everything that could be key material, and characters that forge the output of a terminal.
//!
//! Argo CD stores a plugin's stderr in the Application's status, in Redis and in its logs. So all text for people is masked on its way out,
//! by one writer ([`Redacting`]; the strings of a JSON report by [`printed`]). Before that, values from outside are masked where they enter
//! a text, since only there they are complete: a value by [`mask`], the lines of a document by [`mask_document`], a name by `shown_name`.
//! A name stays readable when the whole text is masked.
//!
//! In doubt, text is hidden: a false positive costs a person a look into the file, a false negative costs a key. Secrets are recognised by
//! their form. A password that looks like a word cannot be recognised, but one that was opened in this run is known by its value
//! (`remember`).

mod encoded_words;
mod labelled;
mod output;
#[cfg(feature = "workstation")]
mod plaintext;

use crate::uri::credentials;
use encoded_words::Slash;
use output::is_mark;
use std::ops::Range;
use std::path::Path;

pub use output::{Redacting, forget, printed};
pub(crate) use output::{
    Shown, is_unseen, readable, remember, shell_word, shown_name, shown_parts, without_commands,
};
#[cfg(feature = "workstation")]
pub(crate) use plaintext::{Plaintext, plaintexts, text_of_bytes};

/// The character that replaces a hidden one. One byte replaces one byte, so that spans stay right.
const HIDDEN: u8 = b'*';

/// The kind of a text that is masked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    /// A message, or a value in one.
    Text,
    /// The name of a file, a folder or a repository: its parts are checked one by one.
    Name,
    /// A document as it is written: a text whose meaning cannot be recognised is hidden.
    Document,
}

/// Masks a value from outside that enters a text. Possible key material is hidden, and each character that could forge
/// a terminal's output becomes `?`. The length in bytes and the line breaks stay.
pub fn mask(text: &str) -> String {
    masked(text, &[], TextKind::Text)
}

/// Masks a document, whose lines are shown without their comments.
pub fn mask_document(text: &str) -> String {
    masked(text, &[], TextKind::Document)
}

/// The last part of a path in a message. The whole path decides what is hidden: the end of a key that someone gave as a
/// path looks like a file's name.
pub(crate) fn shown_file_name(path: &Path) -> String {
    let whole = path.to_string_lossy();
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    let at = whole.rfind(&*name).unwrap_or_default();
    let masked = masked(&whole, &[], TextKind::Name);
    shown_name(masked.get(at..at + name.len()).unwrap_or_default())
}

fn masked(text: &str, public: &[Range<usize>], reading: TextKind) -> String {
    let mut bytes = text.as_bytes().to_vec();
    // each byte is replaced once: thousands of ranges can end at the same place
    let mut done = 0;
    for range in secrets(text, public, reading) {
        replace(&mut bytes, public, range.start.max(done)..range.end, HIDDEN);
        done = done.max(range.end);
    }
    if reading == TextKind::Document {
        for range in comments(text) {
            replace(&mut bytes, public, range, b' ');
        }
    }
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        let is_break = rest.starts_with(['\n', '\t']) || rest.starts_with("\r\n");
        if is_mark(c) || (is_unseen(c) && !is_break) {
            replace(&mut bytes, public, at..at + c.len_utf8(), b'?');
        }
    }
    // every range begins and ends at a character's boundary
    String::from_utf8(bytes).unwrap_or_else(|_| "*".repeat(text.len()))
}

/// The comments of a document, of which no message needs more than the one that is read: people note down secrets there. A ` #` in
/// quotes is taken for one.
fn comments(text: &str) -> Vec<Range<usize>> {
    const READ: &str = "# yaml-language-server:";
    let (mut comments, mut from) = (Vec::new(), 0);
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end();
        let mut signs = line.match_indices('#').map(|(at, _)| line.split_at(at));
        let comment = signs.find(|(before, _)| before.is_empty() || before.ends_with([' ', '\t']));
        if let Some((before, comment)) = comment
            && !comment.starts_with(READ)
        {
            comments.push(from + before.len()..from + line.len());
        }
        from += whole.len();
    }
    comments
}

/// The ranges that could be key material, in the order of their starts.
fn secrets(text: &str, public: &[Range<usize>], reading: TextKind) -> Vec<Range<usize>> {
    let mut secrets = labelled::secrets(text, public);
    secrets.extend(credentials(text));
    let slash = match reading {
        TextKind::Name => Slash::Parts,
        TextKind::Text | TextKind::Document => Slash::IsDigit,
    };
    secrets.extend(encoded_words::find_encoded(text, slash));
    if reading == TextKind::Document {
        secrets.extend(labelled::escaped_lines(text));
        secrets.extend(encoded_words::keys_over_lines(text));
    }
    secrets.sort_unstable_by_key(|range| range.start);
    secrets
}

/// Replaces the bytes of a range, but no public ones. White space is not hidden.
fn replace(bytes: &mut [u8], public: &[Range<usize>], range: Range<usize>, by: u8) {
    for at in range {
        // public ranges are in the order of the text, and a line can have thousands of them
        let next = public.partition_point(|range| range.end <= at);
        if let Some(byte) = bytes.get_mut(at)
            && (by != HIDDEN || !byte.is_ascii_whitespace())
            && !public.get(next).is_some_and(|range| range.contains(&at))
        {
            *byte = by;
        }
    }
}

/// The end of a run of characters. Anyone with push access chooses the text, so the work must grow with its length, not with the square of
/// it: a test counts the characters that are visited here.
fn run_end(text: &str, from: usize, is_part: impl Fn(char) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    #[cfg(test)]
    tests::look_at(end);
    from + end
}

#[cfg(test)]
mod tests;
