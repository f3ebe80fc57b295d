//! An account and its rights, for the template `account.j2`.

use super::NAMESPACE;
use crate::object::Manifest;
use crate::peering::authentication::resource_quota;
use crate::peering::cluster::Cluster;
use crate::peering::names;
use crate::stream::kinds::{is_namespace, makes_secret};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The API group of Roles and RoleBindings.
const RBAC: &str = "rbac.authorization.k8s.io";

/// A resource of the API: its group and its plural.
type Resource = (&'static str, &'static str);

/// The names of a resource's objects; `None` if a new key changes the name, so that it is not known before.
type ResourceNames<'m> = Option<BTreeSet<&'m str>>;

/// What an account does to the objects of the streams on one cluster: the Namespaces that they create, and by namespace the resources with
/// the names of their objects. Without a namespace, these are the other objects of the cluster.
pub(super) fn account(objects: &[(&Cluster, Manifest)], name: &str) -> Value {
    let mut namespaces = BTreeSet::new();
    let mut roles = BTreeMap::<Option<&str>, BTreeMap<Resource, ResourceNames<'_>>>::new();
    for (cluster, manifest) in objects {
        let (meta, live) = (manifest.meta(), manifest.kind().live);
        let resources = roles.entry(meta.namespace.as_deref()).or_default();
        if is_namespace(manifest.kind()) {
            namespaces.insert(&meta.name);
            continue;
        }
        let plural = live.resource.split('.').next().unwrap_or_default();
        let names = resources.entry((live.group(), plural));
        let names = names.or_insert_with(|| Some(BTreeSet::new()));
        if cluster.names.key_secret.is_none() && is_named_after_key(manifest) {
            *names = None;
        } else if let Some(names) = names {
            names.insert(&meta.name);
        }
    }
    let mut views = Vec::new();
    for (namespace, resources) in roles {
        let resources = resources.iter().map(|((group, plural), names)| {
            json!({
                "group": group,
                "plural": plural,
                "names": names,
                "is_binding": *group == RBAC,
                "is_hook": *plural == resource_quota::KIND.live.resource,
            })
        });
        let resources: Vec<Value> = resources.collect();
        // the name of a ClusterRole is unique in the cluster
        let role = namespace.map_or_else(|| format!("{NAMESPACE}:{name}"), |_| name.to_owned());
        views.push(json!({ "name": role, "namespace": namespace, "resources": resources }));
    }
    json!({ "name": name, "namespaces": namespaces, "roles": views })
}

/// Whether an object is the Secret of a gateway's keys, or creates it, under the name that follows from the key. A document can give such a
/// name to an object of another kind.
fn is_named_after_key(manifest: &Manifest) -> bool {
    makes_secret(manifest.kind()) && manifest.meta().name.starts_with(names::KEY_SECRET)
}
