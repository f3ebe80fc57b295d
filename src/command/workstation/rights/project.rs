//! The AppProject of a role, for the template `project.j2`.

use crate::object::Manifest;
use crate::peering::Role;
use crate::peering::cluster::Cluster;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What the Applications of a role need: the clusters with a namespace, the namespaces of their destinations, the cluster-scoped objects, and
/// the kinds of the other ones.
pub(super) fn project(objects: &[(&Cluster, Manifest)], role: Role, name: &str) -> Value {
    let (mut destinations, mut applications) = (BTreeSet::new(), BTreeSet::new());
    let (mut of_cluster, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for (cluster, manifest) in objects {
        let (meta, live) = (manifest.meta(), manifest.kind().live);
        let (group, kind) = (live.group(), live.kind());
        applications.insert(cluster.tenant_namespace.as_str());
        if let Some(namespace) = &meta.namespace {
            destinations.insert((cluster.argocd_cluster.as_str(), namespace));
            kinds.insert((group, kind));
        } else {
            of_cluster.insert((group, kind, &meta.name));
        }
    }
    json!({
        "role": role.word(),
        "name": name,
        "destinations": destinations,
        "applications": applications,
        "of_cluster": of_cluster,
        "kinds": kinds,
        "has_tunnel": kinds.iter().any(|(group, _)| *group == "networking.liqo.io"),
    })
}
