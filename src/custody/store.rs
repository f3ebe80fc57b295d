//! WRITE, for people: sealed files and edited documents, whole or not at all.
//!
//! A file is written beside its place under another name, brought to the disk, and put there in one step: a crash or
//! a full disk leaves what was there before.

use crate::command::error::{Error, FileProblem};
use rustix::fs::{CWD, Mode, OFlags, RenameFlags};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Writes a new file that only its owner can read. What is there is not touched.
///
/// # Errors
/// When something is there, or it cannot be written.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), FileProblem> {
    if path.symlink_metadata().is_ok() {
        return Err(FileProblem::Exists); // the step below decides; this saves the work
    }
    put(path, bytes, None, |beside| {
        match rustix::fs::renameat_with(CWD, beside, CWD, path, RenameFlags::NOREPLACE) {
            // file systems that do not know the flag, NFS for instance
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                std::fs::hard_link(beside, path)?;
                std::fs::remove_file(beside)
            }
            outcome => outcome.map_err(Into::into),
        }
    })
}

/// Replaces a file in one step. Its mode stays, or only its owner can read it then.
///
/// # Errors
/// When it is no regular file, or cannot be written.
pub fn replace(path: &Path, bytes: &[u8], keep_mode: bool) -> Result<(), FileProblem> {
    let metadata = path.symlink_metadata().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => FileProblem::Missing,
        _ => unwritable(&error),
    })?;
    if metadata.file_type().is_symlink() {
        return Err(FileProblem::Link);
    }
    if !metadata.is_file() {
        return Err(FileProblem::NotAFile);
    }
    let mode = keep_mode.then(|| metadata.permissions());
    put(path, bytes, mode, |beside| std::fs::rename(beside, path))
}

/// Writes beside the path and moves there.
fn put(
    path: &Path,
    bytes: &[u8],
    mode: Option<std::fs::Permissions>,
    place: impl FnOnce(&Path) -> std::io::Result<()>,
) -> Result<(), FileProblem> {
    let beside = beside(path)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file = rustix::fs::open(&beside, flags, Mode::RUSR | Mode::WUSR)
        .map_err(|errno| unwritable(&errno.into()))?;
    let mut file = std::fs::File::from(file);
    let written = file
        .write_all(bytes)
        .and_then(|()| mode.map_or(Ok(()), |mode| file.set_permissions(mode)))
        .and_then(|()| file.sync_all())
        .and_then(|()| place(&beside));
    if let Err(error) = written {
        let _ = std::fs::remove_file(&beside);
        return Err(unwritable(&error));
    }
    // the name itself is on the disk only when its folder is; some file systems cannot say so
    if let Ok(folder) = std::fs::File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn unwritable(error: &std::io::Error) -> FileProblem {
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => FileProblem::Exists,
        std::io::ErrorKind::NotFound => FileProblem::NoFolder,
        kind => FileProblem::Unwritable(kind),
    }
}

/// A name in the same folder that nobody else has.
fn beside(path: &Path) -> Result<PathBuf, FileProblem> {
    let name = path.file_name().ok_or(FileProblem::NotAFile)?.to_string_lossy();
    let mut random = [0; 8];
    let filled = rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty());
    filled.map_err(|errno| unwritable(&errno.into()))?;
    Ok(folder_of(path).join(format!(".{name}.{:016x}", u64::from_ne_bytes(random))))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The error of a file that a person named.
pub(crate) fn named(path: &Path) -> impl Fn(FileProblem) -> Error {
    let name = path.display().to_string();
    move |problem| Error::File { name: name.clone(), problem }
}

#[cfg(test)]
mod tests {
    use super::{create, replace};
    use crate::command::error::FileProblem as P;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn nothing_is_overwritten_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.age");
        assert_eq!(replace(&path, b"x", false), Err(P::Missing));
        assert_eq!(create(&path, b"one"), Ok(()));
        assert_eq!(create(&path, b"two"), Err(P::Exists));
        assert_eq!(fs::read(&path).expect("read"), b"one");
        let mode = || fs::metadata(&path).expect("it").permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
        assert_eq!(replace(&path, b"three", true), Ok(()));
        assert_eq!((fs::read(&path).expect("read"), mode()), (b"three".to_vec(), 0o644));
        assert_eq!(replace(&path, b"four", false), Ok(()));
        assert_eq!((fs::read(&path).expect("read"), mode()), (b"four".to_vec(), 0o600));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        assert_eq!(replace(&link, b"five", false), Err(P::Link));
        let dangling = folder.path().join("dangling");
        std::os::unix::fs::symlink("nowhere", &dangling).expect("a link");
        assert_eq!(create(&dangling, b"six"), Err(P::Exists));
        assert_eq!(replace(folder.path(), b"seven", false), Err(P::NotAFile));
        assert_eq!(create(&folder.path().join("no/b"), b"eight"), Err(P::NoFolder));
        assert_eq!(replace(&folder.path().join("c"), b"nine", false), Err(P::Missing));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3, "the file and the two links");
    }
}
