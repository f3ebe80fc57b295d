//! `validate`: all problems of all given peerings, for both roles, without any identity.

mod allowed;
mod beside;
mod checked;
mod conflicts;
mod copies;
mod folder;
mod hidden;
mod judges;
#[cfg(feature = "workstation")]
mod terms;
#[cfg(feature = "workstation")]
pub(crate) mod text;

use super::Streams;
use super::forms::ReportFormat;
use crate::command::error::{self, Error};
use crate::command::terminal;
use crate::diagnostic::{Invalid, Judged, Look, Problems, Severity, counted};
use crate::input::file::{self, ReadProblem, shown_path};
use crate::input::folder::read_input;
use crate::judge::applications;
#[cfg(feature = "workstation")]
use crate::judge::liqo_values;
use crate::judge::{rendered, run};
#[cfg(feature = "workstation")]
use crate::state::liqo_values::Values;
#[cfg(feature = "workstation")]
use crate::state::repo::Commit;
use crate::state::repo::{Document, Files, Folders, Found, Repo, documents};
use beside::Beside;
use checked::{Checked, Wrong};
use clap::Args;
use hidden::PassedOver;
pub(super) use judges::looked_at;
use judges::{OfArgoCd, State, judges};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(crate) const VALIDATE_EXAMPLE: &str = "Examples:
  argocd-peering validate peerings
  argocd-peering validate peerings --fix
  argocd-peering validate peerings --from origin/main

A path is a peering.yaml, its folder, or a folder of such folders. Several peerings are also checked against each \
other: what must be unique on a cluster, and what must be the same everywhere. `-` is a document on standard input, for \
editors: the files beside it are not looked at. docs/diagnostics.md describes the reports.";

/// `validate`
#[derive(Debug, Args)]
pub struct Validate {
    /// What to check; `-` for standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Text on standard error, or a report for programs on standard output
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// An age identity file: whether Argo CD will open the sealed files where they are, and whether their credentials still work
    #[cfg(feature = "workstation")]
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// The Helm values of a cluster's Liqo, or what installs it, such as an Application: its ID and networks are compared; repeatable, a later file of a cluster overrides
    #[cfg(feature = "workstation")]
    #[arg(long, value_name = "CLUSTER=FILE")]
    pub liqo_values: Vec<String>,
    /// As this Git revision has them; default: the files as they are now
    #[cfg(feature = "workstation")]
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["identity_file", "fix"])]
    pub from: Option<String>,
    /// Treat notes as errors, except those that no edit can fix, and what cannot be judged
    #[arg(long)]
    pub strict: bool,
    /// Apply the suggested corrections to a document if that makes it valid; otherwise change nothing
    #[cfg(feature = "workstation")]
    #[arg(long)]
    pub fix: bool,
    /// Fix documents with changes that are not committed, too
    #[cfg(feature = "workstation")]
    #[arg(long, requires = "fix")]
    pub allow_dirty: bool,
}

/// What is read of the paths.
struct Looks {
    /// As the documents are called.
    paths: Vec<PathBuf>,
    repo: Repo,
    /// None for a document on standard input.
    beside: Option<Beside>,
    folders: Folders,
    there: Files,
    /// Whether it is of a commit, in which Git passed over nothing.
    is_committed: bool,
}

pub(crate) fn validate(arguments: &Validate, streams: &mut Streams<'_>) -> Result<(), Error> {
    let is_input = arguments.paths == [Path::new(INPUT)];
    #[cfg(feature = "workstation")]
    for (flag, is_given, reason) in [
        (
            "--identity-file",
            arguments.identity_file.is_some(),
            "the folder of standard input, with its sealed files, is not known: name the file",
        ),
        ("--fix", arguments.fix, "standard input cannot be written to: name the file"),
        ("--from", arguments.from.is_some(), "a revision has no standard input: name the file"),
    ] {
        if is_input && is_given {
            return Err(Error::Flag { flag, reason: reason.into() });
        }
    }
    let mut looks = Looks::new(arguments, is_input, streams)?;
    let is_empty = |path: &&PathBuf| {
        !looks.is_committed && path.is_dir() && !looks.paths.iter().any(|it| it.starts_with(path))
    };
    let empty: Vec<&PathBuf> = arguments.paths.iter().filter(is_empty).collect();
    for path in &empty {
        // the folder that a process is in can be gone, and then looks empty
        path.canonicalize().map_err(|error| file::named(path)(ReadProblem::from(error)))?;
        streams.note(&format!("no peering below {}", shown_path(path)));
    }
    let rendered = looks.beside.as_ref().map(|it| rendered::names(&it.rendered)).unwrap_or_default();
    let folders = &mut looks.folders;
    let (mut documents, mut members, mut places) = (vec![], vec![], vec![]);
    for (index, found) in looks.repo.documents.into_iter().enumerate() {
        let (document, member, place) = Checked::of(index, found, folders, &rendered);
        documents.push(document);
        members.extend(member);
        places.extend(place);
    }
    let argo = looks.beside.as_mut().map(|it| std::mem::take(&mut it.argo)).unwrap_or_default();
    let files = applications::files(argo.bounded("PATHS")?, folders);
    let sets = applications::find_folders(&files, &places)?;
    let outcome = applications::check(&files, &places, &sets, &looks.there)?;
    let of_argo_cd = OfArgoCd { files: &files, sets: &sets, outcome };
    #[cfg(feature = "workstation")]
    let terms = arguments.identity_file.as_deref().map(|identity_file| {
        let reports = &of_argo_cd.outcome.reports;
        terms::Asked { identity_file, places: &places, reports }
    });
    #[cfg(feature = "workstation")]
    let values = Values::of_flags(&arguments.liqo_values)?;
    #[cfg(feature = "workstation")]
    let values = liqo_values::check(&values, &places, places.len() == documents.len())?;
    let passed_over = (!looks.is_committed).then(|| PassedOver::of(&documents));
    let state = State {
        documents: &documents,
        members: &members,
        empty: &empty,
        beside: looks.beside.as_ref(),
        passed_over: passed_over.as_ref(),
        of_argo_cd: Some(&of_argo_cd),
        #[cfg(feature = "workstation")]
        terms: terms.as_ref(),
        #[cfg(feature = "workstation")]
        values: Some(&values),
    };
    let (all, mut judged) = run(&judges(), &state)?;
    let mut found = Vec::new();
    for it in all {
        match it {
            Wrong::Of(index, error) => found.push((index, error)),
            Wrong::Line(line) => streams.note(&line),
        }
    }
    let sources = documents.iter().enumerate().filter_map(|(index, it)| Some((index, it.source.as_ref()?)));
    let of_files = applications::whole(&files, &of_argo_cd.outcome.astray);
    allowed::accept(&mut found, sources, of_files, is_input, &mut judged);
    // all of one document together
    found.sort_by_key(|(index, _)| *index);
    if arguments.strict {
        found = found
            .into_iter()
            .flat_map(|(index, it)| raise(it).into_iter().map(move |it| (index, it)))
            .collect();
    }
    report(found, documents.len(), judged, arguments, streams)
}

