//! Pairs Argo CD's objects of two states. Each Argo CD can have its own object of a name, in its own file.

use super::Id;
use crate::argocd::declared::{ArgoObject, objects_of};
use crate::object::live::Object;
use crate::state::repo::api_groups::ArgoFiles;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

/// An object of a file.
pub(super) struct InFile {
    pub(super) place: PathBuf,
    pub(super) id: Id,
    pub(super) object: Object,
    /// Whether it concerns this plugin, or a rendered folder.
    pub(super) concerns: bool,
    /// The place in its file.
    pub(super) at: usize,
}

/// The objects in files that differ from the other state, by the paths of the files.
pub(super) fn changed(
    files: &ArgoFiles,
    other: &ArgoFiles,
    is_rendered: impl Fn(&str) -> bool + Copy,
) -> Vec<InFile> {
    let texts = files
        .texts
        .iter()
        .filter(|(path, text)| other.texts.get(*path) != Some(text));
    let objects = texts.flat_map(|(place, text)| {
        objects_of(text, is_rendered).map(
            |ArgoObject {
                 value,
                 concerns,
                 at,
             }| {
                let object = Object::new(value);
                InFile {
                    place: place.clone(),
                    id: Id::of(&object),
                    object,
                    concerns,
                    at,
                }
            },
        )
    });
    objects.collect()
}

/// The objects of both states, in pairs.
pub(super) struct Paired {
    pub(super) both: Vec<(InFile, InFile)>,
    pub(super) added: Vec<InFile>,
    pub(super) removed: Vec<InFile>,
}

impl Paired {
    /// Pairs objects with the same name: first those of the same file, then equal ones, which moved, then in the order of their files.
    pub(super) fn of([mut removed, mut added]: [Vec<InFile>; 2]) -> Self {
        let keys: [fn(&InFile) -> Vec<u8>; 3] = [
            |it| it.place.as_os_str().as_encoded_bytes().to_vec(),
            |it| it.object.value.to_string().into_bytes(),
            |_| Vec::new(),
        ];
        let mut both = Vec::new();
        for key in keys {
            let mut old: BTreeMap<(Id, Vec<u8>), VecDeque<InFile>> = BTreeMap::new();
            for it in removed {
                old.entry((it.id.clone(), key(&it)))
                    .or_default()
                    .push_back(it);
            }
            let mut others = Vec::new();
            for it in added {
                match old
                    .get_mut(&(it.id.clone(), key(&it)))
                    .and_then(VecDeque::pop_front)
                {
                    Some(old) => both.push((old, it)),
                    None => others.push(it),
                }
            }
            (removed, added) = (old.into_values().flatten().collect(), others);
        }
        Self {
            both,
            added,
            removed,
        }
    }
}
