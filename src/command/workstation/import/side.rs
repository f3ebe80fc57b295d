//! What the manifests of one side say, and where they contradict each other or the other side's.

use crate::command::error::Error;
use crate::command::workstation::import::Import;
use crate::diagnostic::{counted, first_of, quoted, shown_name};
use crate::object::live::{LiveHalf, Object};
use crate::peering::names::{NAMESPACE_OFFLOADING, ORIGIN_ID, REMOTE_CLUSTER_ID, TENANT_NAMESPACE};
use crate::peering::offloading::namespace::OFFLOADING;
use crate::peering::offloading::namespace::live::selected;
use crate::peering::offloading::resource_slice::live::is_copy;
use crate::peering::values::{Role, Sides};
use crate::state::cluster::Snapshot;
use crate::state::cluster::liqo::CLUSTER_ID_MAP;
use crate::stream::kinds::live_halves_of;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most clusters that are listed.
const SHOWN: usize = 20;

/// Liqo's kinds whose objects are not in the tenant namespace.
const OUTSIDE: [&str; 2] = ["NamespaceOffloading", "ForeignCluster"];

/// One side: its objects for this peering.
pub(super) struct Side {
    pub(super) id: String,
    pub(super) peer: String,
    pub(super) tenant_namespace: String,
    pub(super) objects: Vec<Object>,
    /// How many objects are for other clusters.
    pub(super) others: usize,
}

/// The two sides of the peering that the objects are about.
///
/// # Errors
/// When they do not say which clusters, or contradict each other about it.
pub(super) fn sides(mut live: Sides<Snapshot>, arguments: &Import) -> Result<Sides<Side>, Error> {
    let flags = Sides {
        consumer: ("--consumer-id", arguments.consumer_id.as_deref()),
        provider: ("--provider-id", arguments.provider_id.as_deref()),
    };
    let id = |role: Role| {
        let (flag, written) = *flags.of(role);
        id(role, &live.of(role).objects, &live.of(role.peer()).objects, flag, written)
    };
    let ids = Sides { consumer: id(Role::Consumer)?, provider: id(Role::Provider)? };
    let mut problems = Vec::new();
    let sides = Sides::make(|role| {
        let objects = std::mem::take(&mut live.of_mut(role).objects);
        Side::new(role, ids.of(role), ids.of(role.peer()), objects, &mut problems)
    });
    if problems.is_empty() { Ok(sides) } else { Err(Error::Manifests(problems)) }
}

/// The cluster ID of a side: the flag's, its own ConfigMap's, or the one that the other side's objects name.
fn id(
    role: Role,
    own: &[Object],
    others: &[Object],
    flag: &'static str,
    written: Option<&str>,
) -> Result<String, Error> {
    let mut maps = own.iter().filter(|it| it.kind() == "ConfigMap" && it.name() == CLUSTER_ID_MAP);
    let map = maps.next();
    // whoever has a namespace can make a second one
    if let Some((one, other)) = map.zip(maps.find(|it| map.is_some_and(|one| one.id() != it.id()))) {
        let (one, other) = (one.with_place(), other.with_place());
        let problem = format!("a cluster has one Liqo, whose namespace has its ID: {one} and {other}");
        return Err(Error::Manifests(vec![problem]));
    }
    if let Some(id) = written.or_else(|| public(map?)) {
        return Ok(id.to_owned());
    }
    let named: BTreeMap<&str, &Object> =
        others.iter().rev().filter(|it| !is_copy(it)).filter_map(|it| Some((peer(it)?, it))).collect();
    let peer = role.peer();
    let mut ids = named.iter();
    let reason = match (ids.next(), ids.next()) {
        (Some((id, _)), None) => return Ok((*id).to_owned()),
        (None, _) => format!(
            "nothing says the {role}'s cluster ID: no object of the {peer}'s has the label {REMOTE_CLUSTER_ID}"
        ),
        (Some(_), Some(_)) => {
            let title = |(id, object): (&&str, &&Object)| format!("{} ({})", quoted(id), object.title());
            format!(
                "the {peer}'s objects name several clusters, and the {role} is one of them: {}",
                first_of(named.iter().map(title).collect(), SHOWN)
            )
        }
    };
    Err(Error::flag(flag, reason))
}

