//! A `clusterSelector` selects clusters by the labels of their virtual nodes. Liqo adds a namespace to a cluster for each virtual node that
//! matches, and removes it for each that does not, one after the other (liqo `namespaceoffloading-controller/clusterselector.go`,
//! `enforceClusterSelector`). With two virtual nodes of one cluster it can do both forever: the namespace there, with its pods, is created
//! and deleted again and again.

use crate::diagnostic::{Code, Problems, Rule};
use crate::document::Located;
use crate::peering::offloading::Offloading;
use crate::peering::offloading::namespace::Clusters;
use crate::peering::offloading::virtual_node::VirtualNode;
use crate::peering::values::VirtualNodeName;
use crate::peering::{Peering, Role, names};
use std::collections::BTreeMap;

pub(super) fn check_selectors(peering: &Peering, problems: &mut Problems) {
    for user in Role::BOTH {
        let Some(offloading) = peering.offloading(user) else {
            continue;
        };
        if !offloading
            .namespaces
            .iter()
            .any(|it| matches!(*it.written.clusters, Clusters::Selected(_)))
        {
            continue;
        }
        let nodes = nodes(offloading, peering.clusters[user.peer()].id.as_str());
        for namespace in &offloading.namespaces {
            let clusters = &namespace.written.clusters;
            let Clusters::Selected(selector) = &clusters.value else {
                continue;
            };
            let (chosen, left): (Vec<_>, Vec<_>) = nodes
                .iter()
                .partition(|(name, labels)| selector.selects(name.as_str(), labels));
            if let (Some((chosen, _)), Some((left, _))) = (chosen.first(), left.first()) {
                let message = format!(
                    "the selector matches the virtual node `{}` and not `{}` of the same cluster",
                    chosen.value, left.value
                );
                let rule = Rule::new(Code::Selector, message).help(
                    "write `clusters: thisPeer`, or a selector that matches all of the cluster's virtual nodes or \
                     none; which of them a pod runs on is for its `nodeSelector`, or for `taints`",
                );
                let problem = rule.mark(clusters.span).label(
                    "Liqo would make and delete the namespace there for ever: it offloads to clusters, not to nodes",
                );
                problems
                    .push(problem.also(left.span, format!("`{}` gets its name here", left.value)));
            }
        }
    }
}

/// The virtual nodes of the other cluster, with the labels of their Nodes as far as the document has them. Labels from
/// Helm values or from a provider are assumed to be absent.
fn nodes<'p>(
    offloading: &'p Offloading,
    peer: &'p str,
) -> Vec<(Located<VirtualNodeName>, BTreeMap<&'p str, &'p str>)> {
    let liqo = offloading
        .slices
        .iter()
        .filter(|slice| slice.written.create_virtual_node);
    let liqo = liqo.map(|slice| {
        (
            slice.name.clone().map(Into::into),
            of_node(slice.name.as_str(), peer),
        )
    });
    let custom = offloading
        .virtual_nodes
        .iter()
        .map(|node| (node.name.clone(), of_custom(node, peer)));
    liqo.chain(custom).collect()
}

/// The labels that a virtual kubelet sets (liqo `pkg/virtualKubelet/liqoNodeProvider/setup.go`, `node`).
fn of_node<'p>(name: &'p str, peer: &'p str) -> BTreeMap<&'p str, &'p str> {
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
fn of_custom<'p>(node: &'p VirtualNode, peer: &'p str) -> BTreeMap<&'p str, &'p str> {
    let has_node = node.written.create_node != Some(false);
    let mut labels = if has_node {
        of_node(node.name.as_str(), peer)
    } else {
        BTreeMap::from([(names::REMOTE_CLUSTER_ID, peer)])
    };
    let written = node.written.labels.iter().flat_map(|labels| &labels.0);
    labels.extend(written.map(|(key, value)| (key.as_str(), value.as_str())));
    let storage = node.written.storage_classes.is_empty() != has_node;
    labels.insert(
        names::STORAGE_AVAILABLE,
        if storage { "true" } else { "false" },
    );
    labels
}
