//! What a stream is built from beside the peering: what its sealed files give.

use super::networking::keys::{Keys, OwnKey};
use super::values::Role;
use super::{Credential, Peering};
use crate::object::PLACEHOLDER;
use zeroize::Zeroizing;

/// What the sealed files give for one side.
#[derive(Default)]
pub struct Material {
    /// With networking.
    pub keys: Option<Keys>,
    /// With a sealed credential, where this side uses the other one: what its Secret shows.
    pub credential: Option<Zeroizing<Vec<u8>>>,
}

impl Material {
    /// What one side's stream needs, with nothing opened: the public keys that are written, and placeholders.
    pub fn public(peering: &Peering, role: Role) -> Self {
        let keys = peering.networking.as_ref().map(|networking| Keys {
            own: OwnKey::Public(networking.keys.of(role).written()),
            peer: networking.keys.of(role.peer()).written(),
        });
        let sealed = peering.credential(role).and_then(Credential::sealed);
        Self { keys, credential: sealed.map(|_| Zeroizing::new(PLACEHOLDER.to_vec())) }
    }
}
