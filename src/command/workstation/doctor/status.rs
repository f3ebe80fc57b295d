//! What Liqo, and what brings Secrets, report of their objects: each kind knows how its status reads.

use super::side::Side;
use crate::object::live::{Awaited, Client, Finding, Object};
use crate::peering::names::GATEWAY_POD;
use crate::peering::observed::why_not_running;
use crate::peering::offloading::resource_slice::live::is_copy;
use crate::stream::kinds::live_halves_of;
use std::collections::BTreeSet;

pub(super) fn check(side: &Side<'_>) -> Vec<Finding> {
    let awaited = awaited(side);
    let ours = side.live.objects.iter().filter(|object| side.is_ours(object));
    ours.flat_map(|object| of_object(object, &awaited)).collect()
}

fn of_object(object: &Object, awaited: &Awaited<'_>) -> Vec<Finding> {
    let halves = live_halves_of(object);
    halves.flat_map(|half| (half.status)(object, awaited)).map(|finding| finding.at(object)).collect()
}

fn awaited<'s>(side: &'s Side<'_>) -> Awaited<'s> {
    let named = |kind| side.live.has_read(kind).then(|| side.live.of_kind(kind).map(Object::name).collect());
    let of_liqo = side.live.of_kind("Pod").filter(|pod| side.is_of_liqo(pod)).map(Object::name);
    let gateway = side.gateway().map(|(_, gateway)| gateway);
    Awaited {
        tenant_namespace: side.tenant_namespace(),
        client: client(side),
        dialled: dialled(side),
        connection: !side.live.has_read("Connection") || side.ours("Connection").next().is_some(),
        pod: gateway_pods(side).find_map(why_not_running),
        gateway_node: gateway.and_then(|it| it.string("/status/internalEndpoint/node")),
        hosts: of_liqo.chain(gateway.map(Object::name)).collect(),
        copies: copies(side),
        now: side.now,
        virtual_nodes: named("VirtualNode"),
        nodes: named("Node"),
    }
}

/// What the replicator has copied of this cluster's slices.
fn copies<'s>(side: &'s Side<'_>) -> Option<BTreeSet<&'s str>> {
    let live = side.live_peer.filter(|it| it.has_read("ResourceSlice"))?;
    let namespace = side.peer().tenant_namespace.as_str();
    let there = live.of_kind("ResourceSlice").filter(|it| is_copy(it) && it.namespace() == namespace);
    Some(there.map(Object::name).collect())
}

/// The pods of the own gateway.
pub(super) fn gateway_pods<'s>(side: &'s Side<'_>) -> impl Iterator<Item = &'s Object> {
    let (label, value) = GATEWAY_POD;
    let of_tenant = side.live.of_kind("Pod").filter(|pod| pod.namespace() == side.tenant_namespace());
    of_tenant.filter(move |pod| pod.label(label) == Some(value))
}

fn client(side: &Side<'_>) -> Option<Client> {
    let dialled = side.peering.networking.as_ref()?.dialled();
    Some(dialled.map_or(Client::Pending, |(address, port)| Client::Dials {
        address: address.to_string(),
        port: port.map(|port| port.get().into()),
    }))
}

/// Liqo's template always takes UDP.
pub(super) fn dialled(side: &Side<'_>) -> Option<String> {
    let networking = side.peering.networking.as_ref()?;
    let (address, port) = networking.dialled()?;
    let port = port?.get();
    let client = &side.peering.clusters.of(networking.server.location.peer()).id.value;
    Some(format!("UDP {address}:{port} from {client}"))
}
