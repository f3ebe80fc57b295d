//! PLAN: which objects one side's stream has, in the order in which Argo CD will apply them.
//!
//! Every failing condition was checked before, so an error here is a bug. The list for a side is a function of the
//! peering and of what the sealed files gave.

mod networking;
mod offloading;
pub mod resource;
mod tenancy;

use crate::diagnostic::Bug;
use crate::document::decode::Located;
use crate::document::metadata::Extra;
use crate::peering::role::Role;
use crate::peering::{Cluster, Peering, Protection, State};
use resource::{Pair, Place, Resource};
use std::collections::BTreeMap;
use std::iter;

pub use crate::custody::{Keys, Material, OwnKey, OwnKubeconfig};

/// What stands for a value that is not known without an identity: base64 of `PLACEHOLDER`, which is no key (eleven
/// bytes, and Liqo's gateway needs 32) and no kubeconfig.
pub const PLACEHOLDER: &str = "UExBQ0VIT0xERVI=";

/// The objects of one side's stream, in the order of their waves.
pub struct Plan {
    resources: Vec<Resource>,
}

impl Plan {
    /// The plan of one side.
    ///
    /// # Errors
    /// Only for a bug: material that the peering needs was not opened. Without it the stream would lack objects, and
    /// Argo CD would prune them.
    pub fn new(peering: &Peering, role: Role, material: &Material) -> Result<Self, Bug> {
        let side =
            Side { peering, role, own: peering.clusters.of(role), peer: peering.clusters.of(role.peer()) };
        let mut resources = vec![side.tenant_namespace()];
        if let Some(networking) = &peering.networking {
            let keys = material.keys.as_ref().ok_or_else(|| Bug::new("networking without keys"))?;
            resources.extend(side.networking(networking, keys));
        }
        // what this side uses of the other one
        let uses = peering.directions.of(role);
        if let (Some(authentication), State::Active) = (&uses.authentication, peering.state) {
            resources.extend(side.credential(authentication, material)?);
        }
        if let Some(offloading) = &uses.offloading {
            resources.extend(side.offloading(offloading));
        }
        // what the other one uses of this side; kept while it drains, so that Liqo can clean up here
        let lets_in = peering.directions.of(role.peer());
        if let Some(authentication) = &lets_in.authentication {
            resources.extend(side.admission(authentication));
        }
        // stable: within a wave the order of the document stays
        resources.sort_by_key(Resource::wave);
        Ok(Self { resources })
    }

    /// The objects.
    #[must_use]
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }
}

/// One side of a peering, seen from itself.
struct Side<'p> {
    peering: &'p Peering,
    role: Role,
    own: &'p Cluster,
    peer: &'p Cluster,
}

/// What the user adds to an object.
#[expect(clippy::ref_option, reason = "it is a field of the document's")]
fn of(extra: &Option<Located<Extra>>) -> Option<&Extra> {
    extra.as_ref().map(|extra| &extra.value)
}

impl Side<'_> {
    /// An object in the tenant namespace.
    fn place(&self, name: &impl ToString, extra: Option<&Extra>) -> Place {
        self.place_in(name, &self.own.tenant_namespace, extra)
    }

    /// An object in a namespace. A single object's labels and annotations win over the common ones.
    fn place_in(&self, name: &impl ToString, namespace: &impl ToString, extra: Option<&Extra>) -> Place {
        let extras: Vec<&Extra> = iter::once(&self.peering.common).chain(extra).collect();
        self.place_with(name, namespace, &extras)
    }

    /// An object in a namespace with these labels and annotations; later ones win.
    fn place_with(&self, name: &impl ToString, namespace: &impl ToString, extras: &[&Extra]) -> Place {
        let merged = |part: fn(&Extra) -> BTreeMap<&String, &String>| {
            let merged: BTreeMap<&String, &String> = extras.iter().flat_map(|extra| part(extra)).collect();
            merged.into_iter().map(|(key, value)| Pair { key: key.clone(), value: value.clone() }).collect()
        };
        Place {
            name: name.to_string(),
            namespace: namespace.to_string(),
            peer: self.peer.id.to_string(),
            labels: merged(|extra| extra.labels.iter().flat_map(|labels| &labels.0).collect()),
            annotations: merged(|extra| extra.annotations.iter().flat_map(|it| &it.0).collect()),
            protected: self.peering.protection == Protection::Confirm,
        }
    }

    fn tenant_namespace(&self) -> Resource {
        let place = self.place(&self.own.tenant_namespace, of(&self.own.extras.tenant_namespace));
        Resource::TenantNamespace(place)
    }
}
