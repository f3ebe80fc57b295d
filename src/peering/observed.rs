//! The objects that Liqo itself makes from a stream's objects, and the workloads that Liqo runs on. They are in a
//! cluster, and in no document.

pub(crate) mod network_policy;

use crate::diagnostic::{counted, quoted, shell_word, shown_name};
use crate::object::live::{
    Check, FabricContext, Finding, GatewayContext, LiveHalf, Object, Scope, StatusContext,
    StoppedPod, error, note, one_line, text_at, warning,
};
use serde_json::Value;
use std::time::Duration;

/// The most names that are shown.
const SHOWN: usize = 5;

/// All live halves of this file.
pub(crate) static OBSERVED: [&LiveHalf; 12] = [
    &NETWORK,
    &CONNECTION,
    &INTERNAL_NODE,
    &ROUTE,
    &FIREWALL,
    &NODE,
    &NAMESPACE_MAP,
    &DEPLOYMENT,
    &DAEMON_SET,
    &POD_OF_LIQO,
    &POD,
    &network_policy::NETWORK_POLICY,
];

/// One of the cluster's own networks.
static NETWORK: LiveHalf = LiveHalf::new(&["Network"], "networks.ipam.liqo.io");

/// The tunnel, as a gateway reports it.
static CONNECTION: LiveHalf = LiveHalf {
    status: |object, context| vec![connection(object, &context.gateway)],
    ..LiveHalf::new(&["Connection"], "connections.networking.liqo.io")
};

/// The Node of a virtual node.
static NODE: LiveHalf = LiveHalf {
    scope: Scope::ByPeer,
    status: node,
    ..LiveHalf::new(&["Node"], "nodes")
};

/// The namespaces that are offloaded to one provider.
static NAMESPACE_MAP: LiveHalf = LiveHalf {
    status: namespace_map,
    ..LiveHalf::new(&["NamespaceMap"], "namespacemaps.offloading.liqo.io")
};

/// (liqo `apis/networking/v1beta1/connection_types.go`, ConnectionStatus)
fn connection(object: &Object, gateway: &GatewayContext) -> Finding {
    let value = object.text("/status/value");
    if value == "Connected" {
        let help = match object.text("/status/latency/value") {
            "" => "no latency yet".to_owned(),
            latency => format!("the latency is {}", one_line(latency)),
        };
        return note(Check::Connection, "the tunnel is up", help);
    }
    let mut message = format!("the tunnel is not up: {}", quoted(value));
    if let Some(dialled) = &gateway.dialled {
        message += &format!("; the client dials {dialled}");
    }
    let help = "run `doctor` with both contexts; then check firewalls and the log of `gw-…`";
    error(Check::Connection, message, help)
}

/// (liqo `offloading/namespacemap-controller/enforcement.go`)
fn namespace_map(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let mapped = object
        .find("/status/currentMapping")
        .and_then(Value::as_object);
    let mut failed = Vec::new();
    for (_, mapping) in mapped.into_iter().flatten() {
        if let Some(name) = mapping.get("remoteNamespace").and_then(Value::as_str)
            && text_at(mapping, "phase") == "CreationLoopBackOff"
        {
            failed.push(quoted(name));
        }
    }
    failed.truncate(SHOWN);
    if failed.is_empty() {
        return Vec::new();
    }
    let message = format!("the provider's Liqo cannot create {}", failed.join(", "));
    let help = "it may exist: see liqo-controller-manager's logs there, or set another `namespaceMappingStrategy`";
    vec![error(Check::NamespaceMap, message, help)]
}

fn node(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let is_cordoned = object.find("/spec/unschedulable") == Some(&Value::Bool(true));
    vec![match object.condition("Ready") {
        Some((status, why)) if status != "True" => {
            let message = format!("its condition Ready is {}{why}", quoted(status));
            let help = "check the tunnel and the provider's API server";
            error(Check::Node, message, help)
        }
        _ if is_cordoned => {
            let help = "`kubectl uncordon` schedules pods again";
            warning(Check::Node, "it is cordoned", help)
        }
        _ => return Vec::new(),
    }]
}

/// A node of the cluster, as Liqo's gateways know it.
static INTERNAL_NODE: LiveHalf = LiveHalf {
    status: internal_node,
    ..LiveHalf::new(&["InternalNode"], "internalnodes.networking.liqo.io")
};

/// The routes of gateways and nodes.
static ROUTE: LiveHalf = LiveHalf {
    status: |object, context| not_applied(Check::Route, object, &context.fabric),
    ..LiveHalf::new(
        &["RouteConfiguration"],
        "routeconfigurations.networking.liqo.io",
    )
};

