//! What the consumer asks for, and what it offloads.

use super::name::{ClusterId, Namespace, ResourceName, SliceName};
use super::networking::Template;
use super::quantity::Quantity;
use crate::document::metadata::Extra;
use crate::document::selector::NodeSelector;
use crate::document::virtual_node::VirtualNode as Written;
use std::collections::BTreeMap;

/// The offloading module of one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offloading {
    /// Slices, each of another name.
    pub slices: Vec<Slice>,
    /// Namespaces, each named once.
    pub namespaces: Vec<Offloaded>,
    /// Virtual nodes, each of another name, and none named as a slice that makes its own.
    pub virtual_nodes: Vec<VirtualNode>,
}

/// Resources that the consumer asks the provider for; becomes a virtual node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// Also the Node's name.
    pub name: SliceName,
    /// Liqo's class.
    pub class: String,
    /// Amounts; what is left out, the provider fills in.
    pub resources: BTreeMap<ResourceName, Quantity>,
    /// Whether Liqo makes a virtual node of it.
    pub create_virtual_node: bool,
    /// Labels and annotations of the user's own.
    pub extra: Extra,
}

/// A virtual node of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VirtualNode {
    /// Also the Node's name.
    pub name: SliceName,
    /// The slice whose credential it uses.
    pub slice: SliceName,
    /// What pods may use there.
    pub hard: BTreeMap<ResourceName, Quantity>,
    /// Where its options are, if not in Liqo's own template.
    pub template: Option<Template>,
    /// Everything else, as it is written.
    pub written: Written,
}

/// A namespace whose pods may run at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offloaded {
    /// The namespace on the consumer.
    pub name: Namespace,
    /// Whether the stream makes it.
    pub create: bool,
    /// On which clusters' virtual nodes.
    pub clusters: Clusters,
    /// Which pods.
    pub pods: PodOffloading,
    /// Under which name at the provider.
    pub mapping: Mapping,
    /// Labels and annotations of the `NamespaceOffloading`.
    pub extra: Extra,
    /// Labels and annotations of the Namespace.
    pub namespace_extra: Extra,
}

impl Offloaded {
    /// The namespace at the provider (liqo `pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go`).
    #[must_use]
    pub fn remote_name(&self, consumer: &ClusterId) -> String {
        match &self.mapping {
            Mapping::DefaultName => format!("{}-{consumer}", self.name),
            Mapping::EnforceSameName => self.name.to_string(),
            Mapping::SelectedName(name) => name.to_string(),
        }
    }
}

/// On which clusters' virtual nodes pods may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clusters {
    /// On this peering's provider only.
    ThisPeer,
    /// On every provider that the consumer has.
    All,
    /// On the virtual nodes that a selector chooses.
    Selected(NodeSelector),
}

/// Which pods of a namespace are offloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PodOffloading {
    /// None.
    Local,
    /// All.
    Remote,
    /// Wherever the scheduler puts them.
    LocalAndRemote,
}

impl PodOffloading {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Local, Self::Remote, Self::LocalAndRemote];
    /// Liqo's words, in the same order.
    pub const WORDS: [&'static str; 3] = ["Local", "Remote", "LocalAndRemote"];

    /// Liqo's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Local => "Local",
            Self::Remote => "Remote",
            Self::LocalAndRemote => "LocalAndRemote",
        }
    }
}

/// Under which name a namespace exists at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mapping {
    /// `<namespace>-<consumer's cluster ID>`, at most 63 characters.
    DefaultName,
    /// The same.
    EnforceSameName,
    /// A chosen one.
    SelectedName(Namespace),
}

impl Mapping {
    /// Liqo's words.
    pub const WORDS: [&'static str; 3] = ["DefaultName", "EnforceSameName", "SelectedName"];

    /// Liqo's word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::DefaultName => "DefaultName",
            Self::EnforceSameName => "EnforceSameName",
            Self::SelectedName(_) => "SelectedName",
        }
    }
}
