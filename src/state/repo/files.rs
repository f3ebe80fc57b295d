//! Where the files of a state are: their folders without links, the repositories of these, and which files exist.

use super::ignored::{By, Ignored};
use crate::input::file::{folder_of, repository};
use crate::state::git::path_of;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A folder without links, and the root of its repository, if there is one.
type Place = (PathBuf, Option<PathBuf>);

/// The files of a state. Each folder is examined once.
#[derive(Default)]
pub(crate) struct Files {
    /// The prefix of files' names, and the folder that the rest of a name is relative to; for a state that need not be on the disk.
    base: Option<(String, Place)>,
    /// For a commit, the root of the checkout and the files below it. Files outside of the root are those on the disk.
    committed: Option<(PathBuf, Rc<BTreeSet<PathBuf>>)>,
    known: HashMap<PathBuf, Option<Place>>,
    /// The ignored files of each repository, by its root.
    ignored: RefCell<BTreeMap<PathBuf, Ignored>>,
}

/// The name of a file of a state. Git's paths are bytes: two that look the same as text are two files.
pub(crate) fn prefixed(prefix: &str, path: &Path) -> PathBuf {
    let mut name = OsString::from(prefix);
    name.push(path);
    name.into()
}

/// The path of a file of a state, by its name.
pub(crate) fn unprefixed(prefix: &str, name: &Path) -> Option<PathBuf> {
    Some(path_of(
        name.as_os_str()
            .as_encoded_bytes()
            .strip_prefix(prefix.as_bytes())?,
    ))
}

impl Files {
    /// Files whose names are this prefix and a path from the folder.
    pub(crate) fn below(folder: &Path, prefix: String) -> Self {
        // a folder that exists only in a commit is in no repository
        let canonical = folder.canonicalize().ok();
        let root = canonical
            .as_deref()
            .and_then(repository)
            .map(Path::to_owned);
        let folder = canonical.unwrap_or_else(|| folder.to_owned());
        Self {
            base: Some((prefix, (folder, root))),
            ..Self::default()
        }
    }

    /// Files of a commit.
    pub(crate) fn in_commit(self, committed: (PathBuf, Rc<BTreeSet<PathBuf>>)) -> Self {
        Self {
            committed: Some(committed),
            ..self
        }
    }

    /// Whether they are files of a commit, so that Git ignored none of them.
    pub(crate) const fn are_committed(&self) -> bool {
        self.committed.is_some()
    }

    /// The place of a file's folder; `None` if the folder no longer exists.
    pub(crate) fn place(&mut self, file: &Path) -> Option<Place> {
        let Some((prefix, (folder, root))) = &self.base else {
            let folder = folder_of(file);
            return self
                .known
                .entry(folder.to_owned())
                .or_insert_with(|| place_of(folder))
                .clone();
        };
        let inside = unprefixed(prefix, file)?;
        let inside = inside.parent()?;
        // without a `/` after the folder itself
        let folder = if inside.as_os_str().is_empty() {
            folder.clone()
        } else {
            folder.join(inside)
        };
        Some((folder, root.clone()))
    }

    /// Whether a file exists.
    pub(crate) fn has(&self, path: &Path) -> bool {
        let inside = self
            .committed
            .as_ref()
            .and_then(|(root, paths)| Some((path.strip_prefix(root).ok()?, paths)));
        inside.map_or_else(|| path.is_file(), |(path, paths)| paths.contains(path))
    }

    /// Why `git add` ignores a file of a repository. `None` also if the file is committed anyway, or if this is not known.
    pub(crate) fn passed_over(&self, root: &Path, path: &Path) -> Option<By> {
        self.of_repository(root, |it| it.by(path))
    }

    /// The line by which Git commits a file of a repository through a filter. `None` also if this is not known.
    pub(crate) fn filtered(&self, root: &Path, path: &Path) -> Option<By> {
        self.of_repository(root, |it| it.filtered_by(path))
    }

    /// Asks for a file of the disk. A commit has no ignored files.
    fn of_repository(
        &self,
        root: &Path,
        find: impl FnOnce(&mut Ignored) -> Option<By>,
    ) -> Option<By> {
        let mut all = self.ignored.borrow_mut();
        let is_of_disk = !self.are_committed();
        is_of_disk.then(|| {
            find(
                all.entry(root.to_owned())
                    .or_insert_with_key(|root| Ignored::of(root)),
            )
        })?
    }

    /// Why it is not known whether Git ignores some files. Only the files since the last call count.
    pub(crate) fn take_unknown(&self) -> Option<&'static str> {
        self.ignored
            .borrow_mut()
            .values_mut()
            .fold(None, |first, it| first.or(it.unknown.take()))
    }
}

/// Whether ignored files are left out below the paths of a run. They are read if Git ignores one of the paths itself.
#[derive(Clone, Copy)]
pub(crate) struct IgnoredFiles {
    are_left_out: bool,
}

impl IgnoredFiles {
    pub(crate) fn below(paths: &[PathBuf], there: &mut Files) -> Self {
        let all = Self { are_left_out: true };
        Self {
            are_left_out: !paths.iter().any(|it| all.has(&it.join("x"), there)),
        }
    }

    /// Whether Git ignores a file.
    pub(crate) fn has(self, file: &Path, there: &mut Files) -> bool {
        let (Some((folder, Some(root))), Some(name)) = (there.place(file), file.file_name()) else {
            return false;
        };
        self.are_left_out && there.passed_over(&root, &folder.join(name)).is_some()
    }
}

fn place_of(folder: &Path) -> Option<Place> {
    let folder = folder.canonicalize().ok()?;
    let root = repository(&folder).map(Path::to_owned);
    Some((folder, root))
}
