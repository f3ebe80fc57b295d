//! Folders that moved between the states: a peering is recognised by its two clusters.

use super::{Version, Versions};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The old places of the folders that moved, by their new ones.
pub(super) fn moved_folders(
    old: &Versions,
    new: &BTreeMap<PathBuf, Version>,
) -> BTreeMap<PathBuf, PathBuf> {
    let (mut gone, mut moved) = (BTreeMap::new(), BTreeMap::new());
    for (place, version) in old {
        if let Ok(version) = version
            && !new.contains_key(place)
        {
            gone.insert(version.peering.clusters.ids(), place);
        }
    }
    for (place, version) in new {
        if !old.contains_key(place)
            && let Some(from) = gone.remove(&version.peering.clusters.ids())
        {
            moved.insert(place.clone(), from.clone());
        }
    }
    moved
}
