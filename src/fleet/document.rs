//! `fleet.yaml` as it is written.

use crate::diagnostic::{Code, Invalid, Paths, Problems, Rule, Severity, Source, quoted};
use crate::document::{Decode as _, Decoder, Located, records};
use crate::input::yaml::{Format, Node, parse_as};
use crate::peering::delivery::Delivery;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::spec::{API_VERSION, Constant};
use crate::peering::values::{
    Address, Cidr, ClusterId, LiqoVersion, Mtu, NodePort, ObjectName, Port, Resources, Role, Title,
};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The document's `kind`.
pub(crate) const KIND: &str = "Fleet";

/// The most bytes of a fleet: thousands of clusters with all their facts.
pub(crate) const CAP: u64 = 1 << 20;

/// One value for every four bytes: each entry and each fact needs more bytes.
const FORMAT: Format = Format {
    kind: KIND,
    values: 1 << 18,
    aliases: false,
};

records! {
    /// `fleet.yaml`: clusters, and which of them peer.
    Fleet {
        /// The format of this file.
        "apiVersion" => api_version: required Constant, missing "a fleet begins with `apiVersion: argocd-peering/v1alpha1`",
            schema { "const": API_VERSION };
        /// What this file describes.
        "kind" => kind: required Constant, missing "then `kind: Fleet`", schema { "const": KIND };
        /// The fleet.
        "spec" => spec: required FleetSpec, missing "the clusters and their peerings are in `spec`";
    }

    /// The fleet.
    FleetSpec {
        /// The lowest Liqo on any of the clusters: peered clusters run the same minor version. Left out: each document says it, by default 1.0.
        "liqoVersion" => liqo_version: optional LiqoVersion;
        /// The clusters, each once.
        "clusters" => clusters: required Vec<Member>, missing "the clusters, each with its facts: `- name: rome`";
        /// Which of them peer. A pair that is named again takes what the later entry sets, and keeps the rest.
        "peerings" => peerings: required Vec<Located<Shape>>,
            missing "which clusters peer: `- { consumers: [rome], providers: [milan] }`, or `- mesh: [rome, milan, turin]`";
    }

    /// A cluster, and what every peering of it says of it.
    Member {
        /// What Argo CD calls it. The folders are called after it, and so are the Applications.
        "name" => name: required Located<ObjectName>;
        /// Liqo's cluster ID. Default: the name.
        "clusterID" => cluster_id: optional Located<ClusterId>;
        /// The pods' networks, as the cluster itself knows them.
        "podCIDRs" => pod_cidrs: optional Vec<Located<Cidr>>, schema { "minItems": 1 };
        /// Liqo's external network of the cluster.
        "externalCIDR" => external_cidr: optional Located<Cidr>;
        /// How Secrets with data reach it. Left out: each document says it, by default `Secret`.
        "delivery" => delivery: optional Delivery;
        /// Who can open its half of the seeds of new folders, beside those of the flags. With them each side of a new peering has its
        /// own seed, and an Argo CD with the identity of one cluster cannot open the half of the other one.
        "recipients" => recipients: optional Vec<Located<Title>>, schema { "minItems": 1 };
        /// Where the others reach a gateway of this cluster. Left out: it only dials.
        "gateway" => gateway: optional Located<Gateway>;
    }

    /// Where the gateways of a cluster listen.
    Gateway {
        /// How they are exposed. Default: `NodePort`.
        "serviceType" => service_type: default ServiceType = ServiceType::NodePort;
        /// The addresses by which the other clusters reach them; Liqo uses the first. Each load balancer has its own: left out with
        /// `LoadBalancer`, each document says it, and a new one has `gatewayClient: pending`.
        "addresses" => addresses: optional Vec<Address>, schema { "minItems": 1 };
        /// The port of their Services. Default: 51840.
        "port" => port: optional Port;
    }

    /// Clusters that peer: either each consumer with each provider, or each of a mesh with each other.
    Shape {
        /// The clusters that offload.
        "consumers" => consumers: optional Vec<Located<Title>>, schema { "minItems": 1 };
        /// The clusters that run the pods.
        "providers" => providers: optional Vec<Located<Title>>, schema { "minItems": 1 };
        /// The clusters of a mesh. Of each pair the one that comes first is the consumer; with `reverse` both are.
        "mesh" => mesh: optional Vec<Located<Title>>, schema { "minItems": 2 };
        /// The side whose gateway listens. Default: the provider's, if it has a `gateway`.
        "location" => location: optional Located<Role>;
        /// The gateway's node port. Default: a free one of its cluster, which stays.
        "nodePort" => node_port: optional Located<NodePort>;
        /// The tunnel's MTU. Left out: each document says it.
        "mtu" => mtu: optional Mtu;
        /// What the consumer asks the provider for. Left out: a new folder has a tunnel only.
        "resources" => resources: optional Resources;
        /// What the provider asks the consumer for, in the other direction. Left out: each document says it, and in a new folder the
        /// provider offloads nothing.
        "reverse" => reverse: optional Resources;
        /// With `providers`: a tunnel between each two of them as well, for Liqo's direct connections. Default: false.
        "directConnections" => direct: default bool = false;
    }
}

impl Member {
    /// The fields that every document of the cluster has under the same names.
    #[rustfmt::skip] // a table
    pub(super) fn facts(&self) -> [(&'static str, Value); 3] {
        [("podCIDRs", json!(self.pod_cidrs)), ("externalCIDR", json!(self.external_cidr)), ("delivery", json!(self.delivery))]
    }
}

/// The fleet that a text describes.
///
/// # Errors
/// With every value that is wrong, at its place.
pub(crate) fn parse(source: &Source) -> Result<Fleet, Invalid> {
    let root =
        parse_as(source.text(), FORMAT).map_err(|problems| invalid(source, None, problems))?;
    let mut decoder = Decoder::default();
    if let Some(rule) = not_a_fleet(&root) {
        decoder.refuse(&root, rule);
        return Err(invalid(source, Some(&root), decoder.problems));
    }
    match Fleet::decode(&root, &mut decoder) {
        Some(fleet) if decoder.problems.is_empty() => Ok(fleet),
        _ => Err(invalid(source, Some(&root), decoder.problems)),
    }
}

/// The fleet's problems, at least one, as an error.
pub(crate) fn refused(source: &Source, problems: Problems) -> Invalid {
    invalid(
        source,
        parse_as(source.text(), FORMAT).ok().as_ref(),
        problems,
    )
}

fn invalid(source: &Source, root: Option<&Node>, problems: Problems) -> Invalid {
    let paths = root.map_or_else(Paths::default, |root| root.paths(problems.spans()));
    Invalid {
        severity: Severity::Error,
        problems,
        source: source.clone(),
        paths,
    }
}

fn not_a_fleet(root: &Node) -> Option<Rule> {
    let (field, found) = [("apiVersion", API_VERSION), ("kind", KIND)]
        .into_iter()
        .find_map(|(field, expected)| {
            root.get(field)?
                .text()
                .filter(|found| *found != expected)
                .map(|found| (field, found))
        })?;
    let message = format!("this is not a fleet: its `{field}` is {}", quoted(found));
    let help = format!("a fleet begins with `apiVersion: {API_VERSION}` and `kind: {KIND}`");
    Some(Rule::new(Code::NotAPeering, message).help(help))
}

/// The JSON Schema of `fleet.yaml` (draft 2020-12), as text that ends with a line break.
pub(crate) fn schema() -> String {
    let mut schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<Fleet>();
    schema.insert("title".into(), "fleet.yaml of argocd-peering".into());
    // a value of this type serializes
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
