//! What Liqo reports of its objects: each kind knows how its status reads.

use super::Side;
use crate::object::live::{Awaited, Client, Finding, Live};
use crate::stream::kinds::live_halves_of;

pub(super) fn check(side: &Side<'_>) -> Vec<Finding> {
    let awaited = awaited(side);
    let ours = side.live.objects.iter().filter(|object| side.is_ours(object));
    ours.flat_map(|object| of_object(object, &awaited)).collect()
}

fn of_object(object: &Live, awaited: &Awaited<'_>) -> Vec<Finding> {
    let found = live_halves_of(object).next().map(|half| (half.status)(object, awaited));
    found.unwrap_or_default().into_iter().map(|finding| finding.at(object)).collect()
}

fn awaited<'s>(side: &'s Side<'_>) -> Awaited<'s> {
    let named = |kind| side.live.has_read(kind).then(|| side.live.of_kind(kind).map(Live::name).collect());
    Awaited {
        tenant_namespace: side.tenant_namespace(),
        client: client(side),
        connection: !side.live.has_read("Connection") || side.ours("Connection").next().is_some(),
        virtual_nodes: named("VirtualNode"),
        nodes: named("Node"),
    }
}

fn client(side: &Side<'_>) -> Option<Client> {
    let networking = side.peering.networking.as_ref()?;
    let Some(client) = &networking.client else { return Some(Client::Pending) };
    let address = client.endpoint.addresses.first()?.to_string();
    Some(Client::Dials { address, port: client.endpoint.port.map(|port| port.get().into()) })
}
