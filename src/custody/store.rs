//! WRITE, for people: sealed files and edited documents, completely or not at all.
//!
//! A file is written under a temporary name in the same folder, synced to the disk, and renamed in one step: after a crash or on a full
//! disk, the old file is still there. A new file has no name until all of it is on the disk, if the file system supports that: a run that
//! is stopped leaves no part of a key. A file that replaces another one needs a temporary name; only sealed files and documents are
//! replaced.

use crate::diagnostic::{list_first, reasons, shown_name};
use crate::input::file::{self, FollowedPath, Links, folder_of, repository, shown_path};
use rustix::fs::{AtFlags, CWD};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::Path;
use std::time::Duration;
use tempfile::{NamedTempFile, TempDir, TempPath};

reasons! {
    /// Why a file was not written.
    pub enum WriteProblem -> Option<&'static str> {
        /// The operating system refuses.
        Unwritable(kind: ErrorKind)
            error("it cannot be written: {0}")
            help None;
        /// The folder does not exist.
        NoFolder
            error("its folder does not exist")
            help Some("correct the name, or create the folder (`mkdir -p`)");
        /// The file exists, and nothing is overwritten.
        Exists
            error("it already exists")
            help Some("choose another name; `seal kubeconfig --replace` renews a credential, `seed rotate --new-seed` a seed");
        /// A symbolic link of a checkout is in the path.
        Link
            error("its path has a symbolic link, which is not followed")
            help Some("name the file by its real path");
        /// Another program, or a person, has changed the file.
        Changed
            error("it has changed meanwhile, and was not replaced")
            help Some("run the command again");
        /// Another run compares and replaces files there now.
        Busy
            error("another run is writing in this checkout or folder")
            help Some("wait, then run the command again");
        /// Some of several files are replaced already.
        Half(kind: ErrorKind, done: String)
            error("it cannot be written: {0}; already replaced: {1}")
            help Some("run the command again when it can be written");
        /// It is a folder, a link or a device, and those are not replaced.
        NotAFile
            error("it is not a regular file")
            help None;
    }
}

/// Why a file that a person named was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", shown_name(.name))]
pub struct Unwritten {
    /// As the person named it.
    pub name: String,
    pub problem: WriteProblem,
}

/// Checks that the folder of a new file exists, before any question is asked. The likeliest cause is a typing error.
pub(crate) fn check_folder(path: &Path) -> Result<(), Unwritten> {
    refuse_links(folder_of(path)).map_err(unwritten(path))?;
    if folder_of(path).is_dir() {
        Ok(())
    } else {
        Err(unwritten(path)(WriteProblem::NoFolder))
    }
}

/// As [`check_folder`], and checks that the file does not exist yet, before any work is done for it.
pub(crate) fn check_new(path: &Path) -> Result<(), Unwritten> {
    check_folder(path)?;
    refuse_existing(path).map_err(unwritten(path))
}

fn refuse_existing(path: &Path) -> Result<(), WriteProblem> {
    match path.symlink_metadata() {
        Ok(_) => Err(WriteProblem::Exists),
        Err(_) => Ok(()),
    }
}

/// The beginning of a temporary name. A run that is killed leaves such a file.
pub(crate) const TEMPORARY: &str = ".new-";

/// Writes a new file that only its owner can read. An existing file is not touched.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<(), Unwritten> {
    write_new(path, bytes).map_err(unwritten(path))
}

/// As [`create`], for content that is not secret: everyone may read the file.
pub(crate) fn create_for_all(path: &Path, bytes: &[u8]) -> Result<(), Unwritten> {
    create(path, bytes)?;
    let opened = open_to_all(path, 0o644).map_err(WriteProblem::from);
    opened.map_err(unwritten(path))
}

