//! How many of Argo CD's objects are judged, and which parts of them are not.

use super::left::Left;
use super::{File, Finds, Outcome, applications, overrides, projects};
use crate::argocd::passed_over::{PassedOver, UNKNOWN_FIELD};
use crate::diagnostic::{Judged, quoted};
use std::collections::BTreeSet;

impl Outcome<'_> {
    /// How many of Argo CD's objects are judged, and which are not.
    pub(crate) fn count(&self, judged: &mut Judged) {
        let Self { files, sets, .. } = self;
        let is_created = |file: &usize| files.get(*file).is_some_and(|it| !it.is_passed_over);
        let written =
            applications(files, &[]).filter(|(file, _, it)| is_created(file) && !it.is_again);
        let others = self
            .others
            .iter()
            .filter(|it| it.is_written && is_created(&it.file));
        judged.add(
            "Application",
            written.count().saturating_sub(others.count()),
        );
        let projects = || {
            files
                .iter()
                .enumerate()
                .flat_map(|(file, it)| it.declared.projects.iter().map(move |it| (file, it)))
        };
        let unknown = self
            .permissions
            .unknown
            .keys()
            .filter(|(file, _)| is_created(file));
        let created = projects().filter(|(file, _)| is_created(file));
        judged.add(
            "AppProject",
            created.count().saturating_sub(unknown.count()),
        );
        let known = sets
            .iter()
            .filter(|it| it.unknown.is_empty() && is_created(&it.file));
        judged.add("ApplicationSet", known.count());
        let declared: BTreeSet<&str> = projects().map(|(_, it)| it.name.as_str()).collect();
        let parts: BTreeSet<&str> = files
            .iter()
            .flat_map(|it| &it.declared.parts_of_projects)
            .map(String::as_str)
            .collect();
        for project in named_projects(files, sets).difference(&declared) {
            if parts.contains(project) {
                judged.pass_over(
                    "AppProject",
                    quoted(project),
                    "its `destinations` are not written here",
                );
            } else if !declared.is_empty() && *project != "default" {
                judged.pass_over(
                    "AppProject",
                    quoted(project),
                    "no file below the paths declares it",
                );
            }
        }
        for it in self.left() {
            it.count(files, judged);
        }
    }

    /// The parts of each file that are not judged.
    pub(crate) fn left(&self) -> Vec<Left> {
        let Self { files, sets, .. } = self;
        let mut all = overrides::left(files);
        all.extend(projects::left(&self.permissions));
        for (number, file) in files.iter().enumerate() {
            all.extend(
                file.makes_rendered
                    .then(|| Left::new(number, "ApplicationSet", RENDERED, false)),
            );
            all.extend(
                file.is_passed_over
                    .then(|| Left::new(number, "file", PASSED_OVER, false)),
            );
            let unjudged = file.declared.unjudged.iter();
            all.extend(unjudged.map(|(kind, reason)| Left::new(number, kind, reason, true)));
        }
        all.extend(sets.iter().filter_map(of_unknown));
        let fields = passed_over(files, sets);
        all.extend(
            fields
                .into_iter()
                .map(|(number, PassedOver { path, reason })| {
                    // an unknown field counts as asked for, so it is an error with `--strict`
                    Left::new(
                        number,
                        "field",
                        reason.unwrap_or(UNKNOWN_FIELD),
                        reason.is_none(),
                    )
                    .of(path)
                }),
        );
        let is_said = |number| {
            sets.iter()
                .any(|it| it.is_rendered && !it.unknown.is_empty() && it.file == number)
        };
        let of_parents = self.unjudged.iter().filter(|(number, _)| !is_said(*number));
        all.extend(
            of_parents.map(|(number, reason)| Left::new(*number, "ApplicationSet", reason, false)),
        );
        let others = self.others.iter();
        all.extend(
            others.map(|it| Left::new(it.file, "Application", &it.reason, false).of(&it.name)),
        );
        all
    }
}

/// The entry for a set that generates more Applications than are known.
fn of_unknown(it: &Finds<'_>) -> Option<Left> {
    let why = it.unknown.first()?;
    let reason = if it.is_rendered {
        format!("{RENDERED}: {why}")
    } else {
        why.clone()
    };
    Some(Left::new(
        it.file,
        "ApplicationSet",
        reason,
        !it.is_rendered,
    ))
}

/// Why the Applications of a set are not judged.
const RENDERED: &str = "what it makes of folders that `render` wrote is not judged";

/// Why a file with Argo CD's mark is not judged.
const PASSED_OVER: &str = "it has `+argocd:skip-file-rendering`: an Application of Applications does not create what it declares";

/// The names of the Applications' projects.
fn named_projects<'f>(files: &'f [File], finds: &'f [Finds<'_>]) -> BTreeSet<&'f str> {
    applications(files, finds)
        .filter_map(|(.., it)| Some(it.project.as_ref()?.value.as_str()))
        .collect()
}

/// The fields that no judge looks at, each with the number of its file: of the Applications, of the sets, and of the Applications'
/// projects.
fn passed_over<'f>(files: &'f [File], finds: &'f [Finds<'_>]) -> BTreeSet<(usize, &'f PassedOver)> {
    let named = named_projects(files, finds);
    let of_applications =
        applications(files, finds).map(|(number, _, it)| (number, &it.passed_over));
    let of_sets = finds.iter().map(|it| (it.file, &it.set.passed_over));
    let mut all = of_applications.chain(of_sets).collect::<Vec<_>>();
    for (number, file) in files.iter().enumerate() {
        let projects = file
            .declared
            .projects
            .iter()
            .filter(|it| named.contains(it.name.as_str()));
        all.extend(projects.map(|it| (number, &it.passed_over)));
    }
    all.into_iter()
        .flat_map(|(number, fields)| fields.iter().map(move |it| (number, it)))
        .collect()
}
