//! Folders that moved between the states: a peering is recognised by its two clusters.

use super::peering::{Version, Versions};
use crate::peering::Role;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The old places of the folders that moved, by their new ones.
pub(crate) type MovedFolders = BTreeMap<PathBuf, PathBuf>;

pub(crate) fn moved([old, new]: [&Versions; 2]) -> MovedFolders {
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
