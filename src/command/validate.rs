//! `validate`: all problems of all given peerings, for both roles, without any identity.

mod allowed;
mod beside;
mod conflicts;
mod copies;
mod folder;
mod hidden;
#[cfg(feature = "workstation")]
mod terms;
#[cfg(feature = "workstation")]
pub(super) mod text;

use super::Streams;
use super::forms::ReportFormat;
use crate::command::error::{self, Error};
use crate::command::terminal;
use crate::custody::{self, sealed_files};
use crate::diagnostic::{Invalid, Judged, Look, Problems, Severity, Source, counted};
use crate::input::file::{self, ReadProblem, shown_path};
use crate::input::folder::{DOCUMENT, read_input};
use crate::judge::applications::{self, Place};
use crate::judge::claims::{self, Member};
#[cfg(feature = "workstation")]
use crate::judge::liqo_values;
use crate::judge::rendered::{self, Origins};
use crate::peering::{Peering, Role};
use crate::rules::Examined;
#[cfg(feature = "workstation")]
use crate::state::liqo_values::Values;
use crate::state::repo::{Document, Found, Repo, Sealed, documents};
use beside::{Beside, Here};
use clap::Args;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(crate) const VALIDATE_EXAMPLE: &str = "Examples:
  argocd-peering validate peerings
  argocd-peering validate peerings --fix

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

/// A peering's folder, read and checked.
#[derive(Default)]
struct Checked {
    /// The document and what can be compared with others, if it could be read.
    compared: Option<(Source, Option<Member>)>,
    /// What Argo CD calls its clusters, if nothing is wrong with it.
    clusters: Option<[String; 2]>,
    /// What is wrong with the document and with the files beside it.
    errors: Vec<Error>,
    notes: Vec<Invalid>,
    /// How many sealed files it names, and those that are in its folder.
    sealed_files: usize,
    named: Vec<copies::Named>,
    /// What its rendered files come from, if there are some.
    origins: Option<Origins>,
}

