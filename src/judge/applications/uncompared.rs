//! What of files is judged, if at all, by what it is put on: `diff` compares it as text.

use super::{File, Place, overrides, unread};
use crate::argocd::declared::others_of;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is not compared field by field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uncompared {
    /// A file that is put over the source of an Application.
    Override,
    /// One that changes Applications: also by files that it names.
    Kustomization,
    /// What is not read, and objects of kinds that are not judged.
    Part,
}

/// By their files; its parts are without comments, as far as they are read.
pub(crate) type Texts = BTreeMap<PathBuf, (Uncompared, Vec<String>)>;

/// What of the files is not compared field by field.
pub(crate) fn uncompared(files: &[File], places: &[Place]) -> Texts {
    let folders: BTreeSet<&Path> = places.iter().map(|it| it.folder.as_path()).collect();
    let kustomizations: BTreeSet<usize> = overrides::left(files).iter().map(|it| it.file).collect();
    let unread: BTreeSet<usize> = unread(files, places).iter().map(|it| it.file).collect();
    let all = files.iter().enumerate().filter_map(|(number, file)| {
        let what = if overrides::is_override(file) && folders.contains(file.folder.as_path()) {
            Uncompared::Override
        } else if kustomizations.contains(&number) {
            Uncompared::Kustomization
        } else if unread.contains(&number) || !file.declared.unjudged.is_empty() {
            Uncompared::Part
        } else {
            return None;
        };
        let parts = others_of(file.source.text(), what != Uncompared::Part);
        (!parts.is_empty()).then(|| (file.path.clone(), (what, parts)))
    });
    all.collect()
}
