//! `spec.offloading`, as it is written.

use super::decode::{Decode, Located, entries, record, text, word, word_or};
use super::metadata::Extra;
use super::selector::NodeSelector;
use super::virtual_node::VirtualNode;
use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::peering::name::{Namespace, ResourceName, SliceName};
use crate::peering::offloading::{Clusters, Mapping, PodOffloading};
use crate::peering::quantity::Quantity;
use crate::yaml::{Node, Plain, Value, read_plain};

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
        "namespaceMetadata" => namespace_metadata: optional Located<Extra>,
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

/// Amounts by resource, in the order of the document.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Resources(pub Vec<(ResourceName, Quantity)>);

impl Decode for Class {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let written = text(node, "a class", problems)?;
        if crate::peering::name::is_qualified_part(written) {
            return Some(Self(written.to_owned()));
        }
        problems.push(
            Rule::new(Code::Name, format!("{} is not the name of a class", quoted(written)))
                .help("for example `default`, Liqo's own")
                .at(node.span),
        );
        None
    }
}

impl Decode for Resources {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let decoded: Vec<Option<(ResourceName, Quantity)>> = entries(node, problems)?
            .iter()
            .map(|(key, value)| {
                let name = ResourceName::decode(key, problems);
                let quantity = Quantity::decode(value, problems);
                let (name, quantity) = (name?, quantity?);
                if let ("pods", false, Value::Plain(written) | Value::Quoted(written)) =
                    (name.as_str(), quantity.is_whole(), &value.value)
                {
                    let message =
                        format!("{} is not a number of pods: they are not divided", quoted(written));
                    let rule = Rule::new(Code::Quantity, message).help("a whole number, such as `110`");
                    problems.push(rule.at(value.span));
                    return None;
                }
                Some((name, quantity))
            })
            .collect();
        decoded.into_iter().collect::<Option<_>>().map(Self)
    }
}

impl Decode for ResourceName {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        super::decode::parsed(node, "the name of a resource", problems).map(|located| located.value)
    }
}

/// A quantity may be a number: every reader of YAML then has the same one.
impl Decode for Quantity {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let written = match &node.value {
            Value::Plain(text) if matches!(read_plain(text), Plain::Integer(_) | Plain::Fraction) => text,
            _ => text(node, "a quantity", problems)?,
        };
        match written.parse() {
            Ok(quantity) => Some(quantity),
            Err(rule) => {
                let rule: Rule = rule;
                problems.push(rule.at(node.span));
                None
            }
        }
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
