//! A `clusterSelector` selects clusters by the labels of their virtual nodes. Liqo adds a namespace to a cluster for each virtual node that
//! matches, and removes it for each that does not, one after the other (liqo `namespaceoffloading-controller/clusterselector.go`,
//! `enforceClusterSelector`). With two virtual nodes of one cluster it can do both forever: the namespace there, with its pods, is created
//! and deleted again and again.

use crate::diagnostic::{Code, Problems, Rule};
use crate::document::Located;
use crate::peering::offloading::Offloading;
use crate::peering::offloading::namespace::ClusterChoice;
use crate::peering::offloading::virtual_node::VirtualNode;
use crate::peering::{Peering, Role, names};
use std::cell::LazyCell;
use std::collections::BTreeMap;

/// The labels of a Node.
type NodeLabels<'p> = BTreeMap<&'p str, &'p str>;

pub(super) fn check_selectors(peering: &Peering, user: Role, problems: &mut Problems) {
    let Some(offloading) = peering.offloading(user) else {
        return;
    };
    let peer = peering.clusters[user.peer()].id.as_str();
    // most documents have no selector
    let nodes = LazyCell::new(|| node_labels(offloading, peer));
    for namespace in &offloading.namespaces {
        let clusters = &namespace.written.clusters;
        let ClusterChoice::Selected(selector) = &clusters.value else {
            continue;
        };
        let (mut chosen, mut left) = (None, None);
        for (name, labels) in nodes.iter() {
            if selector.selects(name.value, labels) {
                chosen.get_or_insert(name);
            } else {
                left.get_or_insert(name);
            }
        }
        if let (Some(chosen), Some(left)) = (chosen, left) {
            let message =
                format!("the selector matches the virtual node `{chosen}`, but not `{left}`");
            let help = "write `clusters: thisPeer`; `nodeSelector` or `taints` choose a pod's node";
            let rule = Rule::new(Code::Selector, message).help(help);
            let problem = rule
                .mark(clusters.span)
                .label("Liqo would create and delete the namespace again and again");
            problems.push(problem.also(left.span, format!("`{left}` is named here")));
        }
    }
}

/// The other cluster's virtual nodes, each with its labels as far as the document has them. Labels from Helm values or from a provider are
/// assumed to be absent.
fn node_labels<'p>(
    offloading: &'p Offloading,
    peer: &'p str,
) -> Vec<(Located<&'p str>, NodeLabels<'p>)> {
    let mut nodes = Vec::new();
    for (name, custom) in offloading.nodes() {
        let labels = match custom {
            None => labels_of_node(name.value, peer),
            Some(node) => labels_of_custom(node, peer),
        };
        nodes.push((name, labels));
    }
    nodes
}

/// The labels that a virtual kubelet sets (liqo `pkg/virtualKubelet/liqoNodeProvider/setup.go`, `node`).
fn labels_of_node<'p>(name: &'p str, peer: &'p str) -> NodeLabels<'p> {
    BTreeMap::from([
        ("kubernetes.io/hostname", name),
        ("kubernetes.io/role", "agent"),
        ("kubernetes.io/os", "linux"),
        ("kubernetes.io/arch", "amd64"),
        names::NODE_TYPE,
        (names::REMOTE_CLUSTER_ID, peer),
        (
            "node.kubernetes.io/exclude-from-external-load-balancers",
            "true",
        ),
        (
            "alpha.service-controller.kubernetes.io/exclude-balancer",
            "true",
        ),
    ])
}

/// The labels of a VirtualNode in the document (`utils.go`, `desiredVirtualNodeMetadata`). Without a Node, they are those that Liqo's
/// selector uses (liqo `pkg/utils/virtualnode/virtualnode.go`, `GetLabelSelectors`, where the storage label has the opposite value).
fn labels_of_custom<'p>(node: &'p VirtualNode, peer: &'p str) -> NodeLabels<'p> {
    let has_node = node.written.create_node != Some(false);
    let mut labels = if has_node {
        labels_of_node(node.name.as_str(), peer)
    } else {
        BTreeMap::from([(names::REMOTE_CLUSTER_ID, peer)])
    };
    if let Some(written) = &node.written.labels {
        for (key, value) in &written.0 {
            labels.insert(key.as_str(), value.as_str());
        }
    }
    let storage = node.written.storage_classes.is_empty() != has_node;
    labels.insert(
        names::STORAGE_AVAILABLE,
        if storage { "true" } else { "false" },
    );
    labels
}
