//! Checks a document without a folder, and returns as texts what `validate -` prints.

use super::checked::Checked;
use super::judges::State;
use super::{is_note, nothing_wrong};
use crate::command::Error;
use crate::command::error::workstation::{WorkstationError, report as report_of};
use crate::diagnostic::{Bug, Look, Source};
use crate::peering::Peering;
use crate::state::repo::{Document, Files, Found};
use crate::{report, rules};

/// What is reported of a document without the files beside it.
pub(in crate::command) struct Said {
    /// The peering, if nothing is wrong.
    pub(in crate::command) peering: Option<Peering>,
    /// The output of `--format json`.
    pub(in crate::command) report: String,
    /// The text on standard error, before secrets are masked.
    pub(in crate::command) screen: String,
}

/// Checks a document as `validate -` does.
pub(in crate::command) fn of_text(document: &Source) -> Result<Said, Bug> {
    let found = Found::alone(super::INPUT.into(), Ok(Document::alone(document.clone())));
    let mut checked = Checked::of(0, found, &mut Files::default());
    let member = checked.member.take();
    let (documents, members) = (std::slice::from_ref(&checked), member.as_slice());
    let state = State {
        documents,
        members,
        ..State::default()
    };
    let (found, judged) = (state.findings(), state.judged());
    let errors: Vec<Error> = found.into_iter().map(|(_, error)| error).collect();
    let peering = rules::read(document)
        .ok()
        .filter(|_| errors.iter().all(is_note));
    let report = report::json(&report_of(1, &errors, judged.clone()))?;
    let screen = if errors.iter().all(is_note) {
        nothing_wrong(1, &errors, &judged, Look::PLAIN) + "\n"
    } else {
        WorkstationError::Invalid {
            errors,
            wrong: 1,
            peerings: 1,
            silent: false,
            judged,
        }
        .screen(Look::PLAIN)
    };
    Ok(Said {
        peering,
        report,
        screen,
    })
}
