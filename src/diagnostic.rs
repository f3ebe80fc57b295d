//! What is wrong with a document: coded, located, collected, and written for the person who must correct it.
//!
//! Diagnostics are about the user's document, and there can be many of them. An error of a run is single, and belongs to the step that
//! failed.

mod code;
mod finding;
mod judged;
mod problems;
mod reasons;
pub mod secrecy;
mod source;
mod table;
mod text;

use std::fmt;
use std::ops::Range;
use strsim::damerau_levenshtein;

pub use code::{Code, Page};
pub use finding::{Finding, Place};
pub use judged::{Judged, NotJudged};
pub(crate) use problems::KEPT;
pub use problems::{Invalid, Problems, Severity};
pub(crate) use reasons::reasons;
pub(crate) use secrecy::{
    Shown, is_unseen, mask, printed, readable, shell_word, shown_file_name, shown_name, shown_parts,
};
pub use source::Source;
pub(crate) use table::{page, table};
pub use text::Masks;

/// Where something is in a document: a range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Span {
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// A broken rule without its place yet: the error of a domain type's `FromStr`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub code: Code,
    /// The rule, the limit, and what was found.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Rule {
    /// A broken rule without advice.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            help: None,
        }
    }

    /// A broken rule of a single value: `value` is not `what`.
    pub fn wrong_value(code: Code, value: &str, what: impl fmt::Display) -> Self {
        Self::new(code, format!("{} is not {what}", quoted(value)))
    }

    /// Adds the help.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the help to put quotes around the value.
    pub fn quote(self, value: &str) -> Self {
        let quoted = quoted(value);
        self.help(format!("quote it: `\"{}\"`", quoted.trim_matches('`')))
    }

    /// Adds the place of the broken rule. Its level is that of the code.
    pub fn mark(self, span: Span) -> Diagnostic {
        let level = if self.code.is_note() {
            Severity::Note
        } else {
            Severity::Error
        };
        Diagnostic {
            level,
            code: self.code,
            message: self.message,
            primary: Label::new(span, ""),
            secondary: Vec::new(),
            elsewhere: Vec::new(),
            help: self.help,
        }
    }
}

/// A place and a comment on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    /// The field whose key or value is at exactly this place, such as `spec.consumer.podCIDRs[0]`. Not known of the document itself, of a
    /// file that is not YAML, and where the message already names it.
    pub path: Option<String>,
    /// A few words, or none.
    pub text: String,
}

impl Label {
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self {
            span,
            path: None,
            text: text.into(),
        }
    }
}

/// A place in another document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The other document.
    pub source: Source,
    pub label: Label,
}

/// One thing that is wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub level: Severity,
    /// Which rule is broken.
    pub code: Code,
    /// One sentence, without a full stop, with values in backticks.
    pub message: String,
    /// The place to look at.
    pub primary: Label,
    /// Other places that the message mentions.
    pub secondary: Vec<Label>,
    /// Places in other documents that the message mentions.
    pub elsewhere: Vec<Elsewhere>,
    pub help: Option<String>,
}

impl Diagnostic {
    /// Sets the level, where the code alone does not decide it.
    pub fn level(self, level: Severity) -> Self {
        Self { level, ..self }
    }

    /// Adds words at the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label::new(span, text));
        self
    }

    /// Adds a place in another source.
    pub(crate) fn also_in(mut self, source: &Source, label: Label) -> Self {
        self.elsewhere.push(Elsewhere {
            source: source.clone(),
            label,
        });
        self
    }
}

/// The look of a text on its output: colours and width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether it has colours.
    pub styled: bool,
    /// The number of columns. Only the document's own lines are cut to it; a terminal wraps the rest itself, so that a
    /// command in a help can still be copied.
    pub width: usize,
}

impl Look {
    /// The look where the width is not known: in a pipe, in a file, or in Argo CD. It is constant, so a report is the
    /// same everywhere.
    pub const PLAIN: Self = Self {
        styled: false,
        width: 140,
    };

