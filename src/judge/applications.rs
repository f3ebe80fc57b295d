//! The Applications, ApplicationSets and AppProjects below the paths, against the documents: what Argo CD would refuse, or send to
//! another cluster.

mod files;
mod names;
mod overrides;
mod pairs;
mod parents;
mod projects;
mod reports;
mod rules;
mod sets;
mod way;

use crate::argocd::application::Application;
use crate::argocd::plugin::PLUGIN;
use crate::diagnostic::{
    Code, Diagnostic, Elsewhere, Invalid, Judged, Label, Problems, Rule, Severity, Source, Span, quoted,
    shown_name,
};
use crate::document::Located;
use crate::input::file::folder_of;
use crate::peering::{Material, Role};
use crate::state::StateError;
use crate::{rules as of_document, stream};
use overrides::Overrides;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use way::Ways;

pub(crate) use files::{File, files};
pub(crate) use pairs::same_cluster;
pub(crate) use reports::{Reported, Reports};
pub(crate) use rules::{alone, leaves_certificate, role_of};
pub(crate) use sets::{Finds, find_folders};

pub(crate) struct Place {
    /// Which of all documents it is.
    pub(crate) index: usize,
    /// As it was named or found.
    pub(crate) document: PathBuf,
    /// The folder, without links.
    pub(crate) folder: PathBuf,
    pub(crate) source: Source,
    /// What Argo CD calls the consumer and the provider.
    pub(crate) clusters: [String; 2],
}

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) severity: Severity,
    code: Code,
    pub(crate) message: String,
    pub(crate) help: String,
    /// Where it is; of a live object it is nowhere.
    span: Span,
    /// The other one of two, and its file.
    other: Option<(usize, Span)>,
}

impl Fault {
    /// Argo CD or the plugin refuses it, or the wrong side is printed.
    fn error(message: impl Into<String>, help: &str, span: Span) -> Self {
        let (message, help) = (message.into(), help.to_owned());
        Self { severity: Severity::Error, code: Code::Application, message, help, span, other: None }
    }

    /// It harms the peering later.
    fn warning(message: impl Into<String>, help: &str, span: Span) -> Self {
        Self {
            severity: Severity::Warning,
            code: Code::ApplicationSetting,
            ..Self::error(message, help, span)
        }
    }

    /// It is likely a mistake.
    fn note(message: impl Into<String>, help: &str, span: Span) -> Self {
        Self { severity: Severity::Note, ..Self::warning(message, help, span) }
    }

    /// Of two, that is the other one.
    fn beside(self, file: usize, span: Span) -> Self {
        Self { other: Some((file, span)), ..self }
    }

    fn of_project(self) -> Self {
        Self { code: Code::AppProject, ..self }
    }

    fn of_retries(self) -> Self {
        Self { code: Code::SyncRetry, ..self }
    }

    /// As a diagnostic of the file that it is in.
    fn located(self, file: usize, files: &[File]) -> Diagnostic {
        let diagnostic = Rule::new(self.code, self.message).help(self.help).at(self.span);
        let Some((other, span)) = self.other else { return diagnostic };
        let label = Label { span, text: "the other one".into() };
        match files.get(other).filter(|_| other != file) {
            Some(file) => {
                let source = file.source.clone();
                Diagnostic { elsewhere: vec![Elsewhere { source, path: None, label }], ..diagnostic }
            }
            None => diagnostic.and(label.span, label.text),
        }
    }
}

/// What is found: each with its file, and the document that it is about.
#[derive(Default)]
struct Findings {
    found: BTreeMap<(usize, usize, bool), Vec<Fault>>,
    /// A set has one fault for each of its Applications.
    seen: BTreeSet<(usize, usize, String)>,
}

impl Findings {
    fn add(&mut self, file: usize, index: usize, fault: Fault) {
        if self.seen.insert((file, fault.span.start, fault.message.clone())) {
            self.found.entry((file, index, fault.severity != Severity::Error)).or_default().push(fault);
        }
    }
}

/// An Application that leads to a document, and its role.
struct Led<'f> {
    file: usize,
    application: Cow<'f, Application>,
    place: &'f Place,
    role: Role,
}

impl Led<'_> {
    fn is_exchanged(&self) -> bool {
        is_exchanged(&self.application, self.place, self.role)
    }
}

impl Place {
    /// The folder of a document. None if it is gone by now.
    pub(crate) fn of(index: usize, document: &Path, source: &Source, clusters: [String; 2]) -> Option<Self> {
        let folder = folder_of(document).canonicalize().ok()?;
        Some(Self { index, document: document.to_owned(), folder, source: source.clone(), clusters })
    }

    /// Whether Liqo renews the certificate of an Identity in a role's stream.
    fn is_renewed(&self, role: Role) -> bool {
        // the document is read once more for this alone
        self.source.text().contains("keysExchange")
            && of_document::read(&self.source).is_ok_and(|it| it.is_renewed(role))
    }

