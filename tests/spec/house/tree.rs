//! The repository's files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// All files, by their path from the root. Those that are no text have none.
#[derive(Clone)]
pub(crate) struct Tree(BTreeMap<String, Option<Rc<str>>>);

impl Tree {
    /// What lies beside Cargo.toml, less what Cargo and Git put there.
    pub(crate) fn checkout() -> Self {
        let mut tree = Self(BTreeMap::new());
        tree.read(Path::new(env!("CARGO_MANIFEST_DIR")), "");
        assert!(tree.0.len() > 100, "only {} files", tree.0.len());
        tree
    }

    fn read(&mut self, folder: &Path, prefix: &str) {
        for entry in fs::read_dir(folder).expect("a folder of the repository") {
            let entry = entry.expect("an entry");
            let name = entry
                .file_name()
                .into_string()
                .expect("our files have plain names");
            // in a worktree, `.git` is a file
            if name == ".git" || name == "target" {
                continue;
            }
            let path = format!("{prefix}{name}");
            if entry.file_type().expect("its type").is_dir() {
                self.read(&entry.path(), &format!("{path}/"));
            } else {
                let bytes =
                    fs::read(entry.path()).unwrap_or_else(|error| panic!("{path}: {error}"));
                self.0
                    .insert(path, String::from_utf8(bytes).ok().map(Rc::from));
            }
        }
    }

    pub(crate) fn put(&mut self, path: &str, text: &str) {
        self.0.insert(path.to_owned(), Some(text.into()));
    }

    pub(crate) fn remove(&mut self, path: &str) {
        assert!(self.0.remove(path).is_some(), "{path} was not there");
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path)?.as_deref()
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The files that are text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// There is such a file, or a folder with something in it.
    pub(crate) fn has(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        self.0.contains_key(path)
            || path.is_empty()
            || self.0.keys().any(|it| it.starts_with(&folder))
    }
}
