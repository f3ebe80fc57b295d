//! How errors of a person's commands are shown: on a terminal, and in a report.

use super::{Error, WorkstationError};
use crate::command::error::line_of;
use crate::diagnostic::{Finding, Judged, Look, Masks, Severity, counted};
use crate::report::Report;

impl WorkstationError {
    /// As [`Error::screen`].
    pub(crate) fn screen(&self, look: Look) -> String {
        let before = match self {
            Self::Reported | Self::Differs => return String::new(), // standard output has the outcome
            Self::Invalid {
                errors,
                peerings,
                judged,
                ..
            } => {
                let count = match peerings {
                    1 => tally(errors),
                    _ => self.to_string(),
                };
                let screen = format!("{}\n{count}\n", screens(errors, look));
                return match judged.line() {
                    Some(line) => screen + &line + "\n",
                    None => screen,
                };
            }
            Self::Uncompared(errors) => screens(errors, look),
            _ => String::new(),
        };
        before + &line_of(self.code(), self, self.help())
    }
}

impl Error {
    /// A finding for each diagnostic of a document that is shown, and one finding that counts the others.
    pub fn findings(&self) -> Vec<Finding> {
        let Self::Document(invalid) = self else {
            return vec![self.finding(Severity::Error, self.to_string())];
        };
        let (shown, more) = invalid.first_problems();
        let shown = shown.map(|it| Finding::from_diagnostic(it, &invalid.source));
        let more = more.map(|(level, message)| self.finding(level, message));
        shown.chain(more).collect()
    }

    /// A finding without a place.
    fn finding(&self, level: Severity, message: String) -> Finding {
        Finding::new(level, self.code(), message).help(self.help())
    }

    /// How many problems the error has.
    fn count(&self) -> usize {
        match self {
            Self::Document(invalid) => invalid.problems.len(),
            _ => 1,
        }
    }
}

/// The most problems that are shown; the document that reaches this number is shown completely. A person
/// reads no more, and a program has the report.
const SHOWN: usize = 200;

/// The errors of several peerings, with a blank line between two.
pub fn screens(errors: &[Error], look: Look) -> String {
    let mut all = Vec::new();
    let (mut shown, mut masks) = (0, Masks::default());
    for (index, error) in errors.iter().enumerate() {
        if shown >= SHOWN {
            let rest = errors.len() - index;
            all.push(format!(
                "error: problems of {rest} more documents; `--format json` reports them\n"
            ));
            break;
        }
        if let Error::Document(invalid) = error {
            shown += invalid.first_problems().0.count();
            all.push(invalid.screen_beside(look, &mut masks));
        } else {
            shown += 1;
            all.push(error.screen(look));
        }
    }
    all.join("\n")
}

/// How many problems and notes there are: `3 problems and 1 note`.
pub fn tally(errors: &[Error]) -> String {
    let (mut problems, mut notes) = (0, 0);
    for error in errors {
        match error {
            Error::Document(invalid) => {
                notes += invalid.problems.count_notes();
                problems += invalid.problems.len() - invalid.problems.count_notes();
            }
            _ => problems += 1,
        }
    }
    match (problems, notes) {
        (0, notes) => counted(notes, "note"),
        (problems, 0) => counted(problems, "problem"),
        _ => counted(problems, "problem") + " and " + &counted(notes, "note"),
    }
}

/// The most findings that a report lists; the others are counted. In some formats, a finding is a page of Markdown.
const FINDINGS_MAX: usize = 10_000;

/// The report of this many peerings. A finding is created only if it is kept.
pub fn report(peerings: usize, errors: &[Error], judged: Judged) -> Report {
    let (mut findings, mut more) = (Vec::new(), 0);
    for error in errors {
        if findings.len() < FINDINGS_MAX {
            findings.extend(error.findings());
        } else {
            more += error.count();
        }
    }
    Report {
        peerings,
        headline: None,
        findings,
        more,
        judged,
    }
}