/// The nftables rules of gateways and nodes.
static FIREWALL: LiveHalf = LiveHalf {
    status: |object, context| not_applied(Check::Firewall, object, &context.fabric),
    ..LiveHalf::new(
        &["FirewallConfiguration"],
        "firewallconfigurations.networking.liqo.io",
    )
};

/// The address at which the gateway reaches a node that it does not run on.
pub(crate) const REMOTE: &str = "/status/nodeIP/remote";

/// The finding for a node without the address that the gateway needs. On the gateway's own node it is another address than on others (liqo
/// `pkg/gateway/fabric/ genevetunnel_controller.go`, `pkg/fabric/source-detector/gateway_controller.go`).
fn internal_node(object: &Object, context: &StatusContext<'_>) -> Vec<Finding> {
    let fabric = &context.fabric;
    let Some(gateway) = fabric.gateway_node else {
        return Vec::new();
    };
    let is_own = gateway == object.name();
    let place = if is_own {
        "/status/nodeIP/local"
    } else {
        REMOTE
    };
    if object.string(place).is_some() {
        return Vec::new();
    }
    let field = place.trim_start_matches('/').replace('/', ".");
    let message = format!(
        "`{field}` is missing: the gateway on {} cannot reach this node's pods",
        quoted(gateway)
    );
    let help = "this node's liqo-fabric pod writes it, on new nodes within seconds";
    // in a large cluster, some node is always joining or not ready
    vec![if is_own || !fabric.reaches_nodes {
        error(Check::InternalNode, message, help)
    } else {
        warning(Check::InternalNode, message, help)
    }]
}

/// The finding for hosts that have not applied the configuration. It has a condition for each host; the condition of a deleted pod stays
/// (liqo `pkg/route/routeconfiguration_controller.go`, `pkg/firewall/firewallconfiguration_controller.go`).
fn not_applied(check: Check, object: &Object, fabric: &FabricContext<'_>) -> Vec<Finding> {
    let mut hosts = Vec::new();
    for condition in object.list("/status/conditions") {
        if let Some(host) = condition.get("host").and_then(Value::as_str)
            && text_at(condition, "type") == "Applied"
            && text_at(condition, "status") == "False"
            && fabric.hosts.contains(host)
        {
            hosts.push(shown_name(host));
        }
    }
    if hosts.is_empty() {
        return Vec::new();
    }
    let message = format!("it is not applied on {}", hosts.join(", "));
    let help = "this pod's logs say what the kernel refuses";
    vec![error(check, message, help)]
}

/// Liqo's workloads, whether each is always needed, and what fails without it (liqo `deployments/liqo/templates`; the names are those of
/// the chart).
#[rustfmt::skip] // a table
const PROGRAMS: [(&str, bool, &str); 7] = [
    ("liqo-controller-manager", true, "Liqo acts on no object"),
    ("liqo-webhook", true, "the API server refuses Liqo's objects, and pods in offloaded namespaces"),
    ("liqo-crd-replicator", true, "no slice or namespace reaches the provider"),
    ("liqo-ipam", true, "no Configuration gets its networks"),
    ("liqo-fabric", true, "pods reach no other cluster after a change"),
    ("liqo-proxy", false, "an API server behind the tunnel is not reached"),
    ("liqo-metric-agent", false, "a virtual node has no metrics"),
];

static DEPLOYMENT: LiveHalf = LiveHalf {
    scope: Scope::OfLiqo,
    status: deployment,
    ..LiveHalf::new(&["Deployment"], "deployments.apps")
};

static DAEMON_SET: LiveHalf = LiveHalf {
    scope: Scope::OfLiqo,
    status: daemon_set,
    ..LiveHalf::new(&["DaemonSet"], "daemonsets.apps")
};

/// A pod of Liqo's own.
static POD_OF_LIQO: LiveHalf = LiveHalf {
    scope: Scope::OfLiqo,
    ..LiveHalf::new(&["Pod"], "pods")
};

/// A pod of the tenant namespace.
static POD: LiveHalf = LiveHalf {
    scope: Scope::AroundGateway,
    ..LiveHalf::new(&["Pod"], "pods")
};

/// The workloads that every peering needs.
pub(crate) const NEEDED: [&str; 3] = [
    "liqo-controller-manager",
    "liqo-webhook",
    "liqo-crd-replicator",
];

/// (Kubernetes `apps/v1`, DeploymentStatus)
fn deployment(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let available = object.integer("/status/availableReplicas").unwrap_or(0);
    // the API's default
    let wanted = object.integer("/spec/replicas").unwrap_or(1);
    if available > 0 {
        return Vec::new();
    }
    down_program(object, available, wanted)
}

