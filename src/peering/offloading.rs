//! The offloading module of one direction: what the consumer asks for, and what it offloads.

pub mod namespace;
pub mod node_selector;
pub mod resource_slice;
pub mod virtual_node;

use super::resolve::Context;
use super::side::Side;
use super::values::Role;
use crate::document::{Located, each, records};
use crate::object::Manifest;
use namespace::{Namespace, NamespaceSpec};
use resource_slice::{ResourceSlice, ResourceSliceSpec};
use virtual_node::{VirtualNode, VirtualNodeSpec};

records! {
    /// What the consumer asks for and what it offloads.
    OffloadingSpec {
        /// What the consumer asks for; each becomes a virtual node.
        "resourceSlices" => slices: or_empty Vec<ResourceSliceSpec>;
        /// What it offloads.
        "namespaces" => namespaces: or_empty Vec<NamespaceSpec>;
        /// Custom virtual nodes, for slices with `createVirtualNode: false`.
        "virtualNodes" => virtual_nodes: or_empty Vec<VirtualNodeSpec>;
    }
}

/// The offloading module of one direction, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offloading {
    /// What the consumer asks for.
    pub slices: Vec<ResourceSlice>,
    /// What it offloads.
    pub namespaces: Vec<Namespace>,
    /// Custom virtual nodes.
    pub virtual_nodes: Vec<VirtualNode>,
}

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &Located<OffloadingSpec>,
    user: Role,
) -> Option<Located<Offloading>> {
    let slices = each(&written.slices, |slice| resource_slice::resolve(context, slice, user));
    let namespaces = each(&written.namespaces, |it| namespace::resolve(context, it, user));
    let slices = slices?;
    let nodes = each(&written.virtual_nodes, |node| virtual_node::resolve(context, node, &slices, user));
    let offloading = Offloading { slices, namespaces: namespaces?, virtual_nodes: nodes? };
    Some(Located::new(offloading, written.span))
}

/// The objects of the side that offloads. A drained peering keeps the Namespaces: their pods come home.
pub(super) fn manifests(side: &Side<'_>, offloading: &Offloading) -> Vec<Manifest> {
    let created = offloading.namespaces.iter().filter_map(|it| it.workload_manifest(side));
    if side.is_drained() {
        return created.collect();
    }
    let slices = offloading.slices.iter().map(|slice| slice.manifest(side));
    let nodes = offloading.virtual_nodes.iter().map(|node| node.manifest(side));
    let offloaded = offloading.namespaces.iter().map(|it| it.offloading_manifest(side));
    slices.chain(nodes).chain(created).chain(offloaded).collect()
}
