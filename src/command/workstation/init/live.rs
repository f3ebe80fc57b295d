//! What a live cluster says of itself: its ID, its networks, its Liqo, and where it can be reached.

use super::super::kubectl::Kubectl;
use crate::command::Streams;
use crate::command::error::{Error, ProgramProblem};
use serde_json::Value;
use std::collections::BTreeSet;

/// A cluster with Liqo. What it does not say is empty.
#[derive(Debug, Default)]
pub(super) struct Live {
    pub(super) id: String,
    pub(super) pod_cidrs: Vec<String>,
    pub(super) external_cidr: Option<String>,
    /// Major and minor.
    pub(super) liqo_version: Option<String>,
    /// The address of a node, an external one before an internal one.
    pub(super) node_address: Option<String>,
    /// The node ports that are in use.
    pub(super) node_ports: BTreeSet<u16>,
}

impl Live {
    /// Reads a cluster. `with_nodes` is for the one whose gateway listens.
    pub(super) fn read(context: &str, with_nodes: bool, streams: &mut Streams<'_>) -> Result<Self, Error> {
        let kubectl = Kubectl::new(context)?;
        let mut get = |arguments: &[&str]| kubectl.json::<Value>(arguments, streams);
        // (liqo `deployments/liqo/templates/liqo-clusterid-configmap.yaml`, in the namespace that Liqo is installed in)
        let named =
            ["configmaps", "--all-namespaces", "--field-selector=metadata.name=liqo-clusterid-configmap"];
        let found = get(&named).map_err(|problem| kubectl.failed(problem))?;
        let config = match items(&found) {
            [config] => Ok(config),
            [] => Err("a cluster with Liqo: no ConfigMap `liqo-clusterid-configmap`"),
            // whoever has a namespace can make a second one
            _ => {
                Err("a cluster with one Liqo: several namespaces have a ConfigMap `liqo-clusterid-configmap`")
            }
        };
        let config = config.map_err(|what| kubectl.failed(ProgramProblem::Unexpected(what)))?;
        let (id, namespace) = (text(config, "/data/CLUSTER_ID"), text(config, "/metadata/namespace"));
        let failed = |problem| kubectl.failed(problem);
        let networks = get(&["networks.ipam.liqo.io", "-n", namespace]).map_err(failed)?;
        let manager = get(&["deployment", "liqo-controller-manager", "-n", namespace]).map_err(failed)?;
        let mut live = Self {
            id: id.to_owned(),
            pod_cidrs: cidrs(&networks, "pod-cidr"),
            external_cidr: cidrs(&networks, "external-cidr").pop(),
            liqo_version: version(text(&manager, "/spec/template/spec/containers/0/image")),
            ..Self::default()
        };
        if with_nodes {
            // who may not read nodes or services is asked instead
            let nodes = get(&["nodes"]).unwrap_or_default();
            live.node_address =
                ["ExternalIP", "InternalIP"].into_iter().find_map(|kind| address(&nodes, kind));
            let services = get(&["services", "--all-namespaces"]).unwrap_or_default();
            let ports = items(&services).iter().flat_map(|service| list(service, "/spec/ports"));
            live.node_ports =
                ports.filter_map(|port| u16::try_from(port.get("nodePort")?.as_u64()?).ok()).collect();
        }
        Ok(live)
    }
}

/// Liqo's own networks of a type. Of an external network the status counts, since it can be remapped; their names differ with
/// Helm's `ipam.podCIDRs`, the label does not (liqo `deployments/liqo/templates/liqo-ipam-networks.yaml`).
fn cidrs(networks: &Value, kind: &str) -> Vec<String> {
    let is_of_kind = |network: &&Value| {
        let label = network.pointer("/metadata/labels/ipam.liqo.io~1network-type").and_then(Value::as_str);
        label == Some(kind) || text(network, "/metadata/name") == kind
    };
    let networks = items(networks).iter().filter(is_of_kind);
    let mut cidrs: Vec<_> = networks.map(|network| text(network, "/status/cidr").to_owned()).collect();
    cidrs.retain(|cidr| !cidr.is_empty());
    cidrs.sort();
    cidrs
}

/// Major and minor of an image's tag, such as `v1.2.0`.
fn version(image: &str) -> Option<String> {
    let tag = image.split('@').next()?.rsplit('/').next()?.split_once(':')?.1;
    let mut parts = tag.trim_start_matches('v').split('.');
    Some(format!("{}.{}", parts.next()?, parts.next()?))
}

fn address(nodes: &Value, kind: &str) -> Option<String> {
    let addresses = items(nodes).iter().flat_map(|node| list(node, "/status/addresses"));
    let mut of_kind = addresses.filter(|address| text(address, "/type") == kind);
    of_kind.next().map(|address| text(address, "/address").to_owned())
}

fn items(value: &Value) -> &[Value] {
    list(value, "/items")
}

fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
