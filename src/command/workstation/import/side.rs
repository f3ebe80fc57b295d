//! The objects of one side in the manifests, and their contradictions to each other and to the other side.

use crate::command::error::workstation::WorkstationError;
use crate::command::workstation::import::Import;
use crate::command::{Error, Result};
use crate::diagnostic::{counted, list_first, quoted, shown_name};
use crate::object::live::{LiveHalf, Object};
use crate::peering::names::{
    GATEWAY_RESOURCE, IDENTITY_TYPE, NAMESPACE_OFFLOADING, ORIGIN_ID, REMOTE_CLUSTER_ID,
};
use crate::peering::offloading::namespace::{OFFLOADING, selected};
use crate::peering::offloading::resource_slice::is_copy;
use crate::peering::values::{Role, Sides};
use crate::state::cluster::Snapshot;
use crate::state::cluster::liqo::CLUSTER_ID_MAP;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The most clusters that are listed.
const SHOWN: usize = 20;

/// One side: its objects for this peering.
pub(super) struct Side {
    pub(super) id: String,
    pub(super) peer: String,
    pub(super) tenant_namespace: String,
    pub(super) objects: Vec<Object>,
    /// How many objects belong to other clusters.
    pub(super) others: usize,
}

/// The two sides of the peering that the objects describe.
///
/// # Errors
/// When the objects do not name the clusters, or contradict each other.
pub(super) fn sides(mut live: Sides<Snapshot>, arguments: &Import) -> Result<Sides<Side>> {
    let ids = Sides::try_make(|role| cluster_id(role, &live, arguments))?;
    let mut problems = Vec::new();
    let sides = Sides::make(|role| {
        let objects = std::mem::take(&mut live.of_mut(role).objects);
        Side::new(role, &ids[role], &ids[role.peer()], objects, &mut problems)
    });
    if problems.is_empty() {
        Ok(sides)
    } else {
        Err(WorkstationError::Manifests(problems).into())
    }
}

/// The cluster ID of a side: from the flag, from its own ConfigMap, or from the other side's objects.
fn cluster_id(role: Role, live: &Sides<Snapshot>, arguments: &Import) -> Result<String> {
    let (flag, written) = match role {
        Role::Consumer => ("--consumer-id", &arguments.consumer_id),
        Role::Provider => ("--provider-id", &arguments.provider_id),
    };
    let of_map = id_of_map(&live[role].objects)?;
    if let Some(id) = written.as_deref().or(of_map) {
        return Ok(id.to_owned());
    }
    let peer = role.peer();
    let others = live[peer].objects.iter().rev().filter(|it| !is_copy(it));
    let named = others.filter_map(|it| Some((named_cluster(it)?, it)));
    let named: BTreeMap<&str, &Object> = named.collect();
    let reason = match named.len() {
        0 => format!(
            "the {role}'s cluster ID is missing: no object of the {peer}'s has the label {REMOTE_CLUSTER_ID}"
        ),
        1 => return Ok(named.into_keys().next().unwrap_or_default().to_owned()),
        _ => {
            let named = named.iter();
            let titles = named.map(|(id, object)| format!("{} ({})", quoted(id), object.title()));
            let titles = list_first(titles.collect(), SHOWN);
            format!("the {peer}'s objects name several clusters as the {role}: {titles}")
        }
    };
    Err(Error::flag(flag, reason))
}

/// The cluster ID in a cluster's own ConfigMap.
fn id_of_map(objects: &[Object]) -> Result<Option<&str>> {
    let mut maps = objects.iter().filter(|it| is_cluster_id_map(it));
    let Some(map) = maps.next() else {
        return Ok(None);
    };
    // anyone with a namespace can create a second ConfigMap
    if let Some(other) = maps.find(|it| it.id() != map.id()) {
        let (one, other) = (map.with_place(), other.with_place());
        let problem = format!("a cluster has one Liqo, and here are two: {one} and {other}");
        return Err(WorkstationError::Manifests(vec![problem]).into());
    }
    Ok(map.string("/data/CLUSTER_ID"))
}

pub(super) fn is_cluster_id_map(object: &Object) -> bool {
    object.kind() == "ConfigMap" && object.name() == CLUSTER_ID_MAP
}

