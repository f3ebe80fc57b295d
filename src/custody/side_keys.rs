//! The keys of a peering's two sides, and what the document expects of them.

use super::Error;
use super::keys::{self, KeyPair, Seed};
use crate::peering::Peering;
use crate::peering::networking::{Networking, keys::KeySource};
use crate::peering::values::{Generation, PublicKey, Role, Sides};

/// The key pair that a seed gives one side in its key generation; it must be the one that the document expects.
pub(super) fn derive_expected(
    seed: &Seed,
    peering: &Peering,
    side: Role,
    expected: Option<PublicKey>,
) -> Result<KeyPair, Error> {
    let pair = of_generation(seed, peering, side, peering.clusters.of(side).generation);
    match expected {
        Some(expected) if expected != pair.public() => {
            Err(Error::UnexpectedKey { side, derived: pair.public().to_string() })
        }
        _ => Ok(pair),
    }
}

/// The key pair that a seed gives one side in any key generation.
pub(super) fn of_generation(seed: &Seed, peering: &Peering, side: Role, generation: Generation) -> KeyPair {
    let (own, peer) = (peering.clusters.of(side), peering.clusters.of(side.peer()));
    keys::derive(seed, &own.id, &peer.id, generation)
}

/// A gateway whose peer has its own key never connects.
pub(super) fn refuse_one_key(networking: &Networking, keys: &Sides<PublicKey>) -> Result<(), Error> {
    if keys.consumer != keys.provider {
        return Ok(());
    }
    // the side whose key is written, and not derived
    let is_written = |role: &Role| matches!(networking.keys.of(*role), KeySource::Elsewhere(_));
    let side = Role::BOTH.into_iter().find(is_written).unwrap_or(Role::Provider);
    Err(Error::OwnKey { side })
}
