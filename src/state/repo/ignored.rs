//! What Git does with files of the disk: which ones it ignores, and which ones it commits through a filter.

use crate::state::StateError;
use crate::state::git::{Checkout, Git};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Git's answers about files, by their paths without links.
#[derive(Default)]
pub(super) struct GitAnswers {
    /// Each with the line that has the pattern.
    pub(super) ignored: BTreeMap<PathBuf, String>,
    pub(super) filtered: BTreeSet<PathBuf>,
    /// Why Git gave no answer about some files.
    pub(super) unknown: Option<String>,
}

impl GitAnswers {
    /// Asks Git once for the files of each repository, which are given by their paths from its root.
    pub(super) fn new(files: BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> Self {
        let mut all = Self::default();
        for (root, files) in files {
            if let Err(error) = all.add(&root, &files) {
                all.unknown.get_or_insert(error.to_string());
            }
        }
        all
    }

    fn add(&mut self, root: &Path, files: &BTreeSet<PathBuf>) -> Result<(), StateError> {
        // without it, it is not Git's (gitrepository-layout(5)); in a worktree and in a submodule `.git` is a file
        let git = root.join(".git");
        if !git.is_file() && !git.join("HEAD").exists() {
            return Ok(());
        }
        let Some(checkout) = Checkout::open(root) else {
            return Ok(());
        };
        let git = Git::new(checkout)?;
        for (path, line) in git.ignored(files)? {
            self.ignored.insert(root.join(path), line);
        }
        for path in git.filtered(files)? {
            self.filtered.insert(root.join(path));
        }
        Ok(())
    }
}
