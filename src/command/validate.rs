//! `validate`: reports all problems of all given peerings, for both roles, without an identity.

mod beside;
mod checked;
mod conflicts;
#[cfg(feature = "workstation")]
pub(crate) mod document_alone;
mod hidden;
mod judges;
#[cfg(feature = "workstation")]
pub(crate) mod more;
mod unused_files;

use super::forms::ReportFormat;
use crate::command::{Error, Result, Streams, error};
use crate::diagnostic::{Code, Invalid, Judged, Look, Severity, Source, counted};
use crate::input::file::{self, ReadProblem, shown_path};
use crate::input::folder::read_input;
use crate::judge::allowances::Allowances;
use crate::judge::applications::{self, ArgoCd, Place, Reports};
use crate::judge::rendered::RenderedOf;
use crate::judge::run;
use crate::peering::Role;
use crate::state::repo::{Document, IgnoredFiles, Repo, documents};
use beside::Beside;
use checked::{Checked, Wrong};
use clap::Args;
use hidden::PassedOver;
pub(super) use judges::looked_at;
use judges::{State, judges, origins};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Check peerings: all problems of both roles, without an identity
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering validate peerings
  argocd-peering validate peerings --fix
  argocd-peering validate peerings --from origin/main

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
    /// Treat notes as errors, except those that no edit can fix, and what cannot be judged
    #[arg(long)]
    pub strict: bool,
}

#[cfg(not(feature = "workstation"))]
pub(crate) fn validate(arguments: &Validate, streams: &mut Streams<'_>) -> Result {
    let read = read(arguments, streams)?;
    judge(
        arguments,
        read,
        &|_, _, _, _| Ok((Vec::new(), None)),
        streams,
    )
}

/// The sealed files that another Argo CD opens, by document and side.
type OfOthers = BTreeMap<(usize, Role), Vec<String>>;

/// The checks that only the workstation's build has. They get the places, the number of documents, what Argo CD reports of the documents,
/// and what `render` wrote for them. With an identity, they also return the sealed files that another Argo CD opens.
type More<'m> = &'m dyn Fn(
    &[Place],
    usize,
    &Reports,
    &RenderedOf<'_>,
) -> Result<(Vec<Wrong>, Option<OfOthers>)>;

