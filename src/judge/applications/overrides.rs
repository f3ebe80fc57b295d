//! Files of a folder that change the Applications which lead to the folder: overrides of their sources, and links that stop them.

use super::left::Left;
use super::{Fault, File, Flaw, Place};
use crate::argocd::application::Application;
use crate::diagnostic::{Span, quoted};
use crate::input::file::{cleaned, leads_out};
use crate::input::yaml::{Node, documents};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file that does not declare objects.
pub(super) enum Other {
    /// An override, with its content, if it can be read.
    Override(Option<Node>),
    /// A link out of the repository.
    Link,
    /// A kustomization of these resources, and how it changes them.
    Kustomization {
        resources: Vec<String>,
        changes: Changes,
    },
}

/// The parts of its resources that a kustomization changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changes {
    Nothing,
    Metadata,
    All,
}

impl Other {
    /// The kustomization in a text. One that only lists resources changes nothing (kustomize `api/types/kustomization.go`).
    pub(super) fn of_kustomization(text: &str) -> Option<Self> {
        let node = documents(text).next()?;
        let keys = node
            .entries()
            .iter()
            .filter_map(|(key, _)| key.text())
            .map(|key| match key {
                "apiVersion" | "kind" | "metadata" | "resources" | "bases" => Changes::Nothing,
                "namespace" | "labels" | "commonLabels" | "commonAnnotations" => Changes::Metadata,
                _ => Changes::All,
            });
        let changes = keys.max().unwrap_or(Changes::Nothing);
        // `bases` is the older name
        let resources = ["resources", "bases"]
            .into_iter()
            .flat_map(|it| node.items_of(it));
        let resources = resources
            .filter_map(Node::text)
            .map(ToOwned::to_owned)
            .collect();
        Some(Self::Kustomization { resources, changes })
    }
}

/// For each path, the next paths: from the folder of a kustomization to its resources, or from each resource to the folder.
type Steps = BTreeMap<PathBuf, Vec<PathBuf>>;

/// These paths, and all paths that can be reached from them.
fn reached(from: impl Iterator<Item = PathBuf>, steps: &Steps) -> BTreeSet<PathBuf> {
    let (mut all, mut left) = (BTreeSet::new(), from.collect::<Vec<_>>());
    while let Some(path) = left.pop() {
        if all.insert(path.clone()) {
            left.extend(steps.get(&path).into_iter().flatten().cloned());
        }
    }
    all
}

/// The folders of kustomizations with their resources; and how each changes them, with the number of its file.
fn kustomizations(files: &[File]) -> (Steps, Vec<(usize, PathBuf, Changes)>) {
    let (mut steps, mut changing) = (Steps::new(), Vec::new());
    for (number, File { folder, other, .. }) in files.iter().enumerate() {
        let Some(Other::Kustomization { resources, changes }) = other else {
            continue;
        };
        steps.insert(
            folder.clone(),
            resources
                .iter()
                .map(|it| cleaned(&folder.join(it)))
                .collect(),
        );
        changing.push((number, folder.clone(), *changes));
    }
    (steps, changing)
}

/// The numbers of the files in which a kustomization changes the `spec` of objects, directly or through other kustomizations.
pub(super) fn changed(files: &[File]) -> BTreeSet<usize> {
    let (steps, changing) = kustomizations(files);
    let of_spec = changing
        .into_iter()
        .filter(|(.., changes)| *changes == Changes::All);
    let all = reached(of_spec.map(|(_, folder, _)| folder), &steps);
    let numbered = files.iter().enumerate();
    numbered
        .filter(|(_, it)| it.place().is_some_and(|it| all.contains(&it)))
        .map(|(number, _)| number)
        .collect()
}

