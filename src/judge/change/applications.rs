//! Argo CD's objects in the two states: the Applications and ApplicationSets of the plugin, and the AppProjects next to them. Their changes
//! decide what happens to all other objects.

use super::peering::Versions;
use super::{Consequence, ObjectChange, ObjectKey, field_changes, object_key};
use crate::argocd::declared::objects_of;
use crate::diagnostic::{Judged, shown_name};
use crate::input::folder::DOCUMENT;
use crate::judge::applications::{self, ArgoFile, NotJudgedFile, Place, files_not_judged};
use crate::judge::comparison::Mode;
use crate::object::live::Impact::{Attention, Data, Harmless, Protection, Rights, Traffic};
use crate::object::live::{Effect, Object, effect};
use crate::peering::Peering;
use crate::state::repo::Files;
use crate::state::repo::api_groups::ArgoFiles;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The changes of Argo CD's objects, by the folders of their files, relative to the folder that is compared.
pub(crate) type ArgoChanges = BTreeMap<PathBuf, ArgoChange>;

/// The changed objects of Argo CD in a folder, and the notes on them.
#[derive(Default)]
pub(crate) struct ArgoChange {
    pub(super) objects: Vec<ObjectChange>,
    pub(super) notes: Vec<Consequence>,
}

const OTHER_PARAMETERS: &str = "The plugin gets other parameters: with another `role`, Argo CD deletes the old side's objects.";
const PUSHERS: &str = "Anyone who can push to its repository decides what the cluster gets.";
const PERMITS: &str =
    "The project decides which repositories, clusters, kinds and people are permitted.";

/// The effects of changing an Application, or a set's template, which has the same fields (argo-cd 3.6
/// `pkg/apis/application/v1alpha1/types.go`).
#[rustfmt::skip] // a table
static OF_APPLICATION: &[Effect] = &[
    effect(&["+"], Rights, PUSHERS),
    // controller/appcontroller.go, finalizeApplicationDeletion
    effect(&["-"], Data, "With Argo CD's finalizer its objects are deleted; otherwise they stay."),
    effect(&["spec.source.plugin", "spec.sources"], Data, OTHER_PARAMETERS),
    effect(&["spec.source.path"], Data, "Argo CD renders another folder, and prunes what only the old one has."),
    effect(&["spec.source.repoURL", "spec.source.targetRevision"], Rights, PUSHERS),
    effect(&["spec.destination"], Traffic, "The objects go to another cluster or namespace; the old ones stay."),
    effect(&["spec.project"], Rights, "Another project permits other clusters, kinds and repositories; sealed files may fail to open."),
    effect(&["spec.syncPolicy.automated.allowEmpty=true"], Protection, "An empty stream would delete everything."),
    effect(&["spec.syncPolicy.automated.allowEmpty"], Harmless, "Argo CD refuses an empty stream again."),
    effect(&["spec.syncPolicy.automated.prune=true"], Protection, "Argo CD deletes what leaves the stream or left it before."),
    effect(&["spec.syncPolicy.automated.prune"], Attention, "Argo CD no longer prunes: a rotation stops the gateway, and a drain does nothing."),
    effect(&["spec.syncPolicy.automated.selfHeal"], Attention, "Argo CD starts or stops undoing changes in the cluster."),
    effect(&["spec.syncPolicy.automated"], Attention, "Automatic sync changes: both sides must sync a commit."),
    effect(&["spec.syncPolicy", "spec.ignoreDifferences"], Attention, "The sync settings change: `argocd-peering validate` notes what harms a peering."),
    effect(&["metadata.finalizers"], Protection, "Argo CD starts or stops deleting the objects with the Application."),
    effect(&["metadata.annotations[argocd.argoproj.io/manifest-generate-paths]"], Attention, "Other commits make Argo CD render the stream."),
    effect(&["metadata.annotations[argocd.argoproj.io/skip-reconcile]"], Attention, "With `true`, Argo CD ignores the Application."),
    effect(&["spec.sourceHydrator"], Data, "Argo CD renders another source, or syncs another branch."),
    // progressive syncs of a set select Applications by labels
    effect(&["metadata.labels", "metadata.annotations"], Attention, "Argo CD goes by some of them."),
    effect(&["spec.info", "spec.revisionHistoryLimit"], Harmless, "The peering does not go by it."),
    effect(&["spec", "metadata"], Attention, "Unknown here: see Argo CD's documentation."),
];

/// The effects of changing a set, except for its template (argo-cd 3.6 `applicationset_types.go`).
#[rustfmt::skip] // a table
static OF_SET: &[Effect] = &[
    effect(&["spec.generators"], Data, "Argo CD deletes Applications that are no longer generated, with their objects."),
    effect(&["spec.templatePatch", "spec.goTemplate", "spec.goTemplateOptions", "spec.strategy"], Attention, "Each Application and its sync can change."),
    effect(&["spec.syncPolicy", "spec.preservedFields"], Protection, "Another rule decides about Applications that are no longer generated, and their objects."),
];

/// The effects of changing a project (argo-cd 3.6 `app_project_types.go`).
#[rustfmt::skip] // a table
static OF_PROJECT: &[Effect] = &[
    effect(&["+"], Rights, PERMITS),
    effect(&["-"], Attention, "Argo CD syncs no Application whose project is missing."),
    effect(&["metadata", "spec.description", "spec.orphanedResources"], Harmless, "Nothing is permitted by it."),
    effect(&["spec.syncWindows"], Attention, "Sync windows decide when a side takes a commit."),
    effect(&["spec"], Rights, PERMITS),
];

