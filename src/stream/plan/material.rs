//! What a plan is made of beside the peering.

use crate::custody::keys::{KeyPair, PublicKey};
use crate::peering::Peering;
use crate::peering::networking::{KeySource, Networking};
use crate::peering::role::Role;
use zeroize::Zeroizing;

/// What the sealed files gave.
#[derive(Default)]
pub struct Material {
    /// With networking.
    pub keys: Option<Keys>,
    /// With a sealed kubeconfig, where this side uses the other one: its base64.
    pub kubeconfig: Option<Zeroizing<String>>,
}

impl Material {
    /// What one side's stream needs, without opening anything: the public keys that are written down, and placeholders.
    #[must_use]
    pub fn public(peering: &Peering, role: Role) -> Self {
        let known = |networking: &Networking, role| match networking.keys.of(role) {
            KeySource::Elsewhere(key) | KeySource::Seed(_, Some(key)) => Some(*key),
            KeySource::Seed(_, None) => None,
        };
        Self {
            keys: peering.networking.as_ref().map(|networking| Keys {
                own: OwnKey::Public(known(networking, role)),
                peer: known(networking, role.peer()),
            }),
            kubeconfig: peering.sealed_kubeconfig(role).map(|_| Zeroizing::new(PLACEHOLDER.to_owned())),
        }
    }
}

/// The keys of one side's stream.
pub struct Keys {
    /// Its own gateway's.
    pub own: OwnKey,
    /// The other gateway's public key; unknown only where no seed was opened.
    pub peer: Option<PublicKey>,
}

/// The key of the own gateway.
pub enum OwnKey {
    /// Both halves.
    Pair(KeyPair),
    /// No seed was opened; the public half, if it is written down.
    Public(Option<PublicKey>),
}

impl OwnKey {
    pub(super) fn public(&self) -> Option<PublicKey> {
        match self {
            Self::Pair(pair) => Some(pair.public()),
            Self::Public(public) => *public,
        }
    }
}

/// What stands for a value that is not known without an identity: base64 of `PLACEHOLDER`, which is no key (eleven
/// bytes, and Liqo's gateway needs 32) and no kubeconfig.
pub const PLACEHOLDER: &str = "UExBQ0VIT0xERVI=";