pub(crate) fn validate(arguments: &Validate, streams: &mut Streams<'_>) -> Result<(), Error> {
    let is_input = arguments.paths == [Path::new(INPUT)];
    let paths = if is_input { vec![INPUT.into()] } else { documents(&arguments.paths)? };
    #[cfg(feature = "workstation")]
    if is_input && arguments.identity_file.is_some() {
        let reason =
            "the folder of standard input, with its sealed files, is not known: name the file".into();
        return Err(Error::Flag { flag: "--identity-file", reason });
    }
    #[cfg(feature = "workstation")]
    if arguments.fix {
        if is_input {
            let reason = "standard input cannot be written to: name the file".into();
            return Err(Error::Flag { flag: "--fix", reason });
        }
        super::workstation::fix::fix(arguments.allow_dirty, &paths, streams)?;
    }
    let is_empty = |path: &&PathBuf| path.is_dir() && !paths.iter().any(|it| it.starts_with(path));
    let empty: Vec<&PathBuf> = arguments.paths.iter().filter(is_empty).collect();
    for path in &empty {
        // the folder that a process is in can be gone, and then looks empty
        path.canonicalize().map_err(|error| file::named(path)(ReadProblem::from(error)))?;
        streams.note(&format!("no peering below {}", shown_path(path)));
    }
    let repo = read(&paths, arguments.format, streams)?;
    let mut beside = if is_input { Beside::default() } else { Beside::search(&arguments.paths, &paths) };
    let numbered = repo.documents.into_iter().enumerate();
    let rendered = rendered::names(&beside.rendered);
    let checked: Vec<Checked> =
        numbered.map(|(index, found)| check(found, beside.here(index), &rendered)).collect();
    let sealed_files = checked.iter().map(|it| it.sealed_files).sum();
    let mut judged = looked_at(paths.len(), is_input, sealed_files, opens(arguments));
    for path in empty {
        judged.leave_out("path", shown_path(path), "there is no peering in it or below it");
    }
    let files = applications::files(std::mem::take(&mut beside.argo).bounded("PATHS")?);
    let needs_places = !files.is_empty() || looks_again(arguments);
    beside.count(&mut judged);
    let mut found: Vec<(usize, Vec<Error>)> = Vec::new();
    let (mut sources, mut members, mut indices, mut places) = (vec![], vec![], vec![], vec![]);
    let (mut named, mut all_origins) = (Vec::new(), Vec::new());
    for ((index, path), checked) in paths.iter().enumerate().zip(checked) {
        let Checked { compared, clusters, mut errors, notes, named: files, origins, .. } = checked;
        all_origins.extend(origins.map(|origins| (index, origins)));
        if let Some((source, member)) = compared {
            let clusters = clusters.filter(|_| needs_places);
            places.extend(clusters.and_then(|clusters| Place::of(index, path, &source, clusters)));
            members.extend(member.map(|it| it.of(sources.len())));
            named.push((index, source.clone(), files));
            sources.push(source);
            indices.push(index);
        }
        errors.extend(notes.into_iter().map(Error::from));
        found.push((index, errors));
    }
    let of_sealed = copies::check(&named).into_iter().chain(hidden::check(&named, &paths, &mut judged));
    found.extend(beside.clear.into_iter().chain(of_sealed).map(|(index, it)| (index, vec![it.into()])));
    let of_rendered = rendered::check(&beside.rendered, &all_origins, &mut judged).into_iter();
    found.extend(of_rendered.map(|(index, it)| (index.unwrap_or(BESIDE), vec![it.into()])));
    for (source, error) in contradictions(&members, &sources) {
        found.extend(indices.get(source).map(|index| (*index, vec![error])));
    }
    let finds = applications::find_folders(&files, &places)?;
    applications::count(&files, &finds, &mut judged);
    let outcome = applications::check(&files, &places, &finds)?;
    found.extend(outcome.found.into_iter().map(|(index, it)| (index, vec![it.into()])));
    #[cfg(feature = "workstation")]
    if let Some(identity_file) = &arguments.identity_file {
        let errors = terms::check(identity_file, &places, outcome.reports, streams).into_iter();
        found.extend(errors.map(|(index, error)| (index, vec![error])));
    }
    #[cfg(feature = "workstation")]
    {
        let values = Values::of_flags(&arguments.liqo_values)?;
        let judgement = liqo_values::check(&values, &places, places.len() == paths.len())?;
        judgement.remapped.iter().for_each(|line| streams.note(&format!("note: {line}")));
        found.extend(judgement.found.into_iter().map(|(index, it)| (index, vec![it.into()])));
    }
    let documents = indices.iter().copied().zip(&sources);
    allowed::accept(
        &mut found,
        documents,
        applications::whole(&files, &finds, outcome.astray),
        is_input,
        &mut judged,
    );
    if arguments.strict {
        for (_, errors) in &mut found {
            *errors = std::mem::take(errors).into_iter().flat_map(raise).collect();
        }
    }
    report(found, paths.len(), judged, arguments, streams)
}

/// What documents say of a cluster that another one denies, each with the number of its document.
fn contradictions(members: &[Member], sources: &[Source]) -> Vec<(usize, Error)> {
    let found = claims::conflicts(members);
    let fields = conflicts::fields(&found, sources);
    let explained = found.iter().map(|(at, it)| (*at, conflicts::explain(it, *at, sources, &fields)));
    explained.filter_map(|(source, error)| Some((source, error?))).collect()
}

/// What is judged of so many documents and of the sealed files that they name. Nothing beside a document of standard input is, and
/// no file is opened without an identity: neither was asked for.
pub(super) fn looked_at(peerings: usize, is_input: bool, sealed_files: usize, opens: bool) -> Judged {
    let mut judged = Judged::default();
    judged.add("peering", peerings);
    if is_input {
        judged.pass_over("folder", "the files beside it", "the document is from standard input");
    } else if opens {
        judged.add("sealed file", sealed_files);
    } else if sealed_files > 0 {
        let what = format!("the terms of {}", counted(sealed_files, "sealed file"));
        judged.pass_over("sealed file", what, "no identity is given");
    }
    judged
}

/// Whether sealed files are opened.
#[cfg(feature = "workstation")]
const fn opens(arguments: &Validate) -> bool {
    arguments.identity_file.is_some()
}

/// Whether valid documents are looked at once more.
#[cfg(feature = "workstation")]
fn looks_again(arguments: &Validate) -> bool {
    opens(arguments) || !arguments.liqo_values.is_empty()
}

