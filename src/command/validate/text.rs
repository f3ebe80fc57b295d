//! A document alone, without a folder: what `validate -` says of it, as texts.

use super::{allowed, contradictions, is_note, looked_at, nothing_wrong};
use crate::command::error::{self, Error};
use crate::diagnostic::{Bug, Look, Source};
use crate::judge::claims::Member;
use crate::peering::Peering;
use crate::report;
use crate::rules::{self, Examined};

/// What is said of a document, without the files beside it.
pub(in crate::command) struct Said {
    /// If nothing is wrong but comments, which `generate` does not read.
    pub(in crate::command) peering: Option<Peering>,
    /// As `--format json` prints it.
    pub(in crate::command) report: String,
    /// As it is on standard error, before it is masked.
    pub(in crate::command) screen: String,
}

/// Looks at a document as `validate -` does.
pub(in crate::command) fn of_text(document: &Source) -> Result<Said, Bug> {
    let Examined { peering, invalid, notes } = rules::examine(document, |_| true);
    let member = peering.as_ref().map(|it| Member::new(0, it, invalid.is_some()));
    let contradictions = contradictions(member.as_slice(), std::slice::from_ref(document));
    let peering = peering.filter(|_| invalid.is_none() && contradictions.is_empty());
    let errors = invalid.into_iter().chain(notes).map(Error::from);
    let errors = errors.chain(contradictions.into_iter().map(|(_, error)| error)).collect();
    let (mut found, mut judged) = (vec![(0, errors)], looked_at(1, true, 0, false));
    allowed::accept(&mut found, [(0, document)].into_iter(), std::iter::empty(), true, &mut judged);
    let errors: Vec<Error> = found.into_iter().flat_map(|(_, errors)| errors).collect();
    let report = report::json(&error::report(1, &errors, judged.clone()))?;
    let screen = if errors.iter().all(is_note) {
        nothing_wrong(1, &errors, &judged, Look::PLAIN) + "\n"
    } else {
        Error::Invalid { errors, wrong: 1, peerings: 1, silent: false, judged }.screen(Look::PLAIN)
    };
    Ok(Said { peering, report, screen })
}
