//! Argo CD's objects in the two states: the Applications and ApplicationSets of the plugin, and the AppProjects next to them. Their changes
//! decide what happens to all other objects.

use super::moved::{Moved, SamePeering};
use super::pairing::{InFile, Paired, changed};
use super::peering::{Readable, Version, Versions};
use super::{Change, Consequence, Id, field_changes};
use crate::diagnostic::{Judged, Severity, shown_name};
use crate::input::file::shown_path;
use crate::input::folder::DOCUMENT;
use crate::judge::applications::{self, ArgoCd, Place, Texts, Uncompared, Wrong, uncompared};
use crate::judge::comparison::Mode;
use crate::judge::rendered::side_of;
use crate::object::live::Impact::{self, Attention, Data, Harmless, Protection, Rights, Traffic};
use crate::object::live::{Effect, Object, effect};
use crate::peering::values::Sides;
use crate::state::StateError;
use crate::state::repo::Files;
use crate::state::repo::api_groups::{ArgoFiles, Digests};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The changes of Argo CD's objects, by the folders of their files, relative to the folder that is compared.
pub(crate) type ArgoChanges = BTreeMap<PathBuf, ArgoChange>;

/// The changed objects of Argo CD in a folder, and the notes on them.
#[derive(Default)]
pub(crate) struct ArgoChange {
    pub(super) objects: Vec<Change>,
    pub(super) notes: Vec<Consequence>,
}

const OTHER_PARAMETERS: &str = "The plugin gets other parameters. With another `role`, Argo CD deletes the objects of the side that it had.";

/// The effects of changing an Application, or a set's template, which has the same fields (argo-cd 3.6
/// `pkg/apis/application/v1alpha1/types.go`).
#[rustfmt::skip] // a table
static OF_APPLICATION: &[Effect] = &[
    effect(&["+"], Rights, "Argo CD begins to sync what it names: anyone who can push there decides what its cluster gets."),
    // controller/appcontroller.go, finalizeApplicationDeletion
    effect(&["-"], Data, "Argo CD deletes the objects of an Application that goes, if it has a finalizer of Argo CD's; otherwise they stay and are synced no more."),
    effect(&["spec.source.plugin", "spec.sources"], Data, OTHER_PARAMETERS),
    effect(&["spec.source.path"], Data, "Another folder is rendered, and Argo CD prunes what only the old one has."),
    effect(&["spec.source.directory"], Data, "Other files of the folder are applied, and Argo CD prunes what only the others have."),
    effect(&["spec.source.repoURL", "spec.source.targetRevision"], Rights, "Anyone who can push there decides what the cluster gets."),
    effect(&["spec.destination"], Traffic, "The objects are made on another cluster or in another namespace. What is in the old place stays there."),
    effect(&["spec.project"], Rights, "Another project permits other clusters, kinds and repositories. Sealed files open only for the projects that their terms name."),
    effect(&["spec.syncPolicy.automated.allowEmpty=true"], Protection, "An empty stream would delete everything."),
    effect(&["spec.syncPolicy.automated.allowEmpty"], Harmless, "Argo CD refuses an empty stream again."),
    effect(&["spec.syncPolicy.automated.prune=true"], Protection, "Argo CD deletes what leaves the stream, and what left it before."),
    effect(&["spec.syncPolicy.automated.prune"], Attention, "Argo CD no longer deletes what leaves the stream: after a rotation two key Secrets stop the gateway, and a drained peering drains only by pruning."),
    effect(&["spec.syncPolicy.automated.selfHeal"], Attention, "Whether Argo CD mends what others change in the cluster is another setting."),
    effect(&["spec.syncPolicy.automated"], Attention, "Whether a commit is synced by itself is another setting: both sides must sync it."),
    effect(&["spec.syncPolicy", "spec.ignoreDifferences"], Attention, "Argo CD syncs in another way: `argocd-peering validate` notes what harms a peering."),
    effect(&["metadata.finalizers"], Protection, "Whether Argo CD deletes the objects with the Application is another setting."),
    effect(&["metadata.annotations[argocd.argoproj.io/manifest-generate-paths]"], Attention, "Other commits have the plugin asked again."),
    effect(&["metadata.annotations[argocd.argoproj.io/skip-reconcile]"], Attention, "With `true`, Argo CD does not look at the Application: it syncs no commit, mends nothing and reports nothing."),
    effect(&["spec.sourceHydrator"], Data, "Another source is rendered, or Argo CD writes it to another branch and syncs that."),
    // progressive syncs of a set select Applications by labels
    effect(&["metadata.labels", "metadata.annotations"], Attention, "Argo CD and its companions go by some of them."),
    effect(&["spec.info", "spec.revisionHistoryLimit"], Harmless, "The peering does not go by it."),
    effect(&["spec", "metadata"], Attention, "This program does not know what it does: see Argo CD's documentation of the kind."),
];