const fn is_note(error: &Error) -> bool {
    matches!(error, Error::Document(it) if matches!(it.severity, Severity::Note))
}

/// Reports what was found, each with the number of its peering.
fn report(
    found: Vec<(usize, Error)>,
    peerings: usize,
    judged: Judged,
    arguments: &Validate,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let is_wrong = |(index, error): &&(usize, Error)| *index != BESIDE && !is_note(error);
    let wrong: BTreeSet<usize> = found.iter().filter(is_wrong).map(|(index, _)| *index).collect();
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
        return Err(Error::Invalid { errors, wrong: wrong.len(), peerings, silent, judged });
    }
    if !silent && (peerings > 0 || !errors.is_empty()) {
        let look = if streams.terminal { terminal::look() } else { Look::PLAIN };
        streams.note(&nothing_wrong(peerings, &errors, &judged, look));
    }
    Ok(())
}

/// What is said of peerings with which nothing is wrong, and their notes.
fn nothing_wrong(peerings: usize, notes: &[Error], judged: &Judged, look: Look) -> String {
    let mut line = format!("{}: nothing is wrong", counted(peerings, "peering"));
    if !notes.is_empty() {
        line = format!("{}\n{line}; {}", error::fleet(notes, look), error::tally(notes));
    }
    [line].into_iter().chain(judged.line()).collect::<Vec<_>>().join("\n")
}

/// The number of the document of what is in no document's folder.
const BESIDE: usize = usize::MAX;

/// The document on standard input, which has no folder. Its name in messages is what is typed.
const INPUT: &str = "-";

/// Notes as errors, but for those that the person cannot mend.
fn raise(error: Error) -> Vec<Error> {
    let Error::Document(notes) = error else { return vec![error] };
    let Invalid { severity, problems, source, paths } = notes;
    let (announced, raised) = problems.partition(|it| it.code.is_announcement());
    let part = |severity, problems: Problems| {
        let (source, paths) = (source.clone(), paths.clone());
        (!problems.is_empty()).then_some(Error::Document(Invalid { severity, problems, source, paths }))
    };
    [part(Severity::Error, raised), part(severity, announced)].into_iter().flatten().collect()
}

impl Looks {
    fn new(arguments: &Validate, is_input: bool, streams: &mut Streams<'_>) -> Result<Self, Error> {
        #[cfg(feature = "workstation")]
        if let Some(revision) = &arguments.from {
            return Self::committed(&arguments.paths, revision);
        }
        if is_input {
            let (path, read) = (INPUT.into(), read_input(INPUT).map(Document::alone));
            let repo = Repo { documents: vec![Found { path, place: PathBuf::new(), read }] };
            let (folders, there) = (Folders::default(), Files::default());
            return Ok(Self {
                paths: vec![INPUT.into()],
                repo,
                beside: None,
                folders,
                there,
                is_committed: false,
            });
        }
        let paths = documents(&arguments.paths)?;
        #[cfg(feature = "workstation")]
        if arguments.fix {
            super::workstation::fix::fix(arguments.allow_dirty, &paths, streams)?;
        }
        let repo = Repo::of_documents("PATHS", &paths, |all, done| {
            if arguments.format == ReportFormat::Text {
                streams.progress(all, done);
            }
        })?;
        let mut folders = Folders::default();
        let beside = Some(Beside::search(&arguments.paths, &paths, &mut folders));
        Ok(Self { paths, repo, beside, folders, there: Files::default(), is_committed: false })
    }

    #[cfg(feature = "workstation")]
    fn committed(paths: &[PathBuf], revision: &str) -> Result<Self, Error> {
        let (repo, commits) = super::workstation::committed(paths, revision)?;
        let roots: BTreeSet<_> = commits.iter().map(Commit::root).collect();
        let mut roots = roots.into_iter();
        let (Some((root, prefix)), None) = (roots.next(), roots.next()) else {
            let reason = "the paths are of several checkouts: validate each alone".to_owned();
            return Err(Error::Flag { flag: "--from", reason });
        };
        let mut folders = Folders::below(root, prefix);
        let paths: Vec<PathBuf> = repo.documents.iter().map(|it| it.path.clone()).collect();
        let beside = Some(Beside::committed(&commits, &paths, &mut folders)?);
        let there = Files::in_commits(commits.iter().map(Commit::there).collect());
        Ok(Self { paths, repo, beside, folders, there, is_committed: true })
    }
}
