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
    pub(crate) direction: Direction,
    /// The port, of UDP.
    pub(crate) port: u16,
    /// The destination, if it is known.
    pub(crate) to: Option<IpAddr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Ingress,
    Egress,
}

impl Direction {
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Ingress => ("Ingress", "/spec/ingress", "from"),
            Self::Egress => ("Egress", "/spec/egress", "to"),
        }
    }
}

/// Whether a policy selects pods with these labels, for this direction.
pub(crate) fn selects(policy: &Object, labels: &Map<String, Value>, direction: Direction) -> bool {
    let (word, rules, _) = direction.words();
    let types = policy.texts("/spec/policyTypes");
    let has_type = if types.is_empty() {
        // the API's default
        direction == Direction::Ingress || policy.find(rules).is_some()
    } else {
        types.contains(&word)
    };
    let wanted = policy
        .find("/spec/podSelector/matchLabels")
        .and_then(Value::as_object);
    let has_labels = wanted
        .into_iter()
        .flatten()
        .all(|(key, value)| labels.get(key).and_then(Value::as_str) == value.as_str());
    let mut expressions = policy.list("/spec/podSelector/matchExpressions").iter();
    has_type && has_labels && expressions.all(|it| meets(it, labels))
}

/// Whether labels meet an expression of a selector (Kubernetes `meta/v1`, LabelSelectorRequirement).
fn meets(expression: &Value, labels: &Map<String, Value>) -> bool {
    let [key, operator] =
        ["key", "operator"].map(|field| expression.get(field).and_then(Value::as_str));
    let values = expression.get("values").and_then(Value::as_array);
    let value = labels.get(key.unwrap_or_default()).and_then(Value::as_str);
    let is_one = values
        .into_iter()
        .flatten()
        .any(|it| it.as_str() == value && value.is_some());
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
        let [ports, peers] = ["ports", peers].map(|field| {
            rule.get(field)
                .and_then(Value::as_array)
                .filter(|it| !it.is_empty())
        });
        ports.is_none_or(|ports| ports.iter().any(|port| is_port(port, flow.port)))
            && peers.is_none_or(|peers| peers.iter().any(|peer| is_outside(peer, flow.to)))
    })
}

fn is_port(rule: &Value, port: u16) -> bool {
    let is_udp = rule.get("protocol").is_some_and(|it| it == "UDP");
    // a name means a port of the container, which is not known here
    let is_open = rule
        .get("port")
        .is_none_or(|it| it.is_string() || it.is_null());
    let [first, last] = ["port", "endPort"].map(|field| rule.get(field).and_then(Value::as_u64));
    let is_in_range = first
        .zip(last.or(first))
        .is_some_and(|(first, last)| (first..=last).contains(&u64::from(port)));
    is_udp && (is_open || is_in_range)
}

/// Whether a peer of a rule is outside of the cluster and contains this address. If the address is not known, because it is a name, any
/// block may contain it.
fn is_outside(peer: &Value, address: Option<IpAddr>) -> bool {
    let Some(block) = peer.get("ipBlock") else {
        return false;
    };
    let Some(address) = address else { return true };
    let except = block.get("except").and_then(Value::as_array);
    block.get("cidr").is_some_and(|it| has_address(it, address))
        && !except
            .into_iter()
            .flatten()
            .any(|it| has_address(it, address))
}

fn has_address(network: &Value, address: IpAddr) -> bool {
    network
        .as_str()
        .and_then(|it| it.parse::<IpNet>().ok())
        .is_some_and(|it| it.contains(&address))
}
