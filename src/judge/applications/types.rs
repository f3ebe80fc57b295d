//! Fields of a type that the API server refuses.

use super::{Asked, Fault, File, Flaw};
use std::collections::BTreeSet;

/// Of Applications and sets, and of the projects that Applications are in.
pub(super) fn check(files: &[File], asked: &[Asked<'_>]) -> Vec<Flaw> {
    let projects: BTreeSet<&str> =
        asked.iter().filter_map(|it| Some(it.application.project.as_ref()?.value.as_str())).collect();
    let all = files.iter().enumerate().flat_map(|(number, file)| {
        let all = file.declared.mistyped.iter();
        let ours =
            all.filter(|(project, _)| project.as_ref().is_none_or(|it| projects.contains(it.as_str())));
        ours.map(move |(project, it)| {
            let fault = Fault::error(it.message.clone(), &it.help, it.span);
            if project.is_some() { fault.of_project() } else { fault }.within(number, 0)
        })
    });
    all.collect()
}
