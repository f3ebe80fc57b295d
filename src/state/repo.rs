//! A repository at one moment, from the disk or from a commit: its documents, each read and examined once, with the sealed files in their
//! folders.
//!
//! Anyone with push access writes these files: no link is followed, and everything that is read counts against one budget.

pub(crate) mod api_groups;
mod commit;
mod files;
mod ignored;
pub(crate) mod tree;

pub(crate) use commit::Commit;
pub(crate) use files::{Files, IgnoredFiles};

use super::StateError;
use crate::custody::named_files;
use crate::diagnostic::{Bug, Invalid, Source};
use crate::input::file::{self, ReadProblem};
use crate::input::folder::{DOCUMENT, Folder, NEARLY, UnreadDocument};
use crate::peering::Peering;
use crate::rules::{self, Examined};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

/// The most documents of a fleet, and the most bytes that are read. All of it is in memory, since any two documents can contradict each
/// other, or be one document that has moved.
const DOCUMENTS_MAX: usize = 20_000;
pub(crate) const BYTES_MAX: usize = 64 << 20;

/// How many diagnostics of all documents together are kept, and how many of each document at least. All diagnostics of a run are in memory
/// before the first is reported, and a document can have as many as it has bytes.
const DIAGNOSTICS_MAX: usize = 100_000;
const DIAGNOSTICS_MIN: usize = 5;

pub(crate) struct Repo {
    /// All documents that were found, in the order of their paths.
    pub(crate) documents: Vec<FoundDocument>,
    pub(crate) files: Files,
}

/// A document that was found, and its content, if it can be read.
pub(crate) struct FoundDocument {
    /// The name in messages: a path, or `REVISION:PATH`.
    pub(crate) path: PathBuf,
    /// The document's folder, relative to the folder that was named; empty for that folder itself.
    pub(crate) place: PathBuf,
    /// The folder without links, if a command has asked for it and there is one.
    pub(crate) folder: Option<PathBuf>,
    /// In a box, since it is large, and is sorted and moved.
    pub(crate) read: Result<Box<Document>, UnreadDocument>,
}

/// The content of a document, and of the files in its folder.
pub(crate) struct Document {
    pub(crate) source: Source,
    pub(crate) examined: Examined,
    pub(crate) sealed: Sealed,
}

/// The sealed files that a document names, by name: their bytes, or why they cannot be read.
pub(crate) type Sealed = BTreeMap<String, Result<Vec<u8>, ReadProblem>>;

/// A peering: a valid document.
pub(crate) struct ValidDocument {
    pub(crate) path: PathBuf,
    pub(crate) source: Source,
    pub(crate) peering: Peering,
    pub(crate) sealed: Sealed,
}

/// Why a document describes no peering.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DocumentProblem {
    #[error(transparent)]
    Unread(#[from] UnreadDocument),
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error(transparent)]
    Bug(#[from] Bug),
}

impl FoundDocument {
    /// The text, if it can be read.
    pub(crate) fn source(&self) -> Option<&Source> {
        Some(&self.read.as_deref().ok()?.source)
    }

    /// The peering, if the document is valid.
    pub(crate) fn peering(&self) -> Option<&Peering> {
        self.read.as_deref().ok()?.examined.peering.as_ref()
    }

    /// The peering of a valid document.
    ///
    /// # Errors
    /// When the document cannot be read, or is invalid.
    pub(crate) fn described(self) -> Result<ValidDocument, DocumentProblem> {
        let Self { path, read, .. } = self;
        let Document {
            source,
            examined: Examined { peering, problems },
            sealed,
        } = *read?;
        match (peering, problems) {
            (None, Some(problems)) => Err(problems.into()),
            (Some(peering), _) => Ok(ValidDocument {
                path,
                source,
                peering,
                sealed,
            }),
            (None, None) => Err(Bug::new("a document is neither right nor wrong").into()),
        }
    }
}

impl Document {
    fn bytes(&self) -> usize {
        self.source.text().len() + self.sealed.values().flatten().map(Vec::len).sum::<usize>()
    }
}

fn too_many_files(flag: &'static str, what: &str) -> StateError {
    let reason = format!("there are {what}; name fewer folders");
    StateError::flag(flag, reason)
}

/// The error for documents that together are too large.
pub(crate) fn too_large(flag: &'static str) -> StateError {
    let what = format!("documents of more than {} MiB", BYTES_MAX >> 20);
    too_many_files(flag, &what)
}

/// Refuses too many documents in what a flag names.
pub(crate) fn check_count(flag: &'static str, documents: usize) -> Result<(), StateError> {
    if documents <= DOCUMENTS_MAX {
        return Ok(());
    }
    let what = format!("more than {DOCUMENTS_MAX} documents");
    Err(too_many_files(flag, &what))
}

/// The documents of the given paths: a file, a folder with a document, or a folder of such folders, which may have none. They are sorted,
/// so that a report is the same in every run. A symbolic link of a checkout in a path is refused: results would be reported, or written,
/// for another place.
pub(crate) fn documents(paths: &[PathBuf]) -> Result<Vec<PathBuf>, StateError> {
    let mut found = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            let reason = "standard input is one document: name it alone";
            return Err(StateError::flag("-", reason));
        }
        file::refuse(path)?;
        if path.is_dir() {
            search(path, "PATHS", &mut found)?;
        } else {
            found.push(path.clone());
            check_count("PATHS", found.len())?;
        }
    }
    found.sort();
    // a file that two paths lead to is one peering, which does not conflict with itself
    let mut seen = HashSet::new();
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    Ok(found)
}

