//! What a live cluster tells about itself: its ID, its networks, the version of its Liqo, its nodes' address.

use crate::command::{Result, Streams};
use crate::judge::claims::CLUSTER_FACTS;
use crate::object::live::Object;
use crate::peering::values::{LiqoVersion, Role};
use crate::state::ProgramProblem;
use crate::state::cluster::liqo::{MANAGER_RESOURCE, cluster_id_maps, minor, of_type, tag};
use crate::state::cluster::{Budget, Extent, Kubectl, whole_field};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A cluster with Liqo. A fact that the cluster does not show is empty.
#[derive(Debug, Default)]
pub(super) struct LiqoCluster {
    pub(super) id: String,
    /// The facts by their fields, several values with commas.
    pub(super) facts: BTreeMap<&'static str, String>,
    pub(super) liqo_version: Option<LiqoVersion>,
    /// The address of a node; an external address comes first.
    pub(super) node_address: Option<String>,
    /// The node ports that are in use.
    pub(super) node_ports: BTreeSet<u16>,
}

impl LiqoCluster {
    /// Reads a cluster; of the provider, which has the gateway server, also the nodes.
    pub(super) fn load(
        context: &str,
        place: &Path,
        role: Role,
        streams: &mut Streams<'_>,
    ) -> Result<Self> {
        let budget = Budget::default();
        let mut kubectl = Kubectl::new(context, place, &budget, streams)?;
        let found = cluster_id_maps(&mut kubectl)?;
        let config = match found.as_slice() {
            [config] => Ok(config),
            [] => Err("a cluster with Liqo: `liqo-clusterid-configmap` is missing"),
            _ => Err("a cluster with one Liqo: several namespaces have `liqo-clusterid-configmap`"),
        };
        let config = config.map_err(|what| kubectl.failed(ProgramProblem::Unexpected(what)))?;
        let liqo = ["-n", config.namespace()];
        let networks = kubectl.require(&["networks.ipam.liqo.io"], &liqo, read_field)?;
        let manager = kubectl.require(&[MANAGER_RESOURCE], &liqo, read_field)?;
        let mut live = Self {
            id: config.text("/data/CLUSTER_ID").to_owned(),
            ..Self::default()
        };
        for fact in &CLUSTER_FACTS {
            let all = of_type(networks.iter(), fact.network_type);
            let all: BTreeSet<&str> = all.map(|(_, cidr)| cidr).collect();
            if !all.is_empty() {
                let all = Vec::from_iter(all).join(",");
                live.facts.insert(fact.field(), all);
            }
        }
        if let Some((major, minor)) = manager.first().and_then(tag).and_then(minor) {
            live.liqo_version = format!("{major}.{minor}").parse().ok();
        }
        if role == Role::Provider {
            // a user who may not read nodes or services is asked instead
            let nodes = kubectl.get(&["nodes"], &[], read_field).unwrap_or_default();
            let external = nodes.iter().find_map(|node| address(node, "ExternalIP"));
            let internal = nodes.iter().find_map(|node| address(node, "InternalIP"));
            live.node_address = external.or(internal);
            let services = kubectl.get(&["services"], &["-A"], read_field);
            for service in services.unwrap_or_default() {
                for port in service.list("/spec/ports") {
                    let port = port.get("nodePort").and_then(Value::as_u64);
                    let port = port.and_then(|port| u16::try_from(port).ok());
                    live.node_ports.extend(port);
                }
            }
        }
        Ok(live)
    }
}

/// The fields that are read here. A cluster has thousands of Services and Nodes, with long lists of images.
fn read_field(path: &[&str]) -> Extent {
    let is_read = match path {
        ["metadata", field, ..] => matches!(*field, "name" | "namespace" | "labels"),
        ["spec", "ports", field] => *field == "nodePort",
        ["spec", field, ..] => matches!(*field, "cidr" | "template" | "ports"),
        ["status", field, ..] => matches!(*field, "cidr" | "addresses"),
        _ => return whole_field(path),
    };
    if is_read {
        Extent::Value
    } else {
        Extent::Skipped
    }
}

fn address(node: &Object, kind: &str) -> Option<String> {
    let mut addresses = node.list("/status/addresses").iter();
    let address = addresses.find(|it| it.get("type").is_some_and(|it| it == kind))?;
    address.get("address")?.as_str().map(ToOwned::to_owned)
}
