//! What is found wrong with a document, collected.

use super::text::{self, Masks};
use super::{Code, Diagnostic, Look, Paths, Rule, Source, Span};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// How many diagnostics of one document are shown; the rest are counted. Each is shown in the time that it takes to read
/// the document, and a document can have as many as it has bytes.
const SHOWN: usize = 50;

/// How many are kept: more than are shown, so that those with one cause are told by it (`input::yaml::tell_cause`), and
/// few enough for a fleet in which every document is wrong.
pub(crate) const KEPT: usize = 100;

/// What was found wrong so far: the first in the order of the document, and how many more. Empty means that nothing was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    found: Vec<Diagnostic>,
    more: usize,
}

impl Problems {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.push_at(diagnostic.primary.span, || diagnostic);
    }

    /// Adds one at this place, which is only made if it is kept.
    pub fn push_at(&mut self, span: Span, diagnostic: impl FnOnce() -> Diagnostic) {
        fn order(it: &Diagnostic) -> (usize, Code, &str) {
            (it.primary.span.start, it.code, &it.message)
        }
        let is_full = self.found.len() == KEPT;
        if is_full && self.found.last().is_some_and(|last| last.primary.span.start < span.start) {
            self.more += 1;
            return;
        }
        let diagnostic = diagnostic();
        let place = self.found.partition_point(|it| order(it) <= order(&diagnostic));
        self.found.insert(place, diagnostic);
        self.truncate(KEPT);
    }

    /// Adds a broken rule at a place, with the way out.
    pub fn refuse(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Rule::new(code, message).help(help).at(span));
    }

    /// The same, where there is no value then.
    pub fn refused<T>(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.refuse(code, span, message, help);
        None
    }

    /// Adds some that were found and not kept.
    pub fn count(&mut self, more: usize) {
        self.more += more;
    }

    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        diagnostics.into_iter().for_each(|it| self.push(it));
    }

    /// Keeps the first so many of those that were kept, and counts the others.
    pub(crate) fn truncate(&mut self, kept: usize) {
        self.more += self.found.len().saturating_sub(kept);
        self.found.truncate(kept);
    }

    /// Keeps those of which this is true, of those that were kept.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.found.retain(keep);
    }

    /// Those of which this is true, and the rest, with what was not kept.
    pub fn partition(self, is_first: impl Fn(&Diagnostic) -> bool) -> (Self, Self) {
        let (first, rest) = self.found.into_iter().partition(is_first);
        (Self { found: first, more: 0 }, Self { found: rest, more: self.more })
    }

    /// Whether there are more than are kept.
    pub(crate) const fn is_cut(&self) -> bool {
        self.more != 0
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len() + self.more
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The diagnostics that were kept, in the order of the document.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// The places that they speak of.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.found
            .iter()
            .flat_map(|it| [&it.primary].into_iter().chain(&it.secondary))
            .map(|label| label.span)
    }
}

/// How bad a problem is. The worst is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The document is refused; the peering does not work, or not as the document describes it.
    Error,
    /// The peering will stop working, or was not checked. No document has one.
    Warning,
    /// The document is taken: the problem is likely a mistake, and may be meant.
    Note,
}

impl Severity {
    /// As reports have it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
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
    pub source: Source,
    /// The fields of the places that they speak of.
    pub paths: Paths,
}

impl Invalid {
    /// Without the fields of its places: of a file that is no document, or whose message names them.
    pub(crate) fn of_file(severity: Severity, problems: Problems, source: &Source) -> Self {
        Self { severity, problems, source: source.clone(), paths: Paths::default() }
    }

    /// One problem of a file of which no text is shown.
    pub(crate) fn of_path(severity: Severity, code: Code, path: &Path, message: String, help: &str) -> Self {
        let mut problems = Problems::default();
        problems.refuse(code, Span::default(), message, help);
        Self::of_file(severity, problems, &Source::new(&path.display().to_string(), String::new()))
    }

    /// The same of each part that has any.
    pub(crate) fn of_parts(parts: [(Severity, Problems); 2], source: &Source) -> Vec<Self> {
        let some = parts.into_iter().filter(|(_, problems)| !problems.is_empty());
        some.map(|(severity, problems)| Self::of_file(severity, problems, source)).collect()
    }

    /// What a report shows: the first 50, and how many more there are.
    pub fn shown(&self) -> (impl Iterator<Item = &Diagnostic>, Option<String>) {
        let rest = self.problems.len().saturating_sub(SHOWN);
        let what = if self.severity == Severity::Note { "notes" } else { "problems" };
        let more = (rest > 0).then(|| format!("{rest} more {what} in {}", self.source.name()));
        (self.problems.iter().take(SHOWN), more)
    }

    /// What a person reads on stderr: the first 50, and how many more; nothing secret in it.
    pub fn screen(&self, look: Look) -> String {
        self.screen_beside(look, &mut Masks::default())
    }

    /// The screen beside other documents.
    pub fn screen_beside<'t>(&'t self, look: Look, masks: &mut Masks<'t>) -> String {
        text::screen(self, look, masks)
    }

    /// The screen in at most 20 lines of plain text, the code first, without snippets.
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
