//! The Applications of the plugin below the paths, compared with the documents: what Argo CD would refuse, or send to another cluster. They
//! are written in files, or made by a set in the form of argocd-app. What other tools make is named and not judged.

mod application_rules;
mod document_rules;
mod files;
mod not_judged;
mod pairs;
mod reports;
mod set_rules;
mod sync_rules;
mod target;

use crate::argocd::application::Application;
use crate::diagnostic::{
    Code, Diagnostic, Invalid, Judged, Label, Problems, Rule, Severity, Source, Span,
};
use crate::document::Located;
use crate::peering::{Peering, Role, State};
use crate::state::repo::Files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub(crate) use application_rules::{own_faults, role_of};
pub(crate) use document_rules::{destination_faults, stream_faults};
pub(crate) use files::{ArgoFile, files};
pub(crate) use not_judged::{NotJudgedFile, files_not_judged};
pub(crate) use pairs::{OwnCommits, same_cluster};
pub(crate) use reports::{Reported, Reports};
use set_rules::{SetOutput, set_faults};
pub(crate) use sync_rules::harms;

/// A document, as Applications lead to it.
pub(crate) struct Place<'p> {
    /// The number of the document.
    pub(crate) index: usize,
    /// The path as it was named or found.
    pub(crate) document: &'p Path,
    /// The folder, without links.
    pub(crate) folder: &'p Path,
    pub(crate) peering: &'p Peering,
}

impl<'p> Place<'p> {
    /// The name of a side's cluster in Argo CD.
    fn cluster(&self, role: Role) -> &'p str {
        self.peering.clusters[role].argocd_cluster.as_str()
    }
}

/// A fault by which Argo CD or the plugin refuses an object, or the wrong side is printed.
fn error(message: impl Into<String>, help: &str, span: Span) -> Diagnostic {
    Rule::new(Code::Application, message).help(help).mark(span)
}

/// A fault that harms the peering later.
fn warning(message: impl Into<String>, help: &str, span: Span) -> Diagnostic {
    note(message, help, span).level(Severity::Warning)
}

/// A fault that is likely a mistake.
fn note(message: impl Into<String>, help: &str, span: Span) -> Diagnostic {
    let rule = Rule::new(Code::ApplicationSetting, message).help(help);
    rule.mark(span)
}

/// Adds the place of the other object of a pair to a fault of a file.
fn mark_other(fault: Diagnostic, file: &ArgoFile, (other, span): (&ArgoFile, Span)) -> Diagnostic {
    let text = "the other one";
    if other.path == file.path {
        return fault.also(span, text);
    }
    fault.also_in(&other.source, Label::new(span, text))
}

/// The faults of files, by the file and the document that they are about, if they are about one.
#[derive(Default)]
struct FileFaults<'f> {
    by_file: BTreeMap<(&'f Path, Option<usize>), (&'f Source, Problems)>,
    seen: BTreeSet<(&'f Path, usize, String)>,
}

impl<'f> FileFaults<'f> {
    fn add(
        &mut self,
        file: &'f ArgoFile,
        about: Option<&Place<'_>>,
        faults: impl IntoIterator<Item = Diagnostic>,
    ) {
        let key = (file.path.as_path(), about.map(|it| it.index));
        for mut fault in faults {
            // a set has one fault for each of its Applications
            let place = (&*file.path, fault.primary.span.start, fault.message.clone());
            if !self.seen.insert(place) {
                continue;
            }
            // a file has no warnings
            if fault.level == Severity::Warning {
                fault.level = Severity::Note;
            }
            let of_file = self.by_file.entry(key);
            let (_, problems) = of_file.or_insert((&file.source, Problems::default()));
            problems.push(fault);
        }
    }

    fn into_problems(self) -> Vec<(Option<usize>, Invalid)> {
        let mut found = Vec::new();
        for ((_, about), (source, problems)) in self.by_file {
            let source = source.clone();
            found.push((about, Invalid { problems, source }));
        }
        found
    }
}

