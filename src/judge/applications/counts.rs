//! How many of Argo CD's objects are judged, and what of them is not.

use super::{File, Finds, Outcome, applications, overrides, projects};
use crate::argocd::passed_over::PassedOver;
use crate::diagnostic::{Judged, quoted, shown_name};
use std::collections::BTreeSet;

/// How many of Argo CD's objects are judged, and which of the sets that name the plugin are not.
pub(crate) fn count(files: &[File], finds: &[Finds<'_>], outcome: &Outcome, judged: &mut Judged) {
    overrides::count(files, judged);
    for (number, file) in files.iter().enumerate() {
        let written = file.declared.applications.iter().filter(|it| !it.is_again);
        judged.add("Application", written.count());
        projects::count(number, file, outcome, judged);
        if file.makes_rendered {
            let reason = "what it makes of folders that `render` wrote is not judged";
            judged.pass_over("ApplicationSet", shown_name(file.source.name()), reason);
        }
        for (kind, reason) in &file.declared.unjudged {
            judged.leave_out(kind, shown_name(file.source.name()), reason);
        }
    }
    let projects: BTreeSet<&str> =
        files.iter().flat_map(|it| &it.declared.projects).map(|it| it.name.as_str()).collect();
    let named = applications(files, finds).filter_map(|(_, it)| it.project.as_ref());
    let named: BTreeSet<&str> = named.map(|it| it.value.as_str()).collect();
    for project in named.difference(&projects).filter(|it| !projects.is_empty() && **it != "default") {
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
    for (number, field) in passed_over(files, finds, &named) {
        let Some(file) = files.get(number) else { continue };
        field.count(&shown_name(file.source.name()), judged);
    }
    for (number, reason) in &outcome.unjudged {
        let Some(file) = files.get(*number) else { continue };
        judged.pass_over("ApplicationSet", shown_name(file.source.name()), reason);
    }
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
