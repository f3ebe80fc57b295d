//! ApplicationSets over folders: the folders' names are the destinations.

use super::template::evaluate;
use super::{File, Findings, Place, settings};
use crate::argocd::application::ApplicationSet;
use crate::argocd::project::{is_known, is_match};
use crate::diagnostic::{Code, Rule, quoted, shown_name};
use crate::peering::Role;
use std::path::Path;

pub(super) fn check(files: &[File], places: &[Place], findings: &mut [Findings]) {
    for (file, findings) in files.iter().zip(findings) {
        for set in &file.declared.sets {
            settings(&set.template, findings);
            for place in places {
                check_folder(file, set, place, findings);
            }
        }
    }
}

fn check_folder(file: &File, set: &ApplicationSet, place: &Place, findings: &mut Findings) {
    let Some(folder) = folder_of(file, place).filter(|folder| generates(set, folder)) else { return };
    let Some(template) = &set.template.destination else { return };
    findings.index = place.index;
    for role in roles(set) {
        let Some(destination) = evaluate(&template.value, folder, role) else { continue };
        if destination != place.cluster(role) {
            let message = format!(
                "in the folder `{}` the {role}'s destination is {}, and the {role} of the document is {}",
                shown_name(folder),
                quoted(&destination),
                quoted(place.cluster(role))
            );
            let correct = if template.value.contains("{{") { "rename the folder" } else { "correct it" };
            let help = format!(
                "{correct}, or write `argocdCluster: {}` into `spec.{role}`",
                shown_name(&destination)
            );
            findings.errors.push(Rule::new(Code::Application, message).help(help).at(template.span));
        }
    }
}

/// The folder from the root of the repository.
pub(super) fn folder_of<'p>(file: &File, place: &'p Place) -> Option<&'p str> {
    place.folder.strip_prefix(file.root.as_deref()?).ok().and_then(Path::to_str)
}

/// Whether a generator finds the folder, and the template is all that makes its Applications: each `*` is within one segment (argo-cd `applicationset/generators/git.go`, path.Match).
pub(super) fn generates(set: &ApplicationSet, folder: &str) -> bool {
    let matches = |pattern: &str| {
        let (patterns, segments) = (pattern.split('/'), folder.split('/'));
        patterns.clone().count() == segments.clone().count()
            && patterns.zip(segments).all(|(pattern, segment)| is_match(pattern, segment))
    };
    // with a class it is not known here
    !set.is_patched && set.folders.iter().any(|it| is_known(&[it.value.as_str()]) && matches(&it.value))
}

/// The roles of its Applications: the one that is written, or those of its list. Of another template nothing is known.
pub(super) fn roles(set: &ApplicationSet) -> Vec<Role> {
    let Some(word) = set.template.role.as_ref().map(|it| it.value.as_str()) else { return Vec::new() };
    if word.split_whitespace().collect::<String>() != "{{.role}}" {
        return Role::find(word).into_iter().collect();
    }
    let is_listed = |role: &Role| set.roles.is_empty() || set.roles.iter().any(|it| it == role.word());
    Role::BOTH.into_iter().filter(is_listed).collect()
}
