//! Where the files of a state are: their folders without links, the repositories of these, and which files exist.

use super::ignored::GitAnswers;
use crate::input::file::{folder_of, repository};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// A folder without links, and the root of its repository, if there is one.
type FilePlace = (PathBuf, Option<PathBuf>);

/// The files of a state. Each folder is examined once.
#[derive(Default)]
pub(crate) struct Files {
    /// The folder that files' names are relative to; for a state that need not be on the disk.
    base: Option<FilePlace>,
    /// For a commit, the root of the checkout and the files below it. Files outside of the root are those on the disk.
    committed: Option<(PathBuf, BTreeSet<PathBuf>)>,
    known: HashMap<PathBuf, Option<FilePlace>>,
    /// What Git does with the files that it was asked about.
    git: GitAnswers,
}

impl Files {
    /// Files whose names are paths from this folder.
    pub(crate) fn from_folder(folder: &Path) -> Self {
        // a folder that exists only in a commit is in no repository
        let base = place_of(folder).unwrap_or_else(|| (folder.to_owned(), None));
        Self {
            base: Some(base),
            ..Self::default()
        }
    }

    /// Files of a commit: its paths from the root of the checkout.
    pub(crate) fn in_commit(mut self, root: &Path, paths: BTreeSet<PathBuf>) -> Self {
        self.committed = Some((root.to_owned(), paths));
        self
    }

    /// Whether they are files of a commit, so that Git ignored none of them.
    pub(crate) const fn are_committed(&self) -> bool {
        self.committed.is_some()
    }

    /// The place of a file's folder; `None` if the folder no longer exists.
    pub(crate) fn place(&mut self, file: &Path) -> Option<FilePlace> {
        let Some((folder, root)) = &self.base else {
            let folder = folder_of(file);
            let known = self.known.entry(folder.to_owned());
            return known.or_insert_with(|| place_of(folder)).clone();
        };
        // without a `/` after the folder itself
        let folder = folder.components().chain(file.parent()?.components());
        Some((folder.collect(), root.clone()))
    }

    /// Whether a file exists.
    pub(crate) fn has_file(&self, path: &Path) -> bool {
        if let Some((root, paths)) = &self.committed
            && let Ok(inside) = path.strip_prefix(root)
        {
            return paths.contains(inside);
        }
        path.is_file()
    }

    /// Asks Git, once, about files of the disk, by their names. A commit has no ignored files.
    pub(crate) fn ask_git<'f>(&mut self, names: impl Iterator<Item = &'f Path>) {
        if self.are_committed() {
            return;
        }
        let mut files: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for name in names {
            if let Some((folder, Some(root))) = self.place(name)
                && let Some(file) = name.file_name()
                && let Ok(inside) = folder.join(file).strip_prefix(&root)
            {
                let inside = inside.to_owned();
                files.entry(root).or_default().insert(inside);
            }
        }
        self.git = GitAnswers::new(files);
    }

    /// The line by which Git ignores a file that it was asked about. None if the file is committed all the same.
    pub(crate) fn ignoring_line(&self, path: &Path) -> Option<&str> {
        self.git.ignored.get(path).map(String::as_str)
    }

    /// Whether Git commits a file that it was asked about through a filter.
    pub(crate) fn is_filtered(&self, path: &Path) -> bool {
        self.git.filtered.contains(path)
    }

    /// Why Git gave no answer.
    pub(crate) fn unknown(&self) -> Option<&str> {
        self.git.unknown.as_deref()
    }
}

/// Whether ignored files are left out below the paths of a run. They are read if Git ignores one of the paths itself.
#[derive(Clone, Copy)]
pub(crate) struct IgnoredFiles {
    are_left_out: bool,
}

impl IgnoredFiles {
    pub(crate) fn from_paths(paths: &[PathBuf], there: &mut Files) -> Self {
        let all = Self { are_left_out: true };
        Self {
            are_left_out: !paths.iter().any(|it| all.has_file(&it.join("x"), there)),
        }
    }

    /// Whether Git ignores a file.
    pub(crate) fn has_file(self, file: &Path, there: &mut Files) -> bool {
        let (Some((folder, _)), Some(name)) = (there.place(file), file.file_name()) else {
            return false;
        };
        self.are_left_out && there.ignoring_line(&folder.join(name)).is_some()
    }
}

fn place_of(folder: &Path) -> Option<FilePlace> {
    let folder = folder.canonicalize().ok()?;
    let root = repository(&folder).map(Path::to_owned);
    Some((folder, root))
}
