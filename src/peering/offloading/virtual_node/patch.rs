//! What Liqo changes in offloaded pods.

use super::kubelet::TaintEffect;
use crate::diagnostic::{Code, Rule};
use crate::document::{records, words};
use crate::peering::offloading::node_selector::{NodeSelector, NodeSelectorTerm};
use crate::peering::values::{
    LabelValue, NodeLabels, ObjectName, QualifiedName, Seconds, Text, Weight,
};

records! {
    /// What Liqo changes in offloaded pods.
    OffloadingPatch {
        /// The provider's nodes they may run on.
        "nodeSelector" => node_selector: or_empty NodeLabels;
        /// The provider's taints they tolerate.
        "tolerations" => tolerations: or_empty Vec<Toleration>;
        /// The provider's nodes they prefer.
        "affinity" => affinity: optional Affinity;
        /// The provider's runtime class.
        "runtimeClassName" => runtime_class_name: optional ObjectName;
        /// Labels that stay here.
        "labelsNotReflected" => labels_not_reflected: or_empty Vec<Text>;
        /// Annotations that stay here.
        "annotationsNotReflected" => annotations_not_reflected: or_empty Vec<Text>;
    }

    /// A taint that pods tolerate.
    Toleration checked takes_its_fields {
        /// How the taint is compared.
        "operator" => operator: default TolerationOperator = TolerationOperator::Equal;
        /// The taint's key. Left out: every one.
        "key" => key: optional QualifiedName;
        /// The taint's value, with `Equal`.
        "value" => value: optional LabelValue;
        /// The taint's effect. Left out: every one.
        "effect" => effect: optional TaintEffect;
        /// How long, with `NoExecute`.
        "tolerationSeconds" => seconds: optional Seconds;
    }
}

words! {
    /// How a toleration compares.
    TolerationOperator {
        /// There is such a taint.
        Exists = "Exists",
        /// The taint has this value.
        Equal = "Equal",
    }
}

records! {
    /// Affinity to the provider's nodes; Liqo's patch has no other.
    Affinity {
        /// Kubernetes' node affinity.
        "nodeAffinity" => node_affinity: required NodeAffinity;
    }

    /// Kubernetes' node affinity.
    NodeAffinity {
        /// Nodes that must be chosen.
        "requiredDuringSchedulingIgnoredDuringExecution" => must: optional NodeSelector;
        /// Nodes that are better.
        "preferredDuringSchedulingIgnoredDuringExecution" => prefer: or_empty Vec<Preference>;
    }

    /// Nodes that are better, and by how much.
    Preference {
        /// How much better they are.
        "weight" => weight: required Weight;
        /// Which ones.
        "preference" => preference: required NodeSelectorTerm;
    }
}

/// The annotations in Liqo's own VkOptionsTemplate (liqo `deployments/liqo/values.yaml`, `offloading.reflection.skip`, equal from 1.0.0 to
/// 1.2.0). It lists no labels.
const LIQO: [&str; 11] = [
    "cloud.google.com/neg",
    "cloud.google.com/neg-status",
    "kubernetes.digitalocean.com/load-balancer-id",
    "ingress.kubernetes.io/backends",
    "ingress.kubernetes.io/forwarding-rule",
    "ingress.kubernetes.io/target-proxy",
    "ingress.kubernetes.io/url-map",
    "metallb.universe.tf/address-pool",
    "metallb.universe.tf/ip-allocated-from-pool",
    "metallb.universe.tf/loadBalancerIPs",
    "loadbalancer.openstack.org/load-balancer-id",
];

impl OffloadingPatch {
    /// Adds the annotations that Liqo's webhook adds when the VirtualNode is created, and never again (liqo
    /// `pkg/webhooks/virtualnode/virtualnode.go`, `Handle`; 1.2.0 was observed to add nothing to a list that has all of them). Without
    /// them, Argo CD would remove the webhook's additions for good. A list that is not written stays Liqo's.
    pub(super) fn complete(&mut self) {
        let list = &mut self.annotations_not_reflected;
        if list.is_empty() {
            return;
        }
        for own in LIQO {
            if !list.iter().any(|one| one.as_str() == own) {
                list.extend(own.parse::<Text>());
            }
        }
    }
}

/// Kubernetes' rules for a toleration (`k8s.io/kubernetes/pkg/apis/core/validation`, ValidateTolerations): otherwise the provider's API
/// server refuses each offloaded pod.
fn takes_its_fields(toleration: &Toleration) -> Result<(), Rule> {
    let exists = toleration.operator == TolerationOperator::Exists;
    let value = toleration.value.as_ref().map_or("", LabelValue::as_str);
    let is_evicting = toleration.effect == Some(TaintEffect::NoExecute);
    let (message, help) = if toleration.key.is_none() && !exists {
        (
            "a toleration without `key` needs `operator: Exists`",
            "set the taint's `key`, or `operator: Exists` for all taints",
        )
    } else if exists && !value.is_empty() {
        (
            "`Exists` takes no `value`",
            "remove it, or set `operator: Equal`",
        )
    } else if toleration.seconds.is_some() && !is_evicting {
        (
            "`tolerationSeconds` counts with `effect: NoExecute` only",
            "set that effect, or remove the seconds",
        )
    } else {
        return Ok(());
    };
    Err(Rule::new(Code::Selector, message).help(help))
}
