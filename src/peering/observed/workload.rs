//! What runs: Liqo's own programs, and the pods of a gateway.

use crate::diagnostic::{quoted, shown_name};
use crate::object::live::{Awaited, Check, Finding, LiveHalf, Object, Scope, error, warning};
use serde_json::Value;

/// A program of Liqo's, and what stands still without it (liqo `deployments/liqo/templates`; the names are those of the chart).
struct Program {
    name: &'static str,
    is_needed: bool,
    without: &'static str,
}

const PROGRAMS: [Program; 7] = [
    Program {
        name: "liqo-controller-manager",
        is_needed: true,
        without: "Liqo acts on no object: no gateway, no network, no slice changes",
    },
    Program {
        name: "liqo-webhook",
        is_needed: true,
        without: "the API server refuses Liqo's objects, and pods in offloaded namespaces",
    },
    Program {
        name: "liqo-crd-replicator",
        is_needed: true,
        without: "no slice and no namespace reaches the provider, and no answer comes back",
    },
    Program { name: "liqo-ipam", is_needed: true, without: "no Configuration gets its networks" },
    Program {
        name: "liqo-fabric",
        is_needed: true,
        without: "pods of its node reach no other cluster after a change",
    },
    Program {
        name: "liqo-proxy",
        is_needed: false,
        without: "an API server that is reached through the tunnel is not reached",
    },
    Program { name: "liqo-metric-agent", is_needed: false, without: "a virtual node has no metrics" },
];

pub(super) static DEPLOYMENT: LiveHalf = LiveHalf {
    scope: Scope::OfLiqo,
    status: deployment,
    ..LiveHalf::new(&["Deployment"], "deployments.apps")
};

pub(super) static DAEMON_SET: LiveHalf =
    LiveHalf { scope: Scope::OfLiqo, status: daemon_set, ..LiveHalf::new(&["DaemonSet"], "daemonsets.apps") };

/// A pod of Liqo's own.
pub(super) static POD_OF_LIQO: LiveHalf =
    LiveHalf { scope: Scope::OfLiqo, ..LiveHalf::new(&["Pod"], "pods") };

/// A pod of the tenant namespace.
pub(super) static POD: LiveHalf = LiveHalf { scope: Scope::AroundGateway, ..LiveHalf::new(&["Pod"], "pods") };

/// The programs without which nothing works, whatever a peering has.
pub(crate) const NEEDED: [&str; 3] = ["liqo-controller-manager", "liqo-webhook", "liqo-crd-replicator"];

/// (Kubernetes `apps/v1`, DeploymentStatus)
fn deployment(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let available = object.integer("/status/availableReplicas").unwrap_or_default();
    // the API's default
    let wanted = object.integer("/spec/replicas").unwrap_or(1);
    let is_down = available <= 0;
    is_down
        .then(|| down(object, &format!("{available} of {wanted} pods are available")))
        .into_iter()
        .flatten()
        .collect()
}

/// (Kubernetes `apps/v1`, DaemonSetStatus)
fn daemon_set(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let missing = object.integer("/status/numberUnavailable").unwrap_or_default();
    let wanted = object.integer("/status/desiredNumberScheduled").unwrap_or_default();
    let is_down = missing > 0 || wanted == 0;
    let state = format!("{} of {wanted} pods are available", wanted.saturating_sub(missing));
    is_down.then(|| down(object, &state)).into_iter().flatten().collect()
}

fn down(object: &Object, state: &str) -> Option<Finding> {
    let program = PROGRAMS.iter().find(|it| it.name == object.name())?;
    let message = format!("{state}: {}", program.without);
    let help = "look at its pods in Liqo's namespace: `kubectl describe` says why they do not run";
    Some(if program.is_needed {
        error(Check::LiqoDown, message, help)
    } else {
        warning(Check::LiqoDown, message, help)
    })
}

/// Why a pod does not run, as Kubernetes says it: a container that waits, or a pod that no node takes (Kubernetes `core/v1`,
/// PodStatus).
pub(crate) fn why_not_running(pod: &Object) -> Option<String> {
    let places = ["/status/initContainerStatuses", "/status/containerStatuses"];
    let containers = places.iter().flat_map(|place| pod.list(place));
    let waiting = containers.filter_map(|it| {
        let text = |place: &str| it.pointer(place).and_then(Value::as_str).filter(|text| !text.is_empty());
        let reason = text("/state/waiting/reason")?;
        let message =
            text("/state/waiting/message").map(|it| format!(": {}", crate::object::live::one_line(it)));
        Some(format!(
            "container {} waits: {}{}",
            quoted(text("/name")?),
            quoted(reason),
            message.unwrap_or_default()
        ))
    });
    let unscheduled = || {
        let (status, why) = pod.condition("PodScheduled")?;
        (status == "False").then(|| format!("no node takes it{why}"))
    };
    let found = waiting.into_iter().next().or_else(unscheduled)?;
    Some(format!("pod {}: {found}", shown_name(pod.name())))
}
