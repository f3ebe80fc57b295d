//! What Liqo reports of its objects: the tunnel, the networks, the admission, the slices, the nodes, the offloading.

use super::finding::Finding;
use super::live::{Object, said};
use super::{Side, quoted};
use crate::peering::values::Port;
use serde_json::Value;

const LOGS: &str = "look at the logs of Liqo's controller manager";

pub(super) fn check(side: &Side<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for object in side.live.objects.iter().filter(|object| side.is_ours(object)) {
        let found = match object.kind() {
            "Connection" => vec![connection(object)],
            "GatewayServer" => server(side, object),
            "GatewayClient" => pod(object).into_iter().collect(),
            "Configuration" => configuration(object).into_iter().collect(),
            "Tenant" => tenant(side, object).into_iter().collect(),
            "Identity" => identity(object).into_iter().collect(),
            "ResourceSlice" => slice(side, object),
            "VirtualNode" => virtual_node(side, object),
            "Node" => node(object).into_iter().collect(),
            "NamespaceOffloading" => offloading(object).into_iter().collect(),
            "ForeignCluster" => foreign_cluster(object),
            _ => Vec::new(),
        };
        findings.extend(found.into_iter().map(|finding| finding.at(object)));
    }
    findings.extend(no_connection(side));
    findings
}

/// (liqo `apis/networking/v1beta1/connection_types.go`, ConnectionStatus)
fn connection(object: &Object) -> Finding {
    match object.text("/status/value") {
        "Connected" => {
            let latency = object.text("/status/latency/value");
            let latency = if latency.is_empty() { "unknown" } else { latency };
            Finding::note("connection", format!("the tunnel is up, with a latency of {}", said(latency)))
        }
        value => {
            let value = if value.is_empty() { "not known yet" } else { value };
            Finding::error("connection", format!("the tunnel is not up: {}", quoted(value))).help(
                "check that UDP from the client's cluster reaches the server's address and port, that both sides have the other one's key, and the logs of the pod `gw-…` in the tenant namespace",
            )
        }
    }
}

fn no_connection(side: &Side<'_>) -> Option<Finding> {
    let mut gateways = ["GatewayServer", "GatewayClient"].into_iter().flat_map(|kind| side.ours(kind));
    let gateway = gateways.next()?;
    let is_checked = side.live.has_read("Connection") && side.ours("Connection").next().is_none();
    is_checked.then(|| {
        Finding::error("connection", "its pod has not made a Connection: it does not run, or has no keys")
            .at(gateway)
            .help("look at `kubectl describe` of the Deployment `gw-…` and its pod in the tenant namespace")
    })
}

/// (liqo `apis/networking/v1beta1/gatewayserver_types.go`, GatewayServerStatus)
fn server(side: &Side<'_>, object: &Object) -> Vec<Finding> {
    let mut findings: Vec<_> = pod(object).into_iter().collect();
    let addresses: Vec<_> = object.texts("/status/endpoint/addresses");
    let port = object.0.pointer("/status/endpoint/port").and_then(Value::as_i64);
    // a NodePort server reports an empty address while its node is not ready (liqo `wggatewayserver_controller.go`)
    if addresses.iter().all(|address| address.is_empty()) {
        let finding = Finding::error("gateway", "it has no address yet");
        findings.push(finding.help("its Service waits for a load balancer, or for a node port that is taken: look at the Service `gw-…`"));
        return findings;
    }
    let client = side.peering.networking.as_ref().and_then(|it| it.client.as_ref());
    let Some(client) = client else {
        let port = port.unwrap_or_default();
        let message = format!("it answers at {}, port {port}", quoted(&addresses.join(", ")));
        return vec![
            Finding::note("gateway", message)
                .help("set them in `spec.networking.gatewayClient`, which is `pending`"),
        ];
    };
    if let (Some(live), Some(dialled)) = (port, client.endpoint.port)
        && Port::try_from(live) != Ok(dialled)
    {
        let message = format!("it answers at port {live}, and the document's client dials another one");
        findings.push(
            Finding::error("gateway", message).help("correct the client's `port` or the server's `nodePort`"),
        );
    }
    let dialled: Vec<_> = client.endpoint.addresses.iter().map(ToString::to_string).collect();
    // any node answers for a NodePort
    let is_fixed = object.text("/spec/endpoint/serviceType") == "LoadBalancer";
    if is_fixed && !dialled.first().is_some_and(|it| addresses.contains(&it.as_str())) {
        let message = format!(
            "its load balancer has {}, and the document's client dials {}",
            quoted(&addresses.join(", ")),
            quoted(&dialled.join(", "))
        );
        findings.push(
            Finding::warning("gateway", message)
                .help("correct the client's `addresses`, unless this one leads there too"),
        );
    }
    findings
}

