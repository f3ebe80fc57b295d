//! The Applications, ApplicationSets and AppProjects below the paths, against the documents: what Argo CD would refuse, or send to
//! another cluster.

mod files;
mod names;
mod pairs;
mod projects;
mod reports;
mod sets;
mod settings;
mod template;
mod way;

use crate::argocd::application::Application;
use crate::command::error::Error;
use crate::diagnostic::{
    Code, Diagnostic, Elsewhere, Invalid, Judged, Label, Paths, Problems, Rule, Severity, Source, Span,
    quoted, shown_name,
};
use crate::peering::Role;
use settings::settings;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use way::Ways;

pub(super) use files::{File, files};
pub(super) use reports::{Reported, reports};
pub(super) use sets::{Finds, find_folders};

pub(super) struct Place {
    /// Which of all documents it is.
    pub(super) index: usize,
    /// As it was named or found.
    pub(super) document: PathBuf,
    /// The folder, without links.
    pub(super) folder: PathBuf,
    pub(super) source: Source,
    /// What Argo CD calls the consumer and the provider.
    pub(super) clusters: [String; 2],
}

impl Place {
    /// The folder of a document. None if it is gone by now.
    pub(super) fn of(index: usize, document: &Path, source: &Source, clusters: [String; 2]) -> Option<Self> {
        let folder = super::folder_of(document).canonicalize().ok()?;
        Some(Self { index, document: document.to_owned(), folder, source: source.clone(), clusters })
    }

    /// What Argo CD calls the cluster of a role.
    fn cluster(&self, role: Role) -> &str {
        match role {
            Role::Consumer => &self.clusters[0],
            Role::Provider => &self.clusters[1],
        }
    }
}

/// An Application that leads to a document, and its role.
struct Led<'f> {
    file: usize,
    application: &'f Application,
    place: &'f Place,
    role: Role,
}

/// What is found in each file.
#[derive(Default)]
struct Findings {
    errors: Problems,
    notes: Problems,
    /// The document that it is about.
    index: usize,
}

/// What is wrong with them, each with the number of the document that it is about.
///
/// # Errors
/// When there is more to compare than a run may.
pub(super) fn check(
    files: &[File],
    places: &[Place],
    finds: &[Finds<'_>],
) -> Result<Vec<(usize, Invalid)>, Error> {
    let (led, mut findings) = lead(files, places);
    unread(files, places, &mut findings);
    names::check(files, &mut findings);
    pairs::check(&led, files, &mut findings);
    sets::check(finds, &mut findings);
    projects::check(&led, files, finds, &mut findings)?;
    let reports = findings.into_iter().zip(files).flat_map(|(findings, file)| {
        let Findings { errors, notes, index } = findings;
        [(Severity::Error, errors), (Severity::Note, notes)].into_iter().filter_map(
            move |(severity, problems)| {
                let (source, paths) = (file.source.clone(), Paths::default());
                (!problems.is_empty()).then_some((index, Invalid { severity, problems, source, paths }))
            },
        )
    });
    Ok(reports.collect())
}

/// How many of Argo CD's objects are judged, and which of the sets that name the plugin are not.
pub(super) fn count(files: &[File], finds: &[Finds<'_>], judged: &mut Judged) {
    for file in files {
        judged.add("Application", file.declared.applications.len());
        judged.add("AppProject", file.declared.projects.len());
    }
    for it in finds {
        match (it.unknown(), files.get(it.file)) {
            (Some(reason), Some(file)) => {
                judged.leave_out("ApplicationSet", shown_name(file.source.name()), reason);
            }
            _ => judged.add("ApplicationSet", 1),
        }
    }
}

/// The Applications that lead to documents, and what is wrong with each by itself.
fn lead<'f>(files: &'f [File], places: &'f [Place]) -> (Vec<Led<'f>>, Vec<Findings>) {
    let mut findings: Vec<Findings> = files.iter().map(|_| Findings::default()).collect();
    let mut led = Vec::new();
    let ways = Ways::to(places);
    for (number, (file, findings)) in files.iter().zip(&mut findings).enumerate() {
        for application in &file.declared.applications {
            let place = ways.lead(file, application, findings);
            let role = role_of(application, findings);
            settings(application, findings);
            let (Some(place), Some(role)) = (place, role) else { continue };
            findings.index = place.index;
            destination(application, place, role, findings);
            led.push(Led { file: number, application, place, role });
        }
    }
    (led, findings)
}

/// The files in the folder of a document or beside it that are called as Applications are, and could not be read. Elsewhere they are
/// templates of other tools.
fn unread(files: &[File], places: &[Place], findings: &mut [Findings]) {
    let around: BTreeMap<&Path, usize> = places
        .iter()
        .flat_map(|place| place.folder.ancestors().take(2).map(|folder| (folder, place.index)))
        .collect();
    for (file, findings) in files.iter().zip(findings) {
        let Some((why, span)) = &file.unread else { continue };
        let Some(index) = around.get(file.folder.as_path()) else { continue };
        findings.index = *index;
        let message =
            format!("a part of this file was not read, so no Application in that part is known: {why}");
        let help = "correct it: `kubectl apply` reads YAML as well; an Application with anchors or tags is not checked";
        findings.notes.push(Rule::new(Code::ApplicationSetting, message).help(help).at(*span));
    }
}

/// Its role, without which the plugin prints nothing.
fn role_of(application: &Application, findings: &mut Findings) -> Option<Role> {
    let help = "write `parameters: [{ name: role, string: consumer }]` below `plugin`, or `provider`";
    let (message, at) = match &application.role {
        None => ("the plugin gets no parameter `role`".to_owned(), application.plugin.span),
        Some(word) => match Role::find(&word.value) {
            Some(role) => return Some(role),
            None => (format!("{} is not a role", quoted(&word.value)), word.span),
        },
    };
    findings.errors.push(Rule::new(Code::Application, message).help(help).at(at));
    None
}

/// The cluster that it goes to. A destination by URL is not known here.
fn destination(application: &Application, place: &Place, role: Role, findings: &mut Findings) {
    let expected = place.cluster(role);
    let names = [(&application.cluster, "parameter `cluster`"), (&application.destination, "destination")];
    for (name, what) in names {
        let Some(name) = name.as_ref().filter(|name| name.value != expected) else { continue };
        let message = format!(
            "its {what} is {}, and the {role} of the document is {}",
            quoted(&name.value),
            quoted(expected)
        );
        let help = format!("correct it, the role, or `spec.{role}.argocdCluster` of the document");
        findings.errors.push(Rule::new(Code::Application, message).help(help).at(name.span));
    }
}

/// Adds the other one of two Applications, which can be in another file.
fn with_other(rule: Diagnostic, file: usize, files: &[File], (other, span): (usize, Span)) -> Diagnostic {
    let label = Label { span, text: "the other one".into() };
    match files.get(other).filter(|_| other != file) {
        Some(file) => {
            let source = file.source.clone();
            Diagnostic { elsewhere: vec![Elsewhere { source, path: None, label }], ..rule }
        }
        None => rule.and(label.span, label.text),
    }
}

/// A place for what is missing in a whole object: where it begins.
const fn first_line(span: Span) -> Span {
    Span { start: span.start, end: span.start }
}
