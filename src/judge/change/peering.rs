//! A peering in one of the two compared states, and the notes on it as a whole.

use super::Consequence;
use crate::custody::{Owner, without_line_ends};
use crate::diagnostic::{Source, counted, shown_name};
use crate::input::file::shell_path;
use crate::object::live::{HeldSecret, Impact};
use crate::peering::{Peering, Role, State};
use crate::state::git::Checkout;
use crate::state::repo::{Document, DocumentProblem, FoundDocument};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

const REMOVED: &str = "Removing the folder deletes nothing. Delete both Applications first: without the folder, the provider's cannot be deleted (docs/howto/take-down.md).";
const UNDRAINED: &str = "This peering was not drained. The provider deletes offloaded pods and their volumes. With `reverse` or `protection: none`, first commit `state: Drained` and sync both sides.";

/// The notes on a peering that changed. `from` is its old folder, if it moved, and `folder` the present one.
pub(super) fn of_versions(
    old: Option<&VersionResult>,
    new: Option<&Version>,
    from: Option<&Path>,
    folder: &Path,
) -> Vec<Consequence> {
    let (class, words) = match (old, new) {
        (Some(Ok(old)), None) => return of_removed(old),
        (Some(Ok(old)), Some(new)) => return of_changed(old, new, from, folder),
        (Some(Err(_)), None) => (
            Impact::Attention,
            "The old document is wrong, so the removed objects are not known.",
        ),
        (Some(Err(_)), Some(_)) => (
            Impact::Harmless,
            "The old document is wrong, so every object is shown as new.",
        ),
        (None, _) => (Impact::Harmless, "The peering is new."),
    };
    vec![Consequence::new(class, words)]
}

/// (docs/teardown.md, the order)
fn of_removed(old: &Version) -> Vec<Consequence> {
    let mut notes = vec![Consequence::new(Impact::Harmless, REMOVED)];
    let offloads = Role::BOTH.map(|role| old.peering.offloading(role).is_some());
    if old.peering.state != State::Drained && offloads.contains(&true) {
        notes.insert(0, Consequence::new(Impact::Data, UNDRAINED));
    }
    notes
}

fn of_changed(
    old: &Version,
    new: &Version,
    from: Option<&Path>,
    folder: &Path,
) -> Vec<Consequence> {
    let mut notes = Vec::new();
    let mut attend = |words: &str| notes.push(Consequence::new(Impact::Attention, words));
    if *old.peering.name != *new.peering.name {
        attend(
            "`metadata.name` changes: an ApplicationSet that uses it makes second Applications for the same objects.",
        );
    }
    let clusters = Role::BOTH.map(|role| [old, new].map(|it| &it.peering.clusters[role]));
    let mut both = clusters.iter();
    if both.any(|[old, new]| new.generation.get() < old.generation.get()) {
        attend("`keyGeneration` goes back: an older key returns, perhaps a leaked one.");
    }
    let mut both = clusters.iter();
    if both.any(|[old, new]| old.argocd_cluster != new.argocd_cluster) {
        attend(
            "`argocdCluster` or its default, the ID, changes: an ApplicationSet syncs to another cluster, and the old objects stay.",
        );
    }
    notes.extend(of_replaced(old, new));
    let unchanged = new.sealed.iter().find(|(_, bytes)| old.holds(bytes));
    if let (Some(from), Some((file, _))) = (from, unchanged) {
        let from = shown_name(&from.display().to_string()).replace('`', "'");
        let file = shown_name(file);
        let path = Checkout::open(folder).map_or("FOLDER".into(), |it| PathBuf::from(it.folder()));
        let [folder, path] = [folder, &path].map(shell_path);
        notes.push(Consequence::new(Impact::Attention, format!("The folder moved from `{from}`, so `{file}` stays closed. Seal it again: `argocd-peering reseal {folder} --identity-file FILE --recipients-file FILE --path {path}`.")));
    }
    notes
}

