//! `validate`: all problems of all given peerings, for both roles, without any identity.

mod applications;
mod conflicts;
mod folder;
#[cfg(feature = "workstation")]
mod liqo_values;
#[cfg(feature = "workstation")]
mod terms;
#[cfg(feature = "workstation")]
pub(super) mod text;

use super::Streams;
use super::documents::{self, BYTES_MAX, documents};
use crate::cli::{ReportFormat, Validate};
use crate::command::error::{self, Error};
use crate::command::report::{Report, findings, github, gitlab, pretty, sarif};
use crate::command::terminal;
use crate::custody::{self, PayloadKind, sealed_files};
use crate::diagnostic::{Bug, Invalid, Look, Problems, Severity, Source, counted};
use crate::input::file::{self, ReadProblem, shown_path};
use crate::input::folder::{DOCUMENT, Folder, read_input};
use crate::peering::values::FileName;
use crate::peering::{Peering, Role};
use crate::rules::fleet::{self, Member};
use crate::rules::{self, Examined};
use applications::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A peering's folder, read and checked.
struct Checked {
    /// The document and what can be compared with others, if it could be read.
    compared: Option<(Source, Option<Member>)>,
    /// What Argo CD calls its clusters, if nothing is wrong with it.
    clusters: Option<[String; 2]>,
    /// What is wrong with the document and with the files beside it.
    errors: Vec<Error>,
    notes: Vec<Invalid>,
}

pub(super) fn validate(arguments: &Validate, streams: &mut Streams<'_>) -> Result<(), Error> {
    let is_input = arguments.paths == [Path::new(INPUT)];
    let paths = if is_input { vec![INPUT.into()] } else { documents(&arguments.paths)? };
    if is_input && arguments.format == ReportFormat::Text {
        streams.note("note: the document is from standard input, so the files beside it were not looked at");
    }
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
        super::workstation::fix::fix(arguments, &paths, streams)?;
    }
    let is_empty = |path: &&PathBuf| path.is_dir() && !paths.iter().any(|it| it.starts_with(path));
    for path in arguments.paths.iter().filter(is_empty) {
        // the folder that a process is in can be gone, and then looks empty
        path.canonicalize().map_err(|error| file::named(path)(ReadProblem::from(error)))?;
        streams.note(&format!("no peering below {}", shown_path(path)));
    }
    let files = if is_input { Vec::new() } else { applications::files(&arguments.paths, streams)? };
    let needs_places = !files.is_empty() || looks_again(arguments);
    let checked = check_all(&paths, arguments.format, streams)?;
    let peerings = checked.len();
    let mut found: Vec<(usize, Vec<Error>)> = Vec::new();
    let (mut sources, mut members, mut indices, mut places) = (vec![], vec![], vec![], vec![]);
    for ((index, path), checked) in paths.iter().enumerate().zip(checked) {
        let Checked { compared, clusters, mut errors, notes } = checked;
        if let Some((source, member)) = compared {
            let clusters = clusters.filter(|_| needs_places);
            places.extend(clusters.and_then(|clusters| Place::of(index, path, &source, clusters)));
            members.extend(member.map(|it| it.of(sources.len())));
            sources.push(source);
            indices.push(index);
        }
        errors.extend(notes.into_iter().flat_map(|notes| grade(notes, arguments.strict)).map(Error::from));
        found.push((index, errors));
    }
    for (source, error) in contradictions(&members, &sources) {
        found.extend(indices.get(source).map(|index| (*index, vec![error])));
    }
    for (index, invalid) in applications::check(&files, &places) {
        found.push((index, grade(invalid, arguments.strict).into_iter().map(Error::from).collect()));
    }
    #[cfg(feature = "workstation")]
    if let Some(identity_file) = &arguments.identity_file {
        let errors = terms::check(identity_file, &files, &places, streams).into_iter();
        found.extend(errors.map(|(index, error)| (index, vec![error])));
    }
    #[cfg(feature = "workstation")]
    for (index, invalid) in
        liqo_values::check(&arguments.liqo_values, &places, places.len() == peerings, streams)?
    {
        found.push((index, vec![invalid.into()]));
    }
    report(found, peerings, arguments.format, streams)
}

/// What documents say of a cluster that another one denies, each with the number of its document.
fn contradictions(members: &[Member], sources: &[Source]) -> Vec<(usize, Error)> {
    let found = fleet::conflicts(members);
    let fields = conflicts::fields(&found, sources);
    let explained = found.iter().map(|(at, it)| (*at, conflicts::explain(it, *at, sources, &fields)));
    explained.filter_map(|(source, error)| Some((source, error?))).collect()
}

/// Whether valid documents are looked at once more.
#[cfg(feature = "workstation")]
fn looks_again(arguments: &Validate) -> bool {
    arguments.identity_file.is_some() || !arguments.liqo_values.is_empty()
}

#[cfg(not(feature = "workstation"))]
const fn looks_again(_: &Validate) -> bool {
    false
}

/// Reports what was found, each with the number of its peering.
fn report(
    found: Vec<(usize, Vec<Error>)>,
    peerings: usize,
    format: ReportFormat,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let is_note = |error: &Error| matches!(error, Error::Document(it) if it.severity == Severity::Note);
    let wrong: BTreeSet<usize> =
        found.iter().filter(|(_, errors)| !errors.iter().all(is_note)).map(|(index, _)| *index).collect();
    let errors: Vec<Error> = found.into_iter().flat_map(|(_, errors)| errors).collect();
    let report = match format {
        ReportFormat::Text => None,
        ReportFormat::Json => Some(pretty(&Report::new(peerings, &errors))?),
        ReportFormat::Github => Some(github::text(&findings(&errors))),
        ReportFormat::Gitlab => Some(gitlab::text(&findings(&errors))?),
        ReportFormat::Sarif => Some(sarif::text(&findings(&errors))?),
    };
    let silent = report.is_some();
    if let Some(report) = report {
        streams.print(&report)?;
    }
    if !wrong.is_empty() {
        return Err(Error::Invalid { errors, wrong: wrong.len(), peerings, silent });
    }
    if !silent && (peerings > 0 || !errors.is_empty()) {
        let look = if streams.terminal { terminal::look() } else { Look::PLAIN };
        streams.note(&nothing_wrong(peerings, &errors, look));
    }
    Ok(())
}