fn write_new(path: &Path, bytes: &[u8]) -> Result<(), WriteProblem> {
    refuse_existing(path)?; // the last step decides; this saves the work
    refuse_links(folder_of(path))?;
    let is_linked = match create_unnamed(path) {
        Some(file) => {
            fill(&file, bytes)?;
            link(&file, path).is_ok()
        }
        None => false,
    };
    if !is_linked {
        // for example without /proc; this step also refuses a file that appeared in the meantime
        let file = temporary(path, bytes, None)?;
        file.persist_noclobber(path).map_err(io::Error::from)?;
    }
    sync_folder(folder_of(path));
    Ok(())
}

/// A file with a temporary name in the same folder. Without `mode` it has 0600.
fn temporary(
    path: &Path,
    bytes: &[u8],
    mode: Option<fs::Permissions>,
) -> io::Result<NamedTempFile> {
    let file = NamedTempFile::with_prefix_in(TEMPORARY, folder_of(path))?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    fill(file.as_file(), bytes)?;
    Ok(file)
}

/// A file without a name in the same folder, with the mode 0600 (open(2), O_TMPFILE). Not every file system supports
/// it.
#[cfg(target_os = "linux")]
fn create_unnamed(path: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = rustix::fs::open(folder_of(path), flags, Mode::RUSR | Mode::WUSR);
    Some(File::from(file.ok()?))
}

#[cfg(not(target_os = "linux"))]
fn create_unnamed(_: &Path) -> Option<File> {
    None
}

/// Gives an unnamed file its name. A file with that name is an error.
fn link(file: &File, path: &Path) -> Result<(), Errno> {
    let file = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, file, CWD, path, AtFlags::SYMLINK_FOLLOW)
}

/// Writes all bytes of a file, and syncs it to the disk.
fn fill(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// Syncs a folder: only then is a new name on the disk. Some file systems cannot do that, and the error is ignored.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Refuses links of a checkout: anyone with push access decides where they lead.
fn refuse_links(folder: &Path) -> Result<(), WriteProblem> {
    match FollowedPath::new(folder).link {
        None => Ok(()),
        Some(_) => Err(WriteProblem::Link),
    }
}

fn unwritten(path: &Path) -> impl Fn(WriteProblem) -> Unwritten {
    let name = path.display().to_string();
    move |problem| Unwritten {
        name: name.clone(),
        problem,
    }
}

impl From<io::Error> for WriteProblem {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::AlreadyExists => Self::Exists,
            ErrorKind::NotFound => Self::NoFolder,
            kind => Self::Unwritable(kind),
        }
    }
}