#[cfg(not(feature = "workstation"))]
const fn opens(_: &Validate) -> bool {
    false
}

#[cfg(not(feature = "workstation"))]
const fn looks_again(_: &Validate) -> bool {
    false
}

const fn is_note(error: &Error) -> bool {
    matches!(error, Error::Document(it) if matches!(it.severity, Severity::Note))
}

/// Reports what was found, each with the number of its peering.
fn report(
    found: Vec<(usize, Vec<Error>)>,
    peerings: usize,
    judged: Judged,
    arguments: &Validate,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let is_wrong = |(index, errors): &&(usize, Vec<Error>)| *index != BESIDE && !errors.iter().all(is_note);
    let wrong: BTreeSet<usize> = found.iter().filter(is_wrong).map(|(index, _)| *index).collect();
    let mut errors: Vec<Error> = found.into_iter().flat_map(|(_, errors)| errors).collect();
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

/// The documents of these paths, or the one on standard input.
fn read(paths: &[PathBuf], format: ReportFormat, streams: &mut Streams<'_>) -> Result<Repo, Error> {
    if paths == [Path::new(INPUT)] {
        let (path, read) = (INPUT.into(), read_input(INPUT).map(Document::alone));
        return Ok(Repo { documents: vec![Found { path, place: PathBuf::new(), read }] });
    }
    Ok(Repo::of_documents("PATHS", paths, |all, done| {
        if format == ReportFormat::Text {
            streams.progress(all, done);
        }
    })?)
}

/// What is wrong with a document, in whose folder this is.
fn check(Found { path, read, .. }: Found, here: Option<&Here>, rendered: &BTreeSet<String>) -> Checked {
    let Document { source, examined, sealed } = match read {
        Ok(document) => *document,
        Err(error) => {
            return Checked { errors: vec![error.into()], ..Checked::default() };
        }
    };
    let Examined { peering, invalid, notes } = examined;
    let member = peering.as_ref().map(|it| Member::new(0, it, invalid.is_some()));
    let valid = peering.as_ref().filter(|_| invalid.is_none());
    let in_folder = valid.filter(|_| is_named_as_document(&path));
    let unusable = in_folder.map(|_| unusable_files(&path, &sealed));
    let named = in_folder.map_or_else(Vec::new, |peering| copies::named(peering, &sealed));
    let unused = valid.zip(here).map(|(peering, here)| folder::unused(here, peering));
    let is_rendered = |it: &&Peering| rendered.contains(it.name.as_str());
    let origins = in_folder.filter(is_rendered).map(|it| Origins::of(it, &sealed)).transpose();
    let (origins, bug) = origins.map_or_else(|bug| (None, Some(bug)), |origins| (origins, None));
    let errors = invalid.into_iter().map(Error::from).chain(bug.map(Error::from));
    let name = |peering: &Peering, role| peering.clusters.of(role).argocd_cluster.to_string();
    Checked {
        compared: Some((source, member)),
        clusters: valid.map(|peering| Role::BOTH.map(|role| name(peering, role))),
        errors: errors.chain(unusable.into_iter().flatten()).collect(),
        notes: notes.into_iter().chain(unused.into_iter().flatten()).collect(),
        sealed_files: in_folder
            .map_or(0, |it| sealed_files(it).map(|(file, _)| file.as_str()).collect::<BTreeSet<_>>().len()),
        named,
        origins,
    }
}

/// A document under another name has no folder.
fn is_named_as_document(path: &Path) -> bool {
    path.file_name() == Some(DOCUMENT.as_ref())
}

/// What is wrong with the sealed files, as far as it can be seen without an identity: a file that was not committed, or not
/// sealed, is found here, before Argo CD reports it.
fn unusable_files(path: &Path, sealed: &Sealed) -> Vec<Error> {
    let problem = |(file, content): (&String, &Result<Vec<u8>, ReadProblem>)| {
        let name = path.with_file_name(file).display().to_string();
        match content {
            Err(problem) => Some(custody::Error::SealedFile { name, problem: problem.clone() }),
            Ok(bytes) => {
                let problem = custody::check_unopened(bytes).err()?;
                Some(custody::Error::Payload { name, problem })
            }
        }
    };
    sealed.iter().filter_map(problem).map(Error::from).collect()
}
