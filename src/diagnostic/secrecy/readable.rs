//! What stays readable although it looks like key material: names of files, folders and repositories, and public keys that are
//! there to be compared.
//!
//! Everything is masked on its way out, so what must stay readable there is marked where it enters a text: by two
//! noncharacters, which Unicode leaves for such internal use (Unicode 17, section 23.7), and which the way out removes.
//! A mark cannot be set from outside: in a value or a name it is shown as `?`, or removed.

use super::{Reading, masked};
use std::ops::Range;

const BEGIN: char = '\u{fdd0}';
const END: char = '\u{fdd1}';

/// A name of a file, a folder or a repository in a message. Its parts are looked at one by one: a path is no key because it
/// is long, but a part of it may be one.
pub(crate) fn shown_name(name: &str) -> String {
    let plain = name.replace([BEGIN, END], "").replace(['\n', '\r', '\t'], "?");
    readable(&masked(&plain, &[], Reading::Name))
}

/// The name of a file in a folder that exists. What leads there is no key in pieces, so only its parts can be one.
pub(crate) fn shown_parts(name: &str) -> String {
    let part = |part: &str| masked(&part.replace(['\n', '\r', '\t'], "?"), &[], Reading::Name);
    let parts: Vec<String> = name.replace([BEGIN, END], "").split('/').map(part).collect();
    // always: beside other words a part that is shown could be taken for a group of a key
    format!("{BEGIN}{}{END}", parts.join("/"))
}

/// A text that is public, and is not to be masked: a public key, a recipient, a digest.
pub(crate) fn readable(text: &str) -> String {
    if masked(text, &[], Reading::Text) == text { text.to_owned() } else { format!("{BEGIN}{text}{END}") }
}

pub(super) const fn is_mark(c: char) -> bool {
    matches!(c, BEGIN | END)
}

/// A text as it is printed, and what in it is not text to be masked.
#[derive(Default)]
pub(super) struct Parts<'t> {
    /// Without marks and escape sequences.
    pub(super) text: String,
    pub(super) readable: Vec<Range<usize>>,
    /// Colours and cleared lines, each with its place in the text.
    pub(super) escapes: Vec<(usize, &'t str)>,
}

impl<'t> Parts<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut parts = Self::default();
        let mut begin = None;
        // the display of progress begins with it; at a line's beginning it goes back over nothing
        let (first, mut rest) = text.split_at(usize::from(text.starts_with('\r')));
        parts.escapes.extend((!first.is_empty()).then_some((0, first)));
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            if c == BEGIN {
                begin = Some(parts.text.len());
            } else if c == END {
                parts.readable.extend(begin.take().map(|begin| begin..parts.text.len()));
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

/// A sequence that sets a colour or clears the line. Values and documents cannot have one: `mask` shows their
/// escape characters as `?`.
fn escape(text: &str) -> Option<&str> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    let is_known = parameters.get(end..)?.starts_with(['m', 'K']);
    text.get(..text.len() - parameters.len() + end + 1).filter(|_| is_known)
}
