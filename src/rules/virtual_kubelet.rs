//! What the virtual kubelet makes of a virtual node: the Node, with labels and taints of its own.

use super::Context;
use crate::diagnostic::{Code, Span, one_of, quoted};
use crate::document::decode::Located;
use crate::document::resources::NEEDED;
use crate::document::virtual_node::{Taint, VirtualNode as Written};
use crate::peering::name::{ClusterId, ResourceName, SliceName};
use crate::peering::quantity::Quantity;
use std::collections::{BTreeMap, BTreeSet};

/// A Node has what `hard` says and nothing else: what the provider's Liqo fills in where a slice says nothing is
/// known to the Nodes only that Liqo makes itself (liqo `pkg/virtualKubelet/liqoNodeProvider/utils.go`).
pub(super) fn has_what_pods_need(
    context: &mut Context<'_>,
    written: &Written,
    name: (&SliceName, Span),
    hard: &BTreeMap<ResourceName, Quantity>,
) {
    if written.create_node == Some(false) {
        return;
    }
    let missing: Vec<&str> =
        NEEDED.into_iter().filter(|needed| !hard.keys().any(|it| it.as_str() == *needed)).collect();
    let [first, ..] = missing.as_slice() else { return };
    let example = match *first {
        "cpu" => "cpu: \"10\"",
        "memory" => "memory: 64Gi",
        _ => "pods: \"110\"",
    };
    let said = written.resource_quota.as_ref().and_then(|quota| quota.hard.as_ref());
    let (span, place) = match said {
        Some(hard) => (hard.span, "here"),
        None => (name.1, "in `resourceQuota.hard`, or at the slice, whose resources are the default"),
    };
    let message =
        format!("the virtual node `{}` has no {}, so its Node takes no pod", name.0, one_of(&missing));
    let help = format!(
        "say how much, such as `{example}`, {place}; or say `createNode: false`, if there is to be no Node"
    );
    context.push(Code::MissingResources, span, message, &help);
}

/// The labels that Liqo finds a Node by or writes over. The virtual kubelet sets a few more that pods may be selected
/// by, such as `kubernetes.io/arch`: it does not know the provider's, so they can be said (`setup.go`, `utils.go`).
pub(super) fn keeps_its_labels(
    context: &mut Context<'_>,
    written: &Written,
    name: &SliceName,
    peer: &ClusterId,
) {
    let Some(labels) = &written.labels else { return };
    let storage = written.storage_classes.as_ref().is_some_and(|classes| !classes.is_empty()).to_string();
    let own = [
        ("liqo.io/remote-cluster-id", peer.as_str()),
        ("liqo.io/type", "virtual-node"),
        ("kubernetes.io/hostname", name.as_str()),
        ("storage.liqo.io/available", storage.as_str()),
    ];
    for (key, value) in own {
        if let Some(other) = labels.value.0.get(key).filter(|other| *other != value) {
            let message = format!("the Node's label `{key}` is `{value}`, not {}", quoted(other));
            let help = "remove it: the virtual kubelet sets it, and Liqo finds the Node by such labels";
            context.push(Code::NodeLabel, labels.span, message, help);
        }
    }
}

/// The API server takes one taint of a key and an effect (`k8s.io/kubernetes` `pkg/apis/core/validation`,
/// validateNodeTaints), and one is Liqo's.
pub(super) fn taints_differ(context: &mut Context<'_>, taints: &[Located<Taint>]) {
    const LIQO: (&str, &str) = ("virtual-node.liqo.io/not-allowed", "NoExecute");
    let mut seen = BTreeSet::new();
    for taint in taints {
        let (key, effect) = (taint.value.key.0.as_str(), taint.value.effect.0);
        if (key, effect) == LIQO {
            let message = format!("Liqo itself puts the taint `{key}` with `{effect}` on the Node");
            context.push(Code::DuplicateTaint, taint.span, message, "remove it");
        } else if !seen.insert((key, effect)) {
            let message = format!("there are two taints {} with `{effect}`", quoted(key));
            let help = "Kubernetes takes one of a key and an effect: remove one, or give it another effect";
            context.push(Code::DuplicateTaint, taint.span, message, help);
        }
    }
}