/// What is said of peerings with which nothing is wrong, and their notes.
fn nothing_wrong(peerings: usize, notes: &[Error], look: Look) -> String {
    let line = format!("{}: nothing is wrong", counted(peerings, "peering"));
    if notes.is_empty() {
        return line;
    }
    format!("{}\n{line}; {}", error::fleet(notes, look), error::tally(notes))
}

/// The document on standard input, which has no folder. Its name in messages is what is typed.
const INPUT: &str = "-";

/// The notes of a document; with `strict` as errors, but for those that the person cannot mend.
fn grade(notes: Invalid, strict: bool) -> Vec<Invalid> {
    if !strict {
        return vec![notes];
    }
    let Invalid { severity, problems, source, paths } = notes;
    let (announced, raised) = problems.partition(|it| it.code.is_announcement());
    let part = |severity, problems: Problems| {
        let (source, paths) = (source.clone(), paths.clone());
        (!problems.is_empty()).then_some(Invalid { severity, problems, source, paths })
    };
    [part(Severity::Error, raised), part(severity, announced)].into_iter().flatten().collect()
}

/// Checks all documents on all cores. The outcomes are in the order of the paths.
fn check_all(
    paths: &[PathBuf],
    format: ReportFormat,
    streams: &mut Streams<'_>,
) -> Result<Vec<Checked>, Error> {
    let threads =
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(paths.len().max(1));
    let (next, bytes) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut outcomes: Vec<(usize, Checked)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = paths.get(index) else { return done };
                let checked = check(path);
                let size = checked.compared.as_ref().map_or(0, |(source, _)| source.text().len());
                if bytes.fetch_add(size, Ordering::Relaxed) + size > BYTES_MAX {
                    // for the others, and for the display of how many are done
                    next.store(paths.len(), Ordering::Relaxed);
                    return done;
                }
                done.push((index, checked));
            }
        };
        // a container can forbid threads; then this one does the work
        let spawned = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let workers: Vec<_> = (0..threads).map_while(spawned).collect();
        let here = if workers.is_empty() { work() } else { Vec::new() };
        if format == ReportFormat::Text {
            streams.progress(paths.len(), || next.load(Ordering::Relaxed));
        }
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().chain(here).collect()
    });
    if bytes.into_inner() > BYTES_MAX {
        return Err(documents::too_large("PATHS"));
    }
    // what was not checked must not count as valid
    if outcomes.len() != paths.len() {
        return Err(Bug::new("a peering was not checked").into());
    }
    outcomes.sort_by_key(|(index, _)| *index);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

fn check(path: &Path) -> Checked {
    let is_input = path == Path::new(INPUT);
    let source = match if is_input { read_input(INPUT) } else { Folder::read_file(path) } {
        Ok(source) => source,
        Err(error) => {
            return Checked { compared: None, clusters: None, errors: vec![error.into()], notes: Vec::new() };
        }
    };
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let Examined { peering, invalid, notes } =
        rules::examine(&source, |file| is_input || folder.join(file).exists());
    let member = peering.as_ref().map(|it| Member::new(0, it, invalid.is_some()));
    let valid = peering.filter(|_| invalid.is_none());
    let unusable = valid.as_ref().map(|peering| unusable_files(path, peering));
    let of_folder =
        if is_named_as_document(path) { folder::check(folder_of(path), valid.as_ref()) } else { Vec::new() };
    let (notes_of_folder, errors_of_folder): (Vec<_>, Vec<_>) =
        of_folder.into_iter().partition(|it| it.severity == Severity::Note);
    let errors = invalid.into_iter().chain(errors_of_folder).map(Error::from);
    let name = |peering: &Peering, role| peering.clusters.of(role).argocd_cluster.to_string();
    Checked {
        compared: Some((source, member)),
        clusters: valid.as_ref().map(|peering| Role::BOTH.map(|role| name(peering, role))),
        errors: errors.chain(unusable.into_iter().flatten()).collect(),
        notes: notes.into_iter().chain(notes_of_folder).collect(),
    }
}

/// A document under another name has no folder.
fn is_named_as_document(path: &Path) -> bool {
    path.file_name() == Some(DOCUMENT.as_ref())
}

/// The folder of a document.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// What is wrong with the sealed files, as far as it can be seen without an identity: a file that was not committed, or not
/// sealed, is found here, before Argo CD reports it.
fn unusable_files(path: &Path, peering: &Peering) -> Vec<Error> {
    if !is_named_as_document(path) {
        return Vec::new();
    }
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let problem = |file: &FileName, kind: PayloadKind| {
        let name = || folder.join(file.as_str()).display().to_string();
        let read = Folder::new(folder).read(file.as_str(), kind.cap());
        let bytes = read.map_err(|problem| custody::Error::SealedFile { name: name(), problem })?;
        custody::check_unopened(&bytes).map_err(|problem| custody::Error::Payload { name: name(), problem })
    };
    // both sides can have one seed
    let files: BTreeMap<_, _> =
        sealed_files(peering).map(|(file, kind)| (file.as_str(), (file, kind))).collect();
    files.into_values().filter_map(|(file, kind)| problem(file, kind).err()).map(Error::from).collect()
}
