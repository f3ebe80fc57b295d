//! RBAC objects as YAML.

use super::NAMESPACE;
use crate::object::{Manifest, quote};
use crate::peering::authentication::resource_quota;
use crate::peering::cluster::Cluster;
use crate::peering::names;
use crate::stream::kinds::{is_namespace, makes_secret};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The ClusterRole that each RoleBinding of a stream names (liqo `pkg/tenantNamespace/bindings.go`).
const REMOTE_ROLE: &str = "liqo-remote-controlplane";

/// The first lines, for the person who reads the file before it is applied. For the field manager `kubectl` the API server sets the
/// annotation `last-applied-configuration` (apimachinery `pkg/util/managedfields/internal/lastappliedupdater.go`).
pub(super) fn head(cluster: &str) -> String {
    format!(
        "\
# What Argo CD needs for its peerings on the cluster {cluster}.
#
#   kubectl apply --server-side --field-manager argocd-peering -f FILE
#
# Argo CD's streams have the Namespaces too. As the field manager `kubectl`, a server-side apply writes over the record of what
# Argo CD applied to them, and a client-side apply takes their labels.
#
# When a Namespace was deleted, apply this again before the next sync: its Roles went with it, and Argo CD may not create
# Namespaces.
---
apiVersion: v1
kind: Namespace
metadata:
  name: {NAMESPACE}
"
    )
}

/// An account with its rights.
pub(super) fn text(access: &Access, account: &str) -> String {
    let mut text = format!(
        "\
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {account}
  namespace: {NAMESPACE}
# Argo CD impersonates it, and no pod runs as it.
automountServiceAccountToken: false
"
    );
    for namespace in &access.namespaces {
        let _ = write!(
            text,
            "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: {}\n",
            quote(namespace)
        );
    }
    let rules = cluster_rules(access);
    if !rules.is_empty() {
        text += &bound(account, None, &rules);
    }
    for (namespace, resources) in &access.inside {
        text += &bound(account, Some(namespace), &rules_of(resources));
    }
    text
}

fn cluster_rules(access: &Access) -> String {
    let mut rules = String::new();
    if !access.namespaces.is_empty() {
        rules += &rule(
            "",
            "namespaces",
            Some(&access.namespaces),
            &["get", "patch", "delete"],
        );
    }
    if !access.of_cluster.is_empty() {
        rules += &rules_of(&access.of_cluster);
    }
    rules
}

fn rules_of(resources: &BTreeMap<Resource, Names>) -> String {
    let mut rules = "  # Kubernetes cannot limit `create` to names.\n".to_owned();
    for resource in resources.keys() {
        rules += &rule(resource.group, resource.plural, None, &["create"]);
    }
    for (resource, names) in resources {
        if names.is_none() {
            rules += "  # Without names: a Secret of keys is named after its key, and a rotation brings another one.\n";
        }
        rules += &rule(
            resource.group,
            resource.plural,
            names.as_ref(),
            resource.verbs(),
        );
    }
    if resources.keys().any(|resource| resource.is_binding()) {
        // the API server lets an account bind a role if it has `bind` on the role in that namespace, or has the role's
        // rights (kubernetes `pkg/registry/rbac/rolebinding/policybased/storage.go`)
        rules += "  # A RoleBinding may give this role here, though Argo CD has not its rights.\n";
        rules += &rule(
            RBAC,
            "clusterroles",
            Some(&BTreeSet::from([REMOTE_ROLE.to_owned()])),
            &["bind"],
        );
    }
    rules
}

fn rule(group: &str, plural: &str, names: Option<&BTreeSet<String>>, verbs: &[&str]) -> String {
    let mut rule = format!(
        "  - apiGroups: [{}]\n    resources: [{plural}]\n",
        quote(group)
    );
    if let Some(names) = names {
        rule += "    resourceNames:\n";
        for name in names {
            let _ = writeln!(rule, "      - {}", quote(name));
        }
    }
    let _ = writeln!(rule, "    verbs: [{}]", verbs.join(", "));
    rule
}

