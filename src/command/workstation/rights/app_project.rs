//! The AppProject of a role, for the template `app_project.j2`.

use crate::object::Manifest;
use crate::peering::Role;
use crate::peering::cluster::Cluster;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The objects of all Applications of one role.
#[derive(Default)]
pub(super) struct Project {
    /// Clusters, each with a namespace.
    destinations: BTreeSet<(String, String)>,
    /// The namespaces of the Applications' destinations.
    applications: BTreeSet<String>,
    /// The group, the kind and the name of each cluster-scoped object.
    of_cluster: BTreeSet<(&'static str, &'static str, String)>,
    /// The groups and kinds of the other objects.
    kinds: BTreeSet<(&'static str, &'static str)>,
}

impl Project {
    /// Whether the role has no objects, which is possible for a provider without networking and authentication.
    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.of_cluster.is_empty()
    }

    /// The namespaces that streams create, and those that their objects are in.
    pub(super) fn all_namespaces(&self) -> impl Iterator<Item = &String> {
        let created = self
            .of_cluster
            .iter()
            .filter(|(_, kind, _)| *kind == "Namespace");
        let created = created.map(|(.., name)| name);
        created.chain(self.destinations.iter().map(|(_, namespace)| namespace))
    }

    pub(super) fn add(&mut self, manifests: &[Manifest], cluster: &Cluster) {
        let tenant_namespace = cluster.tenant_namespace.to_string();
        self.applications.insert(tenant_namespace);
        for manifest in manifests {
            let (meta, live) = (manifest.meta(), manifest.kind().live);
            let (group, kind) = (live.group(), live.kind());
            if let Some(namespace) = meta.namespace.clone() {
                let argocd_cluster = cluster.argocd_cluster.to_string();
                self.destinations.insert((argocd_cluster, namespace));
                self.kinds.insert((group, kind));
            } else {
                self.of_cluster.insert((group, kind, meta.name.clone()));
            }
        }
    }

    /// The project, for the template.
    pub(super) fn view(&self, role: Role, name: &str) -> Value {
        json!({
            "role": role.word(),
            "name": name,
            "destinations": self.destinations,
            "applications": self.applications,
            "of_cluster": self.of_cluster,
            "kinds": self.kinds,
            "has_tunnel": self.kinds.iter().any(|(group, _)| *group == "networking.liqo.io"),
        })
    }
}
