//! Folders that moved between the states: a peering is recognised by its two clusters.

use super::peering::Versions;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The old places of the folders that moved, by their new ones.
pub(crate) type MovedFolders = BTreeMap<PathBuf, PathBuf>;

pub(crate) fn moved([old, new]: [&Versions; 2]) -> MovedFolders {
    let (mut gone, mut moved) = (BTreeMap::new(), MovedFolders::new());
    for (place, version) in old {
        if let Ok(version) = version
            && !new.get(place).is_some_and(Result::is_ok)
        {
            gone.insert(version.peering.clusters.ids(), place);
        }
    }
    for (place, version) in new {
        if let Ok(version) = version
            && !old.contains_key(place)
            && let Some(from) = gone.remove(&version.peering.clusters.ids())
        {
            moved.insert(place.clone(), from.clone());
        }
    }
    moved
}
