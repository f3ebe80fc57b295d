//! What Liqo reports of its objects: the tunnel, the networks, the admission, the slices, the nodes, the offloading.

use super::super::object::{Object, said};
use super::finding::{Finding, error, note, warning};
use super::{Side, quoted};
use crate::peering::values::Port;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const LOGS: &str = "look at the logs of Liqo's controller manager";
const GATEWAY_POD: &str = "look at the Deployment `gw-…` and its pod in the tenant namespace: pod security, the key Secret, `found multiple secrets`";
const KUBELET_POD: &str =
    "minutes are normal; then look at the virtual kubelet's pod in the tenant namespace";
const ANSWER: &str = "the credential may not work: check its expiry, the provider's RoleBinding and Tenant, and the logs of liqo-crd-replicator";

/// What other objects wait for, looked up once: the other cluster chooses how many slices there are.
struct Awaited<'s> {
    connection: bool,
    virtual_nodes: Option<BTreeSet<&'s str>>,
    nodes: Option<BTreeSet<&'s str>>,
}

impl<'s> Awaited<'s> {
    fn of(side: &'s Side<'_>) -> Self {
        let named =
            |kind| side.live.has_read(kind).then(|| side.live.of_kind(kind).map(Object::name).collect());
        Self {
            connection: !side.live.has_read("Connection") || side.ours("Connection").next().is_some(),
            virtual_nodes: named("VirtualNode"),
            nodes: named("Node"),
        }
    }
}

/// Whether it is known that there is no object of this name.
fn lacks(names: Option<&BTreeSet<&str>>, name: &str) -> bool {
    names.is_some_and(|names| !names.contains(name))
}

pub(super) fn check(side: &Side<'_>) -> Vec<Finding> {
    let awaited = Awaited::of(side);
    let mut findings = Vec::new();
    for object in side.live.objects.iter().filter(|object| side.is_ours(object)) {
        let found = match object.kind() {
            "Connection" => vec![connection(object)],
            "GatewayServer" => [pod(&awaited, object), server(side, object)].into_iter().flatten().collect(),
            "GatewayClient" => pod(&awaited, object).into_iter().collect(),
            "Configuration" => configuration(object).into_iter().collect(),
            "Tenant" => tenant(side, object).into_iter().collect(),
            "Identity" => identity(object).into_iter().collect(),
            "ResourceSlice" => slice(&awaited, object),
            "VirtualNode" => virtual_node(&awaited, object),
            "Node" => node(object).into_iter().collect(),
            "NamespaceOffloading" => offloading(object).into_iter().collect(),
            "ForeignCluster" => foreign_cluster(object),
            _ => Vec::new(),
        };
        findings.extend(found.into_iter().map(|finding| finding.at(object)));
    }
    findings
}

/// (liqo `apis/networking/v1beta1/connection_types.go`, ConnectionStatus)
fn connection(object: &Object) -> Finding {
    let value = object.text("/status/value");
    if value == "Connected" {
        let latency = said(object.text("/status/latency/value"));
        return note("connection", "the tunnel is up", format!("Liqo measured a latency of {latency}"));
    }
    let help = "check that UDP from the client's cluster reaches the server's address and port, that both sides have the other one's key, and the logs of the pod `gw-…` in the tenant namespace";
    error("connection", format!("the tunnel is not up: {}", quoted(value)), help)
}

/// The gateway's pod, which both kinds report in the same way, and which makes the Connection.
fn pod(awaited: &Awaited<'_>, object: &Object) -> Option<Finding> {
    if object.text("/status/internalEndpoint/ip").is_empty() {
        return Some(error("gateway", "it has no running pod", GATEWAY_POD));
    }
    (!awaited.connection).then(|| error("connection", "its pod has not made a Connection", GATEWAY_POD))
}

