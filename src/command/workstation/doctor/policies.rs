//! Checks whether a NetworkPolicy blocks what the gateway needs. Policies that select a pod add up (Kubernetes
//! `networking.k8s.io/v1`, NetworkPolicySpec).

use super::live_side::LiveSide;
use super::status::gateway_pods;
use crate::object::live::{Check, Finding, Object, warning};
use crate::peering::networking::Networking;
use crate::peering::observed::network_policy::{Flow, TrafficDirection, admits, selects};

/// The port of Liqo's tunnels between the gateway and its cluster's nodes (liqo `deployments/liqo/values.yaml`, `networking.genevePort`).
const GENEVE: u16 = 6091;

pub(super) fn check_policies(side: &LiveSide<'_>) -> Vec<Finding> {
    let networking = side.peering.networking.as_ref();
    let mut labels = gateway_pods(side).filter_map(|pod| pod.find("/metadata/labels")?.as_object());
    let (Some(networking), Some(labels)) = (networking, labels.next()) else {
        return Vec::new();
    };
    let what = format!("the nodes' packets to UDP port {GENEVE} (Geneve)");
    let geneve = (ingress(GENEVE), what);
    let mut findings = Vec::new();
    for (flow, what) in tunnel_flow(side, networking).into_iter().chain([geneve]) {
        let policies = side.in_tenant_namespace("NetworkPolicy");
        let selecting = policies.filter(|it| selects(it, labels, flow.direction));
        let selecting: Vec<&Object> = selecting.collect();
        if let [first, ..] = selecting.as_slice()
            && !selecting.iter().any(|policy| admits(policy, flow))
        {
            let message = format!("it selects the gateway's pod, and none admits {what}");
            let help = "admit these packets, or let the policy select other pods";
            findings.push(warning(Check::NetworkPolicy, message, help).mark(first));
        }
    }
    findings
}

const fn ingress(port: u16) -> Flow {
    Flow {
        direction: TrafficDirection::Ingress,
        port,
        to: None,
    }
}

/// The packets of the tunnel that reach or leave the gateway, and what they are.
fn tunnel_flow(side: &LiveSide<'_>, networking: &Networking) -> Option<(Flow, String)> {
    if networking.server.location == side.role {
        let port = networking.server.endpoint.port.get();
        let what = format!("the client's packets to UDP port {port}");
        return Some((ingress(port), what));
    }
    let (address, port) = networking.dialled()?;
    let port = port?.get();
    let flow = Flow {
        direction: TrafficDirection::Egress,
        port,
        to: address.to_string().parse().ok(),
    };
    Some((flow, format!("its packets to the server's UDP port {port}")))
}