/// The gateway's pod, which both kinds report in the same way.
fn pod(object: &Object) -> Option<Finding> {
    object.text("/status/internalEndpoint/ip").is_empty().then(|| {
        Finding::error("gateway", "it has no running pod").help(
            "look at the Deployment `gw-…` in the tenant namespace: pod security, the key Secret, `found multiple secrets`",
        )
    })
}

/// Liqo 1.2 has a condition, older ones only the networks (liqo `apis/networking/v1beta1/configuration_types.go`).
fn configuration(object: &Object) -> Option<Finding> {
    let mut remapped = Vec::new();
    for field in ["pod", "external"] {
        let wanted = object.texts(&format!("/spec/remote/cidr/{field}"));
        let given = object.texts(&format!("/status/remote/cidr/{field}"));
        if given.is_empty() || object.condition("NetworkCIDRsConfigured").is_some_and(|it| it.0 != "True") {
            let finding =
                Finding::error("configuration", "Liqo has not configured the other cluster's networks");
            return Some(finding.help("the pools of Liqo's IPAM may have no free network of this size: look at its Networks, and at the logs of liqo-ipam"));
        }
        if wanted != given {
            remapped.push(format!(
                "{field}: {} is {} here",
                quoted(&wanted.join(", ")),
                quoted(&given.join(", "))
            ));
        }
    }
    let message = format!("Liqo remaps the other cluster's networks: {}", remapped.join("; "));
    (!remapped.is_empty()).then(|| Finding::note("configuration", message))
}

/// (liqo `apis/authentication/v1beta1/tenant_types.go`, TenantStatus)
fn tenant(side: &Side<'_>, object: &Object) -> Option<Finding> {
    let (namespace, expected) = (object.text("/status/tenantNamespace"), side.tenant_namespace());
    if namespace != expected {
        let found = if namespace.is_empty() {
            "not accepted by Liqo yet".to_owned()
        } else {
            format!("for {}", quoted(namespace))
        };
        return Some(
            Finding::error("tenant", format!("it is {found}"))
                .help(format!("its namespace is `{expected}`; {LOGS}")),
        );
    }
    let condition = object.text("/spec/tenantCondition");
    matches!(condition, "Cordoned" | "Drained").then(|| {
        Finding::note("tenant", format!("it is {}: the consumer gets nothing new", quoted(condition)))
    })
}

/// (liqo `apis/authentication/v1beta1/identity_types.go`, IdentityStatus)
fn identity(object: &Object) -> Option<Finding> {
    object
        .text("/status/kubeconfigSecretRef/name")
        .is_empty()
        .then(|| Finding::error("identity", "Liqo has not made its Secret with the kubeconfig").help(LOGS))
}

/// (liqo `apis/authentication/v1beta1/resourceslice_types.go`, ResourceSliceCondition)
fn slice(side: &Side<'_>, object: &Object) -> Vec<Finding> {
    let mut findings = Vec::new();
    for name in ["Authentication", "Resources"] {
        findings.extend(match object.condition(name) {
            Some(("Accepted", _)) => None,
            Some((status, why)) => {
                let finding = Finding::error("slice", format!("{name} is {}{why}", quoted(status)));
                Some(finding.help("the provider decides: its Tenant, its slice classes, and the logs of its Liqo"))
            }
            None => Some(Finding::error("slice", format!("the provider has not answered: no condition {name}")).help(
                "the credential may not work: check its expiry, the provider's RoleBinding and Tenant, and the logs of liqo-crd-replicator",
            )),
        });
    }
    // Liqo makes the virtual node only of a slice that is accepted, and of a local one
    let makes_node = !object.text("/metadata/annotations/liqo.io~1create-virtual-node").is_empty()
        && object.text("/metadata/annotations/liqo.io~1create-virtual-node") != "false"
        && object.label("liqo.io/replicated").is_none();
    let is_read = side.live.has_read("VirtualNode");
    if findings.is_empty() && makes_node && is_read && side.live.named("VirtualNode", object.name()).is_none()
    {
        findings.push(Finding::error("slice", "Liqo has not made its VirtualNode").help(LOGS));
    }
    findings
}