/// (liqo `apis/networking/v1beta1/gatewayserver_types.go`, GatewayServerStatus)
fn server(side: &Side<'_>, object: &Object) -> Option<Finding> {
    let addresses = object.texts("/status/endpoint/addresses");
    let shown = quoted(&addresses.join(", "));
    let port = object.0.pointer("/status/endpoint/port").and_then(Value::as_i64).unwrap_or_default();
    // a NodePort server reports an empty address while its node is not ready (liqo `wggatewayserver_controller.go`)
    if addresses.iter().all(|address| address.is_empty()) {
        let help = "its Service waits for a load balancer, or for a node port that is taken: look at the Service `gw-…`";
        return Some(error("gateway", "it has no address yet", help));
    }
    let Some(client) = &side.peering.networking.as_ref()?.client else {
        let help = "set them in `spec.networking.gatewayClient`, which is `pending`";
        return Some(note("gateway", format!("it answers at {shown}, port {port}"), help));
    };
    if Port::try_from(port).ok() != client.endpoint.port.as_ref().map(|port| port.value) {
        let message = format!("it answers at port {port}, and the document's client dials another one");
        return Some(error("gateway", message, "correct the client's `port` or the server's `nodePort`"));
    }
    let dialled = client.endpoint.addresses.first()?.to_string();
    // any node answers for a NodePort
    let is_fixed = object.text("/spec/endpoint/serviceType") == "LoadBalancer";
    let message =
        format!("its load balancer has {shown}, and the document's client dials {}", quoted(&dialled));
    let help = "correct the client's `addresses`, unless this one leads there too";
    (is_fixed && !addresses.contains(&dialled.as_str())).then(|| warning("gateway", message, help))
}

/// Liqo 1.2 has a condition, older ones only the networks (liqo `apis/networking/v1beta1/configuration_types.go`).
fn configuration(object: &Object) -> Option<Finding> {
    let mut remapped = Vec::new();
    for field in ["pod", "external"] {
        let wanted = object.texts(&format!("/spec/remote/cidr/{field}"));
        let given = object.texts(&format!("/status/remote/cidr/{field}"));
        if given.is_empty() || object.condition("NetworkCIDRsConfigured").is_some_and(|it| it.0 != "True") {
            let help = "Liqo's IPAM may have no free network of this size: look at its Networks, and at the logs of liqo-ipam";
            return Some(error(
                "configuration",
                "Liqo has not configured the other cluster's networks",
                help,
            ));
        }
        if wanted != given {
            let [wanted, given] = [wanted, given].map(|it| quoted(&it.join(", ")));
            remapped.push(format!("{field}: {wanted} is {given} here"));
        }
    }
    let message = format!("Liqo remaps the other cluster's networks: {}", remapped.join("; "));
    (!remapped.is_empty())
        .then(|| note("configuration", message, "pods here reach the other ones at these addresses"))
}

/// (liqo `apis/authentication/v1beta1/tenant_types.go`, TenantStatus)
fn tenant(side: &Side<'_>, object: &Object) -> Option<Finding> {
    let namespace = object.text("/status/tenantNamespace");
    if namespace != side.tenant_namespace() {
        return Some(error(
            "tenant",
            format!("Liqo has not accepted it: its namespace is {}", quoted(namespace)),
            LOGS,
        ));
    }
    let condition = object.text("/spec/tenantCondition");
    matches!(condition, "Cordoned" | "Drained")
        .then(|| note("tenant", format!("it is `{condition}`"), "the consumer gets nothing new"))
}

/// (liqo `apis/authentication/v1beta1/identity_types.go`, IdentityStatus)
fn identity(object: &Object) -> Option<Finding> {
    let has_secret = !object.text("/status/kubeconfigSecretRef/name").is_empty();
    (!has_secret).then(|| error("identity", "Liqo has not made its Secret with the kubeconfig", LOGS))
}