/// The effects of changing a set, except for its template (argo-cd 3.6 `applicationset_types.go`).
#[rustfmt::skip] // a table
static OF_SET: &[Effect] = &[
    effect(&["spec.generators"], Data, "Argo CD deletes an Application that is no longer generated, and its objects with it."),
    effect(&["spec.templatePatch", "spec.goTemplate", "spec.goTemplateOptions"], Attention, "Each Application can become another one."),
    // docs/operator-manual/applicationset/Progressive-Syncs.md
    effect(&["spec.strategy"], Attention, "With `RollingSync`, no Application syncs by itself: its group is synced in its turn, and one of no group by a person. Both sides must be of one group."),
    effect(&["spec.ignoreApplicationDifferences"], Attention, "Others may set these fields of the Applications."),
    effect(&["spec.syncPolicy", "spec.preservedFields"], Protection, "What becomes of Applications that are no longer generated, and of their objects, is another setting."),
];

/// The effects of changing a project (argo-cd 3.6 `app_project_types.go`).
#[rustfmt::skip] // a table
static OF_PROJECT: &[Effect] = &[
    effect(&["+"], Rights, "The project permits repositories, clusters, kinds or people."),
    effect(&["-"], Attention, "Argo CD syncs no Application whose project is missing."),
    effect(&["metadata", "spec.description", "spec.orphanedResources"], Harmless, "Nothing is permitted by it."),
    effect(&["spec.syncWindows"], Attention, "When Argo CD may sync is another setting: a commit waits for it, on one side or on both."),
    effect(&["spec"], Rights, "The project permits other repositories, clusters, kinds or people."),
];

const COMPARED: &str = "`argocd-peering validate` compares what `render` wrote with its peering";

/// The effect of another path for the same peering, which replaces the table's.
static MOVED: Effect = effect(
    &[],
    Harmless,
    "The same peering is rendered from there: Argo CD prunes only what its stream has no longer.",
);

/// The effect of changing an object of Argo CD; `None` for other objects.
pub(super) fn effect_of(object: &Object, path: &str, to: &str) -> Option<&'static Effect> {
    let (tables, path) = match (object.kind(), path.strip_prefix("spec.template.")) {
        ("Application", _) => ([OF_APPLICATION, &[]], path),
        ("ApplicationSet", Some(inside)) => ([OF_APPLICATION, &[]], inside),
        ("ApplicationSet", None) => ([OF_SET, OF_APPLICATION], path),
        ("AppProject", _) => ([OF_PROJECT, &[]], path),
        _ => return None,
    };
    tables
        .into_iter()
        .flatten()
        .find(|effect| effect.is_of(path, to))
}

/// A state: its files with Argo CD's objects, its peerings, and where its files are.
pub(crate) type State<'v> = (ArgoFiles, &'v Versions, Files);

/// The files that differ between the two states.
fn changed_files([old, new]: [&Digests; 2]) -> impl Iterator<Item = &PathBuf> {
    let all: BTreeSet<&PathBuf> = old.keys().chain(new.keys()).collect();
    all.into_iter()
        .filter(|file| old.get(*file) != new.get(*file))
}

