//! What the judges of a run have found, and what they have not judged.

use super::Validate;
use crate::command::Error;
use crate::diagnostic::{Code, Diagnostic, Invalid, Judged, Severity, list_first, shown_name};
use std::collections::{BTreeMap, BTreeSet};

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
        for error in errors {
            self.add(about, error);
        }
    }

    /// Leaves out what is there twice, and the notes that `--allow` names; makes errors of notes with `--strict`; sorts by peering.
    pub(super) fn finish(&mut self, arguments: &Validate) {
        // two judges can meet one sealed file, and both sides can share it
        let mut seen = BTreeSet::new();
        self.found.retain(|(about, error)| {
            matches!(error, Error::Document(_)) || seen.insert((*about, error.to_string()))
        });
        let is_left =
            |it: &mut Diagnostic| it.level != Severity::Note || !arguments.allows(it.code.name());
        self.found.retain_mut(|(_, error)| {
            let Error::Document(Invalid { problems, .. }) = error else {
                return true;
            };
            self.judged.allow(problems.retain(is_left));
            if arguments.strict {
                problems.raise_notes();
            }
            !problems.is_empty()
        });
        // what is about no peering is the last
        self.found
            .sort_by_key(|(about, _)| (about.is_none(), *about));
    }

    /// Leaves notes of the same words only at their first place, whose help names the others.
    pub(super) fn fold_notes(&mut self) {
        let mut places = BTreeMap::<NoteWords, Vec<String>>::new();
        for (_, error) in &self.found {
            let Error::Document(Invalid {
                problems, source, ..
            }) = error
            else {
                continue;
            };
            for note in problems.iter() {
                let (line, _) = source.position(note.primary.span.start);
                let place = format!("{}:{line}", shown_name(source.name()));
                let words = (note.code, note.message.clone(), note.help.clone());
                places.entry(words).or_default().push(place);
            }
        }
        for (_, error) in &mut self.found {
            if let Error::Document(Invalid { problems, .. }) = error {
                let gone =
                    problems.retain(|it| it.level != Severity::Note || fold(it, &mut places));
                problems.count(Severity::Note, gone);
            }
        }
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

/// What must be equal for two notes to be one: code, message, help.
type NoteWords = (Code, String, Option<String>);

/// How many other places of a note are named.
const PLACES: usize = 3;

/// Adds the other places to the help of the first of equal notes; `false` for each later one.
fn fold(note: &mut Diagnostic, places: &mut BTreeMap<NoteWords, Vec<String>>) -> bool {
    let words = (note.code, note.message.clone(), note.help.clone());
    let all = places.remove(&words).unwrap_or_default();
    if let [_, others @ ..] = all.as_slice()
        && !others.is_empty()
    {
        let also = format!("; the same at {}", list_first(others.to_vec(), PLACES));
        note.help.get_or_insert_default().push_str(&also);
    }
    !all.is_empty()
}

pub(super) fn is_note(error: &Error) -> bool {
    matches!(error, Error::Document(it) if it.is_note())
}
