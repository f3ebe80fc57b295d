//! What a fleet says in the document of a peering.

use super::edges::Edge;
use crate::diagnostic::Bug;
use crate::document::Located;
use crate::object::live::Fields;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::spec;
use crate::peering::values::{Cidr, Day, Role};
use serde_json::{Value, json};

/// The sealed seed's name in the folder.
pub(crate) const SEED: &str = "peering.seed.age";

/// The field that is a map, or `pending`.
pub(crate) const GATEWAY_CLIENT: &str = "spec.networking.gatewayClient";

/// A field and its value: a scalar, or a list of scalars; without a value, that it is not there. A number in the path is an item of a
/// list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fact {
    pub(crate) path: Vec<String>,
    pub(crate) value: Option<Value>,
}

impl Fact {
    fn new(path: &str, value: Value) -> Self {
        Self { value: Some(value), ..Self::absent(path) }
    }

    fn absent(path: &str) -> Self {
        Self { path: path.split('.').map(ToOwned::to_owned).collect(), value: None }
    }
}

/// What the document of this peering says because of the fleet, in the order of a document. What is not among it is the
/// document's own: also the address of its load balancer, if it has one.
pub(crate) fn facts(edge: &Edge<'_>, node_port: Option<u16>, has_balancer: bool) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut say = |path: &str, value: Option<Value>| facts.extend(value.map(|value| Fact::new(path, value)));
    say("spec.liqoVersion", edge.liqo_version.map(|version| json!(version.to_string())));
    for role in Role::BOTH {
        let own = edge.clusters.of(role);
        let name = own.name.as_str();
        let mut say = |field: &str, value| say(&format!("spec.{role}.{field}"), value);
        say("clusterID", Some(json!(own.id())));
        say("argocdCluster", (name != own.id()).then(|| json!(name)));
        say("podCIDRs", own.pod_cidrs.as_ref().map(|cidrs| cidrs.iter().map(text).collect()));
        say("externalCIDR", own.external_cidr.as_ref().map(text));
        say("delivery", own.delivery.map(|delivery| json!(delivery.word())));
    }
    let gateway = edge.gateway;
    say("spec.networking.mtu", edge.says.mtu.map(|mtu| json!(mtu.get())));
    let mut server = |field: &str, value| say(&format!("spec.networking.gatewayServer.{field}"), value);
    server("location", Some(json!(edge.location.word())));
    server("endpoint.serviceType", Some(json!(gateway.service_type.word())));
    server("endpoint.port", gateway.port.map(|port| json!(port.get())));
    server("endpoint.nodePort", node_port.map(|port| json!(port)));
    match &gateway.addresses {
        Some(addresses) => {
            let addresses = addresses.iter().map(|address| json!(address.to_string())).collect();
            say(&format!("{GATEWAY_CLIENT}.endpoint.addresses"), Some(addresses));
        }
        // what a gateway of another type had is not where this one answers
        None if !has_balancer => say(GATEWAY_CLIENT, Some(json!("pending"))),
        None => {}
    }
    // a Service of another type has no such field (`peering/networking/gateway_server.rs`)
    for (field, only) in [("nodePort", ServiceType::NodePort), ("loadBalancerIP", ServiceType::LoadBalancer)]
    {
        let absent = || Fact::absent(&format!("spec.networking.gatewayServer.endpoint.{field}"));
        facts.extend((gateway.service_type != only).then(absent));
    }
    for (name, amount) in edge.says.resources.iter().flat_map(|it| &it.0) {
        let path = ["spec", "offloading", "resourceSlices", "0", "resources", name.as_str()];
        facts.push(Fact { path: path.map(ToOwned::to_owned).into(), value: Some(json!(amount.as_str())) });
    }
    facts
}

/// The authentication of a pair that offloads, until its credential is sealed.
pub(crate) fn authentication(edge: &Edge<'_>) -> [Fact; 3] {
    [
        Fact::new("spec.authentication.subject.kind", json!("User")),
        Fact::new("spec.authentication.subject.name", json!(edge.clusters.consumer.id())),
        Fact::new("spec.authentication.credential", json!("pending")),
    ]
}

fn text(cidr: &Located<Cidr>) -> Value {
    json!(cidr.to_string())
}

fn with(document: Fields, Fact { path, value }: Fact) -> Fields {
    match value {
        Some(value) => document.with_at(&path, &value),
        None => document,
    }
}

const HEAD: &str = "\
# Made by `argocd-peering fleet`. What fleet.yaml says is changed there; the rest is yours.
";

/// The document of a new peering.
pub(crate) fn new_document(
    name: &str,
    edge: &Edge<'_>,
    facts: &[Fact],
    day: Option<Day>,
) -> Result<String, Bug> {
    let rotated = |role: Role| day.map(|day| Fact::new(&format!("spec.{role}.keyRotated"), json!(day)));
    let head = [
        ("apiVersion", json!(spec::API_VERSION)),
        ("kind", json!(spec::KIND)),
        ("metadata.name", json!(name)),
    ];
    let seed = Fact::new("spec.seed.file", json!(SEED));
    let part = |fact: &Fact| fact.path.get(1).map_or("", String::as_str).to_owned();
    let (version, rest): (Vec<_>, Vec<_>) =
        facts.iter().cloned().partition(|fact| part(fact) == "liqoVersion");
    let (offloading, sides): (Vec<_>, Vec<_>) = rest.into_iter().partition(|fact| part(fact) == "offloading");
    let offloads = !offloading.is_empty();
    let user = authentication(edge).into_iter().filter(|_| offloads);
    let head = head.into_iter().map(|(path, value)| Fact::new(path, value));
    let all = head
        .chain(version)
        .chain([seed])
        .chain(sides)
        .chain(Role::BOTH.into_iter().filter_map(rotated))
        .chain(user)
        .chain(offloading);
    let document = all.fold(Fields::default(), with);
    let options = serde_saphyr::ser_options! { compact_list_indent: false, prefer_block_scalars: false };
    let text = serde_saphyr::to_string_with_options(&document, options);
    Ok(HEAD.to_owned() + &text.map_err(|_| Bug::new("the document of a fleet"))?)
}