/// The objects that differ between both states, and a note for each new fault.
///
/// # Errors
/// When a flag names more than a run compares.
pub(crate) fn changed_applications(
    flag: &'static str,
    [mut old, mut new]: [State<'_>; 2],
    moved: &Moved,
    judged: &mut Judged,
) -> Result<ArgoChanges, StateError> {
    let versions = [old.1, new.1];
    let names: BTreeSet<&str> = versions
        .iter()
        .flat_map(|it| it.values())
        .map(name_of)
        .collect();
    let is_rendered =
        |path: &str| side_of(Path::new(path)).is_some_and(|(name, _)| names.contains(name));
    let mut objects = [
        changed(&old.0, &new.0, is_rendered),
        changed(&new.0, &old.0, is_rendered),
    ];
    for file in changed_files([&old.0.of_sides, &new.0.of_sides]) {
        if file
            .parent()
            .is_some_and(|it| is_rendered(&it.to_string_lossy()))
        {
            judged.leave_out("rendered file", shown_path(file), COMPARED);
        }
    }
    let found = Found::of(&mut old).and_then(|old| Ok([old, Found::of(&mut new)?]));
    let found = found.map_err(|error| match error {
        StateError::Flag { reason, .. } => StateError::flag(flag, reason),
        error => error,
    })?;
    // an object that leads elsewhere in the new state still exists
    let ours = objects
        .iter()
        .zip(&found)
        .flat_map(|(all, found)| all.iter().filter(|it| found.concerns(it)));
    let concerns: BTreeSet<Id> = ours.map(|it| it.id.clone()).collect();
    for all in &mut objects {
        all.retain(|it| concerns.contains(&it.id));
    }
    let mut changes = changed_objects(
        objects,
        &LazyCell::new(|| SamePeering::of(versions, moved, [&mut old.2, &mut new.2])),
    );
    let [before, after] = &found;
    add_uncompared(&mut changes, [&before.uncompared, &after.uncompared]);
    for (file, _) in after
        .uncompared
        .iter()
        .filter(|(_, it)| it.0 == Uncompared::Kustomization)
    {
        judged.pass_over(
            "kustomization",
            shown_path(file),
            "what it makes of Applications is not compared",
        );
    }
    add_faults(&mut changes, found.map(|it| it.faults));
    Ok(changes)
}

fn changed_objects(
    objects: [Vec<InFile>; 2],
    same: &LazyCell<SamePeering, impl FnOnce() -> SamePeering>,
) -> ArgoChanges {
    let Paired {
        both,
        added,
        removed,
    } = Paired::of(objects);
    let both = both.iter().map(|(old, new)| {
        let fields =
            field_changes(&old.object, &new.object, Mode::States).map(|(effect, field)| {
                let is_moved = effect.impact == Data
                    && same.is_still_at(field.path.as_str(), [&old.object, &new.object]);
                (if is_moved { &MOVED } else { effect }, field)
            });
        (new, Change::changed(None, &new.object, fields.collect()))
    });
    let added = added
        .iter()
        .map(|it| (it, Some(Change::added(None, &it.object))));
    let mut shown: Vec<_> = both.chain(added).collect();
    shown.sort_by(|(one, _), (other, _)| one.id.cmp(&other.id));
    let removed = removed
        .iter()
        .map(|it| (it, Some(Change::removed(None, &it.object, false))));
    let mut changes = ArgoChanges::new();
    for (it, change) in shown.into_iter().chain(removed) {
        changes
            .entry(folder(&it.place))
            .or_default()
            .objects
            .extend(change);
    }
    changes.retain(|_, all| !all.objects.is_empty());
    changes
}

fn folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// The files that have a fault, and its severity, by the fault's message: a fault that moves to another file is not new.
type Faults = BTreeMap<String, BTreeMap<PathBuf, Severity>>;

/// The judges' findings in a state, and the parts of it that `diff` compares by them.
struct Found {
    faults: Faults,
    /// The sets of folders that `render` wrote: their files, and where their templates are.
    sets: BTreeSet<(PathBuf, usize)>,
    uncompared: Texts,
}

/// Adds a note for each file whose text differs. A part that is unchanged in another file has moved. Other files have an effect by their
/// place, so for them a move is a change (argo-cd `reposerver/repository/repository.go`, mergeSourceParameters).
fn add_uncompared(changes: &mut ArgoChanges, [old, new]: [&Texts; 2]) {
    let only = |one: &Texts, other: &Texts| -> BTreeSet<Vec<String>> {
        let only = one.iter().filter(|(file, _)| !other.contains_key(*file));
        only.map(|(_, (_, parts))| parts.clone()).collect()
    };
    let [lost, got] = [only(old, new), only(new, old)];
    for (file, (what, parts)) in new
        .iter()
        .chain(old.iter().filter(|(file, _)| !new.contains_key(*file)))
    {
        let is_in_both = old.contains_key(file) && new.contains_key(file);
        let has_moved =
            *what == Uncompared::Part && !is_in_both && lost.contains(parts) && got.contains(parts);
        let is_same = old
            .get(file)
            .zip(new.get(file))
            .is_some_and(|(old, new)| old.1 == new.1);
        if !is_same && !has_moved {
            changes
                .entry(folder(file))
                .or_default()
                .notes
                .push(other_text(file, *what));
        }
    }
}

fn other_text(file: &Path, what: Uncompared) -> Consequence {
    let (class, words) = match what {
        Uncompared::Override => (Data, OTHER_PARAMETERS),
        Uncompared::Kustomization => (
            Attention,
            "Each Application that it changes can become another one.",
        ),
        Uncompared::Part => (
            Attention,
            "A part of it that is not read changes: an Application in it can become another one.",
        ),
    };
    let name = shown_name(&file.display().to_string()).replace('`', "'");
    Consequence::new(class, format!("`{name}` changes. {words}"))
}

/// Adds a note for each new fault.
fn add_faults(changes: &mut ArgoChanges, [old, new]: [Faults; 2]) {
    for (message, files) in new {
        let before = old.get(&message);
        let many = files.len().saturating_sub(before.map_or(0, BTreeMap::len));
        let new = files
            .iter()
            .filter(|(file, _)| before.is_none_or(|it| !it.contains_key(*file)));
        for (file, severity) in new.take(many) {
            changes
                .entry(folder(file))
                .or_default()
                .notes
                .push(note(file, &message, *severity));
        }
    }
}

/// A note on a file. The message can contain any text of the file, so all of it is in code.
fn note(file: &Path, message: &str, severity: Severity) -> Consequence {
    let class = if severity == Severity::Error {
        Impact::Attention
    } else {
        Impact::Harmless
    };
    let file = shown_name(&file.display().to_string()).replace('`', "'");
    Consequence::new(class, format!("`{file}`: `{}`", message.replace('`', "'")))
}

/// The peering's name; empty if it is not known.
fn name_of(version: &Readable) -> &str {
    version.as_ref().map_or("", |it| it.peering.name.as_str())
}

impl Found {
    fn of((argo, versions, there): &mut State<'_>) -> Result<Self, StateError> {
        let files = applications::files(argo, there);
        let places = versions
            .iter()
            .enumerate()
            .filter_map(|(index, (place, version))| {
                let Version {
                    source, peering, ..
                } = version.as_ref().ok()?;
                let clusters =
                    Sides::make(|role| peering.clusters.of(role).argocd_cluster.to_string());
                let document = place.join(DOCUMENT);
                let folder = there.place(&document)?.0;
                Some(Place {
                    index,
                    document,
                    folder,
                    source: source.clone(),
                    clusters,
                })
            });
        let places: Vec<Place> = places.collect();
        let names: Vec<&str> = versions.values().map(name_of).collect();
        let documents = places
            .iter()
            .filter_map(|it| Some((*names.get(it.index)?, it.folder.as_path())))
            .collect();
        let rendered = applications::called_rendered(&argo.of_sides, &files, &documents, there);
        let argo_cd = ArgoCd::new(files, rendered);
        let outcome = argo_cd.judge(&places, there)?;
        let files = &argo_cd.files;
        let mut faults = Faults::new();
        for Wrong { file, invalid, .. } in &outcome.found {
            let Some(file) = files.get(*file) else {
                continue;
            };
            for diagnostic in invalid.problems.iter() {
                let files = faults.entry(diagnostic.message.clone()).or_default();
                files.insert(file.path.clone(), invalid.severity);
            }
        }
        for it in outcome.left().iter().filter(|it| it.is_asked) {
            let Some(place) = it.place(files) else {
                continue;
            };
            faults
                .entry(it.message())
                .or_default()
                .insert(place.to_owned(), Severity::Note);
        }
        let uncompared = uncompared(files, &places);
        Ok(Self {
            faults,
            sets: outcome.sets_of_rendered().collect(),
            uncompared,
        })
    }

    fn concerns(&self, object: &InFile) -> bool {
        object.concerns || self.sets.contains(&(object.place.clone(), object.at))
    }
}
