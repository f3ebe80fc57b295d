//! What a live cluster says of itself: its ID, its networks, its Liqo, and where it can be reached.

use crate::command::{Result, Streams};
use crate::judge::claims::CLUSTER_FACTS;
use crate::object::live::Object;
use crate::state::ProgramProblem;
use crate::state::cluster::liqo::{MANAGER_RESOURCE, cluster_id_maps, minor, of_type, tag};
use crate::state::cluster::{Budget, Kubectl, Read, whole};
use std::collections::{BTreeMap, BTreeSet};

/// A cluster with Liqo. What it does not say is empty.
#[derive(Debug, Default)]
pub(super) struct ClusterFacts {
    pub(super) id: String,
    /// Its facts, by their fields, with commas between several.
    pub(super) facts: BTreeMap<&'static str, String>,
    /// Major and minor.
    pub(super) liqo_version: Option<String>,
    /// The address of a node, an external one before an internal one.
    pub(super) node_address: Option<String>,
    /// The node ports that are in use.
    pub(super) node_ports: BTreeSet<u16>,
}

impl ClusterFacts {
    /// Reads a cluster. `with_nodes` is for the one whose gateway listens.
    pub(super) fn read(context: &str, with_nodes: bool, streams: &mut Streams<'_>) -> Result<Self> {
        let budget = Budget::default();
        let mut kubectl = Kubectl::new(context, &budget, streams)?;
        let found = cluster_id_maps(&mut kubectl)?;
        let config = match found.as_slice() {
            [config] => Ok(config),
            [] => Err("a cluster with Liqo: no ConfigMap `liqo-clusterid-configmap`"),
            _ => {
                Err("a cluster with one Liqo: several namespaces have a ConfigMap `liqo-clusterid-configmap`")
            }
        };
        let config = config.map_err(|what| kubectl.failed(ProgramProblem::Unexpected(what)))?;
        let liqo = ["-n", config.namespace()];
        let networks = kubectl.require(&["networks.ipam.liqo.io"], &liqo, read)?;
        let manager = kubectl.require(&[MANAGER_RESOURCE], &liqo, read)?;
        let facts = CLUSTER_FACTS.iter().filter_map(|fact| {
            let all: BTreeSet<&str> = of_type(networks.iter(), fact.network_type).map(|it| it.1).collect();
            (!all.is_empty()).then(|| (fact.field(), Vec::from_iter(all).join(",")))
        });
        let version = manager.first().and_then(tag).and_then(minor);
        let mut live = Self {
            id: config.text("/data/CLUSTER_ID").to_owned(),
            facts: facts.collect(),
            liqo_version: version.map(|(major, minor)| format!("{major}.{minor}")),
            ..Self::default()
        };
        if with_nodes {
            // who may not read nodes or services is asked instead
            let nodes = kubectl.get(&["nodes"], &[], read).unwrap_or_default();
            let mut addresses = ["ExternalIP", "InternalIP"]
                .into_iter()
                .flat_map(|kind| nodes.iter().filter_map(move |node| address(node, kind)));
            live.node_address = addresses.next();
            let services = kubectl.get(&["services"], &["-A"], read).unwrap_or_default();
            let ports = services.iter().flat_map(|service| service.list("/spec/ports"));
            live.node_ports =
                ports.filter_map(|port| u16::try_from(port.get("nodePort")?.as_u64()?).ok()).collect();
        }
        Ok(live)
    }
}

/// What is asked for here. A cluster has thousands of Services and Nodes, with long lists of images.
fn read(path: &[&str]) -> Read {
    let is_read = match path {
        ["metadata", field, ..] => matches!(*field, "name" | "namespace" | "labels"),
        ["spec", "ports", field] => *field == "nodePort",
        ["spec", field, ..] => matches!(*field, "cidr" | "template" | "ports"),
        ["status", field, ..] => matches!(*field, "cidr" | "addresses"),
        _ => return whole(path),
    };
    if is_read { Read::Value } else { Read::Skipped }
}

fn address(node: &Object, kind: &str) -> Option<String> {
    let mut addresses = node.list("/status/addresses").iter();
    let address = addresses.find(|it| it.get("type").is_some_and(|it| it == kind))?;
    address.get("address")?.as_str().map(ToOwned::to_owned)
}
