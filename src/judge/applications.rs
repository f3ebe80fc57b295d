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
use crate::diagnostic::{Code, Diagnostic, Invalid, Judged, Label, Problems, Rule, Severity, Span};
use crate::peering::{Peering, Role};
use crate::state::repo::Files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub(crate) use application_rules::{alone, role_of};
pub(crate) use document_rules::{destination_faults, stream_faults};
pub(crate) use files::{File, files};
pub(crate) use not_judged::{NotJudgedFile, files_not_judged};
pub(crate) use pairs::{of_other_commits, same_cluster};
pub(crate) use reports::{Reported, Reports};
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
        self.peering.clusters.of(role).argocd_cluster.as_str()
    }
}

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) severity: Severity,
    code: Code,
    pub(crate) message: String,
    pub(crate) help: String,
    /// The place of the fault; a live object has none.
    span: Span,
    /// The place of the other object of a pair, and its file.
    other: Option<(usize, Span)>,
}

impl Fault {
    /// A fault by which Argo CD or the plugin refuses the object, or the wrong side is printed.
    fn error(message: impl Into<String>, help: &str, span: Span) -> Self {
        let (message, help) = (message.into(), help.to_owned());
        Self {
            severity: Severity::Error,
            code: Code::Application,
            message,
            help,
            span,
            other: None,
        }
    }

    /// A fault that harms the peering later.
    fn warning(message: impl Into<String>, help: &str, span: Span) -> Self {
        Self {
            severity: Severity::Warning,
            code: Code::ApplicationSetting,
            ..Self::error(message, help, span)
        }
    }

    /// A fault that is likely a mistake.
    fn note(message: impl Into<String>, help: &str, span: Span) -> Self {
        Self {
            severity: Severity::Note,
            ..Self::warning(message, help, span)
        }
    }

    /// Adds the place of the other object of a pair.
    fn beside(self, file: usize, span: Span) -> Self {
        Self {
            other: Some((file, span)),
            ..self
        }
    }

    /// The fault as a diagnostic of its file.
    fn located(self, file: usize, files: &[File]) -> Diagnostic {
        let diagnostic = Rule::new(self.code, self.message)
            .help(self.help)
            .at(self.span);
        let Some((other, span)) = self.other else {
            return diagnostic;
        };
        let label = Label {
            span,
            text: "the other one".into(),
        };
        match files.get(other).filter(|_| other != file) {
            Some(file) => diagnostic.and_in(&file.source, None, label),
            None => diagnostic.and(label.span, label.text),
        }
    }
}

/// A fault with its file, and the document that it is about, if it is about one.
struct FileFault {
    file: usize,
    document: Option<usize>,
    fault: Fault,
}

/// Faults of a file that are about one document, or about none.
fn file_faults(
    file: usize,
    target: Option<&Place<'_>>,
    faults: impl IntoIterator<Item = Fault>,
) -> Vec<FileFault> {
    let document = target.map(|place| place.index);
    let all = faults.into_iter().map(|fault| FileFault {
        file,
        document,
        fault,
    });
    all.collect()
}

/// An Application of a file, or of a set in it.
struct OfFile<'f> {
    file: usize,
    application: &'f Application,
    /// The document that its path leads to, or that it is next to.
    target: Option<&'f Place<'f>>,
}

/// An Application that leads to a document, and its role.
#[derive(Clone, Copy)]
struct PeeringApplication<'f> {
    file: usize,
    application: &'f Application,
    place: &'f Place<'f>,
    role: Role,
}

/// The problems of a file.
#[derive(Clone)]
pub(crate) struct FileProblems {
    /// The number of the document that they are about, if they are about one.
    pub(crate) document: Option<usize>,
    pub(crate) invalid: Invalid,
}

/// The findings on Argo CD's files.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) found: Vec<FileProblems>,
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
pub(crate) fn judge(files: &[File], places: &[Place<'_>], repo_files: &Files) -> Outcome {
    let (made, unmade_sets) = set_rules::made_applications(files, places);
    let written = files.iter().enumerate().flat_map(|(number, file)| {
        let all = file.declared.applications.iter();
        all.map(move |it| (number, it))
    });
    let made = made.iter().map(|(number, it)| (*number, it));
    let targets = target::DocumentsByPath::of(places);
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for (number, application) in written.chain(made) {
        let Some(file) = files.get(number) else {
            continue;
        };
        let (target, fault) = targets.document_of(file, application, repo_files);
        all.push(OfFile {
            file: number,
            application,
            target,
        });
        faults.extend(file_faults(number, target, fault));
    }
    let led = all.iter().filter_map(OfFile::peering_application).collect();
    let [led, of_other_commits] = pairs::take_other_commits(led);
    for it in &all {
        faults.extend(file_faults(it.file, it.target, alone(it.application)));
        let harms = harms(&it.application.sync);
        faults.extend(file_faults(it.file, it.target, harms));
    }
    for it in &led {
        let of_document = document_rules::faults(it);
        faults.extend(file_faults(it.file, Some(it.place), of_document));
    }
    faults.extend(pairs::of_one_name(&all));
    faults.extend(pairs::check(&led, files));
    faults.extend(set_rules::check(files, &unmade_sets));
    let mut not_judged = files_not_judged(files, places);
    let unmade_files = unmade_sets.iter().filter_map(|(file, _)| files.get(*file));
    not_judged.extend(unmade_files.map(not_judged::made_by_set));
    for it in &of_other_commits {
        let file = files.get(it.file);
        not_judged.extend(file.map(|file| not_judged::of_other_commit(file, it.application)));
    }
    let written = all
        .iter()
        .filter(|it| !it.application.is_generated && !it.application.is_again);
    let sets: usize = files.iter().map(|it| it.declared.sets.len()).sum();
    Outcome {
        found: by_file(faults, files),
        reports: reports::reports(&led),
        counts: [
            written.count().saturating_sub(of_other_commits.len()),
            sets.saturating_sub(unmade_sets.len()),
        ],
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

/// The faults, grouped by file and document.
fn by_file(faults: Vec<FileFault>, files: &[File]) -> Vec<FileProblems> {
    // a set has one fault for each of its Applications
    let mut seen = BTreeSet::new();
    let mut of_files = BTreeMap::<_, Problems>::new();
    for FileFault {
        file,
        document,
        fault,
    } in faults
    {
        if seen.insert((file, fault.span.start, fault.message.clone())) {
            // a file has no warnings
            let severity = match fault.severity {
                Severity::Error => Severity::Error,
                _ => Severity::Note,
            };
            let problems = of_files.entry((file, document, severity)).or_default();
            problems.push(fault.located(file, files));
        }
    }
    let mut found = Vec::new();
    for ((file, document, severity), problems) in of_files {
        if let Some(file) = files.get(file) {
            let invalid = Invalid::of_file(severity, problems, &file.source);
            found.push(FileProblems { document, invalid });
        }
    }
    found
}

/// The place for a field that is missing in a whole object: the object's beginning.
const fn first_line(span: Span) -> Span {
    Span {
        start: span.start,
        end: span.start,
    }
}
