//! The AppProject of a role.

use super::{NAMESPACE, Rights};
use crate::object::{Manifest, quote};
use crate::peering::Role;
use crate::peering::cluster::Cluster;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A comment for the person who reads the file before it is applied.
pub(super) const HEAD: &str = "\
# The projects of the Applications of these peerings, for the namespace of Argo CD. `destinationServiceAccounts` counts with
# `application.sync.impersonation.enabled` in argocd-cm.
";

/// The objects of all Applications of one role.
#[derive(Default)]
pub(super) struct Project {
    destinations: BTreeSet<Place>,
    /// The namespaces of the Applications' destinations.
    applications: BTreeSet<String>,
    of_cluster: BTreeSet<(Kind, String)>,
    kinds: BTreeSet<Kind>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    cluster: String,
    namespace: String,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    group: &'static str,
    kind: &'static str,
}

/// The kind of Namespace objects.
const NAMESPACES: Kind = Kind {
    group: "",
    kind: "Namespace",
};

impl Project {
    /// Whether the role has no objects, which is possible for a provider without networking and authentication.
    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.of_cluster.is_empty()
    }

    /// The namespaces that streams create, and those that their objects are in.
    pub(super) fn all_namespaces(&self) -> impl Iterator<Item = &String> {
        let named = self
            .of_cluster
            .iter()
            .filter(|(kind, _)| *kind == NAMESPACES)
            .map(|(_, name)| name);
        named.chain(self.destinations.iter().map(|it| &it.namespace))
    }

    pub(super) fn add(&mut self, manifests: &[Manifest], cluster: &Cluster) {
        let argocd_cluster = cluster.argocd_cluster.to_string();
        self.applications
            .insert(cluster.tenant_namespace.to_string());
        for manifest in manifests {
            let (meta, live) = (manifest.meta(), manifest.kind().live);
            let kind = Kind {
                group: live.group(),
                kind: live.kind(),
            };
            let Some(namespace) = meta.namespace.clone() else {
                self.of_cluster.insert((kind, meta.name.clone()));
                continue;
            };
            self.destinations.insert(Place {
                cluster: argocd_cluster.clone(),
                namespace,
            });
            self.kinds.insert(kind);
        }
    }

    pub(super) fn text(&self, role: Role, name: &str, repo: &str, asked: &Rights) -> String {
        let argocd = &asked.argocd_namespace;
        let namespaces = asked.application_namespaces.iter();
        let namespaces: Vec<String> = namespaces.map(|it| quote(it)).collect();
        let also = if namespaces.is_empty() {
            " only: whoever may write them in another one would get"
        } else {
            ", and in these: whoever may write them there gets"
        };
        let mut text = format!(
            "\
---
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata:
  name: {name}
  namespace: {argocd}
  # Keeps the project until no Application refers to it: deleting an Application's resources needs its project.
  finalizers:
    - resources-finalizer.argocd.argoproj.io
spec:
  description: The {role}'s side of Liqo peerings
  sourceRepos:
    - {}
  # Applications are in the namespace of Argo CD{also} what the sealed
  # files give to this project.
  sourceNamespaces: [{}]
",
            quote(repo),
            namespaces.join(", ")
        );
        text += "  destinations:\n";
        for Place { cluster, namespace } in &self.destinations {
            let _ = writeln!(
                text,
                "    - name: {}\n      namespace: {}",
                quote(cluster),
                quote(namespace)
            );
        }
        text += "  # Which account is impersonated, by the namespace of an Application's destination. Argo CD takes the address of a cluster\n  # here, and not its name; `destinations` limits the clusters.\n  destinationServiceAccounts:\n";
        for namespace in &self.applications {
            let _ = writeln!(
                text,
                "    - server: \"*\"\n      namespace: {}\n      defaultServiceAccount: {NAMESPACE}:{name}",
                quote(namespace)
            );
        }
        text += &self.permitted();
        if self.kinds.iter().any(|it| it.group == "networking.liqo.io") {
            text += "    # Not printed: Liqo makes it below the gateway, and it shows in the resource tree whether the tunnel is up.\n    - group: \"networking.liqo.io\"\n      kind: Connection\n";
        }
        text
    }

    /// The lists of kinds. Argo CD treats an empty list of a project as missing, and then permits all kinds in
    /// namespaces (argo-cd `pkg/apis/application/v1alpha1/types.go`, `IsGroupKindNamePermitted`).
    fn permitted(&self) -> String {
        let mut text = String::new();
        if !self.of_cluster.is_empty() {
            text += "  clusterResourceWhitelist:\n";
        }
        for (Kind { group, kind }, name) in &self.of_cluster {
            let (group, name) = (quote(group), quote(name));
            let _ = writeln!(
                text,
                "    - group: {group}\n      kind: {kind}\n      name: {name}"
            );
        }
        if self.kinds.is_empty() {
            return text + "  namespaceResourceBlacklist:\n    - group: \"*\"\n      kind: \"*\"\n";
        }
        text += "  namespaceResourceWhitelist:\n";
        for Kind { group, kind } in &self.kinds {
            let _ = writeln!(text, "    - group: {}\n      kind: {kind}", quote(group));
        }
        text
    }
}
