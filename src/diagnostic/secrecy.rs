//! What is never shown: whatever could be key material, and characters that forge what a terminal shows.
//!
//! Argo CD stores a plugin's stderr in the Application's status, in Redis and in its logs. So everything for people is
//! masked on its way out, by one writer ([`Redacting`]; the strings of a JSON report by [`printed`]). Before that, what
//! comes from outside is masked where it enters a text, since there it is whole: a value by [`mask`], the lines of a
//! document by [`mask_document`], a name by `shown_name`, which also keeps it readable on the way out.
//!
//! It errs on the side of hiding: a false positive costs a person a look into the file, a false negative costs a key. It
//! recognises what can be recognised by its form. A password that looks like a word cannot; one that was opened in this
//! run is known by its value (`remember`).

mod encoded_words;
mod labelled;
mod output;
mod plaintext;

use crate::uri::credentials;
use encoded_words::Slash;
use output::is_mark;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

pub use output::{Redacting, forget, printed};
pub(crate) use output::{
    Shown, is_unseen, readable, remember, shell_word, shown_name, shown_parts, without_commands,
};
pub(crate) use plaintext::{Plaintext, plaintexts, text_of_bytes};

/// What a hidden character becomes. One byte for one byte, so that spans stay right.
const HIDDEN: u8 = b'*';

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// A message, or a value in one.
    Text,
    /// A file's, a folder's or a repository's name: its parts are looked at one by one.
    Name,
    /// A document as it is written: what cannot be recognised there is not shown.
    Document,
}

/// A value from outside that enters a text: with everything that could be key material hidden, and with a `?` for every
/// character that could forge what a terminal shows; of the same length in bytes, with the same line breaks.
pub fn mask(text: &str) -> String {
    masked(text, &[], Reading::Text)
}

/// Masks a document, whose lines are shown.
pub fn mask_document(text: &str) -> String {
    masked(text, &[], Reading::Document)
}

/// The last part of a path in a message. The whole path says what is hidden: the end of a key that somebody gave as
/// a path looks like a file's name.
pub(crate) fn shown_file_name(path: &Path) -> String {
    let whole = path.to_string_lossy();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let at = whole.rfind(&*name).unwrap_or_default();
    shown_name(masked(&whole, &[], Reading::Name).get(at..at + name.len()).unwrap_or_default())
}

fn masked(text: &str, public: &[Range<usize>], reading: Reading) -> String {
    let mut bytes = text.as_bytes().to_vec();
    // each byte once: thousands of ranges can end at the same place
    let mut done = 0;
    for range in secrets(text, public, reading) {
        replace(&mut bytes, public, range.start.max(done)..range.end, HIDDEN);
        done = done.max(range.end);
    }
    for (at, c) in text.char_indices() {
        let is_break = matches!(c, '\n' | '\t') || text.get(at..).is_some_and(|it| it.starts_with("\r\n"));
        if is_mark(c) || (is_unseen(c) && !is_break) {
            replace(&mut bytes, public, at..at + c.len_utf8(), b'?');
        }
    }
    // every range begins and ends at a character's boundary
    String::from_utf8(bytes).unwrap_or_else(|_| "*".repeat(text.len()))
}

/// The ranges that could be key material, in the order of their beginnings.
fn secrets(text: &str, public: &[Range<usize>], reading: Reading) -> Vec<Range<usize>> {
    let mut secrets = labelled::secrets(text, public);
    secrets.extend(credentials(text));
    let slash = if reading == Reading::Name { Slash::Parts } else { Slash::IsDigit };
    secrets.extend(encoded_words::find_encoded(text, slash));
    secrets.extend(encoded_words::find_groups(&apart(text, public), slash));
    if reading == Reading::Document {
        secrets.extend(labelled::escaped_lines(text));
        secrets.extend(encoded_words::long(text));
    }
    secrets.sort_unstable_by_key(|range| range.start);
    secrets
}

/// Replaces what is not public; white space is not hidden.
fn replace(bytes: &mut [u8], public: &[Range<usize>], range: Range<usize>, by: u8) {
    for at in range {
        // what is readable is in the order of the text, and a line can name thousands of things
        let next = public.partition_point(|range| range.end <= at);
        if let Some(byte) = bytes.get_mut(at)
            && (by != HIDDEN || !byte.is_ascii_whitespace())
            && !public.get(next).is_some_and(|range| range.contains(&at))
        {
            *byte = by;
        }
    }
}

/// The text with nothing at the places of what is public: that is no group of a key.
fn apart<'t>(text: &'t str, public: &[Range<usize>]) -> Cow<'t, str> {
    if public.is_empty() {
        return text.into();
    }
    let mut apart = String::with_capacity(text.len());
    for range in public {
        apart += text.get(apart.len()..range.start).unwrap_or_default();
        apart.extend(std::iter::repeat_n('\0', range.len()));
    }
    apart += text.get(apart.len()..).unwrap_or_default();
    apart.into()
}

/// Where a run of characters ends that begins at a place. Anyone with push access chooses the text, so the work must grow with
/// its length and not with its square: a test counts the characters that are visited here.
fn run_end(text: &str, from: usize, is_part: impl Fn(char) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    #[cfg(test)]
    tests::look_at(end);
    from + end
}

#[cfg(test)]
mod tests;
