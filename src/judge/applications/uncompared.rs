//! Files that change other objects, or are not judged: `diff` compares them as text.

use super::{File, Place, overrides, unread};
use crate::argocd::declared::others_of;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file that is not compared field by field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uncompared {
    /// An override of an Application's source.
    Override,
    /// A kustomization that changes Applications, also through files that it names.
    Kustomization,
    /// A text that cannot be read, or objects of kinds that are not judged.
    Part,
}

/// The texts by file. A part that can be read has no comments.
pub(crate) type Texts = BTreeMap<PathBuf, (Uncompared, Vec<String>)>;

/// The files that are not compared field by field.
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
