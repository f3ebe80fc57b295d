//! `validate`: reports all problems of all given peerings, for both roles, without an identity.

mod beside;
mod checked;
mod conflicts;
pub(crate) mod document_alone;
mod hidden;
mod identity;
mod judges;
mod unused_files;

use crate::command::error::workstation::{WorkstationError, report as report_of, screens, tally};
use crate::command::{Error, Result, Streams};
use crate::diagnostic::{Code, Invalid, Judged, Look, Severity, counted};
use crate::input::file::{self, ReadProblem, shown_path};
use crate::input::folder::read_input;
use crate::judge::applications;
use crate::peering::Role;
use crate::report::NOT_JUDGED;
use crate::report::ReportFormat;
use crate::state::repo::{Document, IgnoredFiles, Repo, documents};
use beside::Beside;
use checked::Checked;
use clap::Args;
use clap::builder::PossibleValuesParser;
use hidden::PassedOver;
use identity::check_sealed;
use judges::State;
pub(super) use judges::looked_at;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Check peerings: all problems of both roles, without an identity
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering validate peerings

A path is a peering.yaml, its folder, or a folder of such folders. Several peerings are also checked against each \
other: what must be unique on a cluster, and what must be the same everywhere. `-` is a document on standard input, for \
editors: the files beside it are not looked at. docs/diagnostics.md describes the reports.")]
pub struct Validate {
    /// What to check; `-` for standard input
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
}

/// The codes that `--allow` takes: those of notes, because an error is never left out.
fn allowed_codes() -> PossibleValuesParser {
    let notes = Code::ALL.iter().filter(|code| code.can_be_note());
    notes.map(|code| code.name()).chain([NOT_JUDGED]).into()
}

/// The sealed files that another Argo CD opens, by document and side.
type OfOthers = BTreeMap<(usize, Role), Vec<String>>;

/// What an identity shows: problems, each with the number of its document, lines for the user, and the sealed files that another Argo CD
/// opens.
struct OfIdentity {
    found: Vec<(usize, Error)>,
    lines: Vec<String>,
    of_others: OfOthers,
}

pub(crate) fn validate(arguments: &Validate, streams: &mut Streams<'_>) -> Result {
    if arguments.is_input() && arguments.identity_file.is_some() {
        let reason =
            "the folder of standard input, with its sealed files, is not known: name the file";
        return Err(Error::flag("--identity-file", reason));
    }
    let (mut repo, mut beside) = read(arguments)?;
    let empty: Vec<&PathBuf> = arguments
        .paths
        .iter()
        .filter(|path| repo.is_empty_at(path))
        .collect();
    for path in &empty {
        // the folder in which a process runs can be deleted, and then it looks empty
        path.canonicalize()
            .map_err(|error| file::named(path)(ReadProblem::from(error)))?;
        streams.note(&format!("no peering below {}", shown_path(path)));
    }
    let found = repo.documents.into_iter().enumerate();
    let mut documents: Vec<Checked> = found
        .map(|(index, it)| Checked::of(index, it, &mut repo.files))
        .collect();
    let members: Vec<_> = documents
        .iter_mut()
        .filter_map(|it| it.member.take())
        .collect();
    let places: Vec<_> = documents
        .iter_mut()
        .filter_map(|it| it.of_argo_cd.take())
        .collect();
    let mut argo = std::mem::take(&mut beside.argo).bounded("PATHS")?;
    let roots: Vec<PathBuf> = arguments.paths.iter().map(|it| it.join("x")).collect();
    let committed = documents.iter().flat_map(Checked::committed_files);
    let named: Vec<PathBuf> = committed.map(|(path, ..)| path).collect();
    let all = argo
        .names()
        .chain(roots.iter().chain(&named).map(PathBuf::as_path));
    repo.files.ask_git(all);
    let ignored = IgnoredFiles::below(&arguments.paths, &mut repo.files);
    argo.without(ignored, &mut repo.files);
    let passed_over =
        (!repo.files.are_committed()).then(|| PassedOver::of(&documents, &repo.files));
    let files = applications::files(&mut argo, &mut repo.files);
    let of_argo_cd = applications::judge(&files, &places, &repo.files);
    let identity_file = arguments.identity_file.as_deref();
    let of_identity = identity_file.map(|file| check_sealed(file, &places, &of_argo_cd.reports));
    let has_folder = !arguments.is_input();
    let state = State {
        documents: &documents,
        members: &members,
        empty,
        beside: has_folder.then_some(&beside),
        left_out: argo.left_out,
        passed_over,
        of_others: of_identity.as_ref().map(|it| &it.of_others),
        of_argo_cd: Some(&of_argo_cd),
    };
    let (mut found, mut judged) = (state.findings(), state.judged());
    if let Some(of_identity) = of_identity {
        streams.note_all(of_identity.lines);
        found.extend(of_identity.found);
    } else {
        found.extend(judges::unlisted_labels(&documents, &mut judged));
    }
    // two judges can meet one sealed file, and both sides can share it
    let mut seen = BTreeSet::new();
    found.retain(|(index, error)| {
        matches!(error, Error::Document(_)) || seen.insert((*index, error.to_string()))
    });
    leave_out_allowed(arguments, &mut found, &mut judged);
    // sorts the errors by document
    found.sort_by_key(|(index, _)| *index);
    if arguments.strict {
        let raised = found
            .into_iter()
            .flat_map(|(index, it)| raise(it).into_iter().map(move |it| (index, it)));
        found = raised.collect();
    }
    report(found, documents.len(), judged, arguments, streams)
}

