//! The Applications, ApplicationSets and AppProjects below the paths, compared with the documents: what Argo CD would refuse, or send to
//! another cluster.

mod application_rules;
mod counts;
mod declaring_files;
mod environments;
mod fits;
mod global_projects;
mod left;
mod needs;
mod overrides;
mod pairs;
mod parents;
mod projects;
mod reports;
mod sets;
mod sync_rules;
mod types;
mod uncompared;
mod way;

use crate::argocd::application::Application;
use crate::argocd::plugin::PLUGIN;
use crate::diagnostic::{
    Code, Diagnostic, Elsewhere, Invalid, Label, Problems, Rule, Severity, Source, Span,
};
use crate::judge::rendered::RenderedFolders;
use crate::judge::{Declared, Judge, judges, parts, run};
use crate::peering::{Role, Sides};
use crate::state::StateError;
use crate::state::repo::Files;
use overrides::Overrides;
use projects::Permissions;
use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use way::{Way, Ways};

pub(crate) use application_rules::{alone, role_of};
pub(crate) use declaring_files::{File, called_rendered, files};
pub(crate) use environments::{other_environments, why_not_judged};
pub(crate) use fits::{destinations, of_stream};
pub(crate) use global_projects::Projects;
pub(crate) use pairs::same_cluster;
pub(crate) use projects::windows;
pub(crate) use reports::{Reported, Reports};
pub(crate) use sets::alone as of_set;
use sets::{Finds, MadeParents, find_folders};
pub(crate) use sync_rules::harms;
pub(crate) use uncompared::{Texts, Uncompared, uncompared};

pub(crate) struct Place {
    /// The number of the document.
    pub(crate) index: usize,
    /// The path as it was named or found.
    pub(crate) document: PathBuf,
    /// The folder, without links.
    pub(crate) folder: PathBuf,
    pub(crate) source: Source,
    /// The names of consumer and provider in Argo CD.
    pub(crate) clusters: Sides<String>,
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

    /// The fault with its file and its document.
    const fn within(self, file: usize, index: usize) -> Flaw {
        Flaw {
            file,
            index,
            fault: self,
        }
    }

    /// Adds the place of the other object of a pair.
    fn beside(self, file: usize, span: Span) -> Self {
        Self {
            other: Some((file, span)),
            ..self
        }
    }

    fn of_project(self) -> Self {
        Self {
            code: Code::AppProject,
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
            Some(file) => {
                let source = file.source.clone();
                Diagnostic {
                    elsewhere: vec![Elsewhere {
                        source,
                        path: None,
                        label,
                    }],
                    ..diagnostic
                }
            }
            None => diagnostic.and(label.span, label.text),
        }
    }
}

/// A fault with its file, and the document that it is about.
struct Flaw {
    file: usize,
    index: usize,
    fault: Fault,
}

/// An Application with the overrides of its folder, the document that it leads to, and the files that override its source.
struct Asked<'f> {
    file: usize,
    application: Cow<'f, Application>,
    way: Way<'f>,
    over: Vec<usize>,
}

/// An Application that leads to a document, and its role.
struct Led<'f> {
    file: usize,
    application: &'f Application,
    place: &'f Place,
    role: Role,
}

impl Led<'_> {
    fn is_exchanged(&self) -> bool {
        fits::is_exchanged(self.application, self.place, self.role)
    }
}

/// The parts that the judges of Argo CD's objects examine.
struct State<'f> {
    files: &'f [File],
    places: &'f [Place],
    sets: &'f [Finds<'f>],
    asked: &'f [Asked<'f>],
    led: &'f [Led<'f>],
    made: &'f MadeParents<'f>,
    rendered: &'f RenderedFolders,
    permissions: &'f Permissions,
    there: &'f Files,
}