    /// What Argo CD calls the cluster of a role.
    fn cluster(&self, role: Role) -> &str {
        match role {
            Role::Consumer => &self.clusters[0],
            Role::Provider => &self.clusters[1],
        }
    }
}

/// What was found of Applications.
pub(crate) struct Outcome {
    /// What is wrong with them, each with the number of the document that it is about.
    pub(crate) found: Vec<(usize, Invalid)>,
    /// What Argo CD will report.
    pub(crate) reports: Reports,
    /// The files with an Application that leads to none of the documents.
    pub(crate) astray: BTreeSet<usize>,
}

/// Judges them.
///
/// # Errors
/// When there is more to compare than a run may.
pub(crate) fn check(files: &[File], places: &[Place], finds: &[Finds<'_>]) -> Result<Outcome, StateError> {
    let (led, astray, mut findings) = lead(files, places, finds);
    unread(files, places, &mut findings);
    overrides::check(files, places, &mut findings);
    names::check(files, finds, &mut findings);
    pairs::check(&led, files, &mut findings);
    sets::check(finds, &mut findings);
    projects::check(&led, files, &mut findings)?;
    parents::check(&led, files, places, &mut findings);
    let of_file = |((file, index, is_note), faults): ((usize, usize, bool), Vec<Fault>)| {
        let mut problems = Problems::default();
        for fault in faults {
            problems.push(fault.located(file, files));
        }
        let severity = if is_note { Severity::Note } else { Severity::Error };
        Some((index, Invalid::of_file(severity, problems, &files.get(file)?.source)))
    };
    let found = findings.found.into_iter().filter_map(of_file).collect();
    Ok(Outcome { found, reports: reports::reports(&led), astray })
}

/// How many of Argo CD's objects are judged, and which of the sets that name the plugin are not.
pub(crate) fn count(files: &[File], finds: &[Finds<'_>], judged: &mut Judged) {
    overrides::count(files, judged);
    for file in files {
        let written = file.declared.applications.iter().filter(|it| !it.is_again);
        judged.add("Application", written.count());
        judged.add("AppProject", file.declared.projects.len());
        for (kind, reason) in &file.declared.unjudged {
            judged.leave_out(kind, shown_name(file.source.name()), reason);
        }
    }
    let projects: BTreeSet<&str> =
        files.iter().flat_map(|it| &it.declared.projects).map(|it| it.name.as_str()).collect();
    let named = applications(files, finds).filter_map(|(_, it)| it.project.as_ref());
    let named: BTreeSet<&str> =
        named.map(|it| it.value.as_str()).filter(|it| !projects.is_empty() && *it != "default").collect();
    for project in named.difference(&projects) {
        judged.pass_over("AppProject", quoted(project), "no file below the paths declares it");
    }
    for it in finds {
        match (it.unknown.first(), files.get(it.file)) {
            (Some(reason), Some(file)) => {
                judged.leave_out("ApplicationSet", shown_name(file.source.name()), reason);
            }
            _ => judged.add("ApplicationSet", 1),
        }
    }
}

/// The Applications of the files and of their sets, each with the number of its file.
fn applications<'f>(
    files: &'f [File],
    finds: &'f [Finds<'_>],
) -> impl Iterator<Item = (usize, &'f Application)> {
    let numbered = files.iter().enumerate();
    let written =
        numbered.flat_map(|(number, file)| file.declared.applications.iter().map(move |it| (number, it)));
    let generated = finds.iter().flat_map(|it| it.applications.iter().map(|made| (it.file, made)));
    written.chain(generated)
}

/// The files whose Applications all lead to these documents: every note on them was looked for.
pub(crate) fn whole<'f>(
    files: &'f [File],
    finds: &[Finds<'_>],
    mut astray: BTreeSet<usize>,
) -> impl Iterator<Item = (&'f Source, bool)> {
    astray.extend(finds.iter().filter(|it| !it.unknown.is_empty()).map(|it| it.file));
    files.iter().enumerate().map(move |(number, file)| (&file.source, !astray.contains(&number)))
}

/// The Applications that lead to documents, the files of those that do not, and what is wrong with each by itself.
fn lead<'f>(
    files: &'f [File],
    places: &'f [Place],
    finds: &'f [Finds<'_>],
) -> (Vec<Led<'f>>, BTreeSet<usize>, Findings) {
    let (mut led, mut astray, mut findings) = (Vec::new(), BTreeSet::new(), Findings::default());
    let (ways, overrides) = (Ways::to(places), Overrides::of(files));
    for (number, application) in applications(files, finds) {
        let Some(file) = files.get(number) else { continue };
        let way = ways.lead(file, application);
        let place = way.place();
        if place.is_none() {
            astray.insert(number);
        }
        let index = place.map_or(0, |place| place.index);
        let mut application = Cow::Borrowed(application);
        if let Some(place) = place.filter(|_| !overrides.is_empty()) {
            let (overridden, by) = overrides.put_over(&application, place);
            for over in &by {
                findings.add(*over, index, overrides::replaced(&overridden));
            }
            application = if by.is_empty() { application } else { Cow::Owned(overridden) };
        }
        let faults = alone(&application);
        let harms = application.sync.harms().into_iter();
        let harms = harms.map(|it| Fault {
            severity: it.severity,
            ..Fault::note(it.message, &it.help, first_line(it.span))
        });
        let fits = place
            .zip(role_of(&application))
            .into_iter()
            .flat_map(|(place, role)| alone_fits(&application, place, role));
        for fault in faults.into_iter().chain(way.fault()).chain(harms).chain(fits) {
            findings.add(number, index, fault);
        }
        if let (Some(place), Some(role)) = (place, role_of(&application)) {
            led.push(Led { file: number, application, place, role });
        }
    }
    (led, astray, findings)
}