impl Validate {
    fn is_input(&self) -> bool {
        self.paths == [Path::new(INPUT)]
    }

    fn allows(&self, code: &str) -> bool {
        self.allow.iter().any(|it| it == code)
    }
}

/// The documents of the paths, and the files beside them. A document on standard input has no files beside it.
fn read(arguments: &Validate) -> Result<(Repo, Beside)> {
    if arguments.is_input() {
        let read = read_input(INPUT).map(Document::alone);
        return Ok((Repo::of_input(INPUT.into(), read), Beside::default()));
    }
    let paths = documents(&arguments.paths)?;
    let mut repo = Repo::of_documents("PATHS", &paths)?;
    let beside = Beside::search(&arguments.paths, &mut repo);
    Ok((repo, beside))
}

const fn is_note(error: &Error) -> bool {
    matches!(error, Error::Document(it) if matches!(it.severity, Severity::Note))
}

/// Reports the findings, each with the number of its peering.
fn report(
    found: Vec<(usize, Error)>,
    peerings: usize,
    judged: Judged,
    arguments: &Validate,
    streams: &mut Streams<'_>,
) -> Result {
    let wrong = found
        .iter()
        .filter(|(index, error)| *index != BESIDE && !is_note(error));
    let wrong = wrong
        .map(|(index, _)| *index)
        .collect::<BTreeSet<_>>()
        .len();
    let mut errors: Vec<Error> = found.into_iter().map(|(_, error)| error).collect();
    if arguments.strict {
        let left = judged.asked().filter(|_| !arguments.allows(NOT_JUDGED));
        errors.extend(left.map(|it| WorkstationError::NotJudged(it.clone()).into()));
    }
    let form = arguments.format.form();
    let silent = form.is_some();
    if let Some(form) = form {
        streams.print(&report_of(peerings, &errors, judged.clone()).print(form)?)?;
    }
    if !errors.iter().all(is_note) {
        return Err(WorkstationError::Invalid {
            errors,
            wrong,
            peerings,
            silent,
            judged,
        }
        .into());
    }
    if !silent && (peerings > 0 || !errors.is_empty()) {
        streams.note(&nothing_wrong(peerings, &errors, &judged, streams.look()));
    }
    Ok(())
}

/// The report of peerings without errors, with their notes.
fn nothing_wrong(peerings: usize, notes: &[Error], judged: &Judged, look: Look) -> String {
    let mut line = format!("{}: nothing is wrong", counted(peerings, "peering"));
    if !notes.is_empty() {
        line = format!("{}\n{line}; {}", screens(notes, look), tally(notes));
    }
    [line]
        .into_iter()
        .chain(judged.line())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The number that stands for a document if a finding is in no document's folder.
const BESIDE: usize = usize::MAX;

/// The argument for the document on standard input, which has no folder. Messages use it as the document's name.
const INPUT: &str = "-";

/// Turns notes into errors, except those that the user cannot fix.
fn raise(error: Error) -> Vec<Error> {
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
    let parts = [(Severity::Error, raised), (severity, announced)].into_iter();
    parts
        .filter(|(_, problems)| !problems.is_empty())
        .map(|(severity, problems)| Invalid {
            severity,
            problems,
            source: source.clone(),
            paths: paths.clone(),
        })
        .map(Error::Document)
        .collect()
}

/// Takes out the notes that `--allow` names, and counts them.
fn leave_out_allowed(arguments: &Validate, found: &mut Vec<(usize, Error)>, judged: &mut Judged) {
    for (_, error) in found.iter_mut().filter(|(_, error)| is_note(error)) {
        if let Error::Document(notes) = error {
            let (allowed, rest) = std::mem::take(&mut notes.problems)
                .partition(|note| arguments.allows(note.code.name()));
            notes.problems = rest;
            judged.allow(allowed.len());
        }
    }
    found.retain(|(_, error)| !matches!(error, Error::Document(it) if it.problems.is_empty()));
}
