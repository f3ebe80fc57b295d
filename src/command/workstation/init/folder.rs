//! The folder: written as a whole, or not at all.

use super::SEED;
use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::store::{self, Unwritten, WriteProblem};
use crate::diagnostic::shown_name;
use crate::input::file::{self, Links};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// A folder that has files is another peering's, or a person's work.
pub(super) fn check(folder: &Path, force: bool) -> Result<(), Error> {
    let is_used = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(unwritable(folder)(error)),
    };
    if is_used && !force {
        let reason = format!(
            "{} has files already, and nothing is overwritten without it",
            shown_name(&folder.display().to_string())
        );
        return Err(Error::Flag { flag: "--force", reason });
    }
    Ok(())
}

/// Writes the files, and returns the names of those that were written. In a folder that exists a sealed file is kept.
pub(super) fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<Vec<String>, Error> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(unwritable(parent))?;
    if folder.is_dir() {
        let is_kept = |name: &str| name == SEED && folder.join(name).symlink_metadata().is_ok();
        let files: Vec<_> = files.iter().filter(|(name, _)| !is_kept(name)).collect();
        for (name, bytes) in &files {
            let path = folder.join(name);
            if path.symlink_metadata().is_ok() {
                store::replace(&path, bytes, true)?;
            } else {
                store::create(&path, bytes)?;
            }
        }
        return Ok(files.into_iter().map(|(name, _)| name.clone()).collect());
    }
    let written = || {
        // the folder appears under its name with all of its files
        let staged = tempfile::Builder::new().prefix(".init-").tempdir_in(parent)?;
        for (name, bytes) in files {
            fs::write(staged.path().join(name), bytes)?;
        }
        fs::set_permissions(staged.path(), fs::Permissions::from_mode(0o755))?;
        fs::rename(staged.path(), folder)
    };
    written().map_err(unwritable(folder))?;
    Ok(files.iter().map(|(name, _)| name.clone()).collect())
}

/// The consumer and the provider of a folder's path in the repository, if it has the layout of the ApplicationSet of
/// `argocd-app`: `peerings/rome/milan`.
pub(super) fn of_set(path: &str) -> Option<(&str, &str)> {
    let mut parts = path.split('/').skip(1);
    let pair = (parts.next()?, parts.next()?);
    parts.next().is_none().then_some(pair)
}

/// The folder of all peerings: above `peerings/rome-milan`, and above both of `peerings/rome/milan`. Not above the
/// repository, in which `path` is the new folder's.
pub(super) fn of_all<'f>(folder: &'f Path, path: &str) -> &'f Path {
    let above = match of_set(path) {
        _ if folder.join(".git").exists() || folder.file_name().is_none() => 0,
        Some(_) => 2,
        None => 1,
    };
    folder.ancestors().take(above + 1).last().unwrap_or(folder)
}

/// An editor's help only, so a failure is a note. What is there is the repository's: a link could lead out of it.
pub(super) fn write_schema(of_all: &Path, text: &str, streams: &mut Streams<'_>) {
    let path = of_all.join(super::SCHEMA);
    let name = shown_name(&path.display().to_string());
    let cap = u64::try_from(text.len()).unwrap_or_default();
    match store::create(&path, text.as_bytes()) {
        Ok(()) => streams.note(&format!("wrote {name}")),
        Err(Unwritten { problem: WriteProblem::Exists, .. }) => {
            if file::read(&path, cap, Links::Refuse).as_deref() != Ok(text.as_bytes()) {
                streams.note(&format!(
                    "note: {name} is of another version; `argocd-peering schema` prints this one's"
                ));
            }
        }
        Err(unwritten) => streams.note(&format!("note: {unwritten}")),
    }
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> Error {
    let name = path.display().to_string();
    move |error| Unwritten { name: name.clone(), problem: WriteProblem::from(error) }.into()
}
