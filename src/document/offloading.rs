//! `spec.offloading`, as it is written.

use super::decode::{Decode, Located, record, text, word, word_or};
use super::metadata::{Extra, WorkloadExtra};
use super::resources::Resources;
use super::selector::NodeSelector;
use super::virtual_node::VirtualNode;
use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::input::yaml::{Node, Value};
use crate::peering::name::{Namespace, SliceName};
use crate::peering::offloading::{Clusters, Mapping, PodOffloading};

record! {
    /// What the consumer asks for and what it offloads.
    Offloading {
        /// What the consumer asks for; each becomes a virtual node.
        "resourceSlices" => slices: optional Vec<ResourceSlice>,
        /// What it offloads.
        "namespaces" => namespaces: optional Vec<OffloadedNamespace>,
        /// Virtual nodes of your own, for slices with `createVirtualNode: false`.
        "virtualNodes" => virtual_nodes: optional Vec<VirtualNode>,
    }
}

record! {
    /// Resources that the consumer asks the provider for.
    ResourceSlice {
        /// The slice, its virtual node and its Node. Default: the provider's cluster ID.
        "name" => name: optional Located<SliceName>,
        /// Default: `default`.
        #[schemars(extend("default" = "default"))]
        "class" => class: optional Class,
        /// What is left out, the provider's Liqo fills in.
        "resources" => resources: optional Resources,
        /// Whether Liqo makes a virtual node of it. Default: true.
        #[schemars(extend("default" = true))]
        "createVirtualNode" => create_virtual_node: optional bool,
        /// Labels and annotations of the `ResourceSlice`.
        "metadata" => metadata: optional Extra,
    }
}

record! {
    /// A namespace whose pods may run at the provider.
    OffloadedNamespace {
        /// The namespace on the consumer.
        "name" => name: required Located<Namespace>,
        /// Whether the stream also makes the Namespace. Default: false.
        #[schemars(extend("default" = false))]
        "create" => create: optional bool,
        /// On which clusters' virtual nodes the pods may run.
        "clusters" => clusters: required Clusters,
        /// Default: `LocalAndRemote`.
        #[schemars(extend("default" = "LocalAndRemote"))]
        "podOffloadingStrategy" => pod_offloading: optional PodOffloading,
        /// Default: `DefaultName`.
        #[schemars(extend("default" = "DefaultName"))]
        "namespaceMappingStrategy" => mapping: optional Located<MappingWord>,
        /// With `SelectedName`.
        "remoteNamespaceName" => remote_name: optional Located<Namespace>,
        /// Labels and annotations of the `NamespaceOffloading`.
        "metadata" => metadata: optional Extra,
        /// Labels and annotations of the Namespace, with `create`.
        "namespaceMetadata" => namespace_metadata: optional Located<WorkloadExtra>,
    }
}

record! {
    /// Clusters by the labels of their virtual nodes.
    ClusterSelector {
        /// Kubernetes' node selector.
        "clusterSelector" => selector: required NodeSelector,
    }
}

/// The word of a [`Mapping`], before the remote name is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MappingWord {
    /// `DefaultName`
    DefaultName,
    /// `EnforceSameName`
    EnforceSameName,
    /// `SelectedName`
    SelectedName,
}

/// A slice's class: a label's value in Liqo's own code, free text in its CRD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class(pub String);

impl Decode for Class {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let written = text(node, "a class", problems)?;
        if crate::peering::name::is_qualified_part(written) {
            return Some(Self(written.to_owned()));
        }
        problems.push(
            Rule::new(Code::InvalidName, format!("{} is not the name of a class", quoted(written)))
                .help("for example `default`, Liqo's own")
                .at(node.span),
        );
        None
    }
}

impl Decode for Clusters {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        if matches!(node.value, Value::Map(_)) {
            return ClusterSelector::decode(node, problems).map(|it| Self::Selected(it.selector));
        }
        let takes = "`thisPeer`, `all` or a map with a `clusterSelector`";
        Some(match word_or(node, &["thisPeer", "all"], takes, problems)?.value {
            0 => Self::ThisPeer,
            _ => Self::All,
        })
    }
}

impl Decode for PodOffloading {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let index = word(node, &Self::WORDS, problems)?.value;
        Self::ALL.get(index).copied()
    }
}

impl Decode for MappingWord {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(match word(node, &Mapping::WORDS, problems)?.value {
            0 => Self::DefaultName,
            1 => Self::EnforceSameName,
            _ => Self::SelectedName,
        })
    }
}
