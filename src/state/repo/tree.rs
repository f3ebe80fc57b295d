//! The files below a folder, as a commit of it can have them: also hidden ones and those of other tools. Each is read once.

use crate::input::file::{self, Links, ReadProblem};
use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// How much of a file is read: Argo CD's own manifests have 2 MiB. Of a larger one the beginning is.
pub(super) const FILE_CAP: u64 = 4 << 20;

/// How many files and folders are visited in a run, how many bytes are read, and how deep folders are in each other.
const ENTRIES_MAX: usize = 100_000;
const BYTES_MAX: u64 = 256 << 20;
const DEPTH_MAX: usize = 64;

/// What Git keeps itself: a folder, or a file in a worktree and a submodule.
const GIT: &str = ".git";

/// What was not read, and why.
#[derive(Debug)]
pub(crate) struct UnreadFile {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

impl UnreadFile {
    pub(super) fn too_large(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            reason: format!("it has more than {} MiB", FILE_CAP >> 20),
        }
    }
}

/// What is at a path.
#[derive(Debug)]
pub(crate) enum FileContent<'s> {
    File(&'s [u8]),
    /// Of a file that is larger than what is read.
    Beginning(&'s [u8]),
}

/// What is left of a run's budget, and what was read of it.
#[derive(Debug)]
pub(crate) struct Walk {
    /// Only these files are read,
    wanted: fn(&Path) -> bool,
    /// and all that are right in these folders.
    pub(crate) whole: BTreeSet<PathBuf>,
    entries: usize,
    bytes: u64,
    /// How many files were read as a whole.
    pub(crate) files: usize,
    pub(crate) unread: Vec<UnreadFile>,
}

/// What is done with what is at a path, from the folder that is walked through.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&Path, FileContent<'_>);

impl Walk {
    /// Of these files alone.
    pub(crate) fn new(wanted: fn(&Path) -> bool) -> Self {
        Self {
            wanted,
            whole: BTreeSet::new(),
            entries: ENTRIES_MAX,
            bytes: BYTES_MAX,
            files: 0,
            unread: Vec::new(),
        }
    }

    pub(super) fn is_wanted(&self, path: &Path) -> bool {
        let is_in = |folder| self.whole.contains(folder);
        (self.wanted)(path) || path.parent().is_some_and(is_in)
    }

    /// Visits what is below a folder, in the order of the names, which is the same on every machine. Links are not followed.
    pub(crate) fn walk(&mut self, folder: &Path, visit: Visit<'_>) {
        let visit: Visit<'_> =
            &mut |path, seen| visit(path.strip_prefix(folder).unwrap_or(path), seen);
        if self.walk_at(folder, DEPTH_MAX, visit).is_none() {
            self.cut(folder);
        }
    }

    /// That the rest of a folder is not read.
    pub(super) fn cut(&mut self, folder: &Path) {
        let reason = format!(
            "only the first {ENTRIES_MAX} files and {} MiB were read",
            BYTES_MAX >> 20
        );
        self.leave(folder, reason);
    }

    /// Takes so many files of so many bytes from what is left of the run. None if that is too much.
    pub(super) fn take(&mut self, files: usize, bytes: u64) -> Option<()> {
        self.entries = self.entries.checked_sub(files)?;
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }

    /// None when nothing more is to be read in this run.
    fn walk_at(&mut self, folder: &Path, depth: usize, visit: Visit<'_>) -> Option<()> {
        let Some(deeper) = depth.checked_sub(1) else {
            self.leave(folder, format!("it is more than {DEPTH_MAX} folders deep"));
            return Some(());
        };
        let entries = std::fs::read_dir(folder).and_then(Iterator::collect);
        let mut entries: Vec<DirEntry> = match entries {
            Ok(entries) => entries,
            Err(error) => {
                self.leave(folder, ReadProblem::from(error).to_string());
                return Some(());
            }
        };
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries.into_iter().filter(|entry| entry.file_name() != GIT) {
            self.take(1, 0)?;
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.walk_at(&path, deeper, visit)?,
                Ok(kind) if kind.is_file() && self.is_wanted(&path) => {
                    self.read_entry(&path, visit)?;
                }
                Ok(_) => {}
                Err(error) => self.leave(&path, ReadProblem::from(error).to_string()),
            }
        }
        Some(())
    }

    fn read_entry(&mut self, path: &Path, visit: Visit<'_>) -> Option<()> {
        match file::read_beginning(path, FILE_CAP + 1, Links::Refuse) {
            Ok(bytes) => {
                let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                self.take(0, size)?;
                if size > FILE_CAP {
                    self.unread.push(UnreadFile::too_large(path));
                    visit(path, FileContent::Beginning(&bytes));
                } else {
                    self.files += 1;
                    visit(path, FileContent::File(&bytes));
                }
            }
            // gone since
            Err(ReadProblem::Missing) => {}
            Err(problem) => self.leave(path, problem.to_string()),
        }
        Some(())
    }

    fn leave(&mut self, path: &Path, reason: String) {
        self.unread.push(UnreadFile {
            path: path.to_owned(),
            reason,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Walk;

    #[test]
    fn what_git_keeps_is_not_visited() {
        let folder = tempfile::tempdir().expect("a folder");
        for file in [".git/a.yaml", "b/a.yaml", "b/.git", ".github/c.yaml"] {
            let place = folder.path().join(file);
            std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
            std::fs::write(place, "").expect("a file");
        }
        let mut seen = Vec::new();
        Walk::new(|_| true).walk(folder.path(), &mut |path, _| seen.push(path.to_owned()));
        let seen: Vec<_> = seen.iter().map(|path| path.display().to_string()).collect();
        assert_eq!(seen, [".github/c.yaml", "b/a.yaml"]);
    }

    /// Of a folder with exactly as much as the limits everything is read.
    #[test]
    fn a_folder_that_just_fits_is_read_to_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.yaml", "b.yaml"] {
            std::fs::write(folder.path().join(name), "four").expect("a file");
        }
        for (entries, bytes, unread) in [(2, 8, 0), (1, 8, 1), (2, 7, 1)] {
            let mut walk = Walk::new(|_| true);
            (walk.entries, walk.bytes) = (entries, bytes);
            walk.walk(folder.path(), &mut |_, _| {});
            assert_eq!(walk.unread.len(), unread, "{entries} {bytes}");
            assert_eq!(walk.files, 2 - unread, "{entries} {bytes}");
        }
    }
}