impl Side {
    fn new(
        role: Role,
        id: &str,
        peer: &str,
        objects: Vec<Object>,
        problems: &mut Vec<String>,
    ) -> Self {
        let mut objects: Vec<Object> = objects.into_iter().map(as_secret).collect();
        problems.extend(without_namespace(role, &objects));
        // the Secret comes before the object that delivers it, because it has more
        objects.sort_by_key(is_brought);
        let (mut kept, mut of_others, mut others) = (UniqueObjects::default(), None, 0);
        for object in objects {
            let is_copied = is_copy(&object) && !is_own_object(&object, id);
            if !is_copied {
                problems.extend(other_label(&object));
            }
            let about = named_cluster(&object).or(selected(&object));
            if is_copied || about.unwrap_or(peer) != peer {
                others += usize::from(!is_copied);
                of_others.get_or_insert(object);
            } else {
                problems.extend(kept.add(object));
            }
        }
        let objects = kept.objects;
        let named = objects.iter().filter(|it| named_cluster(it).is_some());
        let named: Vec<&Object> = named.collect();
        if let (true, Some(other)) = (named.is_empty(), of_others) {
            let (peer, place) = (quoted(peer), other.with_place());
            let named = quoted(named_cluster(&other).unwrap_or_default());
            problems.push(format!(
                "no object of the {role}'s names the other cluster {peer}; {place} names {named}"
            ));
        }
        let tenant_namespace = tenant_namespace(&named).unwrap_or_default().to_owned();
        Self {
            id: id.to_owned(),
            peer: peer.to_owned(),
            tenant_namespace,
            objects,
            others,
        }
    }

    /// The namespace of the ConfigMap with the cluster's ID.
    pub(super) fn liqo_namespace(&self) -> Option<&str> {
        let mut maps = self.objects.iter().filter(|it| is_cluster_id_map(it));
        Some(maps.next()?.namespace())
    }

    /// The object of a kind with this name.
    pub(super) fn object(&self, half: &LiveHalf, name: Option<&str>) -> Option<&Object> {
        self.objects(half).find(|it| Some(it.name()) == name)
    }

    /// The objects of a kind that no controller created for another object.
    pub(super) fn objects(&self, half: &LiveHalf) -> impl Iterator<Item = &Object> {
        self.objects
            .iter()
            .filter(move |it| half.matches(it) && (!it.is_owned() || it.kind() == "Secret"))
    }

    /// The NamespaceOffloadings. Liqo's webhook accepts only one name.
    pub(super) fn offloaded(&self) -> impl Iterator<Item = &Object> {
        self.objects(OFFLOADING.live)
            .filter(|it| it.name() == NAMESPACE_OFFLOADING)
    }

    /// The object of a kind of which Liqo needs exactly one per cluster. If there are two, the first one counts, and both are reported.
    pub(super) fn single(&self, half: &LiveHalf, problems: &mut Vec<String>) -> Option<&Object> {
        let mut found = self.objects(half).filter(|it| it.kind() == half.kind());
        let first = found.next()?;
        for second in found {
            let (one, other) = (first.with_place(), second.with_place());
            problems.push(format!(
                "Liqo takes one of these for {}, not two: {one} and {other}",
                quoted(&self.peer)
            ));
        }
        Some(first)
    }
}

/// The objects of a side, each once.
#[derive(Default)]
struct UniqueObjects {
    objects: Vec<Object>,
    /// The index of each object, by kind, group, namespace and name.
    places: BTreeMap<[String; 4], usize>,
}

impl UniqueObjects {
    /// Adds an object, or returns how it contradicts the existing one.
    fn add(&mut self, object: Object) -> Option<String> {
        let (kind, group, namespace, name) = object.id();
        let id = [kind, group, namespace, name].map(ToOwned::to_owned);
        let place = *self.places.entry(id).or_insert(self.objects.len());
        let Some(first) = self.objects.get(place) else {
            self.objects.push(object);
            return None;
        };
        if is_same_object(first, &object) || is_brought(&object) {
            return None;
        }
        let (one, other) = (first.with_place(), shown_name(object.place()));
        Some(format!("{one} differs from the same object in {other}"))
    }
}

