//! What Liqo itself makes of a stream's objects. No document has them; a cluster does.

use crate::diagnostic::quoted;
use crate::object::live::{Awaited, Finding, Live, LiveHalf, Scope, error, note, one_line, warning};
use serde_json::Value;

/// All of them.
pub(crate) static OBSERVED: [&LiveHalf; 5] = [&NETWORK, &CONNECTION, &NODE, &NAMESPACE_MAP, &FOREIGN_CLUSTER];

/// One of the cluster's own networks.
static NETWORK: LiveHalf = LiveHalf::new(&["Network"], "networks.ipam.liqo.io");

/// The tunnel, as a gateway reports it.
static CONNECTION: LiveHalf = LiveHalf {
    status: |object, _| vec![connection(object)],
    ..LiveHalf::new(&["Connection"], "connections.networking.liqo.io")
};

/// The Node of a virtual node.
static NODE: LiveHalf = LiveHalf { scope: Scope::ByPeer, status: node, ..LiveHalf::new(&["Node"], "nodes") };

/// The namespaces that are offloaded to one provider.
static NAMESPACE_MAP: LiveHalf = LiveHalf::new(&["NamespaceMap"], "namespacemaps.offloading.liqo.io");

/// Liqo's own summary of a peering.
static FOREIGN_CLUSTER: LiveHalf = LiveHalf {
    status: foreign_cluster,
    ..LiveHalf::new(&["ForeignCluster"], "foreignclusters.core.liqo.io")
};

/// (liqo `apis/networking/v1beta1/connection_types.go`, ConnectionStatus)
fn connection(object: &Live) -> Finding {
    let value = object.text("/status/value");
    if value == "Connected" {
        let latency = one_line(object.text("/status/latency/value"));
        return note("connection", "the tunnel is up", format!("Liqo measured a latency of {latency}"));
    }
    let help = "check that UDP from the client's cluster reaches the server's address and port, that both sides have the other one's key, and the logs of the pod `gw-…` in the tenant namespace";
    error("connection", format!("the tunnel is not up: {}", quoted(value)), help)
}

fn node(object: &Live, _: &Awaited<'_>) -> Vec<Finding> {
    if let Some((status, why)) = object.condition("Ready").filter(|(status, _)| *status != "True") {
        let help = "the virtual kubelet does not reach the provider's API server, or the tunnel is down";
        return vec![error("node", format!("its condition Ready is {}{why}", quoted(status)), help)];
    }
    let is_cordoned = object.at("/spec/unschedulable") == Some(&Value::Bool(true));
    let finding = || warning("node", "it is cordoned", "`kubectl uncordon` lets pods be scheduled on it");
    is_cordoned.then(finding).into_iter().collect()
}

/// (liqo `apis/core/v1beta1/foreigncluster_types.go`, ConditionStatusType)
fn foreign_cluster(object: &Live, _: &Awaited<'_>) -> Vec<Finding> {
    let modules = ["networking", "authentication", "offloading"];
    let places = modules.map(|module| format!("/status/modules/{module}/conditions"));
    let conditions = places.iter().map(String::as_str).chain(["/status/conditions"]);
    let bad = |(name, status, why): (&str, &str, String)| {
        let message = format!("{} is {}{why}", quoted(name), quoted(status));
        matches!(status, "Error" | "NotReady" | "SomeNotReady" | "Pending").then(|| {
            warning("foreign-cluster", message, "it is Liqo's own summary; what it is about is checked too")
        })
    };
    conditions.flat_map(|place| object.conditions(place).filter_map(bad).collect::<Vec<_>>()).collect()
}
