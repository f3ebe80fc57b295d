//! What the sealed files give for one side's stream.

use super::keys::{KeyPair, PublicKey};
use crate::peering::Peering;
use crate::peering::kubeconfig::Kubeconfig;
use crate::peering::networking::{KeySource, Networking};
use crate::peering::role::Role;

/// What a plan needs in addition to the peering.
#[derive(Default)]
pub struct Material {
    /// With networking.
    pub keys: Option<Keys>,
    /// With a sealed kubeconfig, where this side uses the other one.
    pub kubeconfig: Option<OwnKubeconfig>,
}

impl Material {
    /// Without opening anything: the public keys that are written in the document.
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
            kubeconfig: peering.sealed_kubeconfig(role).map(|_| OwnKubeconfig::Closed),
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

/// The key of the side's own gateway.
pub enum OwnKey {
    /// Both halves.
    Pair(KeyPair),
    /// No seed was opened; the public half, if it is written in the document.
    Public(Option<PublicKey>),
}

impl OwnKey {
    /// The public half, if it is known.
    #[must_use]
    pub const fn public(&self) -> Option<PublicKey> {
        match self {
            Self::Pair(pair) => Some(pair.public()),
            Self::Public(public) => *public,
        }
    }
}

/// The kubeconfig with which the side uses the other one.
pub enum OwnKubeconfig {
    /// What its sealed file holds.
    Opened(Box<Kubeconfig>),
    /// Its sealed file was not opened.
    Closed,
}
