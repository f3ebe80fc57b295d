//! The files of a repository that name an API group of Argo CD's.

use crate::input::file::{self, Links, ReadProblem, utf8};
use crate::input::folder::DOCUMENT;
use crate::state::StateError;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Argo CD's own manifests have 2 MiB.
pub(crate) const FILE_CAP: u64 = 4 << 20;

/// The Applications of five thousand peerings, a file each.
const BYTES_MAX: usize = 16 << 20;

/// A value counts as so many bytes at least. One of two bytes takes seventy of memory, and in `diff` a map of five takes 600.
const VALUE: usize = 16;

/// What every such file has in it.
const GROUP: &str = "argoproj.io/";

/// The texts of the files, by their paths from the folder that was named, and those that were too large to be read.
#[derive(Debug, Default)]
pub(crate) struct ArgoFiles {
    pub(crate) texts: BTreeMap<PathBuf, String>,
    pub(crate) too_large: Vec<PathBuf>,
}

/// What is left of a run's bytes, and the argument that named the folders.
pub(crate) struct Allowance {
    flag: &'static str,
    left: usize,
}

impl Allowance {
    pub(crate) const fn of(flag: &'static str) -> Self {
        Self { flag, left: BYTES_MAX }
    }

    /// Takes what a text costs, before it is parsed.
    fn take(&mut self, text: &str) -> Result<(), StateError> {
        self.left = self.left.checked_sub(cost(text)).ok_or_else(|| self.too_many())?;
        Ok(())
    }

    fn too_many(&self) -> StateError {
        let reason = format!(
            "the files with `{GROUP}` in them have more than {} MiB, or {} values; name fewer folders at once",
            BYTES_MAX >> 20,
            BYTES_MAX / VALUE
        );
        StateError::Flag { flag: self.flag, reason }
    }
}

impl ArgoFiles {
    /// Those of a folder on the disk; none if there is no such folder.
    ///
    /// # Errors
    /// When the folder cannot be read, or the files are too many bytes together.
    pub(crate) fn of_folder(folder: &Path, allowance: &mut Allowance) -> Result<Self, StateError> {
        let (mut files, mut paths) = (Self::default(), Vec::new());
        if folder.symlink_metadata().is_ok() {
            file::walk(folder, &mut |path, is_folder| {
                let is_wanted = !is_folder && path.file_name().is_some_and(is_manifest);
                paths.extend(is_wanted.then(|| path.to_owned()));
            })?;
        }
        for path in paths {
            let place = path.strip_prefix(folder).unwrap_or(&path).to_owned();
            files.add(place, file::read(&path, FILE_CAP, Links::Refuse), allowance)?;
        }
        Ok(files)
    }

    /// Adds a file, unless it is another tool's, or cannot be read: then Argo CD cannot read it either.
    pub(super) fn add(
        &mut self,
        place: PathBuf,
        content: Result<Vec<u8>, ReadProblem>,
        allowance: &mut Allowance,
    ) -> Result<(), StateError> {
        if let Err(ReadProblem::TooLarge { .. }) = content {
            self.too_large.push(place);
            return Ok(());
        }
        let content = content.unwrap_or_default();
        if let Some(text) = text_of(&content) {
            allowance.take(text)?;
            self.texts.insert(place, text.to_owned());
        }
        Ok(())
    }
}

/// The text of a file that names an API group of Argo CD's.
pub(super) fn text_of(content: &[u8]) -> Option<&str> {
    utf8(content).ok().filter(|text| text.contains(GROUP))
}

/// What a text takes of `BYTES_MAX`. Its values are not more than the signs before and between them, so that what is too much is
/// not parsed.
fn cost(text: &str) -> usize {
    let is_sign = |pair: &[u8]| matches!(pair, [b',' | b':' | b'\n' | b'[' | b'{', _] | [b'-', b' ']);
    text.len().max(VALUE * text.as_bytes().windows(2).filter(|pair| is_sign(pair)).count())
}

/// Whether a file of this name can have objects, and is no peering's document.
pub(crate) fn is_manifest(name: &OsStr) -> bool {
    let is_called = |end: &&str| Path::new(name).extension().is_some_and(|it| it == *end);
    name != DOCUMENT && ["yaml", "yml", "json"].iter().any(is_called)
}