/// Runs the judges on what was read, and the checks `more`.
fn judge(
    arguments: &Validate,
    (mut repo, mut beside): Read,
    more: More<'_>,
    streams: &mut Streams<'_>,
) -> Result {
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
    let rendered = beside.rendered.names();
    let found = repo.documents.into_iter().enumerate();
    let mut documents: Vec<Checked> = found
        .map(|(index, it)| Checked::of(index, it, &mut repo.files, &rendered))
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
    let ignored = IgnoredFiles::below(&arguments.paths, &mut repo.files);
    argo.without(ignored, &mut repo.files);
    let passed_over =
        (!repo.files.are_committed()).then(|| PassedOver::of(&documents, &repo.files));
    let files = applications::files(&mut argo, &mut repo.files);
    let argo_cd = ArgoCd::new(files, beside.rendered.folders(&of_peerings(&documents)));
    let of_argo_cd = argo_cd.judge(&places, &repo.files)?;
    let rendered = RenderedOf::new(&beside.rendered, origins(&documents));
    let (more, of_others) = more(&places, documents.len(), &of_argo_cd.reports, &rendered)?;
    let has_folder = !arguments.is_input();
    let state = State {
        documents: &documents,
        members: &members,
        empty,
        beside: has_folder.then_some(&beside),
        rendered: has_folder.then_some(rendered),
        left_out: argo.left_out,
        passed_over,
        of_others,
        of_argo_cd: Some(&of_argo_cd),
    };
    let (mut all, mut judged) = run(&judges(), &state)?;
    all.extend(more);
    let mut found = Vec::new();
    for it in all {
        match it {
            Wrong::Of(index, error) => found.push((index, error)),
            Wrong::Line(line) => streams.note(&line),
        }
    }
    let sources = documents
        .iter()
        .enumerate()
        .filter_map(|(index, it)| Some((index, it.source.as_ref()?)));
    accept_notes(
        &mut found,
        sources,
        of_argo_cd.texts(),
        arguments.is_input(),
        &mut judged,
    );
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

/// The folders of documents that have rendered files, by the names of their peerings.
fn of_peerings(documents: &[Checked]) -> BTreeMap<&str, &Path> {
    let places = documents
        .iter()
        .filter_map(|it| Some((it.origins.as_ref()?.as_ref().ok()?, it.place.as_ref()?)));
    places
        .map(|((name, _), (folder, _))| (name.as_str(), folder.as_path()))
        .collect()
}

/// The documents of the paths, and the files beside them. A document on standard input has no files beside it.
type Read = (Repo, Beside);

impl Validate {
    fn is_input(&self) -> bool {
        self.paths == [Path::new(INPUT)]
    }
}

fn read(arguments: &Validate, streams: &mut Streams<'_>) -> Result<Read> {
    if arguments.is_input() {
        let read = read_input(INPUT).map(Document::alone);
        return Ok((Repo::of_input(INPUT.into(), read), Beside::default()));
    }
    let paths = documents(&arguments.paths)?;
    let mut repo = Repo::of_documents("PATHS", &paths, |all, done| {
        if arguments.format == ReportFormat::Text {
            streams.progress(all, done);
        }
    })?;
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
        errors.extend(judged.asked().cloned().map(Error::NotJudged));
    }
    let form = arguments.format.form();
    let silent = form.is_some();
    if let Some(form) = form {
        streams.print(&error::report(peerings, &errors, judged.clone()).print(form)?)?;
    }
    if !errors.iter().all(is_note) {
        return Err(Error::Invalid {
            errors,
            wrong,
            peerings,
            silent,
            judged,
        });
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
        line = format!(
            "{}\n{line}; {}",
            error::fleet(notes, look),
            error::tally(notes)
        );
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

/// Removes the notes that a comment in their file accepts, and adds the problems of these comments. `files` are those of Argo CD, each with
/// whether all notes on it were looked for. A document on standard input has no folder.
fn accept_notes<'s>(
    found: &mut Vec<(usize, Error)>,
    documents: impl Iterator<Item = (usize, &'s Source)>,
    files: impl Iterator<Item = (&'s Source, bool)>,
    is_input: bool,
    judged: &mut Judged,
) {
    let documents = documents.filter_map(|(index, source)| Some((index, Allowances::of(source)?)));
    let mut of_documents: BTreeMap<usize, Allowances> = documents.collect();
    let mut of_files: BTreeMap<&str, Option<(Allowances, bool)>> = BTreeMap::new();
    for (source, is_whole) in files {
        let one = Allowances::of(source).map(|it| (it, is_whole));
        // if two names look the same, it is not known to which file a note belongs
        of_files
            .entry(source.name())
            .and_modify(|it| *it = None)
            .or_insert(one);
    }
    let mut wrong = BTreeSet::new();
    for (index, error) in found.iter_mut() {
        if !is_note(error) {
            wrong.insert(*index);
        }
        let Error::Document(notes) = error else {
            continue;
        };
        if let Some(allowances) = of_documents.get_mut(index) {
            allowances.accept(notes, judged);
        }
        if let Some(Some((allowances, _))) = of_files.get_mut(notes.source.name()) {
            allowances.accept(notes, judged);
        }
    }
    found.retain(|(_, error)| !matches!(error, Error::Document(it) if it.problems.is_empty()));
    for (index, allowances) in of_documents {
        let errors = allowances.check(|code| match code {
            // these notes concern two documents or files, and the other one may be elsewhere
            Code::SealedFileReused | Code::RenderedFile => false,
            // both notes concern the document's folder
            Code::UnusedFile | Code::SchemaLine if is_input => false,
            // a document with an error has no notes
            _ => !wrong.contains(&index),
        });
        found.extend(errors.into_iter().map(|it| (index, it.into())));
    }
    for (allowances, is_whole) in of_files.into_values().flatten() {
        let errors = allowances
            .check(|code| is_whole || !matches!(code, Code::ApplicationSetting | Code::SyncRetry));
        found.extend(errors.into_iter().map(|it| (BESIDE, it.into())));
    }
}
