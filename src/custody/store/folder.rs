//! A folder that appears with all of its files.

use super::{Unwritten, folder_of, unwritten};
use std::fs;
use std::io;
use std::path::Path;

/// Writes a new folder, which all may read, and the folders above it: it appears under its name with all of its files, or not at
/// all.
pub(crate) fn create_folder(folder: &Path, files: &[(&str, &[u8])]) -> Result<(), Unwritten> {
    let written = || {
        let parent = folder_of(folder);
        fs::create_dir_all(parent)?;
        let staged = tempfile::Builder::new().prefix(".new-").tempdir_in(parent)?;
        for (name, bytes) in files {
            fs::write(staged.path().join(name), bytes)?;
        }
        open_to_all(staged.path())?;
        fs::rename(staged.path(), folder)
    };
    written().map_err(|error: io::Error| unwritten(folder)(error.into()))
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
