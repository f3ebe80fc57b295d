//! ROTATE: what changes in `peering.yaml` when a key is replaced, and what has to be done then.
//!
//! Only the values are edited, at their places, so comments and layout stay. The result is read again and must be the
//! peering that was meant, so a layout that cannot be edited is found before anything is written.

mod edit;
mod raise;
mod seeds;
mod steps;

pub(crate) use edit::{edit_document, written_generations};
pub(crate) use raise::{Obstacle, raise};
pub(crate) use seeds::Seeds;
pub(crate) use steps::{interruption, steps};

use super::terms::ClusterPair;
use crate::peering::Peering;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{FileName, Generation, PublicKey, Role, Sides};

/// A side's key before and after; the same twice, if it stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Change {
    old: PublicKey,
    new: PublicKey,
}

impl Change {
    fn changes(&self) -> bool {
        self.old != self.new
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rotation {
    /// The side whose key is replaced.
    side: Role,
    /// That side's generation from now on.
    generation: Generation,
    /// What happens to both keys.
    keys: Sides<Change>,
    /// The new sealed file, if the seed itself is replaced.
    pub(crate) new_seed: Option<NewSeed>,
}

/// A sealed file that replaces another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewSeed {
    /// Its name in the folder.
    pub(crate) file: FileName,
    pub(crate) sealed: Vec<u8>,
    /// The other peerings that the old seed serves.
    others: Vec<ClusterPair>,
}

impl Rotation {
    /// What it changes in the document.
    pub(crate) fn edit(&self) -> DocumentEdit {
        let new = |role| Some(self.keys.of(role)).filter(|change| change.changes()).map(|change| change.new);
        DocumentEdit { side: self.side, generation: self.generation, keys: Sides::make(new) }
    }
}

/// What a rotation changes in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocumentEdit {
    /// The side that gets a generation.
    side: Role,
    /// That side's generation from now on.
    generation: Generation,
    /// The new public keys, of the sides whose keys change and are known.
    keys: Sides<Option<PublicKey>>,
}

impl DocumentEdit {
    /// The side's generation from now on.
    pub(crate) const fn generation(&self) -> u32 {
        self.generation.get()
    }

    /// The peering that this edit makes of another one.
    fn applied_to(&self, before: &Peering) -> Peering {
        let mut after = before.clone();
        after.clusters.of_mut(self.side).generation = self.generation;
        let Some(networking) = &mut after.networking else { return after };
        for role in Role::BOTH {
            let Some(new) = *self.keys.of(role) else { continue };
            if let KeySource::Seed(_, Some(written)) = networking.keys.of_mut(role) {
                *written = new;
            }
            if let Some(written) = &mut after.clusters.of_mut(role).public_key {
                written.value = new;
            }
        }
        after
    }
}
