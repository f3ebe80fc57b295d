//! What is found wrong with a document, collected.

use super::text::{self, Masks};
use super::{Code, Diagnostic, Look, Paths, Rule, Source, Span};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// How many diagnostics of one document are shown; the others are counted. To show one takes as long as to read the document, and a
/// document can have as many diagnostics as bytes.
const SHOWN: usize = 50;

/// How many diagnostics of one document are kept. More than are shown, so that the first ones in its order are among them,
/// and few enough for a fleet in which every document is wrong.
pub(crate) const KEPT: usize = 100;

/// The problems found so far: the first ones in the order of the document, and how many more there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    found: Vec<Diagnostic>,
    more: usize,
}

impl Problems {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.push_at(diagnostic.primary.span, || diagnostic);
    }

    /// Adds a diagnostic at this place. It is made only if it is kept.
    pub fn push_at(&mut self, span: Span, diagnostic: impl FnOnce() -> Diagnostic) {
        fn order(it: &Diagnostic) -> (usize, Code, &str) {
            (it.primary.span.start, it.code, &it.message)
        }
        let is_full = self.found.len() == KEPT;
        if is_full
            && self
                .found
                .last()
                .is_some_and(|last| last.primary.span.start < span.start)
        {
            self.more += 1;
            return;
        }
        let diagnostic = diagnostic();
        let place = self
            .found
            .partition_point(|it| order(it) <= order(&diagnostic));
        self.found.insert(place, diagnostic);
        if self.found.len() > KEPT {
            self.truncate(KEPT);
        }
    }

    /// Adds a broken rule at a place, with the help.
    pub fn refuse(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Rule::new(code, message).help(help).at(span));
    }

    /// As [`Self::refuse`]; returns no value.
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

    /// Adds problems that were found and are not kept.
    pub fn count(&mut self, more: usize) {
        self.more += more;
    }

    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        diagnostics.into_iter().for_each(|it| self.push(it));
    }

    /// Keeps the first `kept` diagnostics, and counts the others.
    pub(crate) fn truncate(&mut self, kept: usize) {
        self.more += self.found.len().saturating_sub(kept);
        self.found.truncate(kept);
        // thousands of documents keep what they have room for
        self.found.shrink_to(kept);
    }

    /// The diagnostics for which this is true, and the others, together with those that are only counted.
    pub fn partition(self, is_first: impl Fn(&Diagnostic) -> bool) -> (Self, Self) {
        let (first, rest) = self.found.into_iter().partition(is_first);
        (
            Self {
                found: first,
                more: 0,
            },
            Self {
                found: rest,
                more: self.more,
            },
        )
    }

    /// How many problems there are.
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

    /// The places of the diagnostics.
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
    /// The word in reports.
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
    /// The severity of all problems.
    pub severity: Severity,
    /// What is wrong, in the order of the document.
    pub problems: Problems,
    pub source: Source,
    /// The fields at the places of the problems.
    pub paths: Paths,
}

impl Invalid {
    /// Problems without the fields of their places: the file is not a document, or the message already names the fields.
    pub(crate) fn of_file(severity: Severity, problems: Problems, source: &Source) -> Self {
        Self {
            severity,
            problems,
            source: source.clone(),
            paths: Paths::default(),
        }
    }

    /// One problem of a file whose text is not shown.
    pub(crate) fn of_path(
        severity: Severity,
        code: Code,
        path: &Path,
        message: String,
        help: &str,
    ) -> Self {
        let mut problems = Problems::default();
        problems.refuse(code, Span::default(), message, help);
        Self::of_file(
            severity,
            problems,
            &Source::new(&path.display().to_string(), String::new()),
        )
    }

    /// One such value for each severity that has problems.
    pub(crate) fn of_parts(parts: [(Severity, Problems); 2], source: &Source) -> Vec<Self> {
        let some = parts
            .into_iter()
            .filter(|(_, problems)| !problems.is_empty());
        some.map(|(severity, problems)| Self::of_file(severity, problems, source))
            .collect()
    }

    /// Keeps the first `kept` problems with their fields, and counts the others.
    pub(crate) fn truncate(&mut self, kept: usize) {
        self.problems.truncate(kept);
        self.paths = self.paths.fields_at(self.problems.spans());
    }

    /// The problems that a report shows: the first 50, and how many more there are.
    pub fn shown(&self) -> (impl Iterator<Item = &Diagnostic>, Option<String>) {
        let rest = self.problems.len().saturating_sub(SHOWN);
        let what = if self.severity == Severity::Note {
            "notes"
        } else {
            "problems"
        };
        let more = (rest > 0).then(|| format!("{rest} more {what} in {}", self.source.name()));
        (self.problems.iter().take(SHOWN), more)
    }

    /// The text for a person on stderr: the first 50 problems, and how many more there are, without secrets.
    pub fn screen(&self, look: Look) -> String {
        self.screen_beside(look, &mut Masks::default())
    }

    /// As [`Self::screen`], in a run that shows several documents.
    pub fn screen_beside<'t>(&'t self, look: Look, masks: &mut Masks<'t>) -> String {
        text::screen(self, look, masks)
    }

    /// The problems as plain text of at most 20 lines, the code first, without snippets.
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
