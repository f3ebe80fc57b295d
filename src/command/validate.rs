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
use crate::cli::{ReportFormat, Validate};
use crate::command::error::{self, Error};
use crate::command::report::{Report, findings, github, gitlab, pretty, sarif};
use crate::command::terminal;
use crate::custody::{self, sealed_files};
use crate::diagnostic::{Invalid, Look, Problems, Severity, Source, counted};
use crate::input::file::{self, ReadProblem, shown_path};
use crate::input::folder::{DOCUMENT, read_input};
use crate::peering::{Peering, Role};
use crate::rules::Examined;
use crate::rules::fleet::{self, Member};
use crate::state::repo::{Document, Found, Repo, Sealed, documents};
use applications::Place;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    let repo = read(&paths, arguments.format, streams)?;
    let checked: Vec<Checked> = repo.documents.into_iter().map(check).collect();
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
    let finds = applications::find_folders(&files, &places)?;
    for (index, invalid) in applications::check(&files, &places, &finds) {
        found.push((index, grade(invalid, arguments.strict).into_iter().map(Error::from).collect()));
    }
    #[cfg(feature = "workstation")]
    if let Some(identity_file) = &arguments.identity_file {
        let errors = terms::check(identity_file, &files, &places, &finds, streams).into_iter();
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

fn check(Found { path, read, .. }: Found) -> Checked {
    let Document { source, examined, sealed } = match read {
        Ok(document) => document,
        Err(error) => {
            let errors = vec![error.into()];
            return Checked { compared: None, clusters: None, errors, notes: Vec::new() };
        }
    };
    let Examined { peering, invalid, notes } = examined;
    let member = peering.as_ref().map(|it| Member::new(0, it, invalid.is_some()));
    let valid = peering.as_ref().filter(|_| invalid.is_none());
    let is_in_folder = is_named_as_document(&path);
    let unusable = valid.filter(|_| is_in_folder).map(|peering| unusable_files(&path, peering, &sealed));
    let of_folder = if is_in_folder { folder::check(folder_of(&path), valid) } else { Vec::new() };
    let (notes_of_folder, errors_of_folder): (Vec<_>, Vec<_>) =
        of_folder.into_iter().partition(|it| it.severity == Severity::Note);
    let errors = invalid.into_iter().chain(errors_of_folder).map(Error::from);
    let name = |peering: &Peering, role| peering.clusters.of(role).argocd_cluster.to_string();
    Checked {
        compared: Some((source, member)),
        clusters: valid.map(|peering| Role::BOTH.map(|role| name(peering, role))),
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
fn unusable_files(path: &Path, peering: &Peering, sealed: &Sealed) -> Vec<Error> {
    // both sides can have one seed
    let files: BTreeSet<&str> = sealed_files(peering).map(|(file, _)| file.as_str()).collect();
    let problem = |file: &str| {
        let name = path.with_file_name(file).display().to_string();
        match sealed.get(file)? {
            Err(problem) => Some(custody::Error::SealedFile { name, problem: problem.clone() }),
            Ok(bytes) => {
                let problem = custody::check_unopened(bytes).err()?;
                Some(custody::Error::Payload { name, problem })
            }
        }
    };
    files.into_iter().filter_map(problem).map(Error::from).collect()
}
