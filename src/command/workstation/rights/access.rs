//! What is done to the objects of streams: by namespace, by resource, by name.

use crate::object::Manifest;
use crate::peering::cluster::Cluster;
use crate::peering::names;
use crate::stream::Plan;
use crate::stream::kinds::{is_namespace, makes_secret};
use std::collections::{BTreeMap, BTreeSet};

/// What one account does on one cluster.
#[derive(Default)]
pub(super) struct Access {
    /// The Namespaces that streams have.
    pub(super) namespaces: BTreeSet<String>,
    /// What else they have that is in no namespace.
    pub(super) of_cluster: BTreeMap<Resource, Names>,
    /// What is in each namespace, also in one that no stream has.
    pub(super) inside: BTreeMap<String, BTreeMap<Resource, Names>>,
}

/// A resource of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Resource {
    pub(super) group: &'static str,
    pub(super) plural: &'static str,
}

/// The names of a resource's objects.
#[derive(Default)]
pub(super) struct Names {
    known: BTreeSet<String>,
    /// A new key has a new name, which no one knows before.
    is_open: bool,
}

impl Names {
    /// Unless an object's name is not known before it exists.
    pub(super) fn all(&self) -> Option<&BTreeSet<String>> {
        (!self.is_open).then_some(&self.known)
    }
}

impl Resource {
    fn of(manifest: &Manifest) -> Self {
        let live = manifest.kind().live;
        let plural = live.resource.split_once('.').map_or(live.resource, |(plural, _)| plural);
        Self { group: live.group(), plural }
    }

    /// The verbs that can be limited to names. Argo CD's dry run reads an object, also one that is applied by the server; and
    /// `kubectl auth reconcile`, which comes before the apply of an object of RBAC, updates it (gitops-engine
    /// `pkg/utils/kube/resource_ops.go`, kubectl `pkg/cmd/apply/apply.go`, `pkg/cmd/auth/reconcile.go`).
    pub(super) fn verbs(self) -> &'static [&'static str] {
        if self.is_binding() { &["get", "update", "patch", "delete"] } else { &["get", "patch", "delete"] }
    }

    /// Whether its objects give rights to others.
    pub(super) fn is_binding(self) -> bool {
        self.group == RBAC
    }
}

/// The group of Roles and RoleBindings.
pub(super) const RBAC: &str = "rbac.authorization.k8s.io";

/// Whether an object is, or makes, the Secret of a gateway's keys under the name that follows from the key. A document can give an
/// object of another kind such a name.
fn is_named_after_key(manifest: &Manifest) -> bool {
    makes_secret(manifest.kind()) && manifest.meta().name.starts_with(names::KEY_SECRET)
}

impl Access {
    pub(super) fn is_empty(&self) -> bool {
        self.namespaces.is_empty() && self.inside.is_empty()
    }

    pub(super) fn add(&mut self, plan: &Plan, cluster: &Cluster) {
        for manifest in plan.manifests() {
            let meta = manifest.meta();
            let resources = match &meta.namespace {
                Some(namespace) => self.inside.entry(namespace.clone()).or_default(),
                None if is_namespace(manifest.kind()) => {
                    self.namespaces.insert(meta.name.clone());
                    continue;
                }
                None => &mut self.of_cluster,
            };
            let names = resources.entry(Resource::of(manifest)).or_default();
            if cluster.names.key_secret.is_none() && is_named_after_key(manifest) {
                names.is_open = true;
            } else {
                names.known.insert(meta.name.clone());
            }
        }
    }
}
