//! One side of the peering: what the document describes, and what its cluster has.

use super::record::redact;
use super::snapshots::Snapshots;
use crate::diagnostic::Bug;
use crate::judge::comparison::{Mode, differences, planned};
use crate::object::live::Object;
use crate::peering::cluster::Cluster;
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::networking::Networking;
use crate::peering::{Material, Peering, Role};
use crate::state::cluster::liqo::cluster_id;
use crate::state::cluster::{Snapshot, is_same_object};
use std::time::Duration;

pub(super) struct LiveSide<'d> {
    pub(super) peering: &'d Peering,
    pub(super) role: Role,
    pub(super) plan: Vec<Object>,
    /// The fields that a record masks: two different values look the same there.
    pub(super) masked: Vec<String>,
    pub(super) live: &'d Snapshot,
    /// The other cluster, if it was read and is the one that the document names.
    pub(super) live_peer: Option<&'d Snapshot>,
    /// The names with which Argo CD marks the objects of the folder's Application, if they are known.
    pub(super) applications: Vec<String>,
    /// When the cluster was read, since 1970.
    pub(super) now: Duration,
}

/// Redacts an object of the stream as a record does, and lists the fields that cannot be compared then.
fn redact_planned(object: &mut Object, masked: &mut Vec<String>) {
    let before = object.value.clone();
    redact(object);
    for field in differences(&before, &object.value, Mode::States) {
        // what the record leaves out is not compared
        if field.to.is_some() {
            masked.push(format!("`{}` of {object}", field.place()));
        }
    }
}

impl<'d> LiveSide<'d> {
    /// # Errors
    /// Only for a bug.
    pub(super) fn new(
        peering: &'d Peering,
        (role, live): (Role, &'d Snapshot),
        snapshots: &'d Snapshots,
        applications: Vec<String>,
    ) -> Result<Self, Bug> {
        let mut plan = planned(peering, role, &Material::public(peering, role))?;
        plan.retain(|object| !object.is_hook());
        let mut masked = Vec::new();
        if snapshots.is_recorded {
            for object in &mut plan {
                redact_planned(object, &mut masked);
            }
        }
        let peer = peering.clusters[role.peer()].id.as_str();
        let live_peer = snapshots.of_role(role.peer());
        Ok(Self {
            peering,
            role,
            plan,
            masked,
            live,
            live_peer: live_peer.filter(|live| cluster_id(live) == Some(peer)),
            applications,
            now: snapshots.time,
        })
    }

    pub(super) fn own_cluster(&self) -> &'d Cluster {
        &self.peering.clusters[self.role]
    }

    pub(super) fn peer(&self) -> &'d Cluster {
        &self.peering.clusters[self.role.peer()]
    }

    pub(super) fn tenant_namespace(&self) -> &'d str {
        self.own_cluster().tenant_namespace.as_str()
    }

    /// Liqo's namespace, as the cluster shows it, otherwise as the document has it.
    pub(super) fn liqo_namespace(&self) -> &'d str {
        let mut maps = self.live.of_kind("ConfigMap").map(Object::namespace);
        maps.find(|it| !it.is_empty())
            .unwrap_or(self.own_cluster().liqo_namespace.as_str())
    }

    /// Whether an object has the label of this peering's other cluster.
    pub(super) fn is_labelled(&self, object: &Object) -> bool {
        object.label(REMOTE_CLUSTER_ID) == Some(self.peer().id.as_str())
    }

    /// Whether an object belongs to this peering; a cluster can have many.
    pub(super) fn is_ours(&self, object: &Object) -> bool {
        object.namespace() == self.tenant_namespace()
            || (object.kind() == "NamespaceOffloading" && self.is_offloaded(object.namespace()))
            || self.is_labelled(object)
            || self.is_of_liqo(object)
            || self.plan.iter().any(|it| is_same_object(object, it))
    }

    /// Whether the document offloads a namespace of this cluster.
    fn is_offloaded(&self, namespace: &str) -> bool {
        let Some(offloading) = self.peering.offloading(self.role) else {
            return false;
        };
        let mut offloaded = offloading.namespaces.iter();
        offloaded.any(|it| it.name.as_str() == namespace)
    }

    /// Whether an object belongs to Liqo itself, for all peerings of the cluster.
    pub(super) fn is_of_liqo(&self, object: &Object) -> bool {
        object.namespace() == self.liqo_namespace() || object.kind() == "InternalNode"
    }

    /// The objects of a kind that belong to this peering.
    pub(super) fn objects<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Object> {
        self.live.of_kind(kind).filter(|it| self.is_ours(it))
    }

    /// The objects of a kind in the tenant namespace.
    pub(super) fn in_tenant_namespace(
        &self,
        kind: &'static str,
    ) -> impl Iterator<Item = &'d Object> + use<'d> {
        let namespace = self.tenant_namespace();
        let objects = self.live.of_kind(kind);
        objects.filter(move |it| it.namespace() == namespace)
    }

    /// The GatewayServer or GatewayClient of this side, as the cluster has it.
    pub(super) fn gateway(&self) -> Option<(&'d Networking, &'d Object)> {
        let networking = self.peering.networking.as_ref()?;
        let is_server = networking.server.location == self.role;
        let kind = if is_server {
            "GatewayServer"
        } else {
            "GatewayClient"
        };
        let name = self.own_cluster().names.gateway.as_str();
        let mut gateways = self.in_tenant_namespace(kind);
        Some((networking, gateways.find(|it| it.name() == name)?))
    }
}
