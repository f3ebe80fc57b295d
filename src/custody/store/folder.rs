//! A folder that appears with all of its files.

use super::{Unwritten, WriteProblem, fill, folder_of, refuse_links, sync_folder, unwritten};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Writes a new folder, which all may read, and the folders above it: it appears under its name with all of its files, or not at
/// all.
pub(crate) fn create_folder(folder: &Path, files: &[(&str, &[u8])]) -> Result<(), Unwritten> {
    write_folder(folder, files).map_err(unwritten(folder))
}

fn write_folder(folder: &Path, files: &[(&str, &[u8])]) -> Result<(), WriteProblem> {
    let parent = folder_of(folder);
    refuse_links(parent)?;
    fs::create_dir_all(parent)?;
    let staged = tempfile::Builder::new().prefix(".new-").tempdir_in(parent)?;
    for (name, bytes) in files {
        fill(&File::create_new(staged.path().join(name))?, bytes)?;
    }
    open_to_all(staged.path())?;
    sync_folder(staged.path());
    fs::rename(staged.path(), folder)?;
    sync_folder(parent);
    Ok(())
}

/// A temporary folder is its owner's only.
#[cfg(unix)]
fn open_to_all(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) -> io::Result<()> {
    Ok(())
}
