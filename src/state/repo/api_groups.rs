//! The files of a repository that name an API group of Argo CD, and those that change its Applications.

use super::tree::{FileContent, UnreadFile, Walk};
use super::{Files, IgnoredFiles};
use crate::argocd::plugin::{GROUP, PLUGIN, mentions_plugin};
use crate::diagnostic::{Judged, list_first};
use crate::input::file::{is_hidden, is_manifest, shown_path, utf8};
use crate::input::folder::DOCUMENT;
use crate::state::StateError;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// More than the Applications of five thousand peerings, with a file for each.
const BYTES_MAX: usize = 16 << 20;

/// The bytes that a value counts at least. A value of two bytes takes seventy of memory, and in `diff` a map of five takes 600.
const VALUE: usize = 16;

/// How many of the omitted files are named.
const SHOWN: usize = 3;

/// The texts of the files, by their names.
#[derive(Debug, Default)]
pub(crate) struct ArgoFiles {
    pub(crate) texts: BTreeMap<PathBuf, String>,
    pub(crate) left_out: OmittedFiles,
    /// The files that were not read, and those that are not text.
    pub(crate) unread: Vec<UnreadFile>,
    /// The bytes that count against [`BYTES_MAX`]. Files beyond that are not kept.
    cost: usize,
}

/// The files that are left out of a state.
#[derive(Debug, Default)]
pub(crate) struct OmittedFiles {
    /// The documents, and the files of Argo CD, that Git ignores.
    pub(crate) ignored: Vec<PathBuf>,
    /// Why it is not known whether Git ignores some files.
    unknown: Option<String>,
    /// The documents in hidden folders, which are not read: most are another tool's copies. Argo CD renders them if an Application names
    /// them (argo-cd `util/git/client.go`, LsFiles, has them too).
    pub(crate) hidden: BTreeSet<PathBuf>,
}

impl ArgoFiles {
    /// The files of a folder on the disk. Empty if the folder does not exist.
    ///
    /// # Errors
    /// When they are too many bytes together.
    pub(crate) fn of_folder(flag: &'static str, folder: &Path) -> Result<Self, StateError> {
        let (mut files, mut walk) = (Self::default(), Walk::new(is_wanted));
        if folder.symlink_metadata().is_ok() {
            walk.walk(folder, &mut |place, seen| {
                files.add(place, place.to_owned(), &seen);
            });
        }
        for UnreadFile { path, reason } in walk.unread {
            let path = path.strip_prefix(folder).unwrap_or(&path).to_owned();
            files.unread.push(UnreadFile { path, reason });
        }
        files.bounded(flag)
    }

    /// Adds the file at a place in a folder, under a name. Argo CD and kubectl read hidden files and folders too (argo-cd
    /// `reposerver/repository/repository.go`, getPotentiallyValidManifests).
    pub(crate) fn add(&mut self, place: &Path, name: PathBuf, seen: &FileContent<'_>) {
        match seen {
            FileContent::File(_) | FileContent::Beginning(_) if is_hidden_document(place) => {
                self.left_out.hidden.insert(name);
            }
            FileContent::File(bytes) if is_wanted(place) => match utf8(bytes) {
                Ok(text) if !is_kept(place, text) => {}
                Ok(text) if self.take(text) => drop(self.texts.insert(name, text.to_owned())),
                Ok(_) => {}
                Err(_) => {
                    // without the bytes of UTF-16 that are no letters
                    let text = String::from_utf8_lossy(bytes).replace('\0', "");
                    if text.contains(PLUGIN) {
                        let reason = "it is not UTF-8, so kubectl refuses it".to_owned();
                        self.unread.push(UnreadFile { path: name, reason });
                    }
                }
            },
            FileContent::File(_) | FileContent::Beginning(_) => {}
        }
    }

