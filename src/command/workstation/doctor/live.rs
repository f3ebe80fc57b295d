//! What a cluster has of a peering, read once through `kubectl`. Anyone with access to the cluster writes it.

use super::super::budget::{Read, whole};
use super::super::kubectl::{Kubectl, Refused};
use super::super::object::Object;
use crate::command::Streams;
use crate::command::error::{Error, ProgramProblem};
use crate::peering::names::REMOTE_CLUSTER_ID;
use serde_json::json;

/// The kinds that are read of all namespaces: Liqo looks most of them up by label in the whole cluster.
const KINDS: [(&str, &str); 14] = [
    ("Namespace", "namespaces"),
    ("Network", "networks.ipam.liqo.io"),
    ("Configuration", "configurations.networking.liqo.io"),
    ("PublicKey", "publickeies.networking.liqo.io"),
    ("GatewayServer", "gatewayservers.networking.liqo.io"),
    ("GatewayClient", "gatewayclients.networking.liqo.io"),
    ("Connection", "connections.networking.liqo.io"),
    ("Tenant", "tenants.authentication.liqo.io"),
    ("Identity", "identities.authentication.liqo.io"),
    ("ResourceSlice", "resourceslices.authentication.liqo.io"),
    ("VirtualNode", "virtualnodes.offloading.liqo.io"),
    ("NamespaceOffloading", "namespaceoffloadings.offloading.liqo.io"),
    ("NamespaceMap", "namespacemaps.offloading.liqo.io"),
    ("ForeignCluster", "foreignclusters.core.liqo.io"),
];

/// The kinds that are read of the tenant namespace, if the stream has one of them.
const TENANT_KINDS: [(&str, &str); 4] = [
    ("RoleBinding", "rolebindings.rbac.authorization.k8s.io"),
    ("ServiceAccount", "serviceaccounts"),
    ("SealedSecret", "sealedsecrets.bitnami.com"),
    ("ExternalSecret", "externalsecrets.external-secrets.io"),
];

/// What has Liqo's cluster ID, and its version.
const CLUSTER_ID: &str = "configmap/liqo-clusterid-configmap";
const MANAGER: &str = "deployment/liqo-controller-manager";

/// What is read of a Secret: neither its data nor its annotations, which `kubectl apply` copies the data into.
const SECRET: &str = concat!(
    "jsonpath={range .items[*]}{.metadata.name}{\"\\t\"}{.metadata.deletionTimestamp}{\"\\t\"}",
    "{.metadata.finalizers}{\"\\t\"}{.metadata.labels}{\"\\n\"}{end}"
);

/// Objects of one cluster, and what could not be read.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub(super) objects: Vec<Object>,
    /// Resources as `kubectl` names them.
    pub(super) unread: Refused<'static>,
}

/// A kind as `kubectl` names its resource.
pub(super) fn resource(kind: &str) -> Option<&'static str> {
    let others = [("Secret", "secrets"), ("Node", "nodes")];
    let mut known = KINDS.iter().chain(&TENANT_KINDS).chain(&others);
    known.find(|(it, _)| *it == kind).map(|(_, resource)| *resource)
}

/// What of a cluster is to be read.
pub(super) struct Wanted<'w> {
    pub(super) liqo_namespace: &'w str,
    pub(super) tenant_namespace: &'w str,
    pub(super) peer: &'w str,
    /// The kinds of the stream.
    pub(super) kinds: Vec<&'w str>,
}

impl Snapshot {
    /// # Errors
    /// When the cluster gives no answer. What it refuses is in `unread`.
    pub(super) fn read(
        kubectl: &Kubectl<'_>,
        wanted: &Wanted<'_>,
        streams: &mut Streams<'_>,
    ) -> Result<Self, Error> {
        let mut snapshot = Self::default();
        let liqo = ["-n", wanted.liqo_namespace, "--ignore-not-found"];
        snapshot.add(kubectl.kinds(&[CLUSTER_ID], &liqo, whole, streams)?);
        if snapshot.is_not_liqo() {
            return Ok(snapshot);
        }
        snapshot.add(kubectl.kinds(&[MANAGER], &liqo, whole, streams)?);
        let resources: Vec<_> = KINDS.iter().map(|(_, resource)| *resource).collect();
        snapshot.add(kubectl.kinds(&resources, &["-A"], whole, streams)?);
        let virtual_nodes = format!("{REMOTE_CLUSTER_ID}={}", wanted.peer);
        snapshot.add(kubectl.kinds(&["nodes"], &["-l", &virtual_nodes], read_of_node, streams)?);
        let of_stream = TENANT_KINDS.iter().filter(|(kind, _)| wanted.kinds.contains(kind));
        let of_stream: Vec<_> = of_stream.map(|(_, resource)| *resource).collect();
        let tenant = ["-n", wanted.tenant_namespace];
        if !of_stream.is_empty() {
            snapshot.add(kubectl.kinds(&of_stream, &tenant, whole, streams)?);
        }
        match kubectl.rows(&["secrets", "-n", wanted.tenant_namespace, "-o", SECRET], streams) {
            Ok(rows) => {
                let secrets = rows.iter().filter_map(|row| secret(row, wanted.tenant_namespace, kubectl));
                let secrets: Result<Vec<_>, _> = secrets.collect();
                snapshot.objects.extend(secrets.map_err(|problem| kubectl.failed(problem))?);
            }
            Err(problem) if problem.is_forbidden() => snapshot.unread.push(("secrets", problem)),
            Err(problem) => return Err(kubectl.failed(problem)),
        }
        Ok(snapshot)
    }

    fn add(&mut self, (objects, refused): (Vec<Object>, Refused<'static>)) {
        self.objects.extend(objects);
        self.unread.extend(refused);
    }

    /// Whether Liqo is not on the cluster. What must not be read is not known to be missing.
    pub(super) fn is_not_liqo(&self) -> bool {
        self.of_kind("ConfigMap").next().is_none()
            && self.unread.iter().all(|(unread, _)| *unread != CLUSTER_ID)
    }

    /// Whether the objects of a kind were read.
    pub(super) fn has_read(&self, kind: &str) -> bool {
        resource(kind).is_some_and(|resource| self.unread.iter().all(|(unread, _)| *unread != resource))
    }

    pub(super) fn of_kind<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Object> {
        self.objects.iter().filter(move |object| object.kind() == kind)
    }

    pub(super) fn named(&self, kind: &str, name: &str) -> Option<&Object> {
        self.objects.iter().find(|object| object.kind() == kind && object.name() == name)
    }
}

/// What is read of a Node, which lists the images that it has.
fn read_of_node(path: &[&str]) -> Read {
    match path {
        ["status", field, ..] if *field != "conditions" => Read::Skipped,
        _ => whole(path),
    }
}

/// A Secret of a row as [`SECRET`] asks for it.
fn secret(row: &str, namespace: &str, kubectl: &Kubectl<'_>) -> Option<Result<Object, ProgramProblem>> {
    let mut columns = row.split('\t');
    let [name, deleted, finalizers, labels] = std::array::from_fn(|_| columns.next().unwrap_or_default());
    let object = || {
        let mut metadata = json!({
            "name": name,
            "namespace": namespace,
            "finalizers": kubectl.value(finalizers)?,
            "labels": kubectl.value(labels)?,
        });
        if let Some(fields) = metadata.as_object_mut().filter(|_| !deleted.is_empty()) {
            fields.insert("deletionTimestamp".into(), deleted.into());
        }
        Ok(Object(json!({ "kind": "Secret", "metadata": metadata })))
    };
    (!name.is_empty()).then(object)
}
