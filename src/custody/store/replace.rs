//! An existing file gets another content, in one step.

use super::{Unwritten, WriteProblem, folder_of, refuse_links, sync_folder, temporary, unwritten};
use std::path::Path;
use tempfile::TempPath;

/// Replaces a file in one step. It keeps its mode, or becomes readable for its owner only.
pub(crate) fn replace(path: &Path, bytes: &[u8], keep_mode: bool) -> Result<(), Unwritten> {
    let replaced = || put(stage(path, bytes, keep_mode)?, path);
    replaced().map_err(unwritten(path))
}

/// Replaces files, each in one step, once all of them are on the disk under temporary names. They become readable for their
/// owner only.
pub(crate) fn replace_all<'f>(files: impl Iterator<Item = (&'f Path, &'f Vec<u8>)>) -> Result<(), Unwritten> {
    let stage = |(path, bytes): (&'f Path, &'f Vec<u8>)| {
        Ok((path, stage(path, bytes, false).map_err(unwritten(path))?))
    };
    let staged = files.map(stage).collect::<Result<Vec<_>, _>>()?;
    staged.into_iter().try_for_each(|(path, file)| put(file, path).map_err(unwritten(path)))
}

/// The new content of an existing file, beside it.
fn stage(path: &Path, bytes: &[u8], keep_mode: bool) -> Result<TempPath, WriteProblem> {
    let metadata = path.symlink_metadata().map_err(|error| WriteProblem::Unwritable(error.kind()))?;
    if !metadata.is_file() {
        return Err(WriteProblem::NotAFile);
    }
    refuse_links(folder_of(path))?;
    // closed: a process may have few files open, and a fleet has thousands
    Ok(temporary(path, bytes, keep_mode.then(|| metadata.permissions()))?.into_temp_path())
}

fn put(file: TempPath, path: &Path) -> Result<(), WriteProblem> {
    file.persist(path)?;
    sync_folder(folder_of(path));
    Ok(())
}
