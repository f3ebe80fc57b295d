//! Checks whether a NetworkPolicy blocks what the gateway needs. Policies that select a pod add up (Kubernetes
//! `networking.k8s.io/v1`, NetworkPolicySpec).

use super::side::Side;
use super::status::gateway_pods;
use crate::object::live::{Check, Finding, Object, warning};
use crate::peering::networking::Networking;
use crate::peering::observed::network_policy::{Flow, TrafficDirection, admits, selects};
use serde_json::{Map, Value};

/// The port of Liqo's tunnels between the gateway and its cluster's nodes (liqo `deployments/liqo/values.yaml`, `networking.genevePort`).
const GENEVE: u16 = 6091;

/// A flow that the gateway needs, and its purpose.
struct NeededFlow {
    flow: Flow,
    what: String,
}

pub(super) fn check_policies(side: &Side<'_>) -> Vec<Finding> {
    let Some(networking) = &side.peering.networking else {
        return Vec::new();
    };
    let Some(labels) = gateway_pods(side).find_map(|pod| pod.find("/metadata/labels")?.as_object())
    else {
        return Vec::new();
    };
    let geneve = NeededFlow {
        flow: Flow {
            direction: TrafficDirection::Ingress,
            port: GENEVE,
            to: None,
        },
        what: format!("the nodes' packets to UDP port {GENEVE} (Geneve)"),
    };
    let needs = tunnel(side, networking).into_iter().chain([geneve]);
    needs
        .filter_map(|need| kept_out(side, labels, &need))
        .collect()
}

fn tunnel(side: &Side<'_>, networking: &Networking) -> Option<NeededFlow> {
    if networking.server.location == side.role {
        let port = networking.server.endpoint.port.get();
        let flow = Flow {
            direction: TrafficDirection::Ingress,
            port,
            to: None,
        };
        return Some(NeededFlow {
            flow,
            what: format!("the client's packets to UDP port {port}"),
        });
    }
    let (address, port) = networking.dialled()?;
    let port = port?.get();
    let flow = Flow {
        direction: TrafficDirection::Egress,
        port,
        to: address.to_string().parse().ok(),
    };
    Some(NeededFlow {
        flow,
        what: format!("its packets to the server's UDP port {port}"),
    })
}

fn kept_out(side: &Side<'_>, labels: &Map<String, Value>, need: &NeededFlow) -> Option<Finding> {
    let policies = side.live.of_kind("NetworkPolicy");
    let here = policies.filter(|policy| policy.namespace() == side.tenant_namespace());
    let selecting: Vec<&Object> = here
        .filter(|it| selects(it, labels, need.flow.direction))
        .collect();
    let first = selecting.first()?;
    if selecting.iter().any(|policy| admits(policy, need.flow)) {
        return None;
    }
    let message = format!(
        "it selects the gateway's pod, and no policy admits {}",
        need.what
    );
    let help = "where the cluster's network enforces policies, these packets are dropped: admit them, or let the policy select other pods";
    Some(warning(Check::NetworkPolicy, message, help).mark(first))
}
