//! ApplicationSets in the form of argocd-app: the Applications that they make for the documents, and their own settings.

use super::{ArgoFile, Place, first_line, span_or, warning};
use crate::argocd::application::Application;
use crate::argocd::application_set::ApplicationSet;
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;
use std::path::Path;

/// The most Applications of sets that a run makes: those of five thousand peerings.
const MADE_MAX: usize = 10_000;

/// What the sets of files make.
#[derive(Default)]
pub(super) struct SetOutput<'f> {
    pub(super) applications: Vec<(&'f ArgoFile, Application)>,
    /// The sets that make an Application of a document.
    pub(super) judged: Vec<(&'f ArgoFile, &'f ApplicationSet)>,
    /// The file of each other set: none of its Applications is known.
    pub(super) unmade: Vec<&'f ArgoFile>,
}

impl<'f> SetOutput<'f> {
    pub(super) fn from_files(files: &'f [ArgoFile], places: &[Place<'_>]) -> Self {
        let mut by_parent: BTreeMap<&Path, Vec<&Place<'_>>> = BTreeMap::new();
        for place in places {
            if let Some(parent) = place.folder.ancestors().nth(2) {
                by_parent.entry(parent).or_default().push(place);
            }
        }
        let mut output = Self::default();
        for file in files {
            for set in &file.declared.sets {
                let left = MADE_MAX.saturating_sub(output.applications.len());
                if let Some(parent) = file.folder_at(&set.parent)
                    && let Some(places) = by_parent.get(parent.as_path())
                    && places.len() * 2 <= left
                {
                    output.add(file, set, places);
                } else {
                    output.unmade.push(file);
                }
            }
        }
        output
    }

    fn add(&mut self, file: &'f ArgoFile, set: &'f ApplicationSet, places: &[&Place<'_>]) {
        self.judged.push((file, set));
        for place in places {
            let root = file.root.as_deref().unwrap_or(Path::new(""));
            let path = place.folder.strip_prefix(root).unwrap_or(place.folder);
            for application in set.applications(&path.display().to_string()) {
                self.applications.push((file, application));
            }
        }
    }
}

/// The faults of a set that decide what happens to both sides with it (argo-cd `pkg/apis/application/v1alpha1/applicationset_types.go`,
/// ApplicationSetSyncPolicy).
pub(super) fn set_faults(set: &ApplicationSet) -> Vec<Diagnostic> {
    let (at, mut faults) = (first_line(set.span), Vec::new());
    if !set.preserves {
        let message = "Applications get a finalizer: deleting the set deletes both sides at once";
        let help =
            "write `syncPolicy: { preserveResourcesOnDeletion: true }` into the set's `spec`";
        faults.push(warning(message, help, at));
    }
    let sync = set.applications_sync.as_ref();
    let value = sync.map(|it| it.as_str());
    if !matches!(value, Some("create-only" | "create-update")) {
        let message = "when a folder is removed or renamed, its Application is deleted";
        let help = "write `syncPolicy: { applicationsSync: create-update }` into `spec`, unless the controller has a `--policy`";
        faults.push(warning(message, help, span_or(sync, at)));
    }
    faults
}