parts! { State<'f>:
    [File] = "Argo CD's files", it => Some(it.files);
    [Place] = "documents", it => Some(it.places);
    [Finds<'f>] = "ApplicationSets", it => Some(it.sets);
    [Asked<'f>] = "Applications", it => Some(it.asked);
    [Led<'f>] = "Applications of documents", it => Some(it.led);
    MadeParents<'f> = "parents of ApplicationSets", it => Some(it.made);
    RenderedFolders = "folders of rendered files", it => Some(it.rendered);
    Permissions = "what AppProjects permit", it => Some(it.permissions);
    Files = "names of files", it => Some(it.there);
}

/// The judges of Argo CD's objects.
fn judges<'f>() -> [Judge<State<'f>, Flaw>; 10] {
    judges! {
        "application" = each: [Asked<'f>];
        "type" = types::check: [File], [Asked<'f>];
        "branch" = way::branches: [Asked<'f>], [File];
        "unread" = unread: [File], [Place];
        "override" = overrides::check: [File], [Place];
        "name" = pairs::of_one_name: [File], [Finds<'f>];
        "pair" = pairs::check: [Led<'f>], [File];
        "set" = sets::check: [Finds<'f>], [File];
        "project" = projects::check: Permissions;
        "parent" = parents::check: [Led<'f>], [File], MadeParents<'f>, [Place], Files, RenderedFolders;
    }
}

/// The names and parts of these judges.
pub(crate) fn declared() -> Declared {
    super::declared(&judges())
}

/// The problems of a file.
#[derive(Clone)]
pub(crate) struct Wrong {
    /// The number of the file.
    pub(crate) file: usize,
    /// The number of the document that they are about.
    pub(crate) index: usize,
    pub(crate) invalid: Invalid,
}

/// Argo CD's files of a state, and the folders that `render` wrote, each with the folder of its document.
pub(crate) struct ArgoCd {
    pub(crate) files: Vec<File>,
    rendered: RenderedFolders,
}

/// The findings on these files.
pub(crate) struct Outcome<'f> {
    files: &'f [File],
    sets: Vec<Finds<'f>>,
    pub(crate) found: Vec<Wrong>,
    /// What Argo CD will report.
    pub(crate) reports: Reports,
    /// The sets whose Applications may be parents that fail: the number of the file, and why it is not known.
    unjudged: Vec<(usize, String)>,
    /// The Applications of other environments.
    others: Vec<OfOtherEnvironment>,
    permissions: Permissions,
}

/// An Application that has no document in this checkout, and why.
struct OfOtherEnvironment {
    file: usize,
    /// Whether it is written in the file, and not generated by a set.
    is_written: bool,
    name: String,
    reason: String,
}

impl ArgoCd {
    /// The files of a state. An Application of a folder that `render` wrote is judged as an Application of the folder's document.
    pub(crate) fn new(mut files: Vec<File>, rendered: RenderedFolders) -> Self {
        declaring_files::add_rendered(&mut files, &rendered);
        Self { files, rendered }
    }

    /// Judges the files.
    ///
    /// # Errors
    /// When there is more to compare than a run may.
    pub(crate) fn judge<'f>(
        &'f self,
        places: &'f [Place],
        there: &Files,
    ) -> Result<Outcome<'f>, StateError> {
        let Self { files, rendered } = self;
        let sets = find_folders(files, places, there, rendered)?;
        let mut asked = asked(files, places, &sets, there);
        let others = environments::take_out_others(&mut asked, files);
        let led: Vec<Led<'_>> = asked.iter().filter_map(Asked::led).collect();
        let made = MadeParents::of(files, places, rendered);
        let permissions = Permissions::of(&led, files)?;
        let state = State {
            files,
            places,
            sets: &sets,
            asked: &asked,
            led: &led,
            made: &made,
            rendered,
            permissions: &permissions,
            there,
        };
        let (flaws, _) = run(&judges(), &state)?;
        let found = as_diagnostics(flaws, files);
        let (reports, unjudged) = (reports::reports(&led), parents::unjudged(&made, &led));
        Ok(Outcome {
            files,
            sets,
            found,
            reports,
            unjudged,
            others,
            permissions,
        })
    }
}

/// The faults, grouped by file and document.
fn as_diagnostics(flaws: Vec<Flaw>, files: &[File]) -> Vec<Wrong> {
    // a set has one fault for each of its Applications
    let mut seen = BTreeSet::new();
    let mut of_files: BTreeMap<(usize, usize, bool), Problems> = BTreeMap::new();
    for Flaw { file, index, fault } in flaws {
        if seen.insert((file, fault.span.start, fault.message.clone())) {
            let is_note = fault.severity != Severity::Error;
            of_files
                .entry((file, index, is_note))
                .or_default()
                .push(fault.located(file, files));
        }
    }
    let found = of_files
        .into_iter()
        .filter_map(|((file, index, is_note), problems)| {
            let severity = if is_note {
                Severity::Note
            } else {
                Severity::Error
            };
            let invalid = Invalid::of_file(severity, problems, &files.get(file)?.source);
            Some(Wrong {
                file,
                index,
                invalid,
            })
        });
    found.collect()
}

impl Outcome<'_> {
    /// The sets for folders that `render` wrote: the files, and the places of the templates.
    pub(crate) fn sets_of_rendered(&self) -> impl Iterator<Item = (PathBuf, usize)> {
        let sets = self.sets.iter().filter(|it| it.is_rendered);
        sets.filter_map(|it| Some((self.files.get(it.file)?.path.clone(), it.set.span.start)))
    }
}

/// The Applications of the files and of their sets, each with the numbers of its file and of its set.
fn applications<'f>(
    files: &'f [File],
    finds: &'f [Finds<'_>],
) -> impl Iterator<Item = (usize, Option<usize>, &'f Application)> {
    let written = files.iter().enumerate().flat_map(|(number, file)| {
        file.declared
            .applications
            .iter()
            .map(move |it| (number, None, it))
    });
    let generated = finds.iter().enumerate().flat_map(|(set, it)| {
        it.applications
            .iter()
            .map(move |made| (it.file, Some(set), made))
    });
    written.chain(generated)
}

/// The Applications with their overrides, and the document that each leads to.
fn asked<'f>(
    files: &'f [File],
    places: &'f [Place],
    sets: &'f [Finds<'_>],
    there: &Files,
) -> Vec<Asked<'f>> {
    // most runs over many folders have no Application
    let ways = LazyCell::new(|| Ways::to(places));
    let overrides = Overrides::of(files);
    let all = applications(files, sets).filter_map(|(file, _, application)| {
        let way = ways.lead(files.get(file)?, application, there);
        let put_over = way
            .place()
            .map(|place| overrides.put_over(application, place));
        let (application, over) = put_over.unwrap_or((Cow::Borrowed(application), Vec::new()));
        Some(Asked {
            file,
            application,
            way,
            over,
        })
    });
    all.collect()
}