/// The notes on wider terms and other recipients of files that were sealed again, if an identity opens them. The terms themselves are not
/// shown: they tell where a file opens.
fn of_replaced(old: &Version, new: &Version) -> Vec<Consequence> {
    let Some(owner) = &new.owner else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    for (file, after) in &new.sealed {
        // a file with another name may hold the secret of an old file
        if old.holds(after) {
            continue;
        }
        let Some(replaced) = owner.replaced(&old.sealed, file, after) else {
            continue;
        };
        let [before, after] = replaced.recipients;
        let file = shown_name(file).replace('`', "'");
        if replaced.allows_more {
            let words = format!(
                "The terms of `{file}` allow a new use: `argocd-peering inspect` prints them."
            );
            notes.push(Consequence::new(Impact::Rights, words));
        }
        let (class, words) = match after.cmp(&before) {
            Ordering::Equal => continue,
            Ordering::Greater => (Impact::Rights, "someone else can open it"),
            Ordering::Less => (
                Impact::Attention,
                "Argo CD's identity must still be one of them",
            ),
        };
        let after = counted(after, "recipient");
        let words = format!("`{file}` is sealed for {after}, and was for {before}: {words}.");
        notes.push(Consequence::new(class, words));
    }
    notes
}

/// The effect of a file that was sealed again and may hold another secret, or that is no longer read.
pub(super) fn resealed(file: &str, holds: HeldSecret, is_read: bool) -> Consequence {
    let file = shown_name(file).replace('`', "'");
    if !is_read {
        let words = format!(
            "`{file}` is missing or unreadable: Argo CD cannot sync. `git checkout COMMIT -- FILE` restores it."
        );
        return Consequence::new(Impact::Attention, words);
    }
    let what = match holds {
        HeldSecret::Credential => {
            "If it holds another credential, Liqo reconnects; the tunnel stays."
        }
        _ => "If it holds another seed, the tunnel is down until both sides sync.",
    };
    let words = format!(
        "`{file}` was sealed again. {what} `--identity-file` tells whether the secret changed."
    );
    Consequence::new(Impact::Attention, words)
}

/// One peering in one state.
pub(crate) struct Version {
    pub(crate) source: Source,
    pub(crate) peering: Peering,
    /// The sealed files that can be read.
    pub(crate) sealed: BTreeMap<String, Vec<u8>>,
    /// The person who opens them, if an identity is given.
    pub(crate) owner: Option<Rc<Owner>>,
}

/// The peerings of a state, by their folders. An invalid document does not hide others.
pub(crate) type Versions = BTreeMap<PathBuf, VersionResult>;

/// A peering, or why its document describes none.
pub(crate) type VersionResult = Result<Version, DocumentProblem>;

impl Version {
    /// The version of a document that was found.
    ///
    /// # Errors
    /// When the document cannot be read, or is invalid.
    fn from_document(found: FoundDocument, owner: Option<&Rc<Owner>>) -> VersionResult {
        let described = found.described()?;
        let sealed = described.sealed.into_iter();
        Ok(Self {
            source: described.source,
            peering: described.peering,
            sealed: sealed
                .filter_map(|(file, bytes)| Some((file, bytes.ok()?)))
                .collect(),
            owner: owner.cloned(),
        })
    }

    /// The version of a document without its sealed files.
    pub(crate) fn without_files(source: Source) -> VersionResult {
        let found =
            FoundDocument::without_files(PathBuf::new(), Ok(Document::without_files(source)));
        Self::from_document(found, None)
    }

    /// Whether one of its sealed files has these bytes, whatever its name.
    pub(crate) fn holds(&self, sealed: &[u8]) -> bool {
        let sealed = without_line_ends(sealed);
        let mut files = self.sealed.values();
        files.any(|it| without_line_ends(it) == sealed)
    }
}

/// The peerings of a state's documents.
pub(crate) fn versions(documents: Vec<FoundDocument>, owner: Option<&Rc<Owner>>) -> Versions {
    let version =
        |found: FoundDocument| (found.place.clone(), Version::from_document(found, owner));
    documents.into_iter().map(version).collect()
}
