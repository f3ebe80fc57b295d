//! An error as reports have it.

use super::Error;
use crate::diagnostic::{Finding, Judged, Severity};
use crate::report::Report;

/// How many findings a report has; the others are counted. Of each there can be a page of Markdown in some forms.
const FINDINGS_MAX: usize = 10_000;

impl Error {
    /// One finding for each diagnostic of a document that is shown, and one that counts the rest.
    pub fn findings(&self) -> Vec<Finding> {
        let Self::Document(invalid) = self else {
            return vec![self.finding(Severity::Error, self.to_string())];
        };
        let (shown, more) = invalid.shown();
        let more = more.map(|message| self.finding(invalid.severity, message));
        shown.map(|diagnostic| Finding::of(diagnostic, invalid)).chain(more).collect()
    }

    /// A finding without a place.
    fn finding(&self, level: Severity, message: String) -> Finding {
        Finding::new(level, self.page(), message).help(self.help())
    }

    /// How many problems it has.
    fn count(&self) -> usize {
        match self {
            Self::Document(invalid) => invalid.problems.len(),
            _ => 1,
        }
    }
}

/// The report of so many peerings. A finding is made only if it is kept.
pub fn report(peerings: usize, errors: &[Error], judged: Judged) -> Report {
    let (mut findings, mut more) = (Vec::new(), 0);
    for error in errors {
        if findings.len() < FINDINGS_MAX {
            findings.extend(error.findings());
        } else {
            more += error.count();
        }
    }
    Report { peerings, headline: None, findings, more, judged }
}