/// The tenant namespace: the Namespace that names the other cluster, otherwise the namespace of the first object that names it.
fn tenant_namespace<'o>(named: &[&'o Object]) -> Option<&'o str> {
    let mut namespaces = named.iter().map(|it| it.namespace());
    match named.iter().find(|it| it.kind() == "Namespace") {
        Some(itself) => Some(itself.name()),
        None => namespaces.find(|it| !it.is_empty()),
    }
}

/// Turns an object that delivers a Secret into that Secret. The labels by which Liqo finds the Secret are in the template of a SealedSecret or
/// an ExternalSecret, or in the ExternalSecret's own metadata.
fn as_secret(mut object: Object) -> Object {
    let templates = match object.kind() {
        "SealedSecret" => ["/spec/template/metadata", ""],
        "ExternalSecret" => ["/spec/target/template/metadata", "/metadata"],
        _ => return object,
    };
    let mut found = templates.iter().filter_map(|it| object.find(it));
    let Some(metadata) = found.find(|it| is_of_liqo(it)) else {
        return object;
    };
    let name = object.string("/spec/target/name").unwrap_or(object.name());
    let metadata = json!({ "name": name, "namespace": object.namespace(), "labels": metadata.get("labels"), "annotations": metadata.get("annotations") });
    let bringer = format!("{} {}", object.kind(), shown_name(object.name()));
    object.value = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata });
    object.brought_by(bringer)
}

/// Whether metadata has a label by which Liqo finds a Secret.
fn is_of_liqo(metadata: &Value) -> bool {
    let Some(labels) = metadata.get("labels") else {
        return false;
    };
    labels.get(IDENTITY_TYPE).is_some() || labels.get(GATEWAY_RESOURCE).is_some()
}

fn is_brought(object: &Object) -> bool {
    object.bringer().is_some()
}

/// Whether a ResourceSlice with the marks of a copy belongs to the cluster itself: a copy has the other cluster's ID as
/// its origin (liqo `internal/crdReplicator/reflection/resourceHandler.go`).
fn is_own_object(object: &Object, id: &str) -> bool {
    let origin = object.label(ORIGIN_ID);
    let origin = origin.or(object.string("/spec/consumerClusterID"));
    origin.unwrap_or(id) == id
}

/// The problem of objects without a namespace. Only the tool that renders or applies them knows it.
fn without_namespace(role: Role, objects: &[Object]) -> Option<String> {
    let (mut count, mut files) = (0, BTreeSet::new());
    for object in objects {
        if object.namespace().is_empty() && is_namespaced(object) {
            count += 1;
            files.insert(shown_name(object.place()));
        }
    }
    if count == 0 {
        return None;
    }
    let (count, files) = (counted(count, "object"), Vec::from_iter(files).join(", "));
    Some(format!(
        "{role}: {count} without metadata.namespace; write it, or import what `kubectl kustomize` or `helm template` prints: {files}"
    ))
}

/// Whether the stream has objects of the kind in a namespace.
fn is_namespaced(it: &Object) -> bool {
    (it.group().ends_with("liqo.io") && it.kind() != "ForeignCluster")
        || matches!(it.kind(), "RoleBinding" | "ServiceAccount" | "Secret")
}

/// The cluster that an object names: in its label, or in the field from which Liqo's webhook sets the label.
fn named_cluster(object: &Object) -> Option<&str> {
    object
        .label(REMOTE_CLUSTER_ID)
        .or(object.string("/spec/clusterID"))
}

/// The problem of a label that names another cluster than the field.
fn other_label(object: &Object) -> Option<String> {
    let field = match object.kind() {
        "ResourceSlice" => "providerClusterID",
        _ => "clusterID",
    };
    let label = named_cluster(object)?;
    let written = object.string(&format!("/spec/{field}"))?;
    if label == written {
        return None;
    }
    let place = object.with_place();
    let [one, other] = [label, written].map(quoted);
    Some(format!(
        "{place}: its label {REMOTE_CLUSTER_ID} is {one}, and its spec.{field} is {other}"
    ))
}

/// Whether two manifests describe the same object in the same way.
fn is_same_object(one: &Object, other: &Object) -> bool {
    one.body().eq(other.body()) && one.find("/metadata/labels") == other.find("/metadata/labels")
}
