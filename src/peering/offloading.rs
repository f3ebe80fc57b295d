//! The offloading module of one direction: the resources that the consumer asks for, and the namespaces that it offloads.

pub mod namespace;
pub mod node_selector;
pub mod resource_slice;
pub mod virtual_node;

use super::context::Context;
use super::side::Side;
use super::values::Role;
use crate::diagnostic::Code;
use crate::document::{Located, decode_all, records};
use crate::object::Manifest;
use namespace::{Namespace, NamespaceSpec};
use resource_slice::{ResourceSlice, ResourceSliceSpec};
use std::collections::BTreeMap;
use virtual_node::{VirtualNode, VirtualNodeSpec};

records! {
    /// What the consumer asks for and what it offloads.
    OffloadingSpec {
        /// What the consumer asks for; each becomes a virtual node.
        "resourceSlices" => slices: or_empty Vec<ResourceSliceSpec>;
        /// What it offloads.
        "namespaces" => namespaces: or_empty Vec<NamespaceSpec>;
        /// Custom virtual nodes, for slices with `createVirtualNode: false` or with a kubeconfig of their own.
        "virtualNodes" => virtual_nodes: or_empty Vec<Located<VirtualNodeSpec>>;
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

impl Offloading {
    /// The names of the virtual nodes, those that Liqo makes of slices and then the custom ones; and each custom one.
    pub(crate) fn nodes(&self) -> Vec<(Located<&str>, Option<&VirtualNode>)> {
        let mut nodes = Vec::new();
        for slice in &self.slices {
            if slice.written.create_virtual_node {
                nodes.push((Located::new(slice.name.as_str(), slice.name.span), None));
            }
        }
        for node in &self.virtual_nodes {
            nodes.push((Located::new(node.name.as_str(), node.name.span), Some(node)));
        }
        nodes
    }
}

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &Located<OffloadingSpec>,
    user: Role,
) -> Option<Located<Offloading>> {
    let slices = decode_all(&written.slices, |slice| {
        resource_slice::resolve(context, slice, user)
    });
    let namespaces = decode_all(&written.namespaces, |it| {
        namespace::resolve(context, it, user)
    });
    let slices = slices?;
    check_size(context, written, &slices)?;
    let nodes = decode_all(&written.virtual_nodes, |node| {
        virtual_node::resolve(context, node, &slices, user)
    });
    let offloading = Offloading {
        slices,
        namespaces: namespaces?,
        virtual_nodes: nodes?,
    };
    Some(Located::new(offloading, written.span))
}

/// The most objects of one direction. Argo CD lists all objects of an Application in its status, and etcd refuses a
/// status of about 3000 (argo-cd issue 14486).
const OBJECTS_MAX: usize = 2000;

/// The most bytes that the objects repeat of a text that is written once. A stream has up to six bytes for each, as in `\u007f`. Together
/// with the other 64 KiB of a document, that is less than the 10 MB that Argo CD reads of a folder (GHSA-jhqp-vf4w-rpwq).
const REPEATED_MAX: usize = 1 << 20;

/// Refuses a document whose stream would be too large, before any object is built.
fn check_size(
    context: &mut Context<'_, '_>,
    written: &Located<OffloadingSpec>,
    slices: &[ResourceSlice],
) -> Option<()> {
    let (namespaces, nodes) = (&written.namespaces, &written.virtual_nodes);
    let created = namespaces.iter().filter(|it| it.create).count();
    let objects = slices.len() + nodes.len() + namespaces.len() + created;
    let mut sizes = BTreeMap::new();
    for slice in slices {
        sizes.insert(&slice.name.value, slice.written.resources.size());
    }
    let mut repeated = objects * context.common.map_or(0, |it| it.size());
    for node in nodes {
        if let Some(slice) = &node.slice
            && node.hard().is_none()
        {
            repeated += sizes.get(&slice.value).copied().unwrap_or_default();
        }
    }
    if objects > OBJECTS_MAX {
        let message = format!("`offloading` has {objects} objects: the limit is {OBJECTS_MAX}");
        let help = "remove slices, virtual nodes or namespaces; `create: true` counts twice";
        return context.reject(Code::StreamTooLarge, written.span, message, help);
    }
    if repeated > REPEATED_MAX {
        let message =
            format!("{objects} objects repeat {repeated} bytes: the limit is {REPEATED_MAX}");
        let help = "shorten `commonMetadata` or the slices' `resources`";
        return context.reject(Code::StreamTooLarge, written.span, message, help);
    }
    Some(())
}

/// The objects of the side that offloads. A drained peering keeps the Namespaces: their pods return to them.
pub(super) fn manifests(side: &Side<'_>, offloading: &Offloading) -> Vec<Manifest> {
    let mut manifests = Vec::new();
    if !side.is_drained {
        manifests.extend(offloading.slices.iter().map(|it| it.manifest(side)));
        manifests.extend(offloading.virtual_nodes.iter().map(|it| it.manifest(side)));
    }
    for namespace in &offloading.namespaces {
        manifests.extend(namespace.workload_manifest(side));
    }
    if !side.is_drained {
        let namespaces = offloading.namespaces.iter();
        manifests.extend(namespaces.map(|it| it.offloading_manifest(side)));
    }
    manifests
}
