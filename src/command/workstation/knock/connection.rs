//! Whether the tunnel is up, as Liqo's Connection says it. A knock would then move the server's idea of where its client is
//! (wireguard-go `device/receive.go`, SetEndpointFromPacket).

use crate::cli::Knock;
use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::quoted;
use crate::object::live::Object;
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::{Peering, Role};
use crate::state::cluster::liqo::CLUSTER_ID_RESOURCE;
use crate::state::cluster::{Budget, Kubectl, whole};

/// Refuses while one of the clusters that the person names has a Connection that is up, or does not say.
pub(super) fn refuse_connected(
    arguments: &Knock,
    peering: &Peering,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if arguments.force {
        return Ok(());
    }
    let budget = Budget::default();
    let contexts = [
        (Role::Consumer, "--consumer-context", &arguments.consumer_context),
        (Role::Provider, "--provider-context", &arguments.provider_context),
    ];
    for (side, flag, context) in contexts {
        let Some(context) = context else { continue };
        let mut kubectl = Kubectl::new(context, &budget, streams)?;
        refuse_another(&mut kubectl, flag, peering, side)?;
        let connections = kubectl.require(&["connections.networking.liqo.io"], &["-A"], whole)?;
        let own = peering.clusters.of(side);
        let peer = &peering.clusters.of(side.peer()).id;
        let is_ours = |it: &Object| {
            it.namespace() == own.tenant_namespace.as_str()
                || it.label(REMOTE_CLUSTER_ID) == Some(peer.as_str())
        };
        if connections.iter().any(|it| is_ours(it) && it.text("/status/value") == "Connected") {
            return Err(Error::Connected { side });
        }
    }
    Ok(())
}

/// Refuses a cluster that is not the document's: its Connections say nothing of this tunnel (liqo `pkg/consts/clusterid.go`).
fn refuse_another(
    kubectl: &mut Kubectl<'_>,
    flag: &'static str,
    peering: &Peering,
    side: Role,
) -> Result<(), Error> {
    let liqo = ["-n", peering.liqo_namespace.as_str(), "--ignore-not-found"];
    let found = kubectl.require(&[CLUSTER_ID_RESOURCE], &liqo, whole)?;
    let id = found.first().map_or("", |it| it.text("/data/CLUSTER_ID"));
    let wanted = &peering.clusters.of(side).id;
    if id == wanted.as_str() {
        return Ok(());
    }
    let found = if id.is_empty() { "not known".to_owned() } else { quoted(id) };
    let reason = format!("the cluster's ID is {found}, and the document's {side} is `{}`", wanted.as_str());
    Err(Error::Flag { flag, reason })
}
