//! The Node that the virtual kubelet makes for a virtual node, with its own labels and taints.

use super::VirtualNodeSpec;
use crate::diagnostic::{Code, list_or, quoted};
use crate::document::{Located, records, words};
use crate::peering::context::Context;
use crate::peering::names;
use crate::peering::values::{
    ClusterId, LabelValue, NEEDED, QualifiedName, Resources, VirtualNodeName,
};
use std::collections::BTreeSet;

records! {
    /// A Node's taint.
    Taint {
        /// Its key.
        "key" => key: required QualifiedName;
        /// What it does to pods that do not tolerate it.
        "effect" => effect: required TaintEffect;
        /// Its value.
        "value" => value: optional LabelValue;
    }
}

words! {
    /// What a taint does.
    TaintEffect {
        /// Pods without a toleration are not scheduled there.
        NoSchedule = "NoSchedule",
        /// They are scheduled elsewhere if they can be.
        PreferNoSchedule = "PreferNoSchedule",
        /// They are evicted as well.
        NoExecute = "NoExecute",
    }
}

/// `hard` must have the resources that pods need: the Node has what `hard` lists and nothing else. The values that the provider's Liqo adds
/// to a slice reach only the Nodes that Liqo makes itself (liqo `pkg/virtualKubelet/liqoNodeProvider/utils.go`).
pub(super) fn check_resources(
    context: &mut Context<'_, '_>,
    written: &VirtualNodeSpec,
    name: &Located<VirtualNodeName>,
    hard: Option<&Resources>,
) {
    if written.create_node == Some(false) {
        return;
    }
    let mut missing = NEEDED.to_vec();
    missing.retain(|needed| !matches!(hard, Some(hard) if hard.has_resource(needed)));
    if missing.is_empty() {
        return;
    }
    let example: Vec<_> = missing.iter().map(|needed| amount(needed)).collect();
    let (span, place) = match written.hard() {
        Some(hard) => (hard.span, "this map"),
        None => (name.span, "`resourceQuota.hard` or the slice's `resources`"),
    };
    let missing = list_or(&missing);
    let message = format!("the virtual node `{name}` has no {missing}: it runs no pods");
    let help = format!("add to {place}, for example `{}`", example.join(", "));
    context.add(Code::MissingField, span, message, help);
}

/// An example of a resource that pods need.
fn amount(needed: &str) -> &'static str {
    match needed {
        "cpu" => "cpu: \"10\"",
        "memory" => "memory: 64Gi",
        _ => "pods: \"110\"",
    }
}

/// The labels of the document must not be those by which Liqo finds a Node, or which it overwrites. The virtual kubelet
/// sets a few more that pods may select, such as `kubernetes.io/arch`. It does not know the provider's, so the document
/// may set these (`setup.go`, `utils.go`).
pub(super) fn check_labels(
    context: &mut Context<'_, '_>,
    written: &VirtualNodeSpec,
    name: &VirtualNodeName,
    peer: &ClusterId,
) {
    let Some(labels) = &written.labels else {
        return;
    };
    let storage = (!written.storage_classes.is_empty()).to_string();
    let own = [
        (names::REMOTE_CLUSTER_ID, peer.as_str()),
        names::NODE_TYPE,
        ("kubernetes.io/hostname", name.as_str()),
        (names::STORAGE_AVAILABLE, storage.as_str()),
    ];
    for (key, value) in own {
        if let Some(other) = labels.0.get(key)
            && other != value
        {
            let other = quoted(other);
            let message = format!("the Node's label `{key}` is `{value}`, not {other}");
            let help = "remove it: Liqo sets it";
            context.add(Code::ReservedLabel, labels.span, message, help);
        }
    }
}

/// Taints must differ in key or effect, also from Liqo's own: the API server refuses two that are equal
/// (`k8s.io/kubernetes` `pkg/apis/core/validation`, validateNodeTaints).
pub(super) fn check_taints(context: &mut Context<'_, '_>, taints: &[Located<Taint>]) {
    const LIQO: (&str, TaintEffect) = (names::VIRTUAL_NODE_TAINT, TaintEffect::NoExecute);
    let mut seen = BTreeSet::new();
    for taint in taints {
        let (key, effect) = (taint.key.as_str(), taint.effect);
        if (key, effect) == LIQO {
            let message = format!("Liqo sets the taint `{key}` with effect `{effect}`");
            context.add(Code::DuplicateName, taint.span, message, "remove it");
        } else if !seen.insert((key, effect)) {
            let key = quoted(key);
            let message = format!("there are two taints {key} with effect `{effect}`");
            let help = "remove one, or change its effect";
            context.add(Code::DuplicateName, taint.span, message, help);
        }
    }
}

records! {
    /// What pods may use on a virtual node. Of Kubernetes' ResourceQuotaSpec, Liqo reads `hard` alone
    /// (`pkg/virtualKubelet/liqoNodeProvider/utils.go`).
    #[derive(Default)]
    ResourceQuota {
        /// `cpu`, `memory`, `pods` and what else the Node has. Default: the slice's resources.
        "hard" => hard: optional Located<Resources>;
    }
}
