//! What the judges of a run have found, and what they have not judged.

use super::Validate;
use crate::command::Error;
use crate::diagnostic::{Invalid, Judged, Severity};
use std::collections::BTreeSet;

/// The number of the peering that a finding is about; `None` if it is about none.
pub(super) type PeeringNumber = Option<usize>;

#[derive(Default)]
pub(super) struct Judgement {
    found: Vec<(PeeringNumber, Error)>,
    pub(super) judged: Judged,
    /// Lines for the user beside the findings.
    pub(super) lines: Vec<String>,
}

impl Judgement {
    pub(super) fn add(&mut self, about: PeeringNumber, error: impl Into<Error>) {
        self.found.push((about, error.into()));
    }

    pub(super) fn add_all<E: Into<Error>>(
        &mut self,
        about: PeeringNumber,
        errors: impl IntoIterator<Item = E>,
    ) {
        let all = errors.into_iter().map(|error| (about, error.into()));
        self.found.extend(all);
    }

    /// Leaves out what is there twice, and the notes that `--allow` names; makes errors of notes with `--strict`; sorts by peering.
    pub(super) fn finish(&mut self, arguments: &Validate) {
        // two judges can meet one sealed file, and both sides can share it
        let mut seen = BTreeSet::new();
        self.found.retain(|(about, error)| {
            matches!(error, Error::Document(_)) || seen.insert((*about, error.to_string()))
        });
        self.leave_out_allowed(arguments);
        // what is about no peering is the last
        self.found
            .sort_by_key(|(about, _)| (about.is_none(), *about));
        if arguments.strict {
            for (about, error) in std::mem::take(&mut self.found) {
                for raised in notes_to_errors(error) {
                    self.add(about, raised);
                }
            }
        }
    }

    /// Takes out the notes that `--allow` names, and counts them.
    fn leave_out_allowed(&mut self, arguments: &Validate) {
        for (_, error) in self.found.iter_mut().filter(|(_, error)| is_note(error)) {
            if let Error::Document(notes) = error {
                let (allowed, rest) = std::mem::take(&mut notes.problems)
                    .partition(|note| arguments.allows(note.code.name()));
                notes.problems = rest;
                self.judged.allow(allowed.len());
            }
        }
        self.found
            .retain(|(_, error)| !matches!(error, Error::Document(it) if it.problems.is_empty()));
    }

    /// How many peerings are wrong.
    pub(super) fn count_wrong(&self) -> usize {
        let errors = self.found.iter().filter(|(_, error)| !is_note(error));
        let wrong: BTreeSet<usize> = errors.filter_map(|(about, _)| *about).collect();
        wrong.len()
    }

    /// The findings as errors, and what was judged.
    pub(super) fn into_parts(self) -> (Vec<Error>, Judged) {
        let errors = self.found.into_iter().map(|(_, error)| error);
        (errors.collect(), self.judged)
    }
}

pub(super) const fn is_note(error: &Error) -> bool {
    matches!(error, Error::Document(it) if matches!(it.severity, Severity::Note))
}

/// Turns notes into errors, except those that the user cannot fix.
fn notes_to_errors(error: Error) -> Vec<Error> {
    let Error::Document(notes) = error else {
        return vec![error];
    };
    let Invalid {
        severity,
        problems,
        source,
        paths,
    } = notes;
    let (announced, raised) = problems.partition(|it| it.code.is_announcement());
    let mut errors = Vec::new();
    for (severity, problems) in [(Severity::Error, raised), (severity, announced)] {
        if !problems.is_empty() {
            errors.push(Error::Document(Invalid {
                severity,
                problems,
                source: source.clone(),
                paths: paths.clone(),
            }));
        }
    }
    errors
}