impl Asked<'_> {
    fn led(&self) -> Option<Led<'_>> {
        let (place, role) = (self.way.place()?, role_of(&self.application)?);
        Some(Led {
            file: self.file,
            application: &self.application,
            place,
            role,
        })
    }

    /// The faults of the Application itself, and of the way to its document.
    fn faults(&self) -> impl Iterator<Item = Fault> {
        let fits = self
            .led()
            .into_iter()
            .flat_map(|it| fits::fits(it.application, it.place, it.role));
        let (alone, harms) = (alone(&self.application), harms(&self.application.sync));
        alone
            .into_iter()
            .chain(self.way.fault().cloned())
            .chain(harms)
            .chain(fits)
    }
}

/// The faults of each Application.
fn each(asked: &[Asked<'_>]) -> Vec<Flaw> {
    asked.iter().flat_map(of_asked).collect()
}

fn of_asked(it: &Asked<'_>) -> Vec<Flaw> {
    let index = it.way.place().map_or(0, |place| place.index);
    let over = it
        .over
        .iter()
        .map(|file| overrides::replaced(&it.application).within(*file, index));
    over.chain(it.faults().map(|fault| fault.within(it.file, index)))
        .collect::<Vec<_>>()
}

/// The files with the name of an Application that could not be read, if they have the plugin's name, or are in the folder of a document or
/// next to it. In other folders they are templates of other tools.
fn unread(files: &[File], places: &[Place]) -> Vec<Flaw> {
    let around = LazyCell::new(|| -> HashMap<&Path, usize> {
        let folders = places.iter().flat_map(|place| {
            place
                .folder
                .ancestors()
                .take(2)
                .map(move |folder| (folder, place.index))
        });
        folders.collect()
    });
    files.iter().enumerate().filter_map(|(number, file)| {
        let (why, span) = file.unread.as_ref()?;
        let named = file.source.text().contains(PLUGIN).then_some(&0);
        let index = around.get(file.folder.as_path()).or(named)?;
        let message =
            format!("a part of this file was not read, so no Application in that part is known: {why}");
        let help = "correct it: `kubectl apply` reads YAML as well; an Application with anchors or tags is not checked";
        Some(Fault::note(message, help, *span).within(number, *index))
    }).collect()
}

/// The place for a field that is missing in a whole object: the object's beginning.
const fn first_line(span: Span) -> Span {
    Span {
        start: span.start,
        end: span.start,
    }
}
