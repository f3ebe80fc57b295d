//! ROTATE: what changes in `peering.yaml` when a key is replaced, and what has to be done then.
//!
//! The text is edited at the places of the values alone, so comments and layout stay. What came out is read again and
//! must be the peering that was meant, so a layout that cannot be edited is noticed before anything is written.

mod edit;
mod steps;

pub use edit::edited;
pub use steps::steps;

use crate::peering::Peering;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::number::Generation;
use crate::peering::values::public_key::PublicKey;
use crate::peering::values::role::{Role, Sides};

/// A side's key before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The key so far.
    pub old: PublicKey,
    /// The key from now on; the same, if it stays.
    pub new: PublicKey,
}

impl Change {
    /// Whether the key changes at all.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.old != self.new
    }
}

/// One rotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotation {
    /// Whose key was to be replaced.
    pub side: Role,
    /// That side's generation from now on.
    pub generation: Generation,
    /// What happens to both keys.
    pub keys: Sides<Change>,
    /// The sealed file that was replaced, if one was.
    pub new_seed: Option<String>,
}

/// Why a key cannot be rotated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RotationProblem {
    /// No networking module.
    #[error("this peering has no networking, so it has no keys")]
    NoKeys,
    /// The last generation.
    #[error("the {0}'s keyGeneration is the largest there is")]
    LastGeneration(&'static str),
    /// The text has a layout that is not understood.
    #[error("peering.yaml is laid out in a way that cannot be edited here")]
    Layout,
    /// Something else has changed in the folder.
    #[error("the folder has uncommitted changes")]
    Uncommitted,
    /// No Git to ask.
    #[error("whether the folder has uncommitted changes cannot be found out: {0}")]
    NoGit(&'static str),
}

impl RotationProblem {
    /// The way out.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::NoKeys => "nothing has to be done",
            Self::LastGeneration(_) => "replace the seed with --new-seed",
            Self::Layout => {
                "raise the side's `keyGeneration` by hand (1 where it is not written), and replace its `publicKey` if it is written; `argocd-peering keys` prints the new one"
            }
            Self::Uncommitted => {
                "a rotation stands alone in its commit: commit or stash them first (--force goes on nevertheless)"
            }
            Self::NoGit(_) => "a rotation stands alone in its commit; --force says that you take care of it",
        }
    }
}

/// The peering that a rotation makes of another one.
fn rotated(before: &Peering, rotation: &Rotation) -> Peering {
    let mut after = before.clone();
    after.clusters.of_mut(rotation.side).generation = rotation.generation;
    let Some(networking) = &mut after.networking else { return after };
    for role in Role::BOTH {
        let new = rotation.keys.of(role).new;
        if let KeySource::Seed(_, Some(written)) = networking.keys.of_mut(role) {
            *written = new;
        }
        if let Some(written) = &mut after.clusters.of_mut(role).public_key {
            written.value = new;
        }
    }
    after
}
