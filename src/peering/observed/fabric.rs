//! Liqo's network inside of a cluster: the way between a pod and the gateway.

use crate::diagnostic::{quoted, shown_name};
use crate::object::live::{Awaited, Check, Finding, LiveHalf, Object, error};

/// A node, as gateways know it.
pub(super) static INTERNAL_NODE: LiveHalf = LiveHalf {
    status: internal_node,
    ..LiveHalf::new(&["InternalNode"], "internalnodes.networking.liqo.io")
};

/// Routes of gateways and nodes.
pub(super) static ROUTE: LiveHalf = LiveHalf {
    status: |object, awaited| not_applied(Check::Route, object, awaited),
    ..LiveHalf::new(&["RouteConfiguration"], "routeconfigurations.networking.liqo.io")
};

/// Rules of nftables of gateways and nodes.
pub(super) static FIREWALL: LiveHalf = LiveHalf {
    status: |object, awaited| not_applied(Check::Firewall, object, awaited),
    ..LiveHalf::new(&["FirewallConfiguration"], "firewallconfigurations.networking.liqo.io")
};

/// A gateway reaches the node that it runs on at another address than the others (liqo `pkg/gateway/fabric/
/// genevetunnel_controller.go`, `pkg/fabric/source-detector/gateway_controller.go`).
fn internal_node(object: &Object, awaited: &Awaited<'_>) -> Vec<Finding> {
    let Some(gateway) = awaited.gateway_node else { return Vec::new() };
    let place = if gateway == object.name() { "/status/nodeIP/local" } else { "/status/nodeIP/remote" };
    if object.string(place).is_some() {
        return Vec::new();
    }
    let field = place.trim_start_matches('/').replace('/', ".");
    let message = format!(
        "its `{field}` is missing, so the gateway on node {} has no way to the pods of this node",
        quoted(gateway)
    );
    vec![error(Check::InternalNode, message, "look at the pod of liqo-fabric on this node, which writes it")]
}

/// A condition for each host that applies it. One of a pod that is gone stays (liqo `pkg/route/routeconfiguration_controller.go`,
/// `pkg/firewall/firewallconfiguration_controller.go`).
fn not_applied(check: Check, object: &Object, awaited: &Awaited<'_>) -> Vec<Finding> {
    let conditions = object.list("/status/conditions").iter().filter_map(|condition| {
        let text = |key: &str| condition.get(key).and_then(serde_json::Value::as_str);
        let is_applied = text("type") != Some("Applied") || text("status") != Some("False");
        text("host").filter(|host| !is_applied && awaited.hosts.contains(host))
    });
    let hosts: Vec<_> = conditions.map(shown_name).collect();
    if hosts.is_empty() {
        return Vec::new();
    }
    let message = format!("it is not applied on {}", hosts.join(", "));
    vec![error(
        check,
        message,
        "look at the logs of this pod: it tries again, and says what the kernel refuses",
    )]
}
