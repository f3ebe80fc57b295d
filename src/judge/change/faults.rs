//! What is wrong with Argo CD's objects in the new state, and was not in the old one: what `validate` reports of both.

use super::applications::ArgoChanges;
use super::version::{Readable, Version, Versions};
use super::{Consequence, below};
use crate::diagnostic::{Severity, shown_name};
use crate::input::file::repository;
use crate::input::folder::DOCUMENT;
use crate::judge::applications::{self, File, Place, find_folders};
use crate::object::live::Impact;
use crate::peering::Role;
use crate::state::StateError;
use crate::state::repo::argocd::ArgoFiles;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files that have a fault, and its severity, by its message: what moves to another file is not new.
type Faults = BTreeMap<String, BTreeMap<PathBuf, Severity>>;

/// Adds a note for each.
///
/// # Errors
/// When a flag names more than a run compares.
pub(crate) fn add_faults(
    changes: &mut ArgoChanges,
    flag: &'static str,
    [old, new]: [(&ArgoFiles, &Versions, &Path); 2],
) -> Result<(), StateError> {
    let of_flag = |error| match error {
        StateError::Flag { reason, .. } => StateError::Flag { flag, reason },
        error => error,
    };
    let (old, new) = (faults(old).map_err(of_flag)?, faults(new).map_err(of_flag)?);
    for (message, files) in new {
        let before = old.get(&message);
        let many = files.len().saturating_sub(before.map_or(0, BTreeMap::len));
        let is_new = |(file, _): &(&PathBuf, &Severity)| before.is_none_or(|it| !it.contains_key(*file));
        for (file, severity) in files.iter().filter(is_new).take(many) {
            let folder = file.parent().unwrap_or(file).to_owned();
            changes.entry(folder).or_default().notes.push(note(file, &message, *severity));
        }
    }
    Ok(())
}

/// A message can have anything of its file: all of it is in code.
fn note(file: &Path, message: &str, severity: Severity) -> Consequence {
    let class = if severity == Severity::Error { Impact::Attention } else { Impact::Harmless };
    let file = shown_name(&file.display().to_string()).replace('`', "'");
    Consequence::new(class, format!("`{file}`: `{}`", message.replace('`', "'")))
}

fn faults((argo, versions, folder): (&ArgoFiles, &Versions, &Path)) -> Result<Faults, StateError> {
    // a folder that only a commit has is in none
    let canonical = folder.canonicalize().ok();
    let root = canonical.as_deref().and_then(repository).map(Path::to_owned);
    let folder = canonical.unwrap_or_else(|| folder.to_owned());
    let file = |(path, text): (&PathBuf, &String)| {
        let inside = below(&folder, path.parent().unwrap_or(path));
        File::of(path, inside, root.clone(), text.clone())
    };
    let files: Vec<File> = argo.texts.iter().filter_map(file).collect();
    let place = |(index, (place, version)): (usize, (&PathBuf, &Readable))| {
        let Version { source, peering, .. } = version.as_ref().ok()?;
        let clusters = Role::BOTH.map(|role| peering.clusters.of(role).argocd_cluster.to_string());
        let (document, folder) = (place.join(DOCUMENT), below(&folder, place));
        Some(Place { index, document, folder, source: source.clone(), clusters })
    };
    let places: Vec<Place> = versions.iter().enumerate().filter_map(place).collect();
    let finds = find_folders(&files, &places)?;
    let mut faults = Faults::new();
    for (_, invalid) in applications::check(&files, &places, &finds)?.0 {
        for diagnostic in invalid.problems.iter() {
            let files = faults.entry(diagnostic.message.clone()).or_default();
            files.insert(invalid.source.name().into(), invalid.severity);
        }
    }
    Ok(faults)
}