/// Adds the documents in a folder that a flag names.
fn search(folder: &Path, flag: &'static str, found: &mut Vec<PathBuf>) -> Result<(), StateError> {
    // a file with a nearly right name was meant, but Argo CD does not find it: the document is then reported as missing
    file::walk(folder, &mut |path, is_folder| {
        let mut names = [DOCUMENT].into_iter().chain(NEARLY);
        if is_folder
            && found.len() <= DOCUMENTS_MAX
            && names.any(|name| path.join(name).symlink_metadata().is_ok())
        {
            found.push(path.join(DOCUMENT));
        }
    })?;
    check_count(flag, found.len())
}

impl Repo {
    /// The documents of a folder on the disk that a flag names. Empty if the folder does not exist, since a revision may have had it.
    ///
    /// # Errors
    /// When the folder cannot be read, or has too much.
    pub(crate) fn of_folder(flag: &'static str, folder: &Path) -> Result<Self, StateError> {
        file::refuse(folder)?;
        let mut paths = Vec::new();
        if folder.symlink_metadata().is_ok() {
            search(folder, flag, &mut paths)?;
        }
        let mut repo = Self::of_documents(flag, &paths)?;
        for FoundDocument { place, .. } in &mut repo.documents {
            *place = place.strip_prefix(folder).unwrap_or(place).to_owned();
        }
        repo.files = Files::from_folder(folder);
        Ok(repo)
    }

    /// These documents on the disk, examined on all cores.
    ///
    /// # Errors
    /// When they are too large together.
    pub(crate) fn of_documents(flag: &'static str, paths: &[PathBuf]) -> Result<Self, StateError> {
        let bytes = AtomicUsize::new(0);
        // the same number for each document, in whatever order they are read
        let kept = (DIAGNOSTICS_MAX / paths.len().max(1)).max(DIAGNOSTICS_MIN);
        let documents = on_all_cores(paths, |path| FoundDocument::load(path, kept, &bytes));
        let documents: Option<_> = documents.into_iter().collect();
        Ok(Self {
            documents: documents.ok_or_else(|| too_large(flag))?,
            files: Files::default(),
        })
    }
}

impl FoundDocument {
    /// A document without a folder.
    pub(crate) fn without_files(
        path: PathBuf,
        read: Result<Box<Document>, UnreadDocument>,
    ) -> Self {
        Self {
            path,
            place: PathBuf::new(),
            folder: None,
            read,
        }
    }

    /// A document on the disk with at most `kept` diagnostics; `None` if all documents are too large with it. Its bytes are added to theirs.
    fn load(path: &Path, kept: usize, bytes: &AtomicUsize) -> Option<Self> {
        // the remaining documents are not read
        if bytes.load(Ordering::Relaxed) > BYTES_MAX {
            return None;
        }
        let mut found = Self::on_disk(path);
        if let Ok(document) = &mut found.read
            && let Some(invalid) = &mut document.examined.problems
        {
            invalid.problems.truncate(kept);
        }
        let size = found.read.as_ref().map_or(0, |document| document.bytes());
        let others = bytes.fetch_add(size, Ordering::Relaxed);
        (others + size <= BYTES_MAX).then_some(found)
    }

    fn on_disk(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        let read_file = |file: &str, cap| Folder::new(folder).read_bytes(file, cap);
        let read = Folder::load(path).map(|source| Document::load(source, read_file));
        let place = folder.to_owned();
        Self {
            place,
            ..Self::without_files(path.to_owned(), read)
        }
    }
}

impl Document {
    /// A document, with the files in its folder.
    pub(crate) fn load(
        source: Source,
        read: impl Fn(&str, u64) -> Result<Vec<u8>, ReadProblem>,
    ) -> Box<Self> {
        let examined = rules::examine(&source);
        let mut sealed = Sealed::new();
        for (file, kind) in examined.peering.iter().flat_map(named_files) {
            let content = read(file.value.as_str(), kind.cap());
            sealed.insert(file.value.to_string(), content);
        }
        Box::new(Self {
            source,
            examined,
            sealed,
        })
    }

    /// A document alone, without a folder.
    pub(crate) fn without_files(source: Source) -> Box<Self> {
        Self::load(source, |_, _| Err(ReadProblem::Missing))
    }
}

/// The results of `work` for each item, in the order of the items.
fn on_all_cores<I: Sync, O: Send>(items: &[I], work: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let size = items.len().div_ceil(threads).max(1);
    let do_part = |part: &[I]| part.iter().map(&work).collect::<Vec<O>>();
    std::thread::scope(|scope| {
        let mut parts = Vec::new();
        for part in items.chunks(size) {
            let worker = std::thread::Builder::new().spawn_scoped(scope, move || do_part(part));
            // a container can forbid threads; then this thread does the work
            parts.push(worker.map_err(|_| do_part(part)));
        }
        let mut all = Vec::new();
        for part in parts {
            match part.map(ScopedJoinHandle::join) {
                Ok(Ok(done)) | Err(done) => all.extend(done),
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}
