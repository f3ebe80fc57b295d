//! ApplicationSets over folders: the folders' names are the destinations.

use super::{Fault, File, Flaw, Place, first_line};
use crate::argocd::application::Application;
use crate::argocd::application_set::{ApplicationSet, Folders, Unevaluated};
use crate::argocd::project::is_match;
use crate::custody::normal_repo;
use crate::diagnostic::{Span, shown_name};
use crate::state::StateError;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How many steps from folder to folder the patterns of a run may take, and how many folders they may find together, of which each
/// takes a step more for 128 bytes of the template. A thousand sets that each find a hundred folders need a half.
const STEPS_MAX: usize = 1_000_000;

/// A set, and the Applications that it makes for the folders that were checked.
pub(crate) struct Finds<'f> {
    /// Which of the files it is in.
    pub(super) file: usize,
    pub(super) set: &'f ApplicationSet,
    pub(super) applications: Vec<Application>,
    /// Why Argo CD refuses others, and where.
    refused: Vec<(Span, String)>,
    /// Why others are not known.
    pub(super) unknown: Vec<String>,
}

/// What the sets of all files find.
///
/// # Errors
/// When that is more than a run compares.
pub(crate) fn find_folders<'f>(files: &'f [File], places: &'f [Place]) -> Result<Vec<Finds<'f>>, StateError> {
    let mut roots: BTreeMap<Option<&Path>, Tree<'f>> = BTreeMap::new();
    let (mut left, mut finds) = (STEPS_MAX, Vec::new());
    for (number, file) in files.iter().enumerate() {
        for set in &file.declared.sets {
            let root = file.root.as_deref();
            // outside of a repository it finds nothing that is known here
            let tree = roots.entry(root).or_insert_with(|| Tree::below(root, places));
            let (applications, unevaluated) = set.generate(&mut Looking { tree, left: &mut left });
            let mut it = Finds { file: number, set, applications, refused: Vec::new(), unknown: Vec::new() };
            for why in unevaluated {
                match why {
                    Unevaluated::Refused(span, why) => it.refused.push((span, why)),
                    Unevaluated::Unknown(why) => it.unknown.push(why),
                    Unevaluated::TooMuch => return Err(too_many()),
                }
            }
            if it.applications.is_empty() && it.refused.is_empty() && it.unknown.is_empty() {
                it.unknown.push("its generators find no folder that was checked".into());
            }
            finds.push(it);
        }
    }
    Ok(finds)
}

fn too_many() -> StateError {
    let reason = format!(
        "the patterns of the ApplicationSets have more than {STEPS_MAX} folders to look at; name fewer folders at once"
    );
    StateError::Flag { flag: "PATHS", reason }
}

/// The folders of documents, as a tree: a pattern is not compared with each of thousands of them.
#[derive(Default)]
struct Tree<'p> {
    here: Vec<(&'p Place, &'p str)>,
    below: BTreeMap<&'p str, Self>,
}

impl<'p> Tree<'p> {
    fn below(root: Option<&Path>, places: &'p [Place]) -> Self {
        let mut folders = Self::default();
        let inside = |place: &'p Place| place.folder.strip_prefix(root?).ok().and_then(Path::to_str);
        for place in places {
            let Some(folder) = inside(place) else { continue };
            let end =
                folder.split('/').fold(&mut folders, |at, segment| at.below.entry(segment).or_default());
            end.here.push((place, folder));
        }
        folders
    }

    /// The folders that a pattern finds. Each `*` is within one segment (argo-cd `applicationset/generators/git.go`, path.Match). None
    /// if it takes more steps than are left.
    fn find(&self, pattern: &[&str], left: &mut usize, found: &mut Vec<String>) -> Option<()> {
        let Some((first, rest)) = pattern.split_first() else {
            *left = left.checked_sub(self.here.len())?;
            found.extend(self.here.iter().map(|(_, folder)| (*folder).to_owned()));
            return Some(());
        };
        if !first.contains(['*', '?']) {
            return self.below.get(first).map_or(Some(()), |below| below.find(rest, left, found));
        }
        for (segment, below) in &self.below {
            // a `*` is tried at each place of a segment
            *left = left.checked_sub(1 + first.len() * segment.len() / 256)?;
            if is_match(first, segment) {
                below.find(rest, left, found)?;
            }
        }
        Some(())
    }
}

/// A tree, and the steps that are left of a run.
struct Looking<'t, 'p> {
    tree: &'t Tree<'p>,
    left: &'t mut usize,
}

impl Folders for Looking<'_, '_> {
    fn find(&mut self, pattern: &str) -> Option<Vec<String>> {
        let (segments, mut found) = (pattern.split('/').collect::<Vec<_>>(), Vec::new());
        self.tree.find(&segments, self.left, &mut found)?;
        Some(found)
    }

    fn document(&self, folder: &str) -> Option<&str> {
        let end = folder.split('/').try_fold(self.tree, |at, segment| at.below.get(segment))?;
        end.here.first().map(|(place, _)| place.source.text())
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        *self.left = self.left.checked_sub(steps)?;
        Some(())
    }
}

/// What is wrong with the sets themselves.
pub(super) fn check(finds: &[Finds<'_>]) -> Vec<Flaw> {
    let of_set = |Finds { file, set, refused, .. }: &Finds<'_>| {
        let of_refused = |(span, why): &(Span, String)| {
            let message = format!("Argo CD generates no Application of it: {}", shown_name(why));
            let help = if set.is_go() {
                "correct the generators or the template: with `goTemplate`, a value is written `{{ .name }}`"
            } else {
                "correct the generators or the template: without `goTemplate: true`, a value is written `{{name}}`"
            };
            Fault::error(message, help, *span)
        };
        let faults = refused.iter().map(of_refused).chain(alone(set));
        faults.map(|fault| fault.within(*file, 0)).collect::<Vec<_>>()
    };
    finds.iter().flat_map(of_set).collect()
}

/// What becomes of both sides with a set (argo-cd `pkg/apis/application/v1alpha1/applicationset_types.go`, ApplicationSetSyncPolicy).
pub(crate) fn alone(set: &ApplicationSet) -> Vec<Fault> {
    let at = first_line(set.span);
    let preserves = (!set.preserves).then(|| {
        let message =
            "its Applications get a finalizer: deleting the set deletes the objects of both sides at once";
        Fault::warning(
            message,
            "write `syncPolicy: { preserveResourcesOnDeletion: true }` into the set's `spec`",
            at,
        )
    });
    let sync = set.applications_sync.as_ref();
    let is_kept = sync.is_some_and(|it| matches!(it.value.as_str(), "create-only" | "create-update"));
    let deletes = (!is_kept).then(|| {
        let message = "an Application that the set no longer generates is deleted, when a folder is removed or renamed";
        let help = "write `syncPolicy: { applicationsSync: create-update }` into the set's `spec`, unless the controller has a `--policy`";
        Fault::warning(message, help, sync.map_or(at, |it| it.span))
    });
    let repositories: BTreeSet<String> = set.repositories().into_iter().map(normal_repo).collect();
    let differs = (repositories.len() > 1).then(|| {
        let message = "its Git generator reads another repository than its Applications";
        Fault::note(message, "write one `repoURL` into both, unless the two have the same folders", at)
    });
    preserves.into_iter().chain(deletes).chain(differs).collect()
}
