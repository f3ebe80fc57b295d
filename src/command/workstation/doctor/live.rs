//! What a cluster has of a peering, read once through `kubectl`. Anyone with access to the cluster writes it.

use super::super::kubectl::{Kubectl, Refused};
use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::{mask, shown_name};
use crate::peering::names::REMOTE_CLUSTER_ID;
use serde_json::{Value, json};
use std::fmt;

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

/// What has Liqo's cluster ID (liqo `deployments/liqo/templates/liqo-clusterid-configmap.yaml`).
const CLUSTER_ID: &str = "configmap/liqo-clusterid-configmap";

/// What has Liqo's version.
const MANAGER: &str = "deployment/liqo-controller-manager";

/// What is read of a Secret: neither its data nor its annotations, which `kubectl apply` copies the data into.
const SECRET: &str = concat!(
    "jsonpath={range .items[*]}{.metadata.name}{\"\\t\"}{.metadata.deletionTimestamp}{\"\\t\"}",
    "{.metadata.finalizers}{\"\\t\"}{.metadata.labels}{\"\\n\"}{end}"
);

/// A message of a controller can be as long as an object.
const LONGEST: usize = 400;

/// An object of a cluster, or of a stream. What it does not have reads as empty.
#[derive(Debug, Clone)]
pub(super) struct Object(pub(super) Value);

impl Object {
    /// The string at a place (RFC 6901).
    pub(super) fn text(&self, pointer: &str) -> &str {
        self.0.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// The items of the list at a place.
    pub(super) fn list(&self, pointer: &str) -> &[Value] {
        self.0.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The strings of the list at a place.
    pub(super) fn texts(&self, pointer: &str) -> Vec<&str> {
        self.list(pointer).iter().filter_map(Value::as_str).collect()
    }

    pub(super) fn kind(&self) -> &str {
        self.text("/kind")
    }

    pub(super) fn name(&self) -> &str {
        self.text("/metadata/name")
    }

    pub(super) fn namespace(&self) -> &str {
        self.text("/metadata/namespace")
    }

    pub(super) fn label(&self, key: &str) -> Option<&str> {
        self.0.get("metadata")?.get("labels")?.get(key)?.as_str()
    }

    /// The conditions at a place, each with its type, its status, and what is written about it.
    pub(super) fn conditions(&self, pointer: &str) -> impl Iterator<Item = (&str, &str, String)> {
        let text =
            |value: &'_ Value, key: &str| value.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
        self.list(pointer).iter().map(move |it| {
            let part = |key: &str| it.get(key).and_then(Value::as_str).unwrap_or_default();
            let why = text(it, "message").filter(|it| !it.is_empty()).or_else(|| text(it, "reason"));
            (part("type"), part("status"), why.map(|why| format!(": {}", said(&why))).unwrap_or_default())
        })
    }

    /// The status of a condition, and what is written about it.
    pub(super) fn condition(&self, name: &str) -> Option<(&str, String)> {
        let mut conditions = self.conditions("/status/conditions");
        conditions.find(|(kind, ..)| *kind == name).map(|(_, status, why)| (status, why))
    }
}

/// `GatewayServer liqo-tenant-rome/rome`
impl fmt::Display for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [self.namespace(), self.name()].into_iter().filter(|part| !part.is_empty());
        let name = name.map(cut).collect::<Vec<_>>().join("/");
        write!(formatter, "{} {}", shown_name(&cut(self.kind())), shown_name(&name))
    }
}

/// Words of a controller, on one line.
pub(super) fn said(text: &str) -> String {
    mask(&cut(text)).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

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
        snapshot.add(kubectl.kinds(&[CLUSTER_ID], &liqo, streams)?);
        if snapshot.is_not_liqo() {
            return Ok(snapshot);
        }
        snapshot.add(kubectl.kinds(&[MANAGER], &liqo, streams)?);
        let resources: Vec<_> = KINDS.iter().map(|(_, resource)| *resource).collect();
        snapshot.add(kubectl.kinds(&resources, &["-A"], streams)?);
        let virtual_nodes = format!("{REMOTE_CLUSTER_ID}={}", wanted.peer);
        snapshot.add(kubectl.kinds(&["nodes"], &["-l", &virtual_nodes], streams)?);
        let of_stream = TENANT_KINDS.iter().filter(|(kind, _)| wanted.kinds.contains(kind));
        let of_stream: Vec<_> = of_stream.map(|(_, resource)| *resource).collect();
        let tenant = ["-n", wanted.tenant_namespace];
        if !of_stream.is_empty() {
            snapshot.add(kubectl.kinds(&of_stream, &tenant, streams)?);
        }
        match kubectl.text(&["secrets", "-n", wanted.tenant_namespace, "-o", SECRET], streams) {
            Ok(rows) => {
                snapshot.objects.extend(rows.lines().filter_map(|row| secret(row, wanted.tenant_namespace)));
            }
            Err(problem) if problem.is_forbidden() => snapshot.unread.push(("secrets", problem)),
            Err(problem) => return Err(kubectl.failed(problem)),
        }
        Ok(snapshot)
    }

    fn add(&mut self, (objects, refused): (Vec<Value>, Refused<'static>)) {
        self.objects.extend(objects.into_iter().map(Object));
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

/// A Secret of a row as [`SECRET`] asks for it.
fn secret(row: &str, namespace: &str) -> Option<Object> {
    let mut columns = row.split('\t');
    let [name, deleted, finalizers, labels] = std::array::from_fn(|_| columns.next().unwrap_or_default());
    let parsed = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    let mut metadata = json!({
        "name": name,
        "namespace": namespace,
        "finalizers": parsed(finalizers),
        "labels": parsed(labels),
    });
    if !deleted.is_empty() {
        metadata.as_object_mut()?.insert("deletionTimestamp".into(), deleted.into());
    }
    (!name.is_empty()).then(|| Object(json!({ "kind": "Secret", "metadata": metadata })))
}
