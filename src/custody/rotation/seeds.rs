//! The seeds of a folder, opened for their owner, and the rotations that they allow.

use super::super::RotationProblem;
use super::{KeyChange, ReplacedSeed, Rotation};
use crate::custody::keys::Seed;
use crate::custody::open::{derive_expected, is_sealed_for_others, of_generation, refuse_one_key};
use crate::custody::payload::{PayloadKind, PayloadProblem};
use crate::custody::terms::ClusterPair;
use crate::custody::{Confirmed, Error, Identities, Opened, seal};
use crate::peering::Peering;
use crate::peering::networking::{Networking, keys::KeySource};
use crate::peering::values::{FileName, Generation, Role, Sides};
use std::path::Path;

/// The seeds of a peering's folder.
pub(crate) struct PeeringSeeds<'r> {
    folder: &'r Path,
    identities: &'r Identities,
    peering: &'r Peering,
    networking: &'r Networking,
}

impl<'r> PeeringSeeds<'r> {
    /// The seeds of a peering. Nothing is opened yet.
    pub(crate) fn new(
        folder: &'r Path,
        identities: &'r Identities,
        peering: &'r Peering,
    ) -> Result<Self, Error> {
        let networking = peering.networking.as_ref().ok_or(RotationProblem::NoKeys)?;
        Ok(Self {
            folder,
            identities,
            peering,
            networking,
        })
    }

    /// Raises a side's key generation.
    pub(crate) fn raise_generation(&self, side: Role) -> Result<Rotation, Error> {
        self.file_of(side)?;
        let next = self.peering.clusters[side].generation.next();
        let next = next.ok_or(RotationProblem::LastGeneration(side))?;
        let keys = self.changes(side, next, None)?;
        Ok(Rotation {
            side,
            generation: next,
            keys,
            new_seed: None,
        })
    }

    /// The opened file that a side's key comes from. A file without terms is an error.
    pub(crate) fn open(&self, side: Role) -> Result<(&FileName, Opened), Error> {
        let file = self.file_of(side)?;
        let opened = self.load(file)?;
        match opened.payload.terms {
            Some(_) => Ok((file, opened)),
            None => Err(Error::Payload {
                name: file.to_string(),
                problem: PayloadProblem::Unbound,
            }),
        }
    }

    /// Replaces the seed that a side's key comes from.
    pub(crate) fn replace(&self, side: Role, confirmed: &Confirmed) -> Result<Rotation, Error> {
        let file = self.file_of(side)?;
        let generation = self.peering.clusters[side].generation;
        let new = Seed::generate()?;
        let keys = self.changes(side, generation, Some((file, &new)))?;
        let path = self.folder.join(file.as_str());
        let sealed = seal(PayloadKind::Seed, &new.expose_text(), confirmed, &path)?;
        let Sides { consumer, provider } = &self.peering.clusters;
        let own = ClusterPair::new(consumer.id.value.clone(), provider.id.value.clone());
        let mut others = confirmed.terms().pairs();
        others.remove(&own);
        Ok(Rotation {
            side,
            generation,
            keys,
            new_seed: Some(ReplacedSeed {
                file: file.clone(),
                sealed,
                others: others.into_iter().collect(),
            }),
        })
    }

    fn load(&self, file: &FileName) -> Result<Opened, Error> {
        Opened::load(&self.folder.join(file.as_str()), self.identities)
    }

    /// The sealed file that a side's key comes from.
    fn file_of(&self, side: Role) -> Result<&FileName, Error> {
        match self.networking.keys.side(side) {
            KeySource::Seed(file, _) => Ok(file),
            KeySource::Elsewhere(_) => match self.networking.keys.side(side.peer()) {
                KeySource::Elsewhere(_) => Err(RotationProblem::NoSeed.into()),
                KeySource::Seed(..) => Err(Error::SeedElsewhere { side }),
            },
        }
    }

    /// Both sides' keys before and after. `side` gets this generation, and the sides with the file of `replaced` get its seed. The old keys
    /// must be those that the document expects, except of the seed that is replaced: a run that was stopped may have replaced it already.
    fn changes(
        &self,
        side: Role,
        generation: Generation,
        replaced: Option<(&FileName, &Seed)>,
    ) -> Result<Sides<KeyChange>, Error> {
        let keys = Sides::try_make(|role| self.change(role, side, generation, replaced))?;
        refuse_one_key(self.networking, &Sides::make(|role| keys[role].old))?;
        Ok(keys)
    }

    fn change(
        &self,
        role: Role,
        side: Role,
        generation: Generation,
        replaced: Option<(&FileName, &Seed)>,
    ) -> Result<KeyChange, Error> {
        let (file, expected) = match self.networking.keys.side(role) {
            KeySource::Elsewhere(key) => return Ok(KeyChange::unchanged(*key)),
            KeySource::Seed(file, expected) => (file, *expected),
        };
        let opened = match (self.load(file), expected) {
            // the other side has its own seed; its key is written and stays
            (Err(error), Some(key)) if role != side && is_sealed_for_others(&error) => {
                return Ok(KeyChange::unchanged(key));
            }
            (opened, _) => opened?,
        };
        let payload = opened.payload.of_kind(PayloadKind::Seed);
        let seed = payload
            .and_then(|payload| payload.seed())
            .map_err(Error::of_payload(file))?;
        let new_seed = match replaced {
            Some((name, new_seed)) if name == file => Some(new_seed),
            _ => None,
        };
        let old = match (expected, new_seed) {
            (Some(key), Some(_)) => key,
            _ => derive_expected(&seed, self.peering, role, expected)?.public(),
        };
        let generation = if role == side {
            generation
        } else {
            self.peering.clusters[role].generation
        };
        let new_seed = new_seed.unwrap_or(&seed);
        let new = of_generation(new_seed, self.peering, role, generation).public();
        Ok(KeyChange { old, new })
    }
}
