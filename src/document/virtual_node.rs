//! A `VirtualNode` of the user's own, in Liqo's and Kubernetes' words. What is written is what is emitted, so these
//! types are the templates' too.

use super::decode::{Located, record};
use super::metadata::{Extra, NodeAnnotations, NodeLabels};
use super::networking::TemplateRef;
use super::resources::Resources;
use super::scalar::{
    Bytes, LabelValue, QualifiedName, ScopeOperator, Seconds, TaintEffect, Text, Time, TolerationOperator,
    Weight,
};
use super::selector::{NodeSelector, NodeSelectorTerm};
use crate::peering::name::{ObjectName, SliceName};

record! {
    #[derive(serde::Serialize)]
    /// A virtual node for a slice that has none of its own.
    VirtualNode {
        /// The VirtualNode and its Node. Default: the slice's name.
        "name" => name: optional Located<SliceName>,
        /// The slice whose credential it uses.
        "resourceSlice" => slice: required Located<SliceName>,
        /// Whether Liqo makes a Node. Default: the template's.
        "createNode" => create_node: optional bool,
        /// Whether the Node may be ready without networking. Default: the template's.
        "disableNetworkCheck" => disable_network_check: optional bool,
        /// How its virtual kubelet runs. Default: Liqo's own.
        "vkOptionsTemplateRef" => template: optional TemplateRef,
        /// What pods may use there. Default: the slice's resources.
        "resourceQuota" => resource_quota: optional ResourceQuota,
        /// The Node's labels.
        "labels" => labels: optional Located<NodeLabels>,
        /// The Node's annotations.
        "annotations" => annotations: optional NodeAnnotations,
        /// The Node's taints.
        "taints" => taints: optional Vec<Located<Taint>>,
        /// What is changed in offloaded pods.
        "offloadingPatch" => offloading_patch: optional OffloadingPatch,
        /// The provider's storage classes.
        "storageClasses" => storage_classes: optional Vec<StorageClass>,
        /// The provider's ingress classes.
        "ingressClasses" => ingress_classes: optional Vec<IngressClass>,
        /// The provider's load balancer classes.
        "loadBalancerClasses" => load_balancer_classes: optional Vec<LoadBalancerClass>,
        /// Images that the Node says it has.
        "images" => images: optional Vec<Image>,
        /// Labels and annotations of the `VirtualNode` object.
        "metadata" => metadata: optional Extra,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// What pods may use on a virtual node.
    ResourceQuota {
        /// `cpu`, `memory`, `pods` and what else the Node has. Default: the slice's resources.
        "hard" => hard: optional Located<Resources>,
        /// Kubernetes' scopes.
        "scopes" => scopes: optional Vec<Text>,
        /// Kubernetes' scope selector.
        "scopeSelector" => scope_selector: optional ScopeSelector,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// Scopes by expression.
    ScopeSelector {
        /// All of them must hold.
        "matchExpressions" => expressions: required Vec<Located<ScopeExpression>>,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// One scope.
    ScopeExpression {
        /// For example `PriorityClass`.
        "scopeName" => scope_name: required Text,
        /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
        "operator" => operator: required ScopeOperator,
        /// With `In` and `NotIn`.
        "values" => values: optional Vec<Text>,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// A Node's taint.
    Taint {
        /// Its key.
        "key" => key: required QualifiedName,
        /// Its value.
        "value" => value: optional LabelValue,
        /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
        "effect" => effect: required TaintEffect,
        /// When it was added; Kubernetes counts tolerated seconds of `NoExecute` from then on. Default: Kubernetes writes it.
        "timeAdded" => time_added: optional Time,
    }
}

record! {
    #[derive(Default, serde::Serialize)]
    /// What Liqo changes in offloaded pods.
    OffloadingPatch {
        /// The provider's nodes they may run on.
        "nodeSelector" => node_selector: optional NodeLabels,
        /// The provider's taints they tolerate.
        "tolerations" => tolerations: optional Vec<Located<Toleration>>,
        /// The provider's nodes they prefer.
        "affinity" => affinity: optional Affinity,
        /// The provider's runtime class.
        "runtimeClassName" => runtime_class_name: optional ObjectName,
        /// Labels that stay here.
        "labelsNotReflected" => labels_not_reflected: optional Vec<Text>,
        /// Annotations that stay here.
        "annotationsNotReflected" => annotations_not_reflected: optional Vec<Text>,
    }
}

impl OffloadingPatch {
    /// The same without what says nothing, if anything is left: an empty map would be printed as nothing at all.
    #[must_use]
    pub fn said(&self) -> Option<Self> {
        let said = |names: &[Text]| !names.is_empty();
        let patch = Self {
            node_selector: self.node_selector.clone().filter(|it| !it.0.is_empty()),
            tolerations: self.tolerations.clone().filter(|it| !it.is_empty()),
            affinity: self.affinity.clone().filter(|it| it.node_affinity.says_something()),
            runtime_class_name: self.runtime_class_name.clone(),
            labels_not_reflected: self.labels_not_reflected.clone().filter(|it| said(it)),
            annotations_not_reflected: self.annotations_not_reflected.clone().filter(|it| said(it)),
        };
        (patch != Self::default()).then_some(patch)
    }
}

impl NodeAffinity {
    fn says_something(&self) -> bool {
        self.must.is_some() || self.prefer.as_ref().is_some_and(|prefer| !prefer.is_empty())
    }
}

record! {
    #[derive(serde::Serialize)]
    /// A taint that pods tolerate.
    Toleration {
        /// Its key; left out: every one.
        "key" => key: optional QualifiedName,
        /// `Exists` or `Equal`.
        "operator" => operator: optional TolerationOperator,
        /// With `Equal`.
        "value" => value: optional LabelValue,
        /// Left out: every one.
        "effect" => effect: optional TaintEffect,
        /// With `NoExecute`.
        "tolerationSeconds" => seconds: optional Seconds,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// Affinity to the provider's nodes; Liqo's patch has no other.
    Affinity {
        /// Kubernetes' node affinity.
        "nodeAffinity" => node_affinity: required NodeAffinity,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// Kubernetes' node affinity.
    NodeAffinity {
        /// Nodes that must be chosen.
        "requiredDuringSchedulingIgnoredDuringExecution" => must: optional NodeSelector,
        /// Nodes that are better.
        "preferredDuringSchedulingIgnoredDuringExecution" => prefer: optional Vec<Preference>,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// Nodes that are better, and by how much.
    Preference {
        /// 1 to 100.
        "weight" => weight: required Weight,
        /// Which ones.
        "preference" => preference: required NodeSelectorTerm,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// A storage class of the provider.
    StorageClass {
        /// Its name.
        "storageClassName" => name: required ObjectName,
        /// Whether it is used where none is named.
        "default" => default: optional bool,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// An ingress class of the provider.
    IngressClass {
        /// Its name.
        "ingressClassName" => name: required ObjectName,
        /// Whether it is used where none is named.
        "default" => default: optional bool,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// A load balancer class of the provider.
    LoadBalancerClass {
        /// Its name.
        "loadBalancerClassName" => name: required QualifiedName,
        /// Whether it is used where none is named.
        "default" => default: optional bool,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// An image that a Node has.
    Image {
        /// Its names.
        #[schemars(extend("minItems" = 1))]
        "names" => names: required Located<Vec<Text>>,
        /// Its size.
        "sizeBytes" => size: optional Bytes,
    }
}
