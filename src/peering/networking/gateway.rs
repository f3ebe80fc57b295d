//! What both gateways have in common in a cluster.

use crate::object::live::Impact::{Harmless, Traffic};
use crate::object::live::{Awaited, Check, Effect, Finding, Holds, Object, Once, effect, error};

pub(super) const ONCE: Once = Once::InCluster("gateways");

pub(super) const HOLDS: Holds = Holds::NameOfOwnKey;

pub(super) const ANOTHER_TEMPLATE: &str =
    "Liqo builds the gateway from another template; it restarts, and the tunnel is down for 5 to 30 seconds.";

#[rustfmt::skip] // a table
pub(super) const EFFECTS: &[Effect] = &[
    effect(&["spec.mtu"], Traffic, "The gateway restarts: the tunnel is down for 5 to 30 seconds, and large packets can be lost until both clusters are synced."),
    // wggatewayserver_controller.go:433-447; 4 to 26 seconds were measured
    effect(&["spec.secretRef"], Traffic, "The gateway restarts with the Secret of its new key."),
    effect(&["+"], Harmless, "Liqo creates the gateway; the tunnel is up when both clusters have theirs."),
    effect(&["-"], Traffic, "Liqo deletes the gateway, and the tunnel with it."),
];

const POD: &str = "look at the Deployment `gw-…` and its pod in the tenant namespace: pod security, the key Secret, `found multiple secrets`";

/// The gateway's pod, which both kinds report in the same way, and which makes the Connection.
pub(super) fn pod(object: &Object, awaited: &Awaited<'_>) -> Option<Finding> {
    if object.text("/status/internalEndpoint/ip").is_empty() {
        let why = awaited.pod.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        return Some(error(Check::GatewayPod, format!("it has no running pod{why}"), POD));
    }
    (!awaited.connection).then(|| error(Check::Connection, "its pod has not made a Connection", POD))
}
