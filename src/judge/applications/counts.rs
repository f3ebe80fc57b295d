//! How many of Argo CD's objects are judged, and what of them is not.

use super::{File, Finds, Outcome, applications, overrides, projects};
use crate::argocd::passed_over::{PassedOver, UNKNOWN_FIELD};
use crate::diagnostic::{Judged, quoted, shown_name};
use std::collections::BTreeSet;

/// What of a file is not judged, and why.
pub(crate) struct Left {
    /// Its number.
    pub(crate) file: usize,
    kind: &'static str,
    /// None for an object, or for all that there is of one.
    part: Option<String>,
    reason: String,
    /// As of [`NotJudged`](crate::diagnostic::NotJudged).
    pub(crate) is_asked: bool,
}

impl Left {
    pub(super) fn new(file: usize, kind: &'static str, reason: impl Into<String>, is_asked: bool) -> Self {
        Self { file, kind, part: None, reason: reason.into(), is_asked }
    }

    pub(super) fn of(self, part: &str) -> Self {
        Self { part: Some(quoted(part)), ..self }
    }

    /// The same in another file says the same.
    pub(crate) fn message(&self) -> String {
        let part = self.part.as_ref().map_or_else(String::new, |part| format!("{part}: "));
        format!("not judged: {part}{}", self.reason)
    }

    fn count(self, files: &[File], judged: &mut Judged) {
        let name = files.get(self.file).map_or_else(String::new, |file| shown_name(file.source.name()));
        let what = self.part.map_or_else(|| name.clone(), |part| format!("{part} of {name}"));
        judged.leave(self.kind, what, self.reason, self.is_asked);
    }
}

/// How many of Argo CD's objects are judged, and which of the sets that name the plugin are not.
pub(crate) fn count(files: &[File], finds: &[Finds<'_>], outcome: &Outcome, judged: &mut Judged) {
    for file in files {
        let written = file.declared.applications.iter().filter(|it| !it.is_again);
        judged.add("Application", written.count());
    }
    let projects = files.iter().map(|it| it.declared.projects.len()).sum::<usize>();
    judged.add("AppProject", projects.saturating_sub(outcome.permissions.unknown.len()));
    judged.add("ApplicationSet", finds.iter().filter(|it| it.unknown.is_empty()).count());
    let projects: BTreeSet<&str> =
        files.iter().flat_map(|it| &it.declared.projects).map(|it| it.name.as_str()).collect();
    let named = named_projects(files, finds);
    for project in named.difference(&projects).filter(|it| !projects.is_empty() && **it != "default") {
        judged.pass_over("AppProject", quoted(project), "no file below the paths declares it");
    }
    for it in left(files, finds, outcome) {
        it.count(files, judged);
    }
}
/// What of each file is not judged.
pub(crate) fn left(files: &[File], finds: &[Finds<'_>], outcome: &Outcome) -> Vec<Left> {
    let mut all = overrides::left(files);
    all.extend(projects::left(&outcome.permissions));
    for (number, file) in files.iter().enumerate() {
        let rendered = "what it makes of folders that `render` wrote is not judged";
        all.extend(file.makes_rendered.then(|| Left::new(number, "ApplicationSet", rendered, false)));
        let unjudged = file.declared.unjudged.iter();
        all.extend(unjudged.map(|(kind, reason)| Left::new(number, kind, reason, true)));
    }
    let unknown = |it: &Finds<'_>| Some(Left::new(it.file, "ApplicationSet", it.unknown.first()?, true));
    all.extend(finds.iter().filter_map(unknown));
    let fields = passed_over(files, finds, &named_projects(files, finds));
    all.extend(fields.into_iter().map(|(number, PassedOver { path, reason })| {
        // a field that nothing is known of counts as asked about, so it is an error with `--strict`
        Left::new(number, "field", reason.unwrap_or(UNKNOWN_FIELD), reason.is_none()).of(path)
    }));
    let of_parents = outcome.unjudged.iter();
    all.extend(of_parents.map(|(number, reason)| Left::new(*number, "ApplicationSet", reason, false)));
    all
}

/// The projects of the Applications.
fn named_projects<'f>(files: &'f [File], finds: &'f [Finds<'_>]) -> BTreeSet<&'f str> {
    applications(files, finds).filter_map(|(_, it)| Some(it.project.as_ref()?.value.as_str())).collect()
}

/// The fields that no judge looks at, each with the number of its file: of the Applications, the sets, and the projects of these names.
fn passed_over<'f>(
    files: &'f [File],
    finds: &'f [Finds<'_>],
    named: &BTreeSet<&str>,
) -> BTreeSet<(usize, &'f PassedOver)> {
    let of_applications = applications(files, finds).map(|(number, it)| (number, &it.passed_over));
    let of_sets = finds.iter().map(|it| (it.file, &it.set.passed_over));
    let mut all = of_applications.chain(of_sets).collect::<Vec<_>>();
    for (number, file) in files.iter().enumerate() {
        let projects = file.declared.projects.iter().filter(|it| named.contains(it.name.as_str()));
        all.extend(projects.map(|it| (number, &it.passed_over)));
    }
    all.into_iter().flat_map(|(number, fields)| fields.iter().map(move |it| (number, it))).collect()
}
