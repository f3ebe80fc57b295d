//! What is found wrong with a document, collected.

use super::{Code, Diagnostic, Label, Rule, Source, Span, counted};
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

/// The problems found so far: the first ones, and how many more there are. The worst are the first, and those of a level are in the order of
/// the document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    found: Vec<Diagnostic>,
    more: usize,
    /// How many more notes there are.
    more_notes: usize,
}

fn order(it: &Diagnostic) -> (Severity, usize, Code, &str) {
    (it.level, it.primary.span.start, it.code, &it.message)
}

impl Problems {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.push_within(KEPT, diagnostic);
    }

    /// Adds a diagnostic where only the first `kept` are kept.
    pub(crate) fn push_within(&mut self, kept: usize, diagnostic: Diagnostic) {
        let is_before = |it: &Diagnostic| order(it) <= order(&diagnostic);
        let place = self.found.partition_point(is_before);
        if place >= kept {
            return self.count(diagnostic.level, 1);
        }
        self.found.insert(place, diagnostic);
        self.truncate(kept);
    }

    /// Adds an error at this place. It is made only if it is kept.
    pub fn push_at(&mut self, span: Span, error: impl FnOnce() -> Diagnostic) {
        match self.found.get(KEPT - 1) {
            Some(last) if (last.level, last.primary.span.start) < (Severity::Error, span.start) => {
                self.count(Severity::Error, 1);
            }
            _ => self.push(error()),
        }
    }

    /// Adds a broken rule at a place, with the help.
    pub fn add(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Rule::new(code, message).help(help).mark(span));
    }

    /// Adds problems that were found and are not kept.
    pub(crate) const fn count(&mut self, level: Severity, more: usize) {
        match level {
            Severity::Note => self.more_notes += more,
            _ => self.more += more,
        }
    }

    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// Keeps the first `kept` diagnostics, and counts the others.
    pub(crate) fn truncate(&mut self, kept: usize) {
        for it in self.found.split_off(kept.min(self.found.len())) {
            self.count(it.level, 1);
        }
        // thousands of documents keep what they have room for
        self.found.shrink_to(kept);
    }

    /// Keeps the diagnostics for which this is true; returns how many are gone.
    pub fn retain(&mut self, is_kept: impl FnMut(&mut Diagnostic) -> bool) -> usize {
        let before = self.found.len();
        self.found.retain_mut(is_kept);
        before - self.found.len()
    }

    /// Makes errors of the notes, except of those that no edit of the document can fix.
    pub(crate) fn raise_notes(&mut self) {
        for it in &mut self.found {
            if !it.code.is_announcement() {
                it.level = Severity::Error;
            }
        }
        self.more += std::mem::take(&mut self.more_notes);
        self.found
            .sort_by(|one, other| order(one).cmp(&order(other)));
    }

    /// How many problems there are, notes among them.
    pub fn len(&self) -> usize {
        self.found.len() + self.more + self.more_notes
    }

    /// How many of them are notes.
    pub fn count_notes(&self) -> usize {
        let notes = self.found.iter().filter(|it| it.level == Severity::Note);
        notes.count() + self.more_notes
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The diagnostics that were kept.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// The places of the diagnostics, each with the other document that it is in, if it is in another one.
    pub fn labels_mut(&mut self) -> impl Iterator<Item = (Option<&Source>, &mut Label)> {
        self.found.iter_mut().flat_map(|it| {
            let here = std::iter::once(&mut it.primary).chain(&mut it.secondary);
            let elsewhere = it.elsewhere.iter_mut();
            let elsewhere = elsewhere.map(|other| (Some(&other.source), &mut other.label));
            here.map(|label| (None, label)).chain(elsewhere)
        })
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
    pub problems: Problems,
    pub source: Source,
}

impl Invalid {
    /// One problem of a file whose text is not shown.
    pub(crate) fn of_path(code: Code, path: &Path, message: String, help: &str) -> Self {
        let mut problems = Problems::default();
        problems.add(code, Span::default(), message, help);
        let source = Source::new(&path.display().to_string(), String::new());
        Self { problems, source }
    }

    /// Whether all problems are notes, so that the document is taken.
    pub fn is_note(&self) -> bool {
        self.problems.count_notes() == self.problems.len()
    }

    /// The problems that a report shows: the first 50, and how many more there are, with the level of the worst.
    pub fn first_problems(
        &self,
    ) -> (
        impl Iterator<Item = &Diagnostic>,
        Option<(Severity, String)>,
    ) {
        // of a large fleet's document fewer are kept
        let shown = self.problems.iter().take(SHOWN).count();
        let rest = self.problems.len().saturating_sub(shown);
        let (level, what) = if rest <= self.problems.count_notes() {
            (Severity::Note, "more note")
        } else {
            (Severity::Error, "more problem")
        };
        let more = format!("{} in {}", counted(rest, what), self.source.name());
        let more = (rest > 0).then_some((level, more));
        (self.problems.iter().take(SHOWN), more)
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is not a valid peering", self.source.name())
    }
}

impl std::error::Error for Invalid {}