impl Side {
    fn new(role: Role, id: &str, peer: &str, objects: Vec<Object>, problems: &mut Vec<String>) -> Self {
        let mut objects: Vec<Object> = objects.into_iter().map(as_secret).collect();
        fill_namespaces(role, &mut objects, problems);
        // of a Secret and what brings it, the Secret has more
        objects.sort_by_key(is_brought);
        let is_copy = |object: &Object| is_copy(object) && !is_own(object, id);
        let mut kept: Vec<Object> = Vec::new();
        let mut places = BTreeMap::new();
        let mut of_others = Vec::new();
        for object in objects {
            let name = if object.kind() == "ResourceSlice" { "providerClusterID" } else { "clusterID" };
            let field = object.string(&format!("/spec/{name}"));
            if field.is_some() && !is_copy(&object) && self::peer(&object).is_some_and(|it| Some(it) != field)
            {
                problems.push(format!(
                    "{}: its label {REMOTE_CLUSTER_ID} is {}, and its spec.{name} is {}",
                    object.with_place(),
                    quoted(self::peer(&object).unwrap_or_default()),
                    quoted(field.unwrap_or_default())
                ));
            }
            if self::peer(&object).or_else(|| selected(&object)).is_some_and(|it| it != peer)
                || is_copy(&object)
            {
                of_others.push(object);
                continue;
            }
            let id = id_of(&object);
            let place = *places.entry(id).or_insert(kept.len());
            match kept.get(place) {
                Some(first) if is_same(first, &object) || is_brought(&object) => {}
                Some(first) => problems.push(format!(
                    "{} is there twice, and not the same: also in {}",
                    first.with_place(),
                    shown_name(object.place())
                )),
                None => kept.push(object),
            }
        }
        let named: Vec<&Object> = kept.iter().filter(|it| self::peer(it).is_some()).collect();
        if let (true, Some(other)) = (named.is_empty(), of_others.first()) {
            problems.push(format!(
                "no object of the {role}'s names the other cluster {}; {} names {}",
                quoted(peer),
                other.with_place(),
                quoted(self::peer(other).unwrap_or_default())
            ));
        }
        let namespace = named.iter().find(|it| it.kind() == "Namespace").map(|it| it.name());
        let namespace = namespace.or_else(|| named.iter().map(|it| it.namespace()).find(|it| !it.is_empty()));
        let tenant_namespace = namespace.unwrap_or_default().to_owned();
        let others = of_others.iter().filter(|it| !is_copy(it)).count();
        Self { id: id.to_owned(), peer: peer.to_owned(), tenant_namespace, objects: kept, others }
    }

    /// Where the ConfigMap with the cluster's ID is.
    pub(super) fn liqo_namespace(&self) -> Option<String> {
        let map = self.objects.iter().find(|it| it.kind() == "ConfigMap" && it.name() == CLUSTER_ID_MAP)?;
        Some(map.namespace().to_owned())
    }

    /// The objects of a kind that no controller made for another object.
    pub(super) fn all(&self, half: &LiveHalf) -> impl Iterator<Item = &Object> {
        self.objects.iter().filter(move |it| half.is(it) && (!it.is_owned() || it.kind() == "Secret"))
    }

    /// What offloads its namespaces. Liqo's webhook takes one name only.
    pub(super) fn offloaded(&self) -> impl Iterator<Item = &Object> {
        self.all(OFFLOADING.live).filter(|it| it.name() == NAMESPACE_OFFLOADING)
    }

    /// The one object of a kind of which Liqo wants one for a cluster. Of two the first counts, and both are a problem.
    pub(super) fn one(&self, half: &LiveHalf, problems: &mut Vec<String>) -> Option<&Object> {
        let mut found = self.all(half).filter(|it| it.kind() == half.kind());
        let first = found.next()?;
        problems.extend(found.map(|second| {
            let (one, other) = (first.with_place(), second.with_place());
            format!(
                "Liqo takes one of these for {}, and there are two: {one} and {other}",
                quoted(&self.peer)
            )
        }));
        Some(first)
    }
}

