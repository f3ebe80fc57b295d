//! The VirtualNode in a cluster.

use super::VirtualNodeSpec;
use crate::diagnostic::quoted;
use crate::object::live::Impact::{Attention, Data, Harmless};
use crate::object::live::{
    Awaited, Check, Effect, Fields, Finding, LiveHalf, Object, effect, error, warning,
};
use crate::peering::names;
use crate::peering::read_back::extra;
use serde_json::Value;

pub(crate) static LIVE: LiveHalf = LiveHalf {
    effects: &[EFFECTS],
    status,
    theirs: &["spec.template"],
    ..LiveHalf::new(&["VirtualNode"], "virtualnodes.offloading.liqo.io")
};

/// With the last slice or virtual node of a provider.
pub(in crate::peering) const NODE_GOES: &str = "The virtual node is drained and deleted, and its pods are evicted. With the last one of a provider, the namespaces there go too, volumes included.";

const KUBELET_POD: &str =
    "minutes are normal; then look at the virtual kubelet's pod in the tenant namespace";

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // pkg/virtualKubelet/liqoNodeProvider/utils.go:135-193
    effect(&["spec.labels"], Harmless, "The Node's labels change. Where a `clusterSelector` does not match them any more, the namespace at the provider goes with all that is in it."),
    effect(&["spec.taints"], Harmless, "The Node's taints change; `NoExecute` evicts pods that do not tolerate it."),
    effect(&["spec.resourceQuota"], Harmless, "The size of the virtual node changes; running pods stay."),
    effect(&["spec.annotations", "spec.images"], Harmless, "The Node shows the new ones; running pods stay."),
    // LCM/offloading/virtualnode-controller/virtualnode_controller.go, EnsureNodeAbsence
    effect(&["spec.createNode=false"], Data, "Liqo drains and deletes the Node, and its pods are evicted. The VirtualNode stays."),
    // LCM/offloading/virtualnode-controller/virtualkubelet.go:103-120, pkg/webhooks/virtualnode/mutate.go, pkg/vkMachinery/forge
    effect(&["spec.createNode", "spec.disableNetworkCheck", "spec.vkOptionsTemplateRef", "spec.kubeconfigSecretRef", "spec.offloadingPatch", "spec.storageClasses", "spec.ingressClasses", "spec.loadBalancerClasses"], Harmless, "The virtual kubelet restarts with it; running pods stay."),
    effect(&["spec.clusterID"], Attention, "The virtual node is for another provider: delete it, and Argo CD creates it anew."),
    effect(&["metadata.labels[liqo.io/resourceslice-name]"], Attention, "The virtual node uses another slice: delete it, and Argo CD creates it anew."),
    effect(&["+"], Harmless, "A virtual kubelet starts, and its Node appears."),
    // LCM/offloading/virtualnode-controller/deletion-routine.go
    effect(&["-"], Data, NODE_GOES),
];

/// The virtual node, as a document has it: with the credential of one of these slices, or of a Secret.
pub(crate) fn read_back(node: &Object, slices: &[&str]) -> Fields {
    let secret = node.text("/spec/kubeconfigSecretRef/name");
    let slice = node.label(names::SLICE_NAME);
    let slice = slice.or_else(|| secret.strip_prefix(&names::slice_kubeconfig("")));
    let slice = slice.filter(|slice| slices.contains(slice));
    let fields = match slice {
        Some(slice) => {
            Fields::default().unusual("name", Some(node.name()), slice).with("resourceSlice", slice)
        }
        None => Fields::default()
            .with("name", node.name())
            .with("kubeconfigSecretRef", Fields::default().with("name", secret)),
    };
    fields.read_back::<VirtualNodeSpec>(node.at("/spec"), &[]).with("metadata", extra(Some(node)))
}

/// (liqo `apis/offloading/v1beta1/virtualnode_types.go`, VirtualNodeCondition; the Node's name is the same)
fn status(object: &Object, awaited: &Awaited<'_>) -> Vec<Finding> {
    // without a Node its condition is `None`
    let mut findings: Vec<_> = object.conditions("/status/conditions").filter_map(waiting).collect();
    let has_node = object.at("/spec/createNode") != Some(&Value::Bool(false));
    if has_node && Awaited::lacks(awaited.nodes.as_ref(), object.name()) {
        findings.push(error(Check::VirtualNode, "it has no Node", KUBELET_POD));
    }
    findings
}

/// A condition that does not hold yet.
fn waiting((name, status, why): (&str, &str, String)) -> Option<Finding> {
    let message = format!("{} is {}{why}", quoted(name), quoted(status));
    (!matches!(status, "Running" | "None")).then(|| warning(Check::VirtualNode, message, KUBELET_POD))
}
