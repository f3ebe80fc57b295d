//! NetworkPolicies that select the gateway's pod, and whether they admit the packets that it needs (Kubernetes `networking.k8s.io/v1`).

use crate::object::live::{LiveHalf, Object, Scope};
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
    let has_label = |(key, value): (&String, &Value)| labels.get(key) == Some(value);
    let has_labels = wanted.into_iter().flatten().all(has_label);
    let mut expressions = policy.list("/spec/podSelector/matchExpressions").iter();
    has_type && has_labels && expressions.all(|it| meets(it, labels))
}

/// Whether labels meet an expression of a selector (Kubernetes `meta/v1`, LabelSelectorRequirement).
fn meets(expression: &Value, labels: &Map<String, Value>) -> bool {
    let [key, operator] =
        ["key", "operator"].map(|field| expression.get(field).and_then(Value::as_str));
    let values = expression.get("values").and_then(Value::as_array);
    let value = labels.get(key.unwrap_or_default());
    let is_one = values.is_some_and(|values| value.is_some_and(|it| values.contains(it)));
    match operator {
        Some("In") => is_one,
        Some("NotIn") => !is_one,
        Some("Exists") => value.is_some(),
        Some("DoesNotExist") => value.is_none(),
        _ => false,
    }
}

/// Whether a rule of a policy admits a flow to or from outside of the cluster.
pub(crate) fn admits(policy: &Object, flow: Flow) -> bool {
    let (_, rules, peers) = flow.direction.words();
    policy.list(rules).iter().any(|rule| {
        matches_any(rule.get("ports"), |port| is_port(port, flow.port))
            && matches_any(rule.get(peers), |peer| is_outside(peer, flow.to))
    })
}

/// Whether an item of a list is meant. A list that is missing or empty means everything.
fn matches_any(list: Option<&Value>, is_meant: impl Fn(&Value) -> bool) -> bool {
    let items = list.and_then(Value::as_array).filter(|it| !it.is_empty());
    items.is_none_or(|items| items.iter().any(is_meant))
}

fn is_port(rule: &Value, port: u16) -> bool {
    let is_udp = rule.get("protocol").is_some_and(|it| it == "UDP");
    // a name means a port of the container, which is not known here
    let [first, last] = ["port", "endPort"].map(|field| rule.get(field).and_then(Value::as_u64));
    let range = first.map(|first| first..=last.unwrap_or(first));
    is_udp && range.is_none_or(|range| range.contains(&u64::from(port)))
}

/// Whether a peer of a rule is outside of the cluster and contains this address. If the address is not known, because it is a name, any
/// block may contain it.
fn is_outside(peer: &Value, address: Option<IpAddr>) -> bool {
    let Some(block) = peer.get("ipBlock") else {
        return false;
    };
    let Some(address) = address else { return true };
    let except = block.get("except").and_then(Value::as_array);
    let mut except = except.into_iter().flatten();
    block.get("cidr").is_some_and(|it| has_address(it, address))
        && !except.any(|it| has_address(it, address))
}

fn has_address(network: &Value, address: IpAddr) -> bool {
    let network = network.as_str().and_then(|it| it.parse::<IpNet>().ok());
    network.is_some_and(|it| it.contains(&address))
}