    /// The names of all files.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Path> {
        let all = self.texts.keys().chain(&self.left_out.hidden);
        all.map(PathBuf::as_path)
    }

    /// Removes the files that Git ignores: Argo CD has only committed files.
    pub(crate) fn remove_ignored(&mut self, ignored: IgnoredFiles, there: &mut Files) {
        let left_out = &mut self.left_out;
        self.texts.retain(|it, _| {
            let is_ignored = ignored.has_file(it, there);
            if is_ignored {
                left_out.ignored.push(it.clone());
            }
            !is_ignored
        });
        left_out.hidden.retain(|it| !ignored.has_file(it, there));
        left_out.unknown = there.unknown().map(ToOwned::to_owned);
    }

    /// Removes the files of a folder.
    pub(crate) fn leave_folder(&mut self, folder: &Path) {
        let is_left = |path: &PathBuf| !path.starts_with(folder);
        self.texts.retain(|path, _| is_left(path));
        self.left_out.hidden.retain(is_left);
        self.left_out.ignored.retain(is_left);
    }

    /// Counts the cost of a text, before it is parsed. False if it is too much.
    fn take(&mut self, text: &str) -> bool {
        self.cost = self.cost.saturating_add(cost(text));
        self.cost <= BYTES_MAX
    }

    /// # Errors
    /// When the files that a flag names are too many bytes together.
    pub(crate) fn bounded(self, flag: &'static str) -> Result<Self, StateError> {
        if self.cost <= BYTES_MAX {
            return Ok(self);
        }
        let reason = format!(
            "the files with `{GROUP}` have more than {} MiB, or {} values; name fewer folders",
            BYTES_MAX >> 20,
            BYTES_MAX / VALUE
        );
        Err(StateError::flag(flag, reason))
    }
}

impl OmittedFiles {
    pub(crate) fn count(&self, judged: &mut Judged) {
        if !self.hidden.is_empty() {
            let reason = "a hidden folder is read only if it is named";
            judged.pass_over("peering", named(&self.hidden), reason);
        }
        if !self.ignored.is_empty() {
            let reason = "Git ignores it";
            judged.pass_over("file", named(&self.ignored), reason);
        }
        if let Some(reason) = &self.unknown {
            judged.leave_out("file", "what Git ignores or filters", reason.as_str());
        }
    }
}

fn named<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> String {
    let names = paths.into_iter().map(|path| shown_path(path));
    list_first(names.collect(), SHOWN)
}

/// Whether the text of a file is kept: it names an API group of Argo CD, or changes Applications.
fn is_kept(path: &Path, text: &str) -> bool {
    mentions_plugin(text) || is_override(path) || (is_kustomization(path) && text.contains(PLUGIN))
}

/// The cost of a text in [`BYTES_MAX`]. A text cannot have more values than signs before and between values, so a text that is too large is
/// not parsed.
fn cost(text: &str) -> usize {
    let pairs = text.as_bytes().windows(2);
    let signs =
        pairs.filter(|it| matches!(it, [b',' | b':' | b'\n' | b'[' | b'{', _] | [b'-', b' ']));
    text.len().max(VALUE * signs.count())
}

/// Whether a file of this name can have objects or what changes them, and is not a peering's document; or is a document in a hidden folder,
/// which is reported.
pub(crate) fn is_wanted(path: &Path) -> bool {
    let is_one = is_manifest(path) && path.file_name() != Some(OsStr::new(DOCUMENT));
    is_one || is_hidden_document(path) || is_kustomization(path)
}

fn is_hidden_document(path: &Path) -> bool {
    path.file_name() == Some(OsStr::new(DOCUMENT)) && path.ancestors().skip(1).any(is_hidden)
}

/// `.argocd-source.yaml` and `.argocd-source-NAME.yaml` (argo-cd `reposerver/repository/repository.go`, mergeSourceParameters).
pub(crate) fn is_override(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.starts_with(".argocd-source") && path.extension() == Some(OsStr::new("yaml"))
}

/// (kustomize `api/konfig/general.go`, RecognizedKustomizationFileNames)
pub(crate) const KUSTOMIZATIONS: [&str; 3] =
    ["kustomization.yaml", "kustomization.yml", "Kustomization"];

pub(crate) fn is_kustomization(path: &Path) -> bool {
    matches!(path.file_name(), Some(name) if KUSTOMIZATIONS.iter().any(|it| name == *it))
}
