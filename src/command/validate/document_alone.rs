//! Checks a document without a folder, and returns as texts what `validate -` prints.

use super::judgement::is_note;
use super::judges::judge;
use super::nothing_wrong;
use super::world::World;
use crate::command::error::workstation::{WorkstationError, report as report_of};
use crate::diagnostic::{Bug, Look, Source};
use crate::peering::Peering;
use crate::report;
use crate::state::repo::{Document, FoundDocument};

/// What is reported of a document without the files beside it.
pub(in crate::command) struct PlaygroundAnswer {
    /// The peering, if the document is valid: `generate --public` prints it also where a judge of the stream denies it.
    pub(in crate::command) peering: Option<Peering>,
    /// The output of `--format json`.
    pub(in crate::command) report: String,
    /// The text on standard error, before secrets are masked.
    pub(in crate::command) screen: String,
}

/// Checks a document as `validate -` does.
pub(in crate::command) fn answer(document: &Source) -> Result<PlaygroundAnswer, Bug> {
    let found = FoundDocument::without_files(
        super::INPUT.into(),
        Ok(Document::without_files(document.clone())),
    );
    let mut world = World::of_document(found);
    let (errors, judged) = judge(&world).into_parts();
    let is_right = errors.iter().all(is_note);
    let report = report::json(&report_of(1, &errors, judged.clone()))?;
    let screen = if is_right {
        nothing_wrong(1, &errors, &judged, Look::PLAIN) + "\n"
    } else {
        WorkstationError::Invalid {
            errors,
            wrong: 1,
            peerings: 1,
            judged,
        }
        .screen(Look::PLAIN)
    };
    let document = world.documents.pop();
    Ok(PlaygroundAnswer {
        peering: document.and_then(|it| it.read.ok()?.examined.peering),
        report,
        screen,
    })
}