    /// The smallest width: below it, nothing would be left of a document's line.
    const NARROWEST: usize = 40;

    /// The look on a terminal with this many columns; `None` if the terminal does not report them.
    pub fn terminal(columns: Option<usize>) -> Self {
        Self {
            styled: true,
            width: columns.map_or(Self::PLAIN.width, |columns| columns.max(Self::NARROWEST)),
        }
    }
}

/// A bug in this program. It names the place, and quotes no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is a bug in argocd-peering: {0}")]
pub struct Bug(pub String);

impl Bug {
    /// A bug at a place.
    pub fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// What to do about it.
    pub const fn help(&self) -> &'static str {
        "please report it with the document, without secrets"
    }
}

/// `1 peering`, `2 peerings`
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The first `shown` texts, and how many more there are.
pub(crate) fn list_first(mut texts: Vec<String>, shown: usize) -> String {
    let more = texts.len().saturating_sub(shown);
    texts.truncate(shown);
    let text = texts.join(", ");
    match more {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// A value of the document as a message shows it: hidden if it could be key material, cut if it is long,
/// on one line, in backticks.
pub fn quoted(value: &str) -> String {
    const LONGEST: usize = 64;
    let masked: String = mask(value).chars().flat_map(char::escape_debug).collect();
    let masked = masked.replace("\\'", "'").replace("\\\"", "\"");
    format!("`{}`", cut(&masked, LONGEST))
}

/// The first `most` characters of a text, and `…` for the rest.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Whether a value is shown as it is. Values derived from a hidden one must be hidden too: in another spelling, key
/// material may look like a name.
pub fn is_unmasked(value: &str) -> bool {
    mask(value) == value
}

/// The words of a list, each in backticks: `a`, `b` or `c`.
pub fn list_or(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => format!("`{only}`"),
        [first @ .., last] => format!("`{}` or `{last}`", first.join("`, `")),
    }
}

/// The words of a list: a, b and c.
pub(crate) fn list_and(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        words => words.concat(),
    }
}

/// The word that was probably meant: at most a third of it differs. Two swapped letters count as one slip.
pub fn nearest<'w>(written: &str, words: &[&'w str]) -> Option<&'w str> {
    // a very long word is not a slip of a known one
    let written: String = written.chars().take(64).collect();
    let written = written.to_ascii_lowercase();
    let mut near = Vec::new();
    for word in words {
        let distance = damerau_levenshtein(&written, &word.to_ascii_lowercase());
        if distance <= (word.len() / 3).max(1) {
            near.push((distance, *word));
        }
    }
    Some(near.into_iter().min()?.1)
}

#[cfg(test)]
mod tests {
    use super::{list_or, nearest, quoted};

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let words = ["clusterID", "podCIDRs", "externalCIDR"];
        assert_eq!(nearest("clusterId", &words), Some("clusterID"));
        assert_eq!(nearest("podCIDR", &words), Some("podCIDRs"));
        assert_eq!(nearest("bananas", &words), None);
        assert_eq!(
            nearest("prot", &["port"]),
            Some("port"),
            "one slip, not two"
        );
        assert_eq!(nearest("rpot", &["mtu"]), None);
        assert_eq!(nearest("mtv", &["mtu"]), Some("mtu"));
        assert_eq!(nearest(&"x".repeat(1 << 20), &words), None);
    }

    #[test]
    fn values_are_shown_on_one_line_cut_and_without_keys() {
        assert_eq!(quoted("a\nb"), "`a\\nb`");
        assert_eq!(quoted("it's"), "`it's`");
        assert_eq!(quoted(&"x".repeat(100)), format!("`{}…`", "x".repeat(64)));
        assert!(!quoted("eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=").contains("eO1C"));
    }

    #[test]
    fn lists_read_as_english() {
        assert_eq!(list_or(&["a"]), "`a`");
        assert_eq!(list_or(&["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
