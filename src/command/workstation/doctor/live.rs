//! What of a cluster is read for a peering. Anyone with access to the cluster writes it.

use super::super::live::liqo::{CLUSTER_ID_RESOURCE, MANAGER_RESOURCE};
use super::super::live::{Kubectl, Read, Snapshot, resource, whole};
use crate::command::error::Error;
use crate::object::live::{Live, Scope};
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::{Peering, Role};
use crate::stream::kinds::all_resources;

/// # Errors
/// When the cluster gives no answer.
pub(super) fn read(
    kubectl: &mut Kubectl<'_, '_>,
    peering: &Peering,
    role: Role,
    plan: &[Live],
) -> Result<Snapshot, Error> {
    let mut live = Snapshot::default();
    let liqo = ["-n", peering.liqo_namespace.as_str(), "--ignore-not-found"];
    live.read(kubectl, &[CLUSTER_ID_RESOURCE], &liqo, whole)?;
    if is_not_liqo(&live) {
        return Ok(live);
    }
    live.read(kubectl, &[MANAGER_RESOURCE], &liqo, whole)?;
    live.read(kubectl, &all_resources(&[Scope::Everywhere]), &["-A"], whole)?;
    let of_peer = format!("{REMOTE_CLUSTER_ID}={}", &*peering.clusters.of(role.peer()).id);
    live.read(kubectl, &all_resources(&[Scope::ByPeer]), &["-l", &of_peer], read_of_node)?;
    let tenant = ["-n", peering.clusters.of(role).tenant_namespace.as_str()];
    let mut of_stream = all_resources(&[Scope::InTenantNamespace, Scope::InPlaceOfSecret]);
    of_stream.retain(|it| plan.iter().any(|planned| resource(planned.kind()) == Some(it)));
    if !of_stream.is_empty() {
        live.read(kubectl, &of_stream, &tenant, whole)?;
    }
    live.read(kubectl, &all_resources(&[Scope::WithoutData]), &tenant, whole)?;
    Ok(live)
}

/// Whether Liqo is not on the cluster. What must not be read is not known to be missing.
pub(super) fn is_not_liqo(live: &Snapshot) -> bool {
    live.of_kind("ConfigMap").next().is_none() && live.refusal(CLUSTER_ID_RESOURCE).is_none()
}

/// What is read of a Node, which lists the images that it has.
fn read_of_node(path: &[&str]) -> Read {
    match path {
        ["status", field, ..] if *field != "conditions" => Read::Skipped,
        _ => whole(path),
    }
}
