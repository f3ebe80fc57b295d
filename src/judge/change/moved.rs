//! Folders that moved from one state to the other: a peering is known by its two clusters.

use super::peering::{Version, Versions};
use crate::custody::normal_path;
use crate::input::folder::DOCUMENT;
use crate::judge::rendered::side_of;
use crate::object::live::Object;
use crate::peering::Role;
use crate::state::repo::Files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The old places of the folders that moved, by their new ones.
pub(super) fn moved(old: &Versions, new: &BTreeMap<&Path, &Version>) -> BTreeMap<PathBuf, PathBuf> {
    let gone = old.iter().filter(|(place, _)| !new.contains_key(place.as_path()));
    let mut gone: BTreeMap<_, _> =
        gone.filter_map(|(place, it)| Some((clusters(it.as_ref().ok()?), place))).collect();
    let found = new.iter().filter(|(place, _)| !old.contains_key(**place));
    found.filter_map(|(place, it)| Some((place.to_path_buf(), gone.remove(&clusters(it))?.clone()))).collect()
}

fn clusters(version: &Version) -> [String; 2] {
    Role::BOTH.map(|role| version.peering.clusters.of(role).id.to_string())
}

/// Which peering paths of Applications lead to: in the old state, and in the new one. A peering is known by its new place.
pub(super) struct Led([OfState; 2]);

#[derive(Default)]
struct OfState {
    by_folder: BTreeMap<String, PathBuf>,
    by_name: BTreeMap<String, PathBuf>,
}

impl Led {
    pub(super) fn of([old, new]: [&Versions; 2], [before, after]: [&mut Files; 2]) -> Self {
        let right = new.iter().filter_map(|(place, it)| Some((place.as_path(), it.as_ref().ok()?)));
        let moved = moved(old, &right.collect());
        let now: BTreeMap<_, _> = moved.iter().map(|(place, from)| (from, place)).collect();
        let now = |place: &PathBuf| now.get(place).map_or_else(|| place.clone(), |it| (*it).clone());
        Self([OfState::new(old, before, now), OfState::new(new, after, PathBuf::clone)])
    }

    /// Whether a field that changed is the path of a source that renders the same peering, and is otherwise the same source.
    pub(super) fn to_the_same(&self, field: &str, [old, new]: [&Object; 2]) -> bool {
        let pointer = format!("/{}", field.replace(['.', '['], "/").replace(']', ""));
        let Some(source) = pointer.strip_suffix("/path") else { return false };
        let rest = |object: &Object| {
            let mut rest = object.at(source)?.as_object()?.clone();
            rest.remove("path").map(|_| rest)
        };
        let Self([before, after]) = self;
        let place = before.rendered(old.text(&pointer));
        rest(old) == rest(new) && place.is_some() && place == after.rendered(new.text(&pointer))
    }
}

impl OfState {
    fn new(versions: &Versions, there: &mut Files, now: impl Fn(&PathBuf) -> PathBuf) -> Self {
        let mut all = Self::default();
        for (place, version) in versions {
            let Ok(version) = version else { continue };
            all.by_name.insert(version.peering.name.to_string(), now(place));
            let found = there.place(&place.join(DOCUMENT));
            let inside = found.and_then(|(folder, root)| Some(folder.strip_prefix(root?).ok()?.to_owned()));
            all.by_folder.extend(inside.map(|it| (it.display().to_string(), now(place))));
        }
        all
    }

    /// The peering that a path renders, and the side of a rendered folder.
    fn rendered(&self, path: &str) -> Option<(&Path, Option<Role>)> {
        let path = normal_path(path)?;
        let of_plugin = self.by_folder.get(&path).map(|it| (it.as_path(), None));
        of_plugin.or_else(|| {
            let (name, role) = side_of(Path::new(&path))?;
            Some((self.by_name.get(name)?, Some(role)))
        })
    }
}