/// The entries for kustomizations that change Applications: the Applications are judged without these changes.
pub(super) fn left(files: &[File]) -> Vec<Left> {
    let ((steps, mut changing), mut back) = (kustomizations(files), Steps::new());
    for (folder, resources) in &steps {
        for it in resources {
            back.entry(it.clone()).or_default().push(folder.clone());
        }
    }
    let ours = files
        .iter()
        .filter(|it| !it.declared.applications.is_empty() || !it.declared.sets.is_empty());
    let taken = reached(
        ours.flat_map(|it| it.place().into_iter().chain([it.folder.clone()])),
        &back,
    );
    changing.retain(|(_, folder, changes)| {
        *changes != Changes::Nothing
            && steps
                .get(folder)
                .into_iter()
                .flatten()
                .any(|it| taken.contains(it))
    });
    let reason = "what it makes of Applications is not judged, only what is written in them";
    changing
        .into_iter()
        .map(|(number, ..)| Left::new(number, "kustomization", reason, true))
        .collect()
}

/// Whether a file overrides the source of an Application.
pub(super) const fn is_override(file: &File) -> bool {
    matches!(file.other, Some(Other::Override(_)))
}

/// The files that override sources, by their paths.
pub(super) struct Overrides<'f>(BTreeMap<PathBuf, (usize, &'f Node)>);

impl<'f> Overrides<'f> {
    pub(super) fn of(files: &'f [File]) -> Self {
        let mut all = BTreeMap::new();
        for (number, file) in files.iter().enumerate() {
            if let (Some(Other::Override(Some(over))), Some(place)) = (&file.other, file.place()) {
                all.insert(place, (number, over));
            }
        }
        Self(all)
    }

    /// An Application with the overrides of its folder, and the files of these. Files with the Application's name come last; the name
    /// includes the namespace, if that is not Argo CD's.
    pub(super) fn put_over<'a>(
        &self,
        application: &'a Application,
        place: &Place,
    ) -> (Cow<'a, Application>, Vec<usize>) {
        let (mut it, mut by) = (Cow::Borrowed(application), Vec::new());
        let name = &application.name.value;
        let namespace = application
            .namespace
            .as_ref()
            .map(|namespace| format!("-{}_{name}", namespace.value));
        for end in [Some(String::new()), Some(format!("-{name}")), namespace]
            .into_iter()
            .flatten()
        {
            let path = place.folder.join(format!(".argocd-source{end}.yaml"));
            if let Some((number, over)) = self.0.get(&path) {
                it = Cow::Owned(it.overridden(over));
                by.push(*number);
            }
        }
        (it, by)
    }
}

/// The fault of a file that overrides a source.
pub(super) fn replaced(application: &Application) -> Fault {
    let message = format!(
        "it is put over the source of the Application {}: a commit to this folder alone can choose the side",
        quoted(&application.name)
    );
    Fault::note(
        message,
        "write it into the Application, and remove this file",
        Span { start: 0, end: 0 },
    )
}

/// (argo-cd `util/app/path/path.go`, CheckOutOfBoundsSymlinks)
pub(super) fn check(files: &[File], places: &[Place]) -> Vec<Flaw> {
    files.iter().enumerate().filter_map(|(number, file)| {
        let other = file.other.as_ref()?;
        let whole = Span { start: 0, end: file.source.text().len() };
        let place = places.iter().find(|place| file.folder.starts_with(&place.folder));
        let index = place.map_or(0, |place| place.index);
        let fault = match other {
            Other::Link if place.is_some() => {
                let message = "this symbolic link leads out of the repository: Argo CD renders nothing of the repository then";
                Fault::error(message, "remove it, or put the file in its place", whole)
            }
            Other::Link => {
                let message = "this symbolic link leads out of the repository: if it is committed, Argo CD renders nothing of the repository";
                Fault::note(message, "remove it, or have Git ignore it", whole)
            }
            Other::Override(None) if place.is_some() => {
                let message =
                    "this file was not read, so it is not known what it puts over an Application's source";
                Fault::note(message, "write it into the Application, and remove this file", whole)
            }
            _ => return None,
        };
        Some(fault.within(number, index))
    }).collect()
}

/// Whether a link in a folder leads out of the repository at any point.
pub(super) fn is_out(target: &Path, folder: &Path, root: &Path) -> bool {
    let Ok(inside) = folder.strip_prefix(root) else {
        return false;
    };
    target.is_absolute() || leads_out(target, inside.components().count())
}