/// (liqo `apis/offloading/v1beta1/virtualnode_types.go`, VirtualNodeCondition; the Node's name is the same)
fn virtual_node(side: &Side<'_>, object: &Object) -> Vec<Finding> {
    let mut findings: Vec<_> = object
        .conditions("/status/conditions")
        // without a Node its condition is `None`
        .filter(|(_, status, _)| !matches!(*status, "Running" | "None"))
        .map(|(name, status, why)| {
            let message = format!("{} is {}{why}", quoted(name), quoted(status));
            Finding::warning("virtual-node", message)
                .help("minutes are normal; then look at the virtual kubelet's pod in the tenant namespace")
        })
        .collect();
    let has_node = object.0.pointer("/spec/createNode").and_then(Value::as_bool) != Some(false);
    if has_node && side.live.has_read("Node") && side.live.named("Node", object.name()).is_none() {
        let finding = Finding::error("virtual-node", "it has no Node");
        findings.push(finding.help("look at the virtual kubelet's pod in the tenant namespace"));
    }
    findings
}

fn node(object: &Object) -> Option<Finding> {
    if let Some((status, why)) = object.condition("Ready").filter(|(status, _)| *status != "True") {
        let finding = Finding::error("node", format!("its condition Ready is {}{why}", quoted(status)));
        return Some(
            finding
                .help("the virtual kubelet does not reach the provider's API server, or the tunnel is down"),
        );
    }
    let is_cordoned = object.0.pointer("/spec/unschedulable").is_some_and(|it| it == true);
    is_cordoned.then(|| {
        Finding::warning("node", "it is cordoned").help("`kubectl uncordon` lets pods be scheduled on it")
    })
}

/// (liqo `apis/offloading/v1beta1/namespaceoffloading_types.go`, OffloadingPhaseType)
fn offloading(object: &Object) -> Option<Finding> {
    let phase = object.text("/status/offloadingPhase");
    let failed =
        |(name, status, why): (&str, &str, String)| (name == "Ready" && status != "True").then_some(why);
    let remote = object.0.pointer("/status/remoteNamespacesConditions").and_then(Value::as_object);
    let why = remote.into_iter().flatten().find_map(|(cluster, conditions)| {
        let conditions = Object(serde_json::json!({ "items": conditions }));
        let why = conditions.conditions("/items").find_map(failed)?;
        Some(format!("; {}{why}", quoted(cluster)))
    });
    let why = why.unwrap_or_default();
    let finding = match phase {
        "Ready" => return None,
        "SomeFailed" | "AllFailed" => Finding::error("offloading", format!("its phase is `{phase}`{why}"))
            .help("a namespace of the remote name may already exist at the provider"),
        "NoClusterSelected" => {
            Finding::warning("offloading", "no virtual node matches its `clusterSelector`")
                .help("it follows by itself when the slice's Node is there")
        }
        _ => {
            let phase = if phase.is_empty() { "missing" } else { phase };
            Finding::warning("offloading", format!("its phase is {}{why}", quoted(phase))).help(LOGS)
        }
    };
    Some(finding)
}

/// (liqo `apis/core/v1beta1/foreigncluster_types.go`, ConditionStatusType)
fn foreign_cluster(object: &Object) -> Vec<Finding> {
    let modules = ["networking", "authentication", "offloading"];
    let places = modules.map(|module| format!("/status/modules/{module}/conditions"));
    let conditions = places.iter().map(String::as_str).chain(["/status/conditions"]);
    let finding = |(name, status, why): (&str, &str, String)| {
        let message = format!("{} is {}{why}", quoted(name), quoted(status));
        matches!(status, "Error" | "NotReady" | "SomeNotReady" | "Pending").then(|| {
            Finding::warning("foreign-cluster", message)
                .help("Liqo's own summary: the objects behind it are checked too")
        })
    };
    conditions.flat_map(|place| object.conditions(place).filter_map(finding).collect::<Vec<_>>()).collect()
}
