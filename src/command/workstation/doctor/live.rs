//! What a cluster has of a peering, read once through `kubectl`. Anyone with access to the cluster writes it.

use super::super::budget::{Read, whole};
use super::super::kubectl::{Kubectl, Refused};
use crate::command::Streams;
use crate::command::error::{Error, ProgramProblem};
use crate::object::live::{Live, Scope};
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::stream::kinds::{all_resources, live_halves};
use serde_json::json;

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
    pub(super) objects: Vec<Live>,
    /// Resources as `kubectl` names them.
    pub(super) unread: Refused<'static>,
}

/// A kind as `kubectl` names its resource.
pub(super) fn resource(kind: &str) -> Option<&'static str> {
    live_halves().find(|half| half.kind() == kind).map(|half| half.resource)
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
        snapshot.add(kubectl.kinds(&all_resources(&[Scope::Everywhere]), &["-A"], whole, streams)?);
        let virtual_nodes = format!("{REMOTE_CLUSTER_ID}={}", wanted.peer);
        let by_peer = all_resources(&[Scope::ByPeer]);
        snapshot.add(kubectl.kinds(&by_peer, &["-l", &virtual_nodes], read_of_node, streams)?);
        let mut of_stream = all_resources(&[Scope::InTenantNamespace, Scope::InPlaceOfSecret]);
        of_stream.retain(|resource| wanted.kinds.iter().any(|kind| self::resource(kind) == Some(resource)));
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

    fn add(&mut self, (objects, refused): (Vec<Live>, Refused<'static>)) {
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

    pub(super) fn of_kind<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Live> {
        self.objects.iter().filter(move |object| object.kind() == kind)
    }

    pub(super) fn named(&self, kind: &str, name: &str) -> Option<&Live> {
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
fn secret(row: &str, namespace: &str, kubectl: &Kubectl<'_>) -> Option<Result<Live, ProgramProblem>> {
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
        Ok(Live::new(json!({ "kind": "Secret", "metadata": metadata })))
    };
    (!name.is_empty()).then(object)
}
