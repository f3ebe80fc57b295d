//! `fleet import`: the fleet.yaml of peerings that exist.

use crate::cli::FleetImport;
use crate::command::Streams;
use crate::command::documents::{Described, peerings, some_documents};
use crate::command::error::Error;
use crate::command::workstation::order::in_natural_order;
use crate::diagnostic::{Bug, quoted};
use crate::fleet::KIND;
use crate::input::file::shown_path;
use crate::object::live::{Fields, Yaml};
use crate::peering::Peering;
use crate::peering::cluster::Cluster;
use crate::peering::delivery::Delivery;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::spec::API_VERSION;
use crate::peering::values::{Port, Role};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const HEAD: &str = "# Made by `argocd-peering fleet import`.\n";

/// What is known of a cluster, each fact with the document that said it first.
#[derive(Default)]
struct Known(BTreeMap<&'static str, (Value, String)>);

/// In the order of fleet.yaml.
const FACTS: [&str; 6] = ["name", "clusterID", "podCIDRs", "externalCIDR", "delivery", "gateway"];

pub(super) fn import(arguments: &FleetImport, streams: &mut Streams<'_>) -> Result<(), Error> {
    let read = peerings(in_natural_order(some_documents(&arguments.paths)?))?;
    let mut order: Vec<&str> = Vec::new();
    let mut clusters: BTreeMap<&str, Known> = BTreeMap::new();
    let (mut shapes, mut contradictions) = (Vec::new(), Vec::new());
    // as `validate` holds it, the clusters that peer have the same one
    let versions =
        read.iter().filter_map(|it| it.peering.liqo_version.as_ref().map(|version| &version.value));
    let liqo_version = versions.min().map(|version| json!(version.to_string()));
    for described in &read {
        for role in Role::BOTH {
            let own = described.peering.clusters.of(role);
            if !clusters.contains_key(own.id.as_str()) {
                order.push(own.id.as_str());
            }
            let known = clusters.entry(own.id.as_str()).or_default();
            contradictions.extend(known.learn(described, role, own));
        }
        shapes.push(shape(&described.peering));
    }
    if !contradictions.is_empty() {
        let reason = format!("the documents do not agree:\n  {}", contradictions.join("\n  "));
        return Err(Error::Flag { flag: "PATHS", reason });
    }
    let members = order.into_iter().filter_map(|id| clusters.remove(id)).map(Known::member).collect();
    let spec = Fields::default().with("liqoVersion", liqo_version.as_ref());
    let spec = spec.with("clusters", Yaml::List(members)).with("peerings", Yaml::List(shapes));
    let fleet = Fields::default().with("apiVersion", API_VERSION).with("kind", KIND).with("spec", spec);
    let options = serde_saphyr::ser_options! { compact_list_indent: false, prefer_block_scalars: false };
    let text = serde_saphyr::to_string_with_options(&fleet, options);
    streams.print(&(HEAD.to_owned() + &text.map_err(|_| Bug::new("the imported fleet"))?))
}

impl Known {
    /// Adds what a document says of the cluster on one of its sides, and returns what contradicts an earlier one.
    fn learn(&mut self, described: &Described, role: Role, own: &Cluster) -> Vec<String> {
        let document = shown_path(&described.path);
        let cidrs =
            own.pod_cidrs.as_ref().map(|cidrs| cidrs.iter().map(|cidr| json!(cidr.to_string())).collect());
        let name = own.argocd_cluster.to_string();
        let facts = [
            ("clusterID", (name != own.id.as_str()).then(|| json!(own.id.as_str()))),
            ("name", Some(json!(name))),
            ("podCIDRs", cidrs),
            ("externalCIDR", own.external_cidr.as_ref().map(|cidr| json!(cidr.to_string()))),
            ("delivery", (own.delivery != Delivery::Secret).then(|| json!(own.delivery.word()))),
            ("gateway", gateway(&described.peering, role)),
        ];
        let mut contradictions = Vec::new();
        for (field, value) in facts {
            let Some(value) = value else { continue };
            match self.0.get(field) {
                Some((known, first)) if *known != value => {
                    let id = quoted(own.id.as_str());
                    contradictions
                        .push(format!("{field} of {id}: {known} in {first}, {value} in {document}"));
                }
                Some(_) => {}
                None => {
                    self.0.insert(field, (value, document.clone()));
                }
            }
        }
        contradictions
    }

    fn member(self) -> Yaml {
        let Self(known) = self;
        let value = |field| known.get(field).map(|(value, _)| value);
        Yaml::Map(FACTS.into_iter().fold(Fields::default(), |fields, field| fields.with(field, value(field))))
    }
}

/// The gateway of a side, if it listens and the other side knows where.
fn gateway(peering: &Peering, role: Role) -> Option<Value> {
    let networking = peering.networking.as_ref()?;
    let endpoint = &networking.server.endpoint;
    let addresses: Vec<_> =
        networking.client.as_ref()?.endpoint.addresses.iter().map(ToString::to_string).collect();
    let service_type = endpoint.service_type.value;
    let mut gateway = json!({ "addresses": addresses });
    let fields = gateway.as_object_mut()?;
    if service_type != ServiceType::NodePort {
        fields.insert("serviceType".to_owned(), json!(service_type.word()));
    }
    if endpoint.port != Port::LIQOCTL {
        fields.insert("port".to_owned(), json!(endpoint.port.get()));
    }
    (networking.server.location == role).then_some(gateway)
}

/// The entry of a peering. A node port is the document's: it stays there.
fn shape(peering: &Peering) -> Yaml {
    let name = |role| json!([peering.clusters.of(role).argocd_cluster.to_string()]);
    let networking = peering.networking.as_ref();
    let location = networking.map(|it| it.server.location).filter(|location| *location == Role::Consumer);
    let slice = peering.directions.consumer.offloading.as_ref().and_then(|it| it.slices.first());
    let resources: Option<Value> = slice.map(|slice| {
        slice
            .written
            .resources
            .0
            .iter()
            .map(|(name, amount)| (name.to_string(), json!(amount.as_str())))
            .collect()
    });
    Yaml::Map(
        Fields::default()
            .with("consumers", Some(&name(Role::Consumer)))
            .with("providers", Some(&name(Role::Provider)))
            .with("location", location.map(|_| "consumer"))
            .with("mtu", networking.and_then(|it| it.mtu).map(|mtu| json!(mtu.get())).as_ref())
            .with("resources", resources.as_ref()),
    )
}
