//! `validate`: reports all problems of all given peerings, for both roles, without an identity.

mod contradictions;
mod copies;
mod document;
pub(crate) mod document_alone;
mod folder_files;
mod identity;
mod judgement;
mod judges;
mod uncommitted_files;
mod unused_files;
mod world;

use crate::command::error::workstation::{WorkstationError, report, screens, tally};
use crate::command::workstation::no_peering;
use crate::command::{Error, Result, Streams};
use crate::custody::{self, IdentityProblem, identity_file_of_person};
use crate::diagnostic::{Code, Judged, Look, counted};
use crate::report::{NOT_JUDGED, ReportFormat};
use clap::Args;
use clap::builder::PossibleValuesParser;
use judgement::is_note;
pub(super) use judges::count_documents;
use std::path::{Path, PathBuf};
use world::World;

/// Check peerings: all problems of both roles, without an identity
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering validate peerings")]
pub struct Validate {
    /// A peering.yaml, its folder, or a folder of such folders; `-` for a document on standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Text on standard error, or a report for programs on standard output
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// Notes are errors, and so is what cannot be judged; notes that no edit can fix stay notes
    #[arg(long)]
    pub strict: bool,
    /// Leave out notes with this code; `not-judged`: let --strict pass what cannot be judged; repeatable
    #[arg(long, value_name = "CODE", value_parser = allowed_codes(), hide_possible_values = true)]
    pub allow: Vec<String>,
    /// An age identity file: whether Argo CD will open the sealed files where they are, and whether their credentials still work
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// The same with your own identity, where `generate --local` finds it
    #[arg(long, conflicts_with = "identity_file")]
    pub local: bool,
}

/// The codes that `--allow` takes: those of notes, because an error is never left out.
fn allowed_codes() -> PossibleValuesParser {
    let notes = Code::ALL.iter().filter(|code| code.can_be_note());
    notes.map(|code| code.name()).chain([NOT_JUDGED]).into()
}

pub(crate) fn validate(arguments: &Validate, streams: &mut Streams<'_>) -> Result {
    let identity_file = arguments.identity_file()?;
    if arguments.is_input() && identity_file.is_some() {
        let reason = "standard input has no folder: name the file";
        return Err(Error::flag("--identity-file", reason));
    }
    let world = World::load(arguments, identity_file.as_deref())?;
    for path in &world.empty_folders {
        streams.note(&no_peering(path));
    }
    let mut judgement = judges::judge(&world);
    let peerings = world.documents.len();
    // of thousands of documents, only what is found is kept
    drop(world);
    streams.note_all(std::mem::take(&mut judgement.lines));
    judgement.finish(arguments);
    let form = arguments.format.form();
    if form.is_none() {
        judgement.fold_notes();
    }
    let wrong = judgement.count_wrong();
    let (mut errors, judged) = judgement.into_parts();
    if arguments.strict && !arguments.allows(NOT_JUDGED) {
        for not_judged in judged.requested() {
            errors.push(WorkstationError::NotJudged(not_judged.clone()).into());
        }
    }
    if let Some(form) = form {
        streams.print(&report(peerings, &errors, judged.clone()).print(form)?)?;
    }
    if !errors.iter().all(is_note) {
        let invalid = WorkstationError::Invalid {
            errors,
            wrong,
            peerings,
            judged,
        };
        return Err(form.map_or(invalid, |_| WorkstationError::Reported).into());
    }
    if form.is_none() && (peerings > 0 || !errors.is_empty()) {
        streams.note(&nothing_wrong(peerings, &errors, &judged, streams.look()));
    }
    Ok(())
}

impl Validate {
    /// The identity that opens the sealed files, if one is asked for: a result must not depend on what a machine has.
    fn identity_file(&self) -> std::result::Result<Option<PathBuf>, custody::Error> {
        if !self.local {
            return Ok(self.identity_file.clone());
        }
        let kept = identity_file_of_person(None)?;
        Ok(Some(kept.ok_or(IdentityProblem::NotKept)?))
    }

    fn is_input(&self) -> bool {
        self.paths == [Path::new(INPUT)]
    }

    fn allows(&self, code: &str) -> bool {
        self.allow.iter().any(|it| it == code)
    }
}

/// The report of peerings without errors, with their notes.
fn nothing_wrong(peerings: usize, notes: &[Error], judged: &Judged, look: Look) -> String {
    let mut line = format!("{}: nothing is wrong", counted(peerings, "peering"));
    if !notes.is_empty() {
        line = format!("{}\n{line}; {}", screens(notes, look), tally(notes));
    }
    match judged.line() {
        Some(judged) => format!("{line}\n{judged}"),
        None => line,
    }
}

/// The argument for the document on standard input, which has no folder. Messages use it as the document's name.
const INPUT: &str = "-";
