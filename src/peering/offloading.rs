//! What the consumer asks for, and what it offloads.

use super::name::{Namespace, ResourceName, SliceName};
use super::quantity::Quantity;
use std::collections::BTreeMap;

/// The offloading module of one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offloading {
    /// Slices, each of another name.
    pub slices: Vec<Slice>,
    /// Namespaces, each named once.
    pub namespaces: Vec<Offloaded>,
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
}

/// On which clusters' virtual nodes pods may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clusters {
    /// On this peering's provider only.
    ThisPeer,
    /// On every provider that the consumer has.
    All,
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
