//! The files of a repository that name an API group of Argo CD's.

use crate::input::file::{self, Entry, Links, ReadProblem, is_hidden, utf8};
use crate::input::folder::DOCUMENT;
use crate::state::StateError;
use std::borrow::Cow;
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
    /// The symbolic links of a folder on the disk, and where they lead.
    pub(crate) links: BTreeMap<PathBuf, PathBuf>,
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
        let (mut files, mut paths, mut links) = (Self::default(), Vec::new(), Vec::new());
        if folder.symlink_metadata().is_ok() {
            file::walk_all(folder, &mut |path, entry| match entry {
                Entry::File if is_wanted(path) => paths.push(path.to_owned()),
                Entry::Link if !is_hidden(path) => links.push(path.to_owned()),
                Entry::Folder | Entry::File | Entry::Link => {}
            })?;
        }
        for path in links {
            let Ok(target) = path.read_link() else { continue };
            allowance.take(&target.to_string_lossy())?;
            files.links.insert(path.strip_prefix(folder).unwrap_or(&path).to_owned(), target);
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
        if let Some(text) = text_of(&place, &content) {
            allowance.take(&text)?;
            self.texts.insert(place, text.into_owned());
        }
        Ok(())
    }
}

/// The text of a file that names an API group of Argo CD's, or is put over an Application's source.
pub(super) fn text_of<'c>(path: &Path, content: &'c [u8]) -> Option<Cow<'c, str>> {
    let text = match content {
        [0xff, 0xfe, wide @ ..] => Cow::Owned(utf16(wide, u16::from_le_bytes)?),
        [0xfe, 0xff, wide @ ..] => Cow::Owned(utf16(wide, u16::from_be_bytes)?),
        content => Cow::Borrowed(utf8(content).ok()?),
    };
    (text.contains(GROUP) || is_override(path)).then_some(text)
}

/// As PowerShell writes it; Go's YAML reads it (go.yaml.in/yaml `readerc.go`, `yaml_parser_determine_encoding`).
fn utf16(content: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (units, rest) = content.as_chunks();
    let units = units.iter().map(|pair| unit(*pair));
    char::decode_utf16(units).collect::<Result<String, _>>().ok().filter(|_| rest.is_empty())
}

/// What a text takes of `BYTES_MAX`. Its values are not more than the signs before and between them, so that what is too much is
/// not parsed.
fn cost(text: &str) -> usize {
    let is_sign = |pair: &[u8]| matches!(pair, [b',' | b':' | b'\n' | b'[' | b'{', _] | [b'-', b' ']);
    text.len().max(VALUE * text.as_bytes().windows(2).filter(|pair| is_sign(pair)).count())
}

/// Whether a file of this name can have objects, and is no peering's document; or is put over an Application's source.
pub(super) fn is_wanted(path: &Path) -> bool {
    let is_called = |end: &&str| path.extension().is_some_and(|it| it == *end);
    let is_manifest = path.file_name() != Some(OsStr::new(DOCUMENT)) && !is_hidden(path);
    is_override(path) || is_manifest && ["yaml", "yml", "json"].iter().any(is_called)
}

/// `.argocd-source.yaml` and `.argocd-source-NAME.yaml` (argo-cd `reposerver/repository/repository.go`, mergeSourceParameters).
pub(crate) fn is_override(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.starts_with(".argocd-source") && path.extension().is_some_and(|it| it == "yaml")
}