/// (liqo `apis/authentication/v1beta1/resourceslice_types.go`, ResourceSliceCondition)
fn slice(awaited: &Awaited<'_>, object: &Object) -> Vec<Finding> {
    let answer = |name: &'static str| match object.condition(name) {
        Some(("Accepted", _)) => None,
        Some((status, why)) => {
            let help = "the provider decides: its Tenant, its slice classes, and the logs of its Liqo";
            Some(error("slice", format!("{name} is {}{why}", quoted(status)), help))
        }
        None => Some(error("slice", format!("the provider has not answered: no condition {name}"), ANSWER)),
    };
    let mut findings: Vec<_> = ["Authentication", "Resources"].into_iter().filter_map(answer).collect();
    // Liqo makes the virtual node only of a slice that is accepted, and of a local one
    let wish = object.text("/metadata/annotations/liqo.io~1create-virtual-node");
    let makes_node = !matches!(wish, "" | "false") && object.label("liqo.io/replicated").is_none();
    if findings.is_empty() && makes_node && lacks(awaited.virtual_nodes.as_ref(), object.name()) {
        findings.push(error("slice", "Liqo has not made its VirtualNode", LOGS));
    }
    findings
}

/// (liqo `apis/offloading/v1beta1/virtualnode_types.go`, VirtualNodeCondition; the Node's name is the same)
fn virtual_node(awaited: &Awaited<'_>, object: &Object) -> Vec<Finding> {
    // without a Node its condition is `None`
    let waiting = |(name, status, why): (&str, &str, String)| {
        let message = format!("{} is {}{why}", quoted(name), quoted(status));
        (!matches!(status, "Running" | "None")).then(|| warning("virtual-node", message, KUBELET_POD))
    };
    let mut findings: Vec<_> = object.conditions("/status/conditions").filter_map(waiting).collect();
    let has_node = object.0.pointer("/spec/createNode") != Some(&Value::Bool(false));
    if has_node && lacks(awaited.nodes.as_ref(), object.name()) {
        findings.push(error("virtual-node", "it has no Node", KUBELET_POD));
    }
    findings
}

fn node(object: &Object) -> Option<Finding> {
    if let Some((status, why)) = object.condition("Ready").filter(|(status, _)| *status != "True") {
        let help = "the virtual kubelet does not reach the provider's API server, or the tunnel is down";
        return Some(error("node", format!("its condition Ready is {}{why}", quoted(status)), help));
    }
    let is_cordoned = object.0.pointer("/spec/unschedulable") == Some(&Value::Bool(true));
    is_cordoned.then(|| warning("node", "it is cordoned", "`kubectl uncordon` lets pods be scheduled on it"))
}

/// (liqo `apis/offloading/v1beta1/namespaceoffloading_types.go`, OffloadingPhaseType)
fn offloading(object: &Object) -> Option<Finding> {
    let remote = object.0.pointer("/status/remoteNamespacesConditions").and_then(Value::as_object);
    let why = remote.into_iter().flatten().find_map(|(cluster, conditions)| {
        let remote = Object(json!({ "status": { "conditions": conditions } }));
        let (_, why) = remote.condition("Ready").filter(|(status, _)| *status != "True")?;
        Some(format!("; {}{why}", quoted(cluster)))
    });
    let phase = object.text("/status/offloadingPhase");
    let message = format!("its phase is {}{}", quoted(phase), why.unwrap_or_default());
    match phase {
        "Ready" => None,
        "SomeFailed" | "AllFailed" => Some(error(
            "offloading",
            message,
            "a namespace of the remote name may already exist at the provider",
        )),
        "NoClusterSelected" => Some(warning(
            "offloading",
            message,
            "no virtual node matches its `clusterSelector`; it follows when there is one",
        )),
        _ => Some(warning("offloading", message, LOGS)),
    }
}

/// (liqo `apis/core/v1beta1/foreigncluster_types.go`, ConditionStatusType)
fn foreign_cluster(object: &Object) -> Vec<Finding> {
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
