//! Whether the first commit of a removal is done, so that the second one can follow.

use super::side::Side;
use crate::object::live::{Check, Finding, Object, error, note};
use crate::peering::State;
use crate::peering::authentication::credential::Credential;
use crate::peering::names::IDENTITY_TYPE;

/// What Liqo has while a cluster uses the other one: on the one that uses, and as copies on the other (docs/teardown.md).
const USED: [&str; 5] = ["NamespaceOffloading", "VirtualNode", "ResourceSlice", "NamespaceMap", "Node"];

/// Of a drained peering, if all that tells was read.
pub(super) fn check(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let sides = [consumer, provider];
    let is_read =
        |side: &Side<'_>| USED.into_iter().chain(["Namespace", "Secret"]).all(|it| side.live.has_read(it));
    if consumer.peering.state != State::Drained || !sides.into_iter().all(is_read) {
        return None;
    }
    let left: Vec<String> = sides.into_iter().flat_map(left_on).collect();
    let Some(first) = left.first() else {
        let help = "wait until both Applications are synced, and commit the removal of the folder: docs/howto/take-down.md has the steps";
        return Some(note(Check::Released, "released: yes, remove the folder", help));
    };
    let message = format!("released: no, {} of Liqo's objects are left, such as the {first}", left.len());
    let help = "wait: half a minute is usual, and minutes where pods have to end; if it stays, docs/teardown.md has what frees it";
    Some(error(Check::Released, message, help))
}

/// What is left on a cluster, with the cluster.
fn left_on(side: &Side<'_>) -> impl Iterator<Item = String> {
    let used = USED.into_iter().flat_map(|kind| side.ours(kind));
    let others = side.live.objects.iter().filter(|it| is_offloaded(side, it) || is_credential(side, it));
    used.chain(others).map(|it| format!("{}'s {it}", side.role))
}

/// A namespace that the other cluster offloaded. The tenant's own stays until the folder is removed.
fn is_offloaded(side: &Side<'_>, it: &Object) -> bool {
    it.kind() == "Namespace" && side.is_labelled(it) && it.name() != side.tenant_namespace()
}

/// A credential that Git has. Another one goes with the tenant namespace.
fn is_credential(side: &Side<'_>, it: &Object) -> bool {
    let authentication = side.peering.directions.of(side.role).authentication.as_ref();
    let is_ours = authentication.is_some_and(|it| !matches!(*it.credential, Credential::ExistingSecret));
    is_ours && it.kind() == "Secret" && side.is_ours(it) && it.label(IDENTITY_TYPE) == Some("ControlPlane")
}
