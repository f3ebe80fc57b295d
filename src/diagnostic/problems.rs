//! What is found wrong with a document, collected.

use super::{Code, Diagnostic, Look, Paths, Rule, Source, Span, text};
use std::fmt;

/// How many diagnostics of one document are shown; the rest are counted. Each is shown in the time that it takes to read
/// the document, and a document can have as many as it has bytes.
const SHOWN: usize = 50;

/// Everything found wrong so far. Empty means that nothing was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    found: Vec<Diagnostic>,
}

impl Problems {
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Adds a broken rule at a place, with the way out.
    pub fn refuse(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Rule::new(code, message).help(help).at(span));
    }

    /// Adds some.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(diagnostics);
    }

    /// Keeps those of which this is true.
    pub fn retain(&mut self, keep: impl Fn(&Diagnostic) -> bool) {
        self.found.retain(keep);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The diagnostics in the order of the document.
    pub fn sorted(mut self) -> Self {
        self.found.sort_by(|a, b| {
            (a.primary.span.start, a.code, &a.message).cmp(&(b.primary.span.start, b.code, &b.message))
        });
        self
    }

    /// The diagnostics.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }
}

/// Whether a document with a problem is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It is.
    Error,
    /// It is taken: the problem is likely a mistake, and may be meant.
    Note,
}

impl Severity {
    /// As reports have it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Note => "note",
        }
    }
}

/// A document with problems, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// How bad they are.
    pub severity: Severity,
    /// What is wrong, in the order of the document.
    pub problems: Problems,
    /// The text.
    pub source: Source,
    /// The fields of its places.
    pub paths: Paths,
}

impl Invalid {
    /// What a report shows: the first 50, and how many more there are.
    pub fn shown(&self) -> (impl Iterator<Item = &Diagnostic>, Option<String>) {
        let rest = self.problems.found.len().saturating_sub(SHOWN);
        let what = if self.severity == Severity::Note { "notes" } else { "problems" };
        let more = (rest > 0).then(|| format!("{rest} more {what} in {}", self.source.name()));
        (self.problems.iter().take(SHOWN), more)
    }

    /// What a person reads on stderr: the first 50, and how many more; nothing secret in it.
    pub fn screen(&self, look: Look) -> String {
        text::screen(self, look)
    }

    /// The same in at most 20 lines of plain text, the code first, without snippets.
    pub fn brief(&self) -> String {
        text::brief(self)
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is not a valid peering", self.source.name())
    }
}

impl std::error::Error for Invalid {}