/// A Role or ClusterRole, bound to the account.
fn bound(account: &str, namespace: Option<&str>, rules: &str) -> String {
    let prefix = if namespace.is_some() { "" } else { "Cluster" };
    // the name of a ClusterRole is unique in the cluster
    let name = namespace.map_or_else(|| format!("{NAMESPACE}:{account}"), |_| account.to_owned());
    let place = namespace
        .map(|it| format!("  namespace: {}\n", quote(it)))
        .unwrap_or_default();
    format!(
        "\
---
apiVersion: {RBAC}/v1
kind: {prefix}Role
metadata:
  name: {name}
{place}rules:
{rules}---
apiVersion: {RBAC}/v1
kind: {prefix}RoleBinding
metadata:
  name: {name}
{place}roleRef:
  apiGroup: {RBAC}
  kind: {prefix}Role
  name: {name}
subjects:
  - kind: ServiceAccount
    name: {account}
    namespace: {NAMESPACE}
"
    )
}

/// What one account does to the objects of the streams on one cluster: by namespace, resource and name.
#[derive(Default)]
pub(super) struct Access {
    /// The Namespaces that the streams create.
    pub(super) namespaces: BTreeSet<String>,
    /// Other cluster-scoped objects of the streams.
    of_cluster: BTreeMap<Resource, Names>,
    /// The objects in each namespace, including namespaces that no stream creates.
    pub(super) inside: BTreeMap<String, BTreeMap<Resource, Names>>,
}

/// A resource of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Resource {
    group: &'static str,
    plural: &'static str,
}

/// The names of a resource's objects; `None` if a new key changes the name, so that it is not known before.
type Names = Option<BTreeSet<String>>;

impl Resource {
    fn from_manifest(manifest: &Manifest) -> Self {
        let live = manifest.kind().live;
        let plural = live
            .resource
            .split_once('.')
            .map_or(live.resource, |(plural, _)| plural);
        Self {
            group: live.group(),
            plural,
        }
    }

    /// The verbs that can be limited to names. Argo CD's dry run reads an object, even if the server applies it. `kubectl auth reconcile`,
    /// which Argo CD runs before it applies an RBAC object, updates the object (gitops-engine `pkg/utils/kube/resource_ops.go`, kubectl
    /// `pkg/cmd/apply/apply.go`, `pkg/cmd/auth/reconcile.go`).
    /// A hook is only created and deleted (argo-cd `controller/hook.go`).
    fn verbs(self) -> &'static [&'static str] {
        if self.is_binding() {
            &["get", "update", "patch", "delete"]
        } else if self.plural == resource_quota::KIND.live.resource {
            &["delete"]
        } else {
            &["get", "patch", "delete"]
        }
    }

    /// Whether the resource gives rights to others.
    fn is_binding(self) -> bool {
        self.group == RBAC
    }
}

/// The API group of Roles and RoleBindings.
const RBAC: &str = "rbac.authorization.k8s.io";

/// Whether an object is the Secret of a gateway's keys, or creates it, under the name that follows from the key. A document can give such a
/// name to an object of another kind.
fn is_named_after_key(manifest: &Manifest) -> bool {
    makes_secret(manifest.kind()) && manifest.meta().name.starts_with(names::KEY_SECRET)
}

impl Access {
    pub(super) fn is_empty(&self) -> bool {
        self.namespaces.is_empty() && self.inside.is_empty()
    }

    pub(super) fn add(&mut self, manifests: &[Manifest], cluster: &Cluster) {
        for manifest in manifests {
            let meta = manifest.meta();
            let resources = match &meta.namespace {
                Some(namespace) => self.inside.entry(namespace.clone()).or_default(),
                None if is_namespace(manifest.kind()) => {
                    self.namespaces.insert(meta.name.clone());
                    continue;
                }
                None => &mut self.of_cluster,
            };
            let names = resources
                .entry(Resource::from_manifest(manifest))
                .or_insert_with(|| Some(BTreeSet::new()));
            if cluster.names.key_secret.is_none() && is_named_after_key(manifest) {
                *names = None;
            } else if let Some(names) = names {
                names.insert(meta.name.clone());
            }
        }
    }
}
