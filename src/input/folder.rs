//! READ: a folder's files, bounded, without following links.
//!
//! Everything in the folder is written by whoever may push to the repository, so a name from the document
//! never leads out of the folder, and no file is read beyond its cap.

use crate::command::error::{Error, FileProblem};
use crate::diagnostic::Source;
use rustix::fs::{Mode, OFlags};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The document's name in its folder.
pub const DOCUMENT: &str = "peering.yaml";

/// More than a thousand namespaces fit; Argo CD's `ApplicationSet` reads the file too.
const DOCUMENT_CAP: u64 = 64 * 1024;

/// A folder that describes one peering.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at this path. Nothing is read yet.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The document.
    ///
    /// # Errors
    /// When it is missing, unreadable, not a regular file, over 64 KiB, or not UTF-8.
    pub fn read_document(&self) -> Result<Source, Error> {
        document(DOCUMENT, self.read(DOCUMENT, DOCUMENT_CAP)?)
    }

    /// A document by its own path, which is its name in messages.
    ///
    /// # Errors
    /// As [`Self::read_document`].
    pub fn read_file(path: &Path) -> Result<Source, Error> {
        let name = path.display().to_string();
        let bytes = read_regular(path, DOCUMENT_CAP, Links::Refuse)
            .map_err(|problem| Error::document_file(&name, problem))?;
        document(&name, bytes)
    }

    /// A file of this folder.
    ///
    /// # Errors
    /// When it is missing, unreadable, not a regular file, or larger than `cap` bytes.
    pub fn read(&self, name: &str, cap: u64) -> Result<Vec<u8>, Error> {
        let wrap: fn(&str, FileProblem) -> Error =
            if name == DOCUMENT { Error::document_file } else { Error::sealed_file };
        read_regular(&self.path.join(name), cap, Links::Refuse).map_err(|problem| wrap(name, problem))
    }
}

fn document(name: &str, bytes: Vec<u8>) -> Result<Source, Error> {
    let text = String::from_utf8(bytes).map_err(|error| {
        Error::document_file(name, FileProblem::NotUtf8(error.utf8_error().valid_up_to()))
    })?;
    // a byte-order mark says how the file is encoded, and is no part of its text
    Ok(Source::new(name, text.strip_prefix('\u{feff}').unwrap_or(&text)))
}

/// Whether the last part of a path may be a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// It may: files of the operator (a mounted Secret's files are links).
    Follow,
    /// It may not: files of a repository.
    Refuse,
}

/// The bytes of a regular file of at most `cap` bytes. Never blocks on a FIFO or a device.
///
/// # Errors
/// When the file is none, or larger.
pub fn read_regular(path: &Path, cap: u64, links: Links) -> Result<Vec<u8>, FileProblem> {
    let mut flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        rustix::io::Errno::LOOP => FileProblem::Link,
        rustix::io::Errno::NOENT => FileProblem::Missing,
        other => FileProblem::Unreadable(std::io::Error::from(other).kind()),
    })?;
    let file = std::fs::File::from(file);
    let metadata = file.metadata().map_err(|error| FileProblem::Unreadable(error.kind()))?;
    if !metadata.is_file() {
        return Err(FileProblem::NotAFile);
    }
    if metadata.len() > cap {
        return Err(FileProblem::TooLarge { cap });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // the file can grow between the two calls
    file.take(cap + 1).read_to_end(&mut bytes).map_err(|error| FileProblem::Unreadable(error.kind()))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > cap {
        return Err(FileProblem::TooLarge { cap });
    }
    Ok(bytes)
}

/// Refuses a file of the operator's that others may write to: whoever can change it would decide in their place.
/// Reading is another matter: a Secret's files in a pod are readable by all (`defaultMode` 0644).
///
/// # Errors
/// When it is writable for everybody. One that is not there is reported when it is read.
pub fn refuse_world_writable(path: &Path) -> Result<(), FileProblem> {
    const OTHERS_WRITE: u32 = 0o002;
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.permissions().mode() & OTHERS_WRITE != 0 => Err(FileProblem::WorldWritable),
        _ => Ok(()),
    }
}