/// What brings a Secret is that Secret: somewhere in it are the labels that Liqo finds it by, as in the template of a SealedSecret or
/// an ExternalSecret, the destination of a VaultStaticSecret, or its own metadata.
fn as_secret(mut object: Object) -> Object {
    let is_usual = matches!(object.kind(), "SealedSecret" | "ExternalSecret");
    if object.kind() == "Secret" || object.group().is_empty() || object.group().ends_with("liqo.io") {
        return object;
    }
    let Some((name, metadata)) = labelled(&object.value).or_else(|| is_usual.then_some((None, &Value::Null)))
    else {
        return object;
    };
    let named = ["/spec/target/name", "/spec/destination/name"].iter().find_map(|it| object.string(it));
    let name = name.filter(|it| *it != object.name()).or(named).unwrap_or(object.name());
    let metadata = json!({ "name": name, "namespace": object.namespace(), "labels": metadata.get("labels"), "annotations": metadata.get("annotations") });
    let bringer = format!("{} {}", object.kind(), shown_name(object.name()));
    object.value = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata });
    object.in_wrapper(Some(&bringer))
}

/// The map with the labels of one of Liqo's Secrets, and the nearest name above it.
fn labelled(value: &Value) -> Option<(Option<&str>, &Value)> {
    if value.get("labels").is_some_and(are_of_a_secret) {
        return Some((name_in(value), value));
    }
    let parts: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => return None,
    };
    let (name, found) = parts.into_iter().find_map(labelled)?;
    Some((name.or_else(|| name_in(value)), found))
}

/// Whether labels are those of one of Liqo's Secrets.
fn are_of_a_secret(labels: &Value) -> bool {
    [crate::peering::names::IDENTITY_TYPE, crate::peering::names::GATEWAY_RESOURCE]
        .iter()
        .any(|it| labels.get(it).is_some())
}

fn name_in(value: &Value) -> Option<&str> {
    ["name", "secretName"].iter().find_map(|it| value.get(it)?.as_str())
}

fn is_brought(object: &Object) -> bool {
    object.kind() == "Secret" && object.wrapper().is_some()
}

/// Whether a slice with the marks of a copy is the cluster's own: a copy has the other cluster's ID as its origin (liqo
/// `internal/crdReplicator/reflection/resourceHandler.go`).
fn is_own(object: &Object, id: &str) -> bool {
    object.label(ORIGIN_ID).or(object.string("/spec/consumerClusterID")).is_none_or(|it| it == id)
}

