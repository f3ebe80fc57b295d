//! A `VirtualNode` of the user's own, in Liqo's and Kubernetes' words. What is written is what is emitted, so these
//! types are the templates' too.

use super::decode::{Decode, Located, integer, record, text, word};
use super::metadata::{Extra, NodeAnnotations, NodeLabels, label_value, plain_text, qualified};
use super::networking::TemplateRef;
use super::offloading::Resources;
use super::selector::{NodeSelector, NodeSelectorTerm};
use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::name::{ObjectName, SliceName};
use crate::yaml::Node;

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
        "labels" => labels: optional NodeLabels,
        /// The Node's annotations.
        "annotations" => annotations: optional NodeAnnotations,
        /// The Node's taints.
        "taints" => taints: optional Vec<Taint>,
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
        /// Default: the slice's resources.
        "hard" => hard: optional Resources,
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
    }
}

record! {
    #[derive(serde::Serialize)]
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
        "names" => names: required Vec<Text>,
        /// Its size.
        "sizeBytes" => size: optional Bytes,
    }
}

/// Declares a word of Kubernetes', kept as it is.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $($word:literal)|+;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
        pub struct $name(pub &'static str);

        impl Decode for $name {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                const WORDS: &[&str] = &[$($word),+];
                let index = word(node, WORDS, problems)?.value;
                WORDS.get(index).copied().map(Self)
            }
        })*
    };
}

words! {
    /// What a taint does.
    TaintEffect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
    /// How a toleration compares.
    TolerationOperator: "Exists" | "Equal";
    /// How a scope compares.
    ScopeOperator: "In" | "NotIn" | "Exists" | "DoesNotExist";
}

/// Declares a string with a rule.
macro_rules! strings {
    ($($(#[$doc:meta])* $name:ident($takes:literal): $check:expr;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
        pub struct $name(pub String);

        impl Decode for $name {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                let written = text(node, $takes, problems)?;
                let check: fn(&str) -> Result<(), Rule> = $check;
                match check(written) {
                    Ok(()) => Some(Self(written.to_owned())),
                    Err(rule) => {
                        problems.push(rule.at(node.span));
                        None
                    }
                }
            }
        })*
    };
}

strings! {
    /// A text of 1 to 1024 bytes.
    Text("a string"): plain_text;
    /// A key: `[domain/]name`.
    QualifiedName("a key"): qualified;
    /// A label's or taint's value.
    LabelValue("a value"): label_value;
}

/// Declares an integer with a range.
macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident($range:expr): $what:literal;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
        pub struct $name(pub i64);

        impl Decode for $name {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                let number = integer(node, problems)?;
                let range: std::ops::RangeInclusive<i64> = $range;
                if range.contains(&number) {
                    return Some(Self(number));
                }
                let message = format!("`{number}` is not {}: {} to {}", $what, range.start(), range.end());
                problems.push(Rule::new(Code::Quantity, message).at(node.span));
                None
            }
        })*
    };
}

integers! {
    /// How much a preference counts.
    Weight(1..=100): "a weight";
    /// A time.
    Seconds(0..=i64::MAX): "a time in seconds";
    /// A size.
    Bytes(0..=i64::MAX): "a size in bytes";
}
