//! READ: the files of a peering's folder.
//!
//! Anyone with push access to the repository writes to the folder. So no link in it is followed, and no file is read
//! beyond its cap.

use super::file::{self, Links, ReadProblem, TOO_MANY_OPEN, TextProblem, load, shown_path, utf8};
use crate::diagnostic::{Source, shown_name};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The document's name in its folder.
pub const DOCUMENT: &str = "peering.yaml";

/// Names that are nearly right. Argo CD's ApplicationSet and this program look for the exact name only. Windows' Notepad adds `.txt`.
pub(crate) const NEARLY: [&str; 3] = ["peering.yml", "Peering.yaml", "peering.yaml.txt"];

/// More than a thousand namespaces fit; Argo CD's `ApplicationSet` reads the file too.
pub(crate) const DOCUMENT_CAP: u64 = 64 * 1024;

/// The most entries of a folder among which a document is looked for.
const FOLDERS_MAX: usize = 1000;

/// A folder that describes one peering.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

/// Why the document was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", shown_name(.name))]
pub struct UnreadDocument {
    /// `peering.yaml`, or as the person named it.
    pub name: String,
    pub problem: TextProblem,
    /// A file in the same folder whose name is nearly right.
    pub nearly: Option<&'static str>,
    /// A subfolder that has a document.
    pub below: Option<PathBuf>,
}

impl UnreadDocument {
    /// What to do about it.
    pub fn help(&self) -> Cow<'static, str> {
        if let Some(below) = &self.below {
            let below = shown_path(below);
            return format!("name the folder of peering.yaml, such as {below}").into();
        }
        if let Some(nearly) = self.nearly {
            return format!("rename {nearly} to peering.yaml").into();
        }
        let help = match &self.problem {
            TextProblem::Read(ReadProblem::Missing) => {
                "name the folder of peering.yaml, in Argo CD as `path`"
            }
            TextProblem::Read(ReadProblem::Unreadable(ErrorKind::NotADirectory)) => {
                "name the folder of peering.yaml, not a file"
            }
            TextProblem::Read(ReadProblem::TooLarge { .. }) => "use one folder for each peering",
            TextProblem::Read(ReadProblem::Link) => "commit the file, not a link",
            TextProblem::Read(ReadProblem::TooManyOpen) => TOO_MANY_OPEN,
            TextProblem::Read(ReadProblem::Unreadable(_) | ReadProblem::NotAFile) => {
                "it must be a readable regular file"
            }
            TextProblem::NotUtf8(..) => "save the file as UTF-8",
        };
        help.into()
    }

    /// Whether the document itself is wrong, and not the environment that it is read in.
    pub const fn is_the_documents_fault(&self) -> bool {
        matches!(
            self.problem,
            TextProblem::Read(ReadProblem::TooLarge { .. }) | TextProblem::NotUtf8(..)
        )
    }
}

impl Folder {
    /// The folder at this path. Nothing is read yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The document.
    ///
    /// # Errors
    /// When it is missing, unreadable, not a regular file, over 64 KiB, or not UTF-8.
    pub fn read_document(&self) -> Result<Source, UnreadDocument> {
        let path = self.path.join(DOCUMENT);
        let mut unread = match document(DOCUMENT, &path) {
            Err(unread) => unread,
            read => return read,
        };
        if matches!(unread.problem, TextProblem::Read(_)) && self.path != Path::new(".") {
            unread.name = path.display().to_string();
            unread.below = self.nested_document();
        }
        Err(unread)
    }

    /// The first subfolder that has a document. None if the folder has more than [`FOLDERS_MAX`] entries.
    fn nested_document(&self) -> Option<PathBuf> {
        let mut folders = BTreeSet::new();
        for (number, entry) in std::fs::read_dir(&self.path).ok()?.flatten().enumerate() {
            if number == FOLDERS_MAX {
                return None;
            }
            let folder = entry.path();
            let document = folder.join(DOCUMENT).symlink_metadata();
            if matches!(document, Ok(document) if document.is_file()) {
                folders.insert(folder);
            }
        }
        folders.pop_first()
    }

    /// A document by its own path, which is its name in messages.
    ///
    /// # Errors
    /// As [`Self::read_document`].
    pub fn load(path: &Path) -> Result<Source, UnreadDocument> {
        document(&path.display().to_string(), path)
    }

    /// Another file of this folder, of at most `cap` bytes.
    pub(crate) fn read_bytes(&self, name: &str, cap: u64) -> Result<Vec<u8>, ReadProblem> {
        load(&self.path.join(name), cap, Links::Refuse)
    }
}

fn document(name: &str, path: &Path) -> Result<Source, UnreadDocument> {
    let mut unread = match source(name, load(path, DOCUMENT_CAP, Links::Refuse)) {
        Err(unread) => unread,
        read => return read,
    };
    if unread.problem == TextProblem::Read(ReadProblem::Missing) {
        let mut names = NEARLY.into_iter();
        unread.nearly = names.find(|name| path.with_file_name(name).symlink_metadata().is_ok());
    }
    Err(unread)
}

/// The document on standard input, bounded as a file is.
pub(crate) fn read_input(name: &str) -> Result<Source, UnreadDocument> {
    source(name, file::read_input(DOCUMENT_CAP))
}

/// The document from the bytes that were read.
pub(crate) fn source(
    name: &str,
    bytes: Result<Vec<u8>, ReadProblem>,
) -> Result<Source, UnreadDocument> {
    read_source(name, bytes).map_err(|problem| UnreadDocument {
        name: name.to_owned(),
        problem,
        nearly: None,
        below: None,
    })
}

fn read_source(name: &str, bytes: Result<Vec<u8>, ReadProblem>) -> Result<Source, TextProblem> {
    let bytes = bytes?;
    let text = utf8(&bytes)?;
    // a byte-order mark belongs to the file's encoding, not to its text
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(Source::new(name, text))
}
