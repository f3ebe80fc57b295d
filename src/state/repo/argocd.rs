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
pub(crate) const BYTES_MAX: usize = 16 << 20;

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

impl ArgoFiles {
    /// Those of a folder on the disk; none if there is no such folder.
    ///
    /// # Errors
    /// When the folder cannot be read, or the files are too many bytes together.
    pub(crate) fn of_folder(folder: &Path) -> Result<Self, StateError> {
        let (mut files, mut paths, mut bytes) = (Self::default(), Vec::new(), 0);
        if folder.symlink_metadata().is_ok() {
            file::walk(folder, &mut |path, is_folder| {
                let is_wanted = !is_folder && path.file_name().is_some_and(is_manifest);
                paths.extend(is_wanted.then(|| path.to_owned()));
            })?;
        }
        for path in paths {
            let place = path.strip_prefix(folder).unwrap_or(&path).to_owned();
            files.add(place, file::read(&path, FILE_CAP, Links::Refuse), &mut bytes)?;
        }
        Ok(files)
    }

    /// Adds a file, unless it is another tool's, or cannot be read: then Argo CD cannot read it either.
    pub(super) fn add(
        &mut self,
        place: PathBuf,
        content: Result<Vec<u8>, ReadProblem>,
        bytes: &mut usize,
    ) -> Result<(), StateError> {
        let content = match content {
            Err(ReadProblem::TooLarge { .. }) => {
                self.too_large.push(place);
                return Ok(());
            }
            content => content.unwrap_or_default(),
        };
        let Some(text) = utf8(&content).ok().filter(|text| text.contains(GROUP)) else { return Ok(()) };
        *bytes += cost(text);
        if *bytes > BYTES_MAX {
            return Err(too_many());
        }
        self.texts.insert(place, text.to_owned());
        Ok(())
    }
}

/// What a text takes of `BYTES_MAX`. Its values are not more than the signs before and between them, so that what is too much is
/// not parsed.
pub(crate) fn cost(text: &str) -> usize {
    let is_sign = |pair: &[u8]| matches!(pair, [b',' | b':' | b'\n' | b'[' | b'{', _] | [b'-', b' ']);
    text.len().max(VALUE * text.as_bytes().windows(2).filter(|pair| is_sign(pair)).count())
}

/// The error for files that are too many bytes together, whatever is in them.
pub(crate) fn too_many() -> StateError {
    let reason = format!(
        "the files with `{GROUP}` in them have more than {} MiB, or {} values; name fewer folders at once",
        BYTES_MAX >> 20,
        BYTES_MAX / VALUE
    );
    StateError::Flag { flag: "PATHS", reason }
}

/// Whether a file of this name can have objects, and is no peering's document.
pub(crate) fn is_manifest(name: &OsStr) -> bool {
    let is_called = |end: &&str| Path::new(name).extension().is_some_and(|it| it == *end);
    name != DOCUMENT && ["yaml", "yml", "json"].iter().any(is_called)
}
