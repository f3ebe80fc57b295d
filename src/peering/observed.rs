//! What Liqo itself makes of a stream's objects, and what it runs on. No document has them; a cluster does.

mod fabric;
pub(crate) mod network_policy;
pub(crate) mod workload;

use crate::diagnostic::quoted;
use crate::object::live::{Awaited, Check, Finding, LiveHalf, Object, Scope, error, note, one_line, warning};
use serde_json::Value;

/// So many names are shown.
const SHOWN: usize = 5;

/// All of them.
pub(crate) static OBSERVED: [&LiveHalf; 13] = [
    &NETWORK,
    &CONNECTION,
    &fabric::INTERNAL_NODE,
    &fabric::ROUTE,
    &fabric::FIREWALL,
    &NODE,
    &NAMESPACE_MAP,
    &FOREIGN_CLUSTER,
    &workload::DEPLOYMENT,
    &workload::DAEMON_SET,
    &workload::POD_OF_LIQO,
    &workload::POD,
    &network_policy::NETWORK_POLICY,
];

/// One of the cluster's own networks.
static NETWORK: LiveHalf = LiveHalf::new(&["Network"], "networks.ipam.liqo.io");

/// The tunnel, as a gateway reports it.
static CONNECTION: LiveHalf = LiveHalf {
    status: |object, awaited| vec![connection(object, awaited)],
    ..LiveHalf::new(&["Connection"], "connections.networking.liqo.io")
};

/// The Node of a virtual node.
static NODE: LiveHalf = LiveHalf { scope: Scope::ByPeer, status: node, ..LiveHalf::new(&["Node"], "nodes") };

/// The namespaces that are offloaded to one provider.
static NAMESPACE_MAP: LiveHalf = LiveHalf {
    status: namespace_map,
    ..LiveHalf::new(&["NamespaceMap"], "namespacemaps.offloading.liqo.io")
};

/// Liqo's own summary of a peering.
static FOREIGN_CLUSTER: LiveHalf = LiveHalf {
    status: foreign_cluster,
    ..LiveHalf::new(&["ForeignCluster"], "foreignclusters.core.liqo.io")
};

/// (liqo `apis/networking/v1beta1/connection_types.go`, ConnectionStatus)
fn connection(object: &Object, awaited: &Awaited<'_>) -> Finding {
    let value = object.text("/status/value");
    if value == "Connected" {
        let latency = one_line(object.text("/status/latency/value"));
        return note(Check::Connection, "the tunnel is up", format!("Liqo measured a latency of {latency}"));
    }
    let dialled = awaited.dialled.as_ref().map(|it| format!("; the client dials {it}")).unwrap_or_default();
    let help = "`doctor` with both contexts compares the keys and the gateways of both sides; then look for a firewall before that port, and at the logs of the pod `gw-…` in the tenant namespace";
    error(Check::Connection, format!("the tunnel is not up: {}{dialled}", quoted(value)), help)
}

/// (liqo `offloading/namespacemap-controller/enforcement.go`)
fn namespace_map(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let mapped = object.at("/status/currentMapping").and_then(Value::as_object);
    let failed = mapped.into_iter().flatten().filter_map(|(_, it)| {
        let is_failed = it.get("phase").is_some_and(|phase| phase == "CreationLoopBackOff");
        it.get("remoteNamespace").and_then(Value::as_str).filter(|_| is_failed)
    });
    let failed: Vec<_> = failed.take(SHOWN).map(quoted).collect();
    if failed.is_empty() {
        return Vec::new();
    }
    let message = format!("the provider's Liqo cannot create {}", failed.join(", "));
    let help = "a namespace of this name exists there and is not this peering's, or Liqo may not create it: look at the logs of the provider's controller manager, or set another `namespaceMappingStrategy`";
    vec![error(Check::NamespaceMap, message, help)]
}

fn node(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    if let Some((status, why)) = object.condition("Ready").filter(|(status, _)| *status != "True") {
        let help = "the virtual kubelet does not reach the provider's API server, or the tunnel is down";
        return vec![error(Check::Node, format!("its condition Ready is {}{why}", quoted(status)), help)];
    }
    let is_cordoned = object.at("/spec/unschedulable") == Some(&Value::Bool(true));
    let finding =
        || warning(Check::Node, "it is cordoned", "`kubectl uncordon` lets pods be scheduled on it");
    is_cordoned.then(finding).into_iter().collect()
}

/// (liqo `apis/core/v1beta1/foreigncluster_types.go`, ConditionStatusType)
fn foreign_cluster(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let modules = ["networking", "authentication", "offloading"];
    let places = modules.map(|module| format!("/status/modules/{module}/conditions"));
    let conditions = places.iter().map(String::as_str).chain(["/status/conditions"]);
    let conditions = conditions.flat_map(|place| object.conditions(place));
    conditions.filter_map(|(name, status, why)| of_condition(name, status, &why)).collect()
}

fn of_condition(name: &str, status: &str, why: &str) -> Option<Finding> {
    let message = format!("{} is {}{why}", quoted(name), quoted(status));
    let help = "it is Liqo's own summary; what it is about is checked too";
    let is_bad = matches!(status, "Error" | "NotReady" | "SomeNotReady" | "Pending");
    is_bad.then(|| warning(Check::ForeignCluster, message, help))
}
