//! The objects of one side.

use super::authentication::credential;
use super::networking::keys::{Keys, OwnKey};
use super::side::Side;
use super::values::{Protection, Role};
use super::{Peering, State, authentication, cluster, networking, offloading};
use crate::diagnostic::Bug;
use crate::object::{Manifest, PLACEHOLDER};
use zeroize::Zeroizing;

impl Peering {
    /// PLAN: the objects of one side's stream, in the order of their waves.
    ///
    /// # Errors
    /// Only for a bug: something that the peering needs was not opened. Without it the stream would lack objects, and
    /// Argo CD would prune them.
    pub fn manifests(&self, role: Role, material: &Material) -> Result<Vec<Manifest>, Bug> {
        let side = self.side(role);
        let mut manifests = vec![cluster::tenant_namespace::manifest(&side)];
        if let Some(networking) = &self.networking {
            let Some(keys) = &material.keys else {
                return Err(Bug::new("networking without keys"));
            };
            manifests.extend(networking::manifests(&side, networking, keys));
        }
        // the objects with which this side uses the other one
        if let (Some(authentication), State::Active) = (self.authentication(role), self.state) {
            let opened = material.credential.as_ref();
            manifests.extend(credential::manifests(&side, authentication, opened)?);
        }
        if let Some(offloading) = self.offloading(role) {
            manifests.extend(offloading::manifests(&side, offloading));
        }
        // the objects with which the other side uses this one; they are kept while it drains, so that Liqo can clean up here
        if let Some(authentication) = self.authentication(role.peer()) {
            manifests.extend(authentication::manifests(&side, authentication));
        }
        if self.waits_for_peer(role) {
            manifests.push(authentication::resource_quota::manifest(&side));
        }
        if self.foreign_cluster {
            manifests.push(cluster::foreign_cluster::manifest(&side));
        }
        // a stable sort: within a wave, the order of the document stays
        manifests.sort_by_key(Manifest::wave);
        Ok(manifests)
    }

    /// Whether the deletion of this side's Application waits until the other side has released everything. With `reverse`, each side would
    /// wait for the other.
    pub(crate) fn waits_for_peer(&self, role: Role) -> bool {
        let is_used = self.authentication(role.peer()).is_some();
        is_used && self.authentication(role).is_none() && self.protection == Protection::Confirm
    }

    /// The objects that one side's stream gets when Liqo's exchange of keys continues, without their values.
    pub(crate) fn awaited(&self, role: Role) -> Vec<Manifest> {
        let side = self.side(role);
        let mut manifests = Vec::new();
        if let Some(authentication) = self.authentication(role) {
            manifests.extend(credential::awaited(&side, authentication));
        }
        if let Some(authentication) = self.authentication(role.peer()) {
            manifests.extend(authentication::awaited(&side, authentication));
        }
        manifests
    }

    const fn side(&self, role: Role) -> Side<'_> {
        Side {
            role,
            own: self.clusters.side(role),
            peer: self.clusters.side(role.peer()),
            common: &self.common,
            is_drained: matches!(self.state, State::Drained),
            protection: self.protection,
        }
    }
}

/// What the sealed files give for one side's stream.
#[derive(Default)]
pub struct Material {
    /// The keys, if the peering has networking.
    pub keys: Option<Keys>,
    /// The content of the credential's Secret, if this side uses the other one with a sealed credential.
    pub credential: Option<Zeroizing<Vec<u8>>>,
}

impl Material {
    /// The material for one side's stream with nothing opened: the public keys that are written, and placeholders.
    pub fn public(peering: &Peering, role: Role) -> Self {
        let mut material = Self::default();
        if let Some(networking) = &peering.networking {
            material.keys = Some(Keys {
                own: OwnKey::Public(networking.keys[role].written()),
                peer: networking.keys[role.peer()].written(),
            });
        }
        if peering.sealed_kubeconfig(role).is_some() {
            material.credential = Some(Zeroizing::new(PLACEHOLDER.to_vec()));
        }
        material
    }
}
