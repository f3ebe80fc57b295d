//! `fleet import`: prints the fleet.yaml of peerings that exist.

use crate::command::workstation::documents::peerings;
use crate::command::{Error, Result, Streams};
use crate::diagnostic::{counted, quoted};
use crate::fleet::{KIND, Member};
use crate::input::file::shown_path;
use crate::judge::claims::CLUSTER_FACTS;
use crate::object::live::{Fields, Yaml};
use crate::peering::cluster::Cluster;
use crate::peering::delivery::Delivery;
use crate::peering::networking::Networking;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::Port;
use crate::peering::{API_VERSION, Peering, Role};
use crate::state::repo::Described;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

const HEAD: &str = "# Made by `argocd-peering fleet import`.\n";

/// The facts of a cluster, each with the first document that has it.
#[derive(Default)]
struct Known(BTreeMap<&'static str, (Value, String)>);

pub(super) fn import(paths: &[PathBuf], streams: &mut Streams<'_>) -> Result {
    let read = peerings(paths)?;
    let mut order: Vec<&str> = Vec::new();
    let mut clusters: BTreeMap<&str, Known> = BTreeMap::new();
    let (mut shapes, mut contradictions) = (Vec::new(), Vec::new());
    let liqo_version = liqo_version(&read, streams);
    for described in &read {
        for role in Role::BOTH {
            let own = described.peering.clusters.of(role);
            if !clusters.contains_key(own.id.as_str()) {
                order.push(own.id.as_str());
            }
            let known = clusters.entry(own.id.as_str()).or_default();
            contradictions.extend(known.learn(described, role, own));
        }
        let networking = described.peering.networking.as_ref();
        note_unknown(described, streams);
        shapes.extend(networking.map(|networking| shape(&described.peering, networking)));
    }
    if !contradictions.is_empty() {
        let reason = format!(
            "the documents do not agree:\n  {}",
            contradictions.join("\n  ")
        );
        return Err(Error::flag("PATHS", reason));
    }
    let members = order
        .into_iter()
        .filter_map(|id| clusters.remove(id))
        .map(Known::member)
        .collect();
    let spec = Fields::default().with("liqoVersion", liqo_version.as_ref());
    let spec = spec
        .with("clusters", Yaml::List(members))
        .with("peerings", Yaml::List(shapes));
    let fleet = Fields::default()
        .with("apiVersion", API_VERSION)
        .with("kind", KIND)
        .with("spec", spec);
    streams.deliver(&(HEAD.to_owned() + &fleet.text()?))
}

/// The fleet's version of Liqo, if all documents have the same; a version is never assumed for another document.
fn liqo_version(read: &[Described], streams: &mut Streams<'_>) -> Option<Value> {
    let versions: Vec<_> = read
        .iter()
        .filter_map(|it| Some(it.peering.liqo_version.as_ref()?.to_string()))
        .collect();
    let first = versions.first()?;
    let why = if versions.iter().any(|version| version != first) {
        "the documents have different ones".to_owned()
    } else if versions.len() < read.len() {
        format!(
            "{} of {} have none",
            read.len() - versions.len(),
            counted(read.len(), "document")
        )
    } else {
        return Some(json!(first));
    };
    streams.note(&format!("note: fleet.yaml has no `liqoVersion`: {why}"));
    None
}

/// Notes what fleet.yaml needs and the document does not have.
fn note_unknown(described: &Described, streams: &mut Streams<'_>) {
    let document = shown_path(&described.path);
    let Some(networking) = &described.peering.networking else {
        let note = format!(
            "note: {document} has no `networking`, and is left out: each peering of a fleet has a tunnel"
        );
        return streams.note(&note);
    };
    if networking.client.is_none()
        && networking.server.endpoint.service_type.value != ServiceType::LoadBalancer
    {
        let server = quoted(
            described
                .peering
                .clusters
                .of(networking.server.location)
                .id
                .as_str(),
        );
        streams.note(&format!(
            "note: {document} has `gatewayClient: pending`, and no address of {server}: write its `gateway`, if fleet.yaml has none"
        ));
    }
}

impl Known {
    /// Adds what a document says of the cluster of one side, and returns what contradicts an earlier document.
    fn learn(&mut self, described: &Described, role: Role, own: &Cluster) -> Vec<String> {
        let document = shown_path(&described.path);
        let name = own.argocd_cluster.to_string();
        let ids = [
            (
                "clusterID",
                (name != own.id.as_str()).then(|| json!(own.id.as_str())),
            ),
            ("name", Some(json!(name))),
        ];
        let shared = CLUSTER_FACTS
            .iter()
            .map(|it| (it.field(), (it.written)(own).map(|all| it.value(&all.0))));
        let more = [
            ("delivery", Some(json!(own.delivery.word()))),
            ("gateway", gateway(&described.peering, role)),
        ];
        let facts = ids.into_iter().chain(shared).chain(more);
        let mut contradictions = Vec::new();
        for (field, value) in facts.filter_map(|(field, value)| Some((field, value?))) {
            let (known, first) = self
                .0
                .entry(field)
                .or_insert_with(|| (value.clone(), document.clone()));
            if *known != value {
                let id = quoted(own.id.as_str());
                contradictions.push(format!(
                    "{field} of {id}: {known} in {first}, {value} in {document}"
                ));
            }
        }
        contradictions
    }

    fn member(self) -> Yaml {
        let Self(known) = self;
        let fields = Member::FIELDS
            .iter()
            .fold(Fields::default(), |fields, field| {
                let value = known.get(field).map(|(value, _)| value);
                fields.with(
                    field,
                    value.filter(|it| *field != "delivery" || **it != Delivery::Secret.word()),
                )
            });
        Yaml::Map(fields)
    }
}

/// The gateway of a side, if it is the server and the client knows its address. Each load balancer has its own address.
fn gateway(peering: &Peering, role: Role) -> Option<Value> {
    let networking = peering
        .networking
        .as_ref()
        .filter(|it| it.server.location == role)?;
    let endpoint = &networking.server.endpoint;
    let service_type = endpoint.service_type.value;
    if service_type == ServiceType::LoadBalancer {
        return Some(json!({ "serviceType": service_type.word() }));
    }
    let addresses: Vec<_> = networking
        .client
        .as_ref()?
        .endpoint
        .addresses
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut gateway = json!({ "addresses": addresses });
    let fields = gateway.as_object_mut()?;
    if service_type != ServiceType::NodePort {
        fields.insert("serviceType".to_owned(), json!(service_type.word()));
    }
    if endpoint.port != Port::LIQOCTL {
        fields.insert("port".to_owned(), json!(endpoint.port.get()));
    }
    Some(gateway)
}

/// The entry of a peering. A node port stays in the document.
fn shape(peering: &Peering, networking: &Networking) -> Yaml {
    let [consumer, provider] =
        Role::BOTH.map(|role| json!([peering.clusters.of(role).argocd_cluster.to_string()]));
    let is_at_consumer = networking.server.location == Role::Consumer;
    let [resources, reverse] = Role::BOTH.map(|role| -> Option<Value> {
        let slice = peering.offloading(role)?.slices.first()?;
        let amounts = slice.written.resources.0.iter();
        Some(
            amounts
                .map(|(name, amount)| (name.to_string(), json!(amount.as_str())))
                .collect(),
        )
    });
    Yaml::Map(
        Fields::default()
            .with("consumers", Some(&consumer))
            .with("providers", Some(&provider))
            .with("location", is_at_consumer.then_some("consumer"))
            .with("mtu", networking.mtu.map(|mtu| json!(mtu.get())).as_ref())
            .with("resources", resources.as_ref())
            .with("reverse", reverse.as_ref()),
    )
}
