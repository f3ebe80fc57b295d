//! Folders that moved between the states: a peering is recognised by its two clusters.

use super::peering::{Version, Versions};
use crate::custody::normal_path;
use crate::input::folder::DOCUMENT;
use crate::object::live::Object;
use crate::peering::Role;
use crate::state::repo::Files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The old places of the folders that moved, by their new ones.
pub(crate) type Moved = BTreeMap<PathBuf, PathBuf>;

pub(crate) fn moved([old, new]: [&Versions; 2]) -> Moved {
    let right = new
        .iter()
        .filter_map(|(place, it)| Some((place.as_path(), it.as_ref().ok()?)));
    let new: BTreeMap<&Path, &Version> = right.collect();
    let gone = old
        .iter()
        .filter(|(place, _)| !new.contains_key(place.as_path()));
    let mut gone: BTreeMap<_, _> = gone
        .filter_map(|(place, it)| Some((clusters(it.as_ref().ok()?), place)))
        .collect();
    let found = new.iter().filter(|(place, _)| !old.contains_key(**place));
    found
        .filter_map(|(place, it)| Some((place.to_path_buf(), gone.remove(&clusters(it))?.clone())))
        .collect()
}

fn clusters(version: &Version) -> [String; 2] {
    Role::BOTH.map(|role| version.peering.clusters.of(role).id.to_string())
}

/// The plugin's folders by their paths in the repository, each with the new place of its peering: in the old state, and in the new one.
/// Rendered folders are not compared here.
pub(super) struct SamePeering([BTreeMap<String, PathBuf>; 2]);

impl SamePeering {
    pub(super) fn of(
        [old, new]: [&Versions; 2],
        moved: &Moved,
        [before, after]: [&mut Files; 2],
    ) -> Self {
        let now: BTreeMap<_, _> = moved.iter().map(|(place, from)| (from, place)).collect();
        let now = |place: &PathBuf| {
            now.get(place)
                .map_or_else(|| place.clone(), |it| (*it).clone())
        };
        Self([
            by_path(old, before, now),
            by_path(new, after, PathBuf::clone),
        ])
    }

    /// Whether a changed field is the path of a source that still renders the same peering, with all other fields of the source unchanged.
    pub(super) fn is_still_at(&self, field: &str, [old, new]: [&Object; 2]) -> bool {
        let pointer = format!("/{}", field.replace(['.', '['], "/").replace(']', ""));
        let Some(source) = pointer.strip_suffix("/path").filter(|it| is_source(it)) else {
            return false;
        };
        let rest = |object: &Object| {
            let mut rest = object.at(source)?.as_object()?.clone();
            rest.remove("path").map(|_| rest)
        };
        let Self([before, after]) = self;
        let place = normal_path(old.text(&pointer)).and_then(|path| before.get(&path));
        let now = normal_path(new.text(&pointer)).and_then(|path| after.get(&path));
        rest(old) == rest(new) && place.is_some() && place == now
    }
}

/// Whether a pointer is to a source of an Application, or of a set's template. A path in a generator does not count: it also makes names
/// and parameters.
fn is_source(pointer: &str) -> bool {
    match pointer.strip_prefix("/spec/template").unwrap_or(pointer) {
        "/spec/source" | "/spec/sourceHydrator/drySource" => true,
        one => one
            .strip_prefix("/spec/sources/")
            .is_some_and(|index| index.parse::<usize>().is_ok()),
    }
}

fn by_path(
    versions: &Versions,
    there: &mut Files,
    now: impl Fn(&PathBuf) -> PathBuf,
) -> BTreeMap<String, PathBuf> {
    let right = versions.iter().filter(|(_, version)| version.is_ok());
    let folders = right.filter_map(|(place, _)| {
        let (folder, root) = there.place(&place.join(DOCUMENT))?;
        Some((
            folder.strip_prefix(root?).ok()?.display().to_string(),
            now(place),
        ))
    });
    folders.collect()
}