/// Writes a new folder that everyone may read, with all of its files or not at all: it is first on the disk under a temporary name next to
/// its place. The folders above it are created.
pub(crate) fn create_folder(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Unwritten> {
    let staged = stage_folder(folder, files).map_err(unwritten(folder))?;
    let renamed = fs::rename(staged.path(), folder).map_err(WriteProblem::from);
    renamed.map_err(unwritten(folder))?;
    sync_folder(folder_of(folder));
    Ok(())
}

fn stage_folder(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<TempDir, WriteProblem> {
    let parent = folder_of(folder);
    refuse_links(parent)?;
    fs::create_dir_all(parent)?;
    let staged = TempDir::with_prefix_in(TEMPORARY, parent)?;
    for (name, bytes) in files {
        fill(&File::create_new(staged.path().join(name))?, bytes)?;
    }
    open_to_all(staged.path(), 0o755)?;
    sync_folder(staged.path());
    Ok(staged)
}

/// Sets the mode: a temporary file is readable for its owner only.
#[cfg(unix)]
fn open_to_all(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn open_to_all(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// A new content for a file that was read.
#[derive(Clone, Copy)]
pub(crate) struct Replacement<'f> {
    pub(crate) path: &'f Path,
    /// The content that was read.
    pub(crate) old: &'f [u8],
    pub(crate) new: &'f [u8],
    /// Whether the new file keeps the mode. Otherwise only its owner can read it.
    pub(crate) keeps_mode: bool,
}

/// Replaces a file in one step, if it still has the content that was read.
pub(crate) fn replace(
    path: &Path,
    old: &[u8],
    new: &[u8],
    keeps_mode: bool,
) -> Result<(), Unwritten> {
    replace_all([Replacement {
        path,
        old,
        new,
        keeps_mode,
    }])
}

/// Replaces files, each in one step, once all of them are on the disk under temporary names. If one of them has changed meanwhile,
/// none is replaced. Until it ends, other runs wait.
pub(crate) fn replace_all<'f>(
    files: impl IntoIterator<Item = Replacement<'f>>,
) -> Result<(), Unwritten> {
    let files: Vec<_> = files.into_iter().collect();
    let paths: Vec<_> = files.iter().map(|file| file.path).collect();
    let _locks = lock(&paths, PATIENCE)?;
    let mut staged = Vec::new();
    for file in files {
        staged.push((file.path, stage(file).map_err(unwritten(file.path))?));
    }
    rename_all(staged)
}

/// Puts each file in its place. An error names those that are replaced already.
fn rename_all(staged: Vec<(&Path, TempPath)>) -> Result<(), Unwritten> {
    let mut done = Vec::new();
    for (path, file) in staged {
        if let Err(error) = rename_into(file, path) {
            return Err(unwritten(path)(match done.len() {
                0 => error.into(),
                _ => WriteProblem::Half(error.kind(), list_first(done, 8)),
            }));
        }
        done.push(shown_path(path));
    }
    Ok(())
}

/// How often a lock is tried, 20 times a second.
const PATIENCE: usize = 200;

/// A process may have few files open.
const MOST_LOCKS: usize = 64;

/// Locks the checkouts of files, or without one their folders, for this run (flock(2)). Some file systems have no locks; there nothing is
/// locked.
fn lock(paths: &[&Path], tries: usize) -> Result<Vec<File>, Unwritten> {
    // sorted, so that no two runs wait for each other
    let mut places = BTreeSet::new();
    for path in paths {
        if let Ok(folder) = folder_of(path).canonicalize() {
            places.insert(repository(&folder).unwrap_or(&folder).to_owned());
        }
    }
    let places = places.into_iter().take(MOST_LOCKS);
    let open: Vec<_> = places.flat_map(File::open).collect();
    match paths.first() {
        Some(path) if !open.iter().all(|place| is_locked(place, tries)) => {
            Err(unwritten(path)(WriteProblem::Busy))
        }
        _ => Ok(open),
    }
}

/// How long a run waits for another one that has the lock, before it tries again.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether this run has the lock. True also where there are no locks.
fn is_locked(place: &File, tries: usize) -> bool {
    let mut tries = 0..tries;
    while let Err(TryLockError::WouldBlock) = place.try_lock() {
        if tries.next().is_none() {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
    true
}

/// The new content of an existing file, under a temporary name. A byte-order mark stays: it belongs to the file's encoding, not to the text
/// that was read.
fn stage(
    Replacement {
        path,
        old,
        new,
        keeps_mode,
    }: Replacement<'_>,
) -> Result<TempPath, WriteProblem> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let metadata = path
        .symlink_metadata()
        .map_err(|error| WriteProblem::Unwritable(error.kind()))?;
    if !metadata.is_file() {
        return Err(WriteProblem::NotAFile);
    }
    refuse_links(folder_of(path))?;
    // a person may have saved the file while the program was asking
    let now = file::load(path, (old.len() + MARK.len()) as u64, Links::Refuse).ok();
    let bytes = match now.as_deref().and_then(|now| now.strip_suffix(old)) {
        Some(mark) if mark.is_empty() || mark == MARK => [mark, new].concat(),
        _ => return Err(WriteProblem::Changed),
    };
    // the file is closed here: a process may have few files open, and a fleet has thousands
    Ok(temporary(path, &bytes, keeps_mode.then(|| metadata.permissions()))?.into_temp_path())
}

fn rename_into(file: TempPath, path: &Path) -> io::Result<()> {
    file.persist(path)?;
    sync_folder(folder_of(path));
    Ok(())
}

#[cfg(test)]
mod tests;