/// Gives the objects without a namespace the one that kustomize, `kubectl -n` or an Application gives them: the tenant namespace, if the
/// manifests have one, else all of them have none. What else kustomize changes is not done here.
fn fill_namespaces(role: Role, objects: &mut Vec<Object>, problems: &mut Vec<String>) {
    let is_liqos = |it: &Object| it.group().ends_with("liqo.io") && !OUTSIDE.contains(&it.kind());
    let in_tenant = |it: &Object| {
        let is_secret = it.kind() == "Secret" && live_halves_of(it).next().is_some();
        is_liqos(it) || is_secret || matches!(it.kind(), "RoleBinding" | "ServiceAccount")
    };
    let is_tenants = |it: &Object| it.kind() == "Namespace" && it.label(TENANT_NAMESPACE).is_some();
    let of_object = |it: &Object| {
        let name = if is_tenants(it) { it.name() } else { it.namespace() };
        (is_tenants(it) || is_liqos(it)).then(|| name.to_owned())
    };
    let mut named: BTreeSet<String> = objects.iter().filter_map(of_object).collect();
    named.remove("");
    // of the objects below each folder
    let mut namespaces: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
    for object in objects.iter().filter(|it| !it.namespace().is_empty()) {
        for folder in Path::new(object.place()).ancestors() {
            namespaces.entry(folder).or_default().insert(object.namespace());
        }
    }
    let has_others = |own: &str, folder: Option<&Path>| {
        folder.and_then(|it| namespaces.get(it)).is_some_and(|all| all.len() > 1 || !all.contains(own))
    };
    for object in objects.iter().filter(|it| is_kustomization(it)) {
        let own = object.string("/namespace");
        let is_kept = |(field, value): &(&String, &Value)| match field.as_str() {
            "apiVersion" | "kind" | "metadata" | "sortOptions" | "buildMetadata" | "openapi"
            | "configurations" => true,
            "resources" => !value
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .any(|it| it.starts_with("..") || it.contains("://")),
            "namespace" => own.is_none_or(|own| !has_others(own, Path::new(object.place()).parent())),
            _ => false,
        };
        let changing = object.value.as_object().into_iter().flatten().filter(|it| !is_kept(it));
        problems.extend(changing.map(|(field, _)| {
            let place = shown_name(object.place());
            format!(
                "{role}: {place}: `{}` changes the manifests: import what `kustomize build` prints",
                shown_name(field)
            )
        }));
        named.extend(own.map(ToOwned::to_owned));
    }
    objects.retain(|it| !is_kustomization(it));
    let is_lacking = |it: &Object| it.namespace().is_empty() && in_tenant(it);
    let nowhere = objects.iter().filter(|it| it.kind() == "NamespaceOffloading" && it.namespace().is_empty());
    let lacking = objects.iter().filter(|it| is_lacking(it));
    let (lacking, one): (Vec<&Object>, _) = match named.iter().collect::<Vec<_>>().as_slice() {
        [name] => (nowhere.collect(), Some((*name).clone())),
        _ => (lacking.chain(nowhere).collect(), None),
    };
    if !lacking.is_empty() {
        let files: BTreeSet<String> = lacking.iter().map(|it| shown_name(it.place())).collect();
        let files = files.into_iter().collect::<Vec<_>>().join(", ");
        let others = named.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", ");
        let why = match (others.is_empty(), &one) {
            (_, Some(_)) => "it is not the tenant namespace".to_owned(),
            (true, None) => "none of them names it".to_owned(),
            (false, None) => format!("others are in {others}"),
        };
        problems.push(format!("{role}: {} without metadata.namespace, and {why}. Write it, or import what `kustomize build` prints: {files}", counted(lacking.len(), "object")));
    }
    for object in objects.iter_mut().filter(|it| is_lacking(it)) {
        if let (Some(name), Some(metadata)) =
            (&one, object.value.get_mut("metadata").and_then(Value::as_object_mut))
        {
            metadata.insert("namespace".to_owned(), json!(name));
        }
    }
}

/// kustomize's own file, which may lack its kind (kustomize `api/types/kustomization.go`, FixKustomizationPostUnmarshalling).
fn is_kustomization(object: &Object) -> bool {
    let stem =
        Path::new(object.place()).file_stem().is_some_and(|it| it.eq_ignore_ascii_case("kustomization"));
    object.group() == "kustomize.config.k8s.io" || stem && object.kind().is_empty()
}

/// The public key of a gateway's Secret, or the ID of a cluster's ConfigMap.
pub(super) fn public(object: &Object) -> Option<&str> {
    object.string("/data/publicKey").or_else(|| object.string("/data/CLUSTER_ID"))
}

/// The cluster that an object is about: by its label, or by the field that Liqo's webhook makes the label of.
fn peer(object: &Object) -> Option<&str> {
    object.label(REMOTE_CLUSTER_ID).or_else(|| object.string("/spec/clusterID"))
}

/// Whether two manifests say the same of one object.
fn is_same(one: &Object, other: &Object) -> bool {
    one.body().eq(other.body()) && one.at("/metadata/labels") == other.at("/metadata/labels")
}

/// What tells an object from others of its cluster.
fn id_of(object: &Object) -> [String; 4] {
    let (kind, group, namespace, name) = object.id();
    [kind, group, namespace, name].map(ToOwned::to_owned)
}

/// Two objects that should say the same of one thing.
pub(super) fn disagree(
    what: &str,
    one: (&Object, Option<&Value>),
    other: (&Object, Option<&Value>),
    problems: &mut Vec<String>,
) {
    if let (Some(a), Some(b)) = (one.1, other.1)
        && a != b
    {
        problems.push(format!("{what} differ: {} and {}", value_in(one.0, a), value_in(other.0, b)));
    }
}

fn value_in(object: &Object, value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    format!("{} in {}", quoted(&text), object.with_place())
}
