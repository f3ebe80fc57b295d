//! NetworkPolicies that select the gateway's pod, and whether they admit the packets that it needs (Kubernetes `networking.k8s.io/v1`).

use crate::object::live::{LiveHalf, Object, Scope, text_at};
use ipnet::IpNet;
use serde_json::{Map, Value};
use std::net::IpAddr;

pub(super) static NETWORK_POLICY: LiveHalf = LiveHalf {
    scope: Scope::AroundGateway,
    ..LiveHalf::new(&["NetworkPolicy"], "networkpolicies.networking.k8s.io")
};

/// Packets that a gateway's pod needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flow {
    pub(crate) direction: TrafficDirection,
    /// The port, of UDP.
    pub(crate) port: u16,
    /// The destination, if it is known.
    pub(crate) to: Option<IpAddr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrafficDirection {
    Ingress,
    Egress,
}

impl TrafficDirection {
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Ingress => ("Ingress", "/spec/ingress", "from"),
            Self::Egress => ("Egress", "/spec/egress", "to"),
        }
    }
}

/// Whether a policy selects pods with these labels, for this direction.
pub(crate) fn selects(
    policy: &Object,
    labels: &Map<String, Value>,
    direction: TrafficDirection,
) -> bool {
    let (word, rules, _) = direction.words();
    let types = policy.texts("/spec/policyTypes");
    let has_type = if types.is_empty() {
        // the API's default
        direction == TrafficDirection::Ingress || policy.find(rules).is_some()
    } else {
        types.contains(&word)
    };
    let wanted = policy
        .find("/spec/podSelector/matchLabels")
        .and_then(Value::as_object);
    let mut wanted = wanted.into_iter().flatten();
    let mut expressions = policy.list("/spec/podSelector/matchExpressions").iter();
    has_type
        && wanted.all(|(key, value)| labels.get(key) == Some(value))
        && expressions.all(|it| meets(it, labels))
}

/// Whether labels meet an expression of a selector (Kubernetes `meta/v1`, LabelSelectorRequirement).
fn meets(expression: &Value, labels: &Map<String, Value>) -> bool {
    let value = labels.get(text_at(expression, "key"));
    let is_one = matches!(value, Some(value) if items(expression, "values").contains(value));
    match text_at(expression, "operator") {
        "In" => is_one,
        "NotIn" => !is_one,
        "Exists" => value.is_some(),
        "DoesNotExist" => value.is_none(),
        _ => false,
    }
}

/// Whether a rule of a policy admits a flow to or from outside of the cluster.
pub(crate) fn admits(policy: &Object, flow: Flow) -> bool {
    let (_, rules, peers) = flow.direction.words();
    for rule in policy.list(rules) {
        // a list that is missing or empty means everything
        let (ports, peers) = (items(rule, "ports"), items(rule, peers));
        if (ports.is_empty() || ports.iter().any(|it| is_port(it, flow.port)))
            && (peers.is_empty() || peers.iter().any(|it| is_outside(it, flow.to)))
        {
            return true;
        }
    }
    false
}

/// The items of the list in a field.
fn items<'v>(object: &'v Value, field: &str) -> &'v [Value] {
    match object.get(field) {
        Some(Value::Array(items)) => items,
        _ => &[],
    }
}

fn is_port(rule: &Value, port: u16) -> bool {
    if text_at(rule, "protocol") != "UDP" {
        return false;
    }
    let [first, last] = ["port", "endPort"].map(|field| rule.get(field).and_then(Value::as_u64));
    // a name means a port of the container, which is not known here
    let Some(first) = first else { return true };
    (first..=last.unwrap_or(first)).contains(&port.into())
}

/// Whether a peer of a rule is outside of the cluster and contains this address. If the address is not known, because it is a name, any
/// block may contain it.
fn is_outside(peer: &Value, address: Option<IpAddr>) -> bool {
    let Some(block) = peer.get("ipBlock") else {
        return false;
    };
    let Some(address) = address else { return true };
    let mut except = items(block, "except").iter();
    matches!(block.get("cidr"), Some(it) if has_address(it, address))
        && !except.any(|it| has_address(it, address))
}

fn has_address(network: &Value, address: IpAddr) -> bool {
    let network = network.as_str().unwrap_or_default().parse::<IpNet>();
    matches!(network, Ok(it) if it.contains(&address))
}
