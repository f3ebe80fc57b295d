//! Fields with a type that the API server refuses.

use super::{Asked, Fault, File, Flaw};
use std::collections::{BTreeMap, BTreeSet};

/// The most that a run reports: more than that come from one slip of a tool.
const MOST: usize = 10_000;

/// The mistyped fields of Applications, of sets, and of the projects that Applications name.
pub(super) fn check(files: &[File], asked: &[Asked<'_>]) -> Vec<Flaw> {
    let projects: BTreeSet<&str> = asked
        .iter()
        .filter_map(|it| Some(it.application.project.as_ref()?.value.as_str()))
        .collect();
    let places: BTreeMap<usize, usize> = asked
        .iter()
        .filter_map(|it| Some((it.file, it.way.place()?.index)))
        .collect();
    let all = files.iter().enumerate().flat_map(|(number, file)| {
        let ours = file.declared.mistyped.iter();
        let ours = ours.filter(|(project, _)| {
            project
                .as_ref()
                .is_none_or(|it| projects.contains(it.as_str()))
        });
        let of_file =
            ours.flat_map(|(project, all)| all.iter().map(move |it| (project.is_some(), it)));
        let index = places.get(&number).copied().unwrap_or_default();
        of_file.map(move |(is_of_project, it)| {
            let fault = Fault::error(it.message(), it.help, it.span);
            if is_of_project {
                fault.of_project()
            } else {
                fault
            }
            .within(number, index)
        })
    });
    all.take(MOST).collect()
}