/// An Application of a file, or of a set in it.
struct OfFile<'f> {
    file: &'f ArgoFile,
    application: &'f Application,
    /// The document that its path leads to, or that it is next to.
    target: Option<&'f Place<'f>>,
}

/// An Application that leads to a document, and its role.
#[derive(Clone, Copy)]
struct PeeringApplication<'f> {
    file: &'f ArgoFile,
    application: &'f Application,
    place: &'f Place<'f>,
    role: Role,
}

/// The findings on Argo CD's files.
#[derive(Default)]
pub(crate) struct Outcome {
    /// The problems of files, each with the number of the document that they are about, if they are about one.
    pub(crate) found: Vec<(Option<usize>, Invalid)>,
    /// What Argo CD will report.
    pub(crate) reports: Reports,
    /// How many Applications and sets are judged.
    counts: [usize; 2],
    pub(crate) not_judged: Vec<NotJudgedFile>,
}

impl Outcome {
    /// Counts what is judged, and names what is not.
    pub(crate) fn count(&self, judged: &mut Judged) {
        let [applications, sets] = self.counts;
        judged.add("Application", applications);
        judged.add("ApplicationSet", sets);
        for it in &self.not_judged {
            it.count(judged);
        }
    }
}

/// Judges Argo CD's files.
pub(crate) fn judge(files: &[ArgoFile], places: &[Place<'_>], repo_files: &Files) -> Outcome {
    let sets = SetOutput::from_files(files, places);
    let (mut applications, mut written) = (Vec::new(), 0_usize);
    for file in files {
        for application in &file.declared.applications {
            written += usize::from(!application.is_further_source);
            applications.push((file, application));
        }
    }
    applications.extend(sets.applications.iter().map(|(file, it)| (*file, it)));
    let targets = target::DocumentsByPath::new(places);
    let (mut all, mut faults) = (Vec::new(), FileFaults::default());
    for (file, application) in applications {
        let (target, fault) = targets.document_of(file, application, repo_files);
        faults.add(file, target, fault);
        all.push(OfFile {
            file,
            application,
            target,
        });
    }
    let led = all.iter().filter_map(OfFile::peering_application).collect();
    let [led, of_other_commits] = pairs::take_other_commits(led);
    for it in &all {
        faults.add(it.file, it.target, own_faults(it.application));
        let state = it.target.map(|it| it.peering.state);
        let harms = harms(&it.application.sync, state == Some(State::Drained));
        faults.add(it.file, it.target, harms);
    }
    for it in &led {
        faults.add(it.file, Some(it.place), document_rules::faults(it));
    }
    pairs::check_names(&all, places, &mut faults);
    pairs::check_pairs(&led, &mut faults);
    for (file, set) in &sets.judged {
        faults.add(file, None, set_faults(set));
    }
    let mut not_judged = files_not_judged(files, places);
    not_judged.extend(sets.unmade.iter().map(|file| not_judged::made_by_set(file)));
    for it in &of_other_commits {
        not_judged.push(not_judged::of_other_commit(it.file, it.application));
    }
    let written = written.saturating_sub(of_other_commits.len());
    Outcome {
        found: faults.into_problems(),
        reports: reports::reports(&led),
        counts: [written, sets.judged.len()],
        not_judged,
    }
}

impl<'f> OfFile<'f> {
    fn peering_application(&self) -> Option<PeeringApplication<'f>> {
        Some(PeeringApplication {
            file: self.file,
            application: self.application,
            place: self.target?,
            role: role_of(self.application)?,
        })
    }
}

/// The place of a field, or another one if it is missing.
fn span_or<T>(field: Option<&Located<T>>, otherwise: Span) -> Span {
    field.map_or(otherwise, |it| it.span)
}

/// The place for a field that is missing in a whole object: the object's beginning.
const fn first_line(span: Span) -> Span {
    Span::new(span.start, span.start)
}