/// The files that are called as Applications are, and could not be read: in the folder of a document or beside it, or with the plugin's
/// name. Elsewhere they are templates of other tools.
fn unread(files: &[File], places: &[Place], findings: &mut Findings) {
    let around: BTreeMap<&Path, usize> = places
        .iter()
        .flat_map(|place| place.folder.ancestors().take(2).map(|folder| (folder, place.index)))
        .collect();
    for (number, file) in files.iter().enumerate() {
        let Some((why, span)) = &file.unread else { continue };
        let named = file.source.text().contains(PLUGIN).then_some(&0);
        let Some(index) = around.get(file.folder.as_path()).or(named) else { continue };
        let message =
            format!("a part of this file was not read, so no Application in that part is known: {why}");
        let help = "correct it: `kubectl apply` reads YAML as well; an Application with anchors or tags is not checked";
        findings.add(number, *index, Fault::note(message, help, *span));
    }
}

/// The same of an Application that may be one of two that are exchanged, of which `pairs` says so once.
fn alone_fits(application: &Application, place: &Place, role: Role) -> Vec<Fault> {
    if is_exchanged(application, place, role) {
        return hydrated(application, place, role).into_iter().collect();
    }
    fits(application, place, role)
}

/// Whether it goes to the cluster of the other role.
fn is_exchanged(application: &Application, place: &Place, role: Role) -> bool {
    let other = place.cluster(role.peer());
    other != place.cluster(role) && application.cluster().is_some_and(|it| it.value == other)
}

/// What is wrong with an Application of this document and this role.
pub(crate) fn fits(application: &Application, place: &Place, role: Role) -> Vec<Fault> {
    let destination = destinations(application, place.cluster(role), role);
    let renewed = leaves_certificate(application).filter(|_| place.is_renewed(role));
    destination.into_iter().chain(hydrated(application, place, role)).chain(renewed).collect()
}

/// The cluster that it goes to. Of a URL only Argo CD's own is known, and that one can have another name too.
pub(crate) fn destinations(application: &Application, expected: &str, role: Role) -> Vec<Fault> {
    let (cluster, own) = (&application.source.cluster, application.cluster());
    let by_url = application.destination.is_none();
    let names = [(cluster.as_ref(), "parameter `cluster`", false), (own.as_ref(), "destination", by_url)];
    let other = |(name, what, by_url): (Option<&Located<String>>, &str, bool)| {
        let name = name.filter(|name| name.value != expected && !name.value.contains("{{"))?;
        let whose = if application.is_generated { format!("the {role}'s") } else { "its".to_owned() };
        let folder = application.source.path.as_ref().filter(|_| application.is_generated);
        let folder =
            folder.map(|it| format!("in the folder `{}` ", shown_name(&it.value))).unwrap_or_default();
        let expected = quoted(expected);
        let message = format!(
            "{folder}{whose} {what} is {}, and the {role} of the document is {expected}",
            quoted(name)
        );
        let help = if by_url {
            format!(
                "write `name: {}` in place of `server`, unless a cluster's Secret gives this URL that name",
                expected.trim_matches('`')
            )
        } else if application.is_generated {
            format!(
                "correct it or the folder's name, or write `argocdCluster: {}` into `spec.{role}`",
                shown_name(name)
            )
        } else {
            format!("correct it, the role, or `spec.{role}.argocdCluster` of the document")
        };
        Some(if by_url {
            Fault::note(message, &help, name.span)
        } else {
            Fault::error(message, &help, name.span)
        })
    };
    names.into_iter().filter_map(other).collect()
}

/// The plugin prints no Secrets for the hydrator, which commits them.
fn hydrated(application: &Application, place: &Place, role: Role) -> Option<Fault> {
    // the document is read once more for this alone
    let peering = application.source.is_hydrated.then(|| of_document::read(&place.source).ok())??;
    let plan = stream::plan(&peering, role, &Material::public(&peering, role), None).ok()?;
    let message = "the Source Hydrator commits what the plugin prints, so the plugin refuses to print this side's Secrets for it";
    let help =
        "write a `source` in place of `sourceHydrator`, or choose a `delivery` without Secrets in clear";
    plan.shows_secrets().then(|| Fault::error(message, help, application.source.plugin.span))
}

/// A place for what is missing in a whole object: where it begins.
const fn first_line(span: Span) -> Span {
    Span { start: span.start, end: span.start }
}
