//! What of a live cluster is read: all that has the label of another cluster, and how the cluster calls itself.

use crate::command::Streams;
use crate::command::error::Error;
use crate::object::live::Scope;
use crate::peering::names::{REMOTE_CLUSTER_ID, TENANT_NAMESPACE};
use crate::state::cluster::{Budget, Kubectl, Snapshot, liqo, whole};
use crate::stream::kinds::resources;

/// Whoever may not read Secrets does without them: the other cluster has the public key.
///
/// # Errors
/// When the cluster gives no answer, or refuses anything else.
pub(super) fn read(context: &str, budget: &Budget, streams: &mut Streams<'_>) -> Result<Snapshot, Error> {
    let mut kubectl = Kubectl::new(context, budget, streams)?;
    let mut everywhere = resources(&[Scope::Everywhere]);
    // of these only Liqo's
    everywhere.retain(|resource| *resource != "namespaces");
    let rights = resources(&[Scope::InTenantNamespace]);
    let of_peers = ["-A", "-l", REMOTE_CLUSTER_ID];
    let mut live = Snapshot::default();
    live.objects.extend(liqo::cluster_id_maps(&mut kubectl)?);
    live.objects.extend(kubectl.require(&["namespaces"], &["-A", "-l", TENANT_NAMESPACE], whole)?);
    live.objects.extend(kubectl.require(&everywhere, &["-A"], whole)?);
    live.objects.extend(kubectl.require(&rights, &of_peers, whole)?);
    live.read(&mut kubectl, &resources(&[Scope::WithoutData]), &of_peers, whole)?;
    if !live.refused.is_empty() {
        streams.note("note: you may not read Secrets there: their names come from other objects");
    }
    Ok(live)
}