/// The effect of changing an object of Argo CD; `None` for other objects.
pub(super) fn effect_of(object: &Object, path: &str, to: &str) -> Option<&'static Effect> {
    let (tables, path) = match (object.kind(), path.strip_prefix("spec.template.")) {
        ("Application", _) => ([OF_APPLICATION, &[]], path),
        ("ApplicationSet", Some(inside)) => ([OF_APPLICATION, &[]], inside),
        ("ApplicationSet", None) => ([OF_SET, OF_APPLICATION], path),
        ("AppProject", _) => ([OF_PROJECT, &[]], path),
        _ => return None,
    };
    let mut effects = tables.into_iter().flatten();
    effects.find(|effect| effect.matches_change(path, to))
}

/// A state: its files with Argo CD's objects, its peerings, and where its files are.
pub(crate) type State<'v> = (ArgoFiles, &'v Versions, Files);

/// The changes of Argo CD's objects between both states, and of the files of other tools that change them. What the new state has and this
/// program does not judge is counted.
pub(crate) fn changed_applications([old, new]: [State<'_>; 2], judged: &mut Judged) -> ArgoChanges {
    let texts = [&old.0.texts, &new.0.texts];
    let paths = texts.iter().flat_map(|it| it.keys());
    let differs = |path: &&PathBuf| texts[0].get(*path) != texts[1].get(*path);
    let differing: BTreeSet<PathBuf> = paths.filter(differs).cloned().collect();
    let mut changes = changed_objects(texts.map(|all| objects_in(all, &differing)));
    let [old, new] = [old, new].map(ReadState::new);
    let of_new = applications::judge(&new.files, &new.places(), &new.repo_files).not_judged;
    for it in &of_new {
        it.count(judged);
    }
    let of_old = files_not_judged(&old.files, &old.places());
    add_not_judged(&mut changes, &differing, of_new.iter().chain(&of_old));
    changes
}

/// The files of a state, and its peerings with their documents and folders.
struct ReadState<'v> {
    files: Vec<ArgoFile>,
    repo_files: Files,
    peerings: Vec<(PathBuf, PathBuf, &'v Peering)>,
}

impl<'v> ReadState<'v> {
    fn new((mut argo, versions, mut repo_files): State<'v>) -> Self {
        let files = applications::files(&mut argo, &mut repo_files);
        let mut peerings = Vec::new();
        for (place, version) in versions {
            let document = place.join(DOCUMENT);
            if let (Ok(version), Some((folder, _))) = (version, repo_files.place(&document)) {
                peerings.push((document, folder, &version.peering));
            }
        }
        Self {
            files,
            repo_files,
            peerings,
        }
    }

    fn places(&self) -> Vec<Place<'_>> {
        let mut places = Vec::new();
        for (document, folder, peering) in &self.peerings {
            let index = places.len();
            places.push(Place {
                index,
                document,
                folder,
                peering,
            });
        }
        places
    }
}

/// The objects of a state by their names, each with its file. Each Argo CD can have its own object of a name.
type Objects = BTreeMap<ObjectKey, Vec<(PathBuf, Object)>>;

fn objects_in(texts: &BTreeMap<PathBuf, String>, differing: &BTreeSet<PathBuf>) -> Objects {
    let mut objects = Objects::new();
    for (path, text) in texts.iter().filter(|(path, _)| differing.contains(*path)) {
        for object in objects_of(text).into_iter().map(Object::new) {
            let of_name = objects.entry(object_key(&object)).or_default();
            of_name.push((path.clone(), object));
        }
    }
    objects
}

/// The changes of objects. Those of one name are compared within their file first: another one must not hide what widens one.
fn changed_objects([mut old, new]: [Objects; 2]) -> ArgoChanges {
    let mut changes = ArgoChanges::new();
    let mut add = |path: &Path, change: Option<ObjectChange>| {
        if let Some(change) = change {
            let of_folder = changes.entry(folder(path)).or_default();
            of_folder.objects.push(change);
        }
    };
    let compared = |before: &Object, object: &Object| {
        let fields = field_changes(before, object, Mode::States);
        ObjectChange::changed(None, object, fields)
    };
    for (id, objects) in new {
        let of_name = old.entry(id).or_default();
        let mut others = Vec::new();
        for (path, object) in objects {
            match of_name.iter().position(|(before, _)| *before == path) {
                Some(at) => add(&path, compared(&of_name.remove(at).1, &object)),
                None => others.push((path, object)),
            }
        }
        for (path, object) in others {
            let change = if of_name.is_empty() {
                Some(ObjectChange::added(None, &object))
            } else {
                compared(&of_name.remove(0).1, &object)
            };
            add(&path, change);
        }
    }
    for (path, object) in old.into_values().flatten() {
        add(&path, Some(ObjectChange::removed(None, &object, false)));
    }
    changes
}

fn folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// Adds a note for each changed file that is not compared object by object.
fn add_not_judged<'n>(
    changes: &mut ArgoChanges,
    differing: &BTreeSet<PathBuf>,
    all: impl Iterator<Item = &'n NotJudgedFile>,
) {
    let mut seen = BTreeSet::new();
    for it in all.filter(|it| it.decides()) {
        let (path, kind, reason) = (&it.path, it.kind, &it.reason);
        let is_compared = matches!(kind, "ApplicationSet" | "AppProject");
        if is_compared || !differing.contains(path) || !seen.insert(path) {
            continue;
        }
        let name = shown_name(&path.display().to_string()).replace('`', "'");
        let (class, words) = match kind {
            "file" => (Data, OTHER_PARAMETERS.to_owned()),
            _ => (Attention, format!("It is not judged: {reason}.")),
        };
        let note = Consequence::new(class, format!("`{name}` changes. {words}"));
        changes.entry(folder(path)).or_default().notes.push(note);
    }
}
