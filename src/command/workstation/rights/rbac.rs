//! The objects of RBAC, as YAML.

use super::NAMESPACE;
use super::access::{Access, Names, RBAC, Resource};
use crate::object::quote;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The role that each RoleBinding of a stream names (liqo `pkg/tenantNamespace/bindings.go`).
const REMOTE_ROLE: &str = "liqo-remote-controlplane";

/// The first lines, for who reads the file before it is applied. For the manager `kubectl` the API server sets the annotation
/// `last-applied-configuration` (apimachinery `pkg/util/managedfields/internal/lastappliedupdater.go`).
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
        let _ =
            write!(text, "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: {}\n", quote(namespace));
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
        rules += &rule("", "namespaces", Some(&access.namespaces), &["get", "patch", "delete"]);
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
        if names.all().is_none() {
            rules += "  # Without names: a Secret of keys is named after its key, and a rotation brings another one.\n";
        }
        rules += &rule(resource.group, resource.plural, names.all(), resource.verbs());
    }
    if resources.keys().any(|resource| resource.is_binding()) {
        // the API server lets an account bind a role that it may bind in that namespace, or whose rights it has
        // (kubernetes `pkg/registry/rbac/rolebinding/policybased/storage.go`)
        rules += "  # A RoleBinding may give this role here, though Argo CD has not its rights.\n";
        rules += &rule(RBAC, "clusterroles", Some(&BTreeSet::from([REMOTE_ROLE.to_owned()])), &["bind"]);
    }
    rules
}

fn rule(group: &str, plural: &str, names: Option<&BTreeSet<String>>, verbs: &[&str]) -> String {
    let mut rule = format!("  - apiGroups: [{}]\n    resources: [{plural}]\n", quote(group));
    if let Some(names) = names {
        rule += "    resourceNames:\n";
        for name in names {
            let _ = writeln!(rule, "      - {}", quote(name));
        }
    }
    let _ = writeln!(rule, "    verbs: [{}]", verbs.join(", "));
    rule
}

/// A role of a namespace or of the cluster, bound to the account.
fn bound(account: &str, namespace: Option<&str>, rules: &str) -> String {
    let prefix = if namespace.is_some() { "" } else { "Cluster" };
    // a ClusterRole's name is the whole cluster's
    let name = namespace.map_or_else(|| format!("{NAMESPACE}:{account}"), |_| account.to_owned());
    let place = namespace.map(|it| format!("  namespace: {}\n", quote(it))).unwrap_or_default();
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
