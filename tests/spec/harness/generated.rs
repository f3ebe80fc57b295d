//! Texts beside the tests that make them. `UPDATE_SNAPSHOTS=1 cargo test` rewrites them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Snapshots while they are compared. Nothing is reported before [`Snapshots::finish`], so that all differences
/// are seen at once.
#[derive(Default)]
pub(crate) struct Snapshots {
    seen: BTreeSet<PathBuf>,
    differences: Vec<String>,
}

impl Snapshots {
    /// Compares a text with the one in the file, or writes it there.
    pub(crate) fn check(&mut self, path: impl Into<PathBuf>, text: &str) {
        let path = path.into();
        let before = fs::read_to_string(&path).unwrap_or_default();
        if before != text {
            if update() {
                fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            } else {
                self.differences.push(format!("{}: expected\n{before}\nfound\n{text}", path.display()));
            }
        }
        self.seen.insert(path);
    }

    /// Fails if anything differs, or if a file of this kind in the folder belongs to nothing.
    pub(crate) fn finish(mut self, folder: &str, extension: &str) {
        let entries =
            fs::read_dir(Path::new(folder)).into_iter().flatten().flatten().map(|entry| entry.path());
        for path in entries.filter(|path| path.extension().is_some_and(|found| found == extension)) {
            if !self.seen.contains(&path) {
                self.differences.push(format!("{}: belongs to nothing", path.display()));
            }
        }
        let differences = self.differences.join("\n");
        assert!(
            differences.is_empty(),
            "{differences}\nif that is meant: UPDATE_SNAPSHOTS=1 cargo test --test diagnostics, and look at git diff"
        );
    }
}

fn update() -> bool {
    std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| value == "1")
}