/// (Kubernetes `apps/v1`, DaemonSetStatus)
fn daemon_set(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let missing = object.integer("/status/numberUnavailable").unwrap_or(0);
    let wanted = object.integer("/status/desiredNumberScheduled");
    let wanted = wanted.unwrap_or_default();
    if missing <= 0 && wanted != 0 {
        return Vec::new();
    }
    down_program(object, wanted.saturating_sub(missing), wanted)
}

fn down_program(object: &Object, available: i64, wanted: i64) -> Vec<Finding> {
    let Some((_, is_needed, without)) = PROGRAMS.iter().find(|it| it.0 == object.name()) else {
        return Vec::new();
    };
    // a part of a DaemonSet is down: its other nodes work, so it is not the cause of other findings
    let (check, on) = if available > 0 {
        (Check::InternalNode, "on the other nodes ")
    } else {
        (Check::LiqoDown, "")
    };
    let message = format!("{available} of {wanted} pods are available: {on}{without}");
    let help = "`kubectl describe` its pods in Liqo's namespace";
    vec![if *is_needed && available <= 0 {
        error(check, message, help)
    } else {
        warning(check, message, help)
    }]
}

/// Why a pod does not run, as Kubernetes reports it: a container waits or ended, or no node accepts the pod (Kubernetes `core/v1`,
/// PodStatus).
pub(crate) fn stopped(pod: &Object, now: Duration) -> Option<StoppedPod> {
    let (why, log) = why_stopped(pod, now)?;
    let why = format!("pod {}: {why}", shown_name(pod.name()));
    Some(StoppedPod { why, log })
}

/// Why a pod does not run, and the command of a log that may say more.
fn why_stopped(pod: &Object, now: Duration) -> Option<(String, Option<String>)> {
    for place in ["/status/initContainerStatuses", "/status/containerStatuses"] {
        for status in pod.list(place) {
            let stopped = stopped_container(pod, &Object::new(status.clone()), now);
            if stopped.is_some() {
                return stopped;
            }
        }
    }
    let (status, why) = pod.condition("PodScheduled")?;
    (status == "False").then_some((format!("no node takes it{why}"), None))
}

/// Why a container does not run, and the command of its log if it ended before.
fn stopped_container(
    pod: &Object,
    status: &Object,
    now: Duration,
) -> Option<(String, Option<String>)> {
    let name = status.string("/name")?;
    let quoted_name = quoted(name);
    let reason = status.string("/state/waiting/reason");
    let mut why = match (reason, status.integer("/state/terminated/exitCode")) {
        (Some(reason), _) => format!("container {quoted_name} waits: {}", quoted(reason)),
        (None, Some(code)) if code != 0 => format!("container {quoted_name} ended with {code}"),
        (None, _) if is_crashing(pod, status, now) == Some(true) => {
            format!("container {quoted_name} ends again and again")
        }
        (None, _) => return None,
    };
    if let Some(restarts) = status.integer("/restartCount")
        && restarts > 0
    {
        let restarts = counted(usize::try_from(restarts).ok()?, "restart");
        why += &format!(", after {restarts}");
        if let Some(code) = status.integer("/lastState/terminated/exitCode") {
            why += &format!(" (exit code {code})");
        }
        let [namespace, pod, name] = [pod.namespace(), pod.name(), name].map(shell_word);
        let log = format!("kubectl -n {namespace} logs {pod} -c {name} --previous");
        return Some((why, Some(log)));
    }
    if let Some(message) = status.string("/state/waiting/message") {
        why += &format!(": {}", one_line(message));
    }
    Some((why, None))
}

/// Whether a container that runs now ended again and again: its last run was short, or all its runs were. After ten minutes of running
/// Kubernetes forgets its restarts (client-go `util/flowcontrol/backoff.go`, hasExpired: twice the longest pause of five).
fn is_crashing(pod: &Object, status: &Object, now: Duration) -> Option<bool> {
    const LONG_RUN: Duration = Duration::from_secs(10 * 60);
    let since = status.time("/state/running/startedAt")?;
    let restarts = u32::try_from(status.integer("/restartCount")?).ok()?;
    let last_run = if let Some(end) = status.time("/lastState/terminated/finishedAt") {
        end.saturating_sub(status.time("/lastState/terminated/startedAt")?)
    } else {
        let all_runs = since.saturating_sub(pod.time("/status/startTime")?);
        all_runs.checked_div(restarts)?
    };
    Some(restarts > 1 && last_run < LONG_RUN && now.saturating_sub(since) < LONG_RUN)
}
