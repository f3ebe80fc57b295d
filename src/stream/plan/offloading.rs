//! The offloading module of one side.

use super::Side;
use super::networking::{pairs, reference};
use super::resource::{NamespaceOffloading, Resource, ResourceSlice, Terms, VirtualNode, WorkloadNamespace};
use crate::document::scalar::{QualifiedName, Text};
use crate::document::selector::{Expression, NodeSelectorTerm};
use crate::peering::State;
use crate::peering::offloading::{self, Clusters, Mapping, Offloaded, Offloading, PodOffloading, Slice};

/// The label of a virtual node that names its provider (liqo `pkg/consts/namespace_mapping.go`).
const REMOTE_CLUSTER_ID: &str = "liqo.io/remote-cluster-id";

impl Side<'_> {
    pub(super) fn offloading(&self, offloading: &Offloading) -> Vec<Resource> {
        let created = offloading.namespaces.iter().filter(|it| it.create).map(|it| self.workload(it));
        if self.peering.state == State::Drained {
            // the namespaces stay: their pods come home
            return created.collect();
        }
        let slices = offloading.slices.iter().map(|slice| self.slice(slice));
        let nodes = offloading.virtual_nodes.iter().map(|node| self.virtual_node(node));
        let offloaded = offloading.namespaces.iter().map(|it| self.offloaded(it));
        slices.chain(nodes).chain(created).chain(offloaded).collect()
    }

    fn slice(&self, slice: &Slice) -> Resource {
        Resource::ResourceSlice(ResourceSlice {
            place: self.place(&slice.name, Some(&slice.extra)),
            class: slice.class.clone(),
            resources: pairs(&slice.resources),
            create_virtual_node: slice.create_virtual_node.to_string(),
        })
    }

    fn virtual_node(&self, node: &offloading::VirtualNode) -> Resource {
        Resource::VirtualNode(Box::new(VirtualNode {
            place: self.place(&node.name, node.written.metadata.as_ref()),
            // what Liqo calls the Secret of a slice's credential (liqo `authentication/forge/kubeconfig.go`)
            secret: format!("kubeconfig-resourceslice-{}", node.slice),
            slice: node.slice.to_string(),
            hard: pairs(&node.hard),
            template: node.template.as_ref().map(reference),
            written: node.written.clone(),
        }))
    }

    fn workload(&self, namespace: &Offloaded) -> Resource {
        // Liqo sets the label itself, but only later: until then its webhook would let pods through that can
        // never run remotely
        let active = self.peering.state == State::Active && namespace.pods != PodOffloading::Local;
        Resource::WorkloadNamespace(WorkloadNamespace {
            place: self.place_in(&namespace.name, &namespace.name, Some(&namespace.namespace_extra)),
            scheduling_enabled: active,
        })
    }

    fn offloaded(&self, namespace: &Offloaded) -> Resource {
        let terms = match &namespace.clusters {
            Clusters::All => Vec::new(),
            Clusters::Selected(selector) => selector.terms.0.clone(),
            Clusters::ThisPeer => vec![NodeSelectorTerm {
                expressions: vec![Expression {
                    key: QualifiedName(REMOTE_CLUSTER_ID.to_owned()),
                    operator: "In",
                    values: vec![Text(self.peer.id.to_string())],
                }],
                fields: Vec::new(),
            }],
        };
        let remote_name = match &namespace.mapping {
            Mapping::SelectedName(name) => Some(name.to_string()),
            Mapping::DefaultName | Mapping::EnforceSameName => None,
        };
        Resource::NamespaceOffloading(NamespaceOffloading {
            place: self.place_in(&"offloading", &namespace.name, Some(&namespace.extra)),
            terms: Terms(terms),
            pods: namespace.pods.word(),
            mapping: namespace.mapping.word(),
            remote_name,
        })
    }
}
