//! The rights of an account, for the template `rbac.j2`.

use crate::object::Manifest;
use crate::peering::authentication::resource_quota;
use crate::peering::cluster::Cluster;
use crate::peering::names;
use crate::stream::kinds::{is_namespace, makes_secret};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What one account does to the objects of the streams on one cluster: by namespace, resource and name.
#[derive(Default)]
pub(super) struct Access {
    /// The Namespaces that the streams create.
    namespaces: BTreeSet<String>,
    /// The objects in each namespace, including namespaces that no stream creates; without one, those of the cluster.
    resources: BTreeMap<Option<String>, BTreeMap<Resource, ObjectNames>>,
}

/// A resource of the API: its group and its plural.
type Resource = (&'static str, &'static str);

/// The names of a resource's objects; `None` if a new key changes the name, so that it is not known before.
type ObjectNames = Option<BTreeSet<String>>;

/// The API group of Roles and RoleBindings.
const RBAC: &str = "rbac.authorization.k8s.io";

/// Whether an object is the Secret of a gateway's keys, or creates it, under the name that follows from the key. A document can give such a
/// name to an object of another kind.
fn is_named_after_key(manifest: &Manifest) -> bool {
    makes_secret(manifest.kind()) && manifest.meta().name.starts_with(names::KEY_SECRET)
}

impl Access {
    pub(super) fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    pub(super) fn all_namespaces(&self) -> impl Iterator<Item = &String> {
        let inside = self.resources.keys().flatten();
        self.namespaces.iter().chain(inside)
    }

    pub(super) fn add(&mut self, manifests: &[Manifest], cluster: &Cluster) {
        for manifest in manifests {
            let (meta, live) = (manifest.meta(), manifest.kind().live);
            let resources = self.resources.entry(meta.namespace.clone()).or_default();
            if is_namespace(manifest.kind()) {
                self.namespaces.insert(meta.name.clone());
                continue;
            }
            let plural = live.resource.split('.').next().unwrap_or_default();
            let names = resources.entry((live.group(), plural));
            let names = names.or_insert_with(|| Some(BTreeSet::new()));
            if cluster.names.key_secret.is_none() && is_named_after_key(manifest) {
                *names = None;
            } else if let Some(names) = names {
                names.insert(meta.name.clone());
            }
        }
    }

    /// The account, for the template.
    pub(super) fn view(&self, account: &str) -> Value {
        let mut roles = Vec::new();
        for (namespace, resources) in &self.resources {
            let mut rules = Vec::new();
            for ((group, plural), names) in resources {
                rules.push(json!({
                    "group": group,
                    "plural": plural,
                    "names": names,
                    "is_binding": *group == RBAC,
                    "is_hook": *plural == resource_quota::KIND.live.resource,
                }));
            }
            roles.push(json!({ "namespace": namespace, "resources": rules }));
        }
        json!({ "name": account, "namespaces": self.namespaces, "roles": roles })
    }
}
