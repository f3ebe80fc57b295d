//! ApplicationSets in the form of argocd-app: the Applications that they make for the documents, and their own settings.

use super::{Fault, File, FileFault, Place, file_faults, first_line};
use crate::argocd::application::Application;
use crate::argocd::application_set::ApplicationSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most Applications of sets that a run makes: those of five thousand peerings.
const MADE_MAX: usize = 10_000;

/// The sets that make no Application of a document, by their files and their numbers in them.
pub(super) type UnmadeSets = BTreeSet<(usize, usize)>;

/// The Applications that sets make for the documents, each with the number of its file; and the sets for which none is known.
pub(super) fn made_applications(
    files: &[File],
    places: &[Place<'_>],
) -> (Vec<(usize, Application)>, UnmadeSets) {
    let mut by_parent: BTreeMap<&Path, Vec<&Place<'_>>> = BTreeMap::new();
    for place in places {
        if let Some(parent) = place.folder.ancestors().nth(2) {
            by_parent.entry(parent).or_default().push(place);
        }
    }
    let (mut made, mut unmade) = (Vec::new(), UnmadeSets::new());
    for (number, file) in files.iter().enumerate() {
        for (of_file, set) in file.declared.sets.iter().enumerate() {
            let parent = file.folder_at(&set.parent);
            let found = parent.and_then(|it| by_parent.get(it.as_path()));
            let left = MADE_MAX.saturating_sub(made.len());
            let found = found.filter(|it| it.len() * 2 <= left);
            if found.is_none() {
                unmade.insert((number, of_file));
            }
            for place in found.into_iter().flatten() {
                let root = file.root.as_deref().unwrap_or(Path::new(""));
                let path = place.folder.strip_prefix(root).unwrap_or(place.folder);
                let of_folder = set.applications(&path.display().to_string());
                made.extend(of_folder.into_iter().map(|it| (number, it)));
            }
        }
    }
    (made, unmade)
}

/// The faults of the sets themselves.
pub(super) fn check(files: &[File], unmade: &UnmadeSets) -> Vec<FileFault> {
    let mut found = Vec::new();
    for (file, it) in files.iter().enumerate() {
        let sets = it.declared.sets.iter().enumerate();
        for (_, set) in sets.filter(|(number, _)| !unmade.contains(&(file, *number))) {
            found.extend(file_faults(file, None, set_faults(set)));
        }
    }
    found
}

/// The faults of a set that decide what happens to both sides with it (argo-cd `pkg/apis/application/v1alpha1/applicationset_types.go`,
/// ApplicationSetSyncPolicy).
fn set_faults(set: &ApplicationSet) -> Vec<Fault> {
    let (at, mut faults) = (first_line(set.span), Vec::new());
    if !set.preserves {
        let message = "its Applications get a finalizer: deleting the set deletes the objects of both sides at once";
        let help =
            "write `syncPolicy: { preserveResourcesOnDeletion: true }` into the set's `spec`";
        faults.push(Fault::warning(message, help, at));
    }
    let sync = set.applications_sync.as_ref();
    if !sync.is_some_and(|it| matches!(it.value.as_str(), "create-only" | "create-update")) {
        let message = "an Application that the set no longer generates is deleted, when a folder is removed or renamed";
        let help = "write `syncPolicy: { applicationsSync: create-update }` into the set's `spec`, unless the controller has a `--policy`";
        faults.push(Fault::warning(message, help, sync.map_or(at, |it| it.span)));
    }
    faults
}
