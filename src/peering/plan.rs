//! The objects of one side.

use super::authentication::credential;
use super::side::Side;
use super::{Material, Peering, Role, State, authentication, cluster, networking, offloading};
use crate::diagnostic::Bug;
use crate::object::Manifest;

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
            let keys = material.keys.as_ref().ok_or_else(|| Bug::new("networking without keys"))?;
            manifests.extend(networking::manifests(&side, networking, keys));
        }
        // what this side uses of the other one
        let uses = self.directions.of(role);
        if let (Some(authentication), State::Active) = (&uses.authentication, self.state) {
            manifests.extend(credential::manifest(&side, authentication, material.credential.as_ref())?);
        }
        if let Some(offloading) = &uses.offloading {
            manifests.extend(offloading::manifests(&side, offloading));
        }
        // what the other one uses of this side; kept while it drains, so that Liqo can clean up here
        if let Some(authentication) = &self.directions.of(role.peer()).authentication {
            manifests.extend(authentication::manifests(&side, authentication));
        }
        // stable: within a wave the order of the document stays
        manifests.sort_by_key(Manifest::wave);
        Ok(manifests)
    }

    const fn side(&self, role: Role) -> Side<'_> {
        Side {
            role,
            own: self.clusters.of(role),
            peer: self.clusters.of(role.peer()),
            common: &self.common,
            is_drained: matches!(self.state, State::Drained),
            protection: self.protection,
        }
    }
}
