//! Objects from manifests and API servers, without what an import must not know. Of a Secret, only its name, the marks by which Liqo finds
//! it, and the public key are kept; other values of its data are never kept in memory.

use super::budget::{Budget, Extent, Tree};
use crate::diagnostic::shown_name;
use crate::input::file::{self, Links, read_text};
use crate::object::live::{Object, text_at};
use crate::peering::names::{
    GATEWAY_RESOURCE, IDENTITY_TYPE, NONCE_LABEL, REMOTE_CLUSTER_ID, REMOTE_TENANT_NAMESPACE,
};
use crate::peering::values::DataKey;
use crate::state::{Bound, StateError};
use serde::Deserialize;
use serde::de::{DeserializeSeed as _, Deserializer, Error as _};
use serde_json::Value;
use serde_saphyr::budget::BudgetBreach;
use std::fmt;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// More than a dump of a cluster with thousands of peerings.
const FILE_CAP: u64 = 16 * 1024 * 1024;

/// The item with the cluster's ID in its ConfigMap (liqo `pkg/consts/core.go`).
const CLUSTER_ID: &str = "CLUSTER_ID";

/// The item of a Secret with the text that a consumer signs (liqo `pkg/consts/authentication.go`).
const NONCE: &str = "nonce";

impl super::Snapshot {
    /// The objects of files, and of the manifests in folders.
    ///
    /// # Errors
    /// When one cannot be read, is not YAML of objects, or is more than a run may keep.
    pub(crate) fn of_files(paths: &[PathBuf], budget: &Budget) -> Result<Self, StateError> {
        let mut found = Vec::new();
        for path in paths {
            if path.is_dir() {
                file::walk(path, &mut |path, is_folder| {
                    if file::is_manifest(path) && !is_folder {
                        found.push(path.to_owned());
                    }
                })?;
            } else {
                found.push(path.clone());
            }
        }
        found.sort();
        found.dedup();
        let mut snapshot = Self::default();
        for path in found {
            let text = &*Zeroizing::new(read_text(&path, FILE_CAP, Links::Follow)?);
            let place = path.display().to_string();
            if let Err(problem) = read_manifests(text, &place, budget, &mut snapshot.objects) {
                let problem = format!("{}{problem}", shown_name(&place));
                return Err(StateError::Manifest(problem));
            }
        }
        Ok(snapshot)
    }
}

/// Whether a value is an object, or a list of them.
pub(super) fn is_complete(value: &Value) -> bool {
    let places = [
        "",
        "/metadata",
        "/metadata/labels",
        "/metadata/annotations",
        "/data",
        "/stringData",
    ];
    let mut maps = places.iter().filter_map(|place| value.pointer(place));
    let items = match value.get("items") {
        Some(Value::Array(items)) => items.iter().all(is_complete),
        items => items.is_none(),
    };
    value.is_object() && maps.all(|it| it.is_object() || it.is_null()) && items
}

/// The objects of a value: itself, or the items of a list.
pub(super) fn objects_in(mut value: Value, place: &str, objects: &mut Vec<Object>) {
    let kind = text_at(&value, "kind");
    let (is_list, is_secret, is_unnamed) =
        (kind.ends_with("List"), kind == "Secret", kind.is_empty());
    match value.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) if is_list || is_unnamed || !items.is_empty() => {
            for item in items {
                objects_in(item, place, objects);
            }
        }
        _ if is_list => {}
        _ => {
            if is_secret {
                keep_public(&mut value);
            }
            objects.push(Object::from_file(place, value));
        }
    }
}

/// The labels and the annotation by which Liqo finds a Secret. Nothing else of a Secret's metadata is kept: tools store whole objects in
/// annotations, with private keys, and no list of such tools is complete.
pub(super) const LABELS: [&str; 4] = [
    REMOTE_CLUSTER_ID,
    GATEWAY_RESOURCE,
    IDENTITY_TYPE,
    NONCE_LABEL,
];
pub(super) const ANNOTATION: &str = REMOTE_TENANT_NAMESPACE;

/// Removes all fields of a Secret that are not known to be public.
fn keep_public(secret: &mut Value) {
    // SOPS adds this field to a file that it encrypts (getsops/sops stores/stores.go, Metadata)
    if let Some(fields) = secret.as_object_mut()
        && fields.contains_key(ENCRYPTED)
    {
        fields.insert(ENCRYPTED.to_owned(), true.into());
        fields.remove("data");
        fields.remove("stringData");
    }
    for place in ["", "/metadata", "/metadata/labels", "/metadata/annotations"] {
        if let Some(fields) = secret.pointer_mut(place).and_then(Value::as_object_mut) {
            fields.retain(|key, _| is_public([place, key]));
        }
    }
}

#[rustfmt::skip] // two tables
const FIELDS: [&str; 7] = ["apiVersion", "kind", "metadata", "type", "immutable", "data", "stringData"];
#[rustfmt::skip]
const METADATA: [&str; 7] = ["name", "namespace", "labels", "annotations", "ownerReferences", "deletionTimestamp", "finalizers"];

/// Whether a field of a Secret is public, by the field that it is in and by its name.
fn is_public(path: [&str; 2]) -> bool {
    match path {
        ["", key] => FIELDS.contains(&key) || key == ENCRYPTED,
        ["/metadata", key] => METADATA.contains(&key),
        ["/metadata/labels", key] => LABELS.contains(&key),
        ["/metadata/annotations", key] => key == ANNOTATION,
        _ => true,
    }
}

/// The field of an object whose values SOPS has encrypted.
pub(crate) const ENCRYPTED: &str = "sops";

/// The fields that are read of workloads and their pods, whose environment can have secrets, and of NetworkPolicies.
pub(crate) fn workload(path: &[&str]) -> Extent {
    const SPEC: [&str; 7] = [
        "replicas",
        "template",
        "nodeName",
        "podSelector",
        "policyTypes",
        "ingress",
        "egress",
    ];
    const STATUS: [&str; 8] = [
        "availableReplicas",
        "numberUnavailable",
        "desiredNumberScheduled",
        "containerStatuses",
        "initContainerStatuses",
        "conditions",
        "phase",
        "startTime",
    ];
    let is_read = match path {
        ["metadata", "annotations"] => false,
        ["spec", "template", "spec", "containers", field] => *field == "image",
        ["spec", "template", "spec", field] => *field == "containers",
        ["spec", "template", field] => *field == "spec",
        ["spec", field] => SPEC.contains(field),
        ["status", field] => STATUS.contains(field),
        _ => return whole_field(path),
    };
    if is_read {
        Extent::Value
    } else {
        Extent::Skipped
    }
}

/// The fields that are read of other objects: of data only the public items, and no field that repeats the whole object.
pub(crate) fn whole_field(path: &[&str]) -> Extent {
    match path {
        ["data", key] if ![DataKey::PublicKey.word(), CLUSTER_ID, NONCE].contains(key) => {
            Extent::Skipped
        }
        ["stringData", _] => Extent::Presence,
        ["metadata", "managedFields"]
        | [
            "metadata",
            "annotations",
            "kubectl.kubernetes.io/last-applied-configuration",
        ] => Extent::Skipped,
        _ => Extent::Value,
    }
}

/// As [`whole_field`]. Strings that YAML could take for another type are read as text.
fn typed(path: &[&str]) -> Extent {
    match path {
        ["apiVersion" | "kind"]
        | ["metadata", "name" | "namespace"]
        | ["metadata", "labels" | "annotations", _]
        | ["data", _]
            if whole_field(path) == Extent::Value =>
        {
            Extent::Text
        }
        _ => whole_field(path),
    }
}

const NOT_OBJECTS: &str = "it is not YAML of Kubernetes objects";

/// Why a text was not read. The text is not quoted.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The text is not YAML, or not Kubernetes objects; with the line, if it is known.
    Malformed(Option<u64>),
    TooMuch(Bound),
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(Some(line)) => write!(
                formatter,
                ", line {line}: {NOT_OBJECTS}; render templates first"
            ),
            Self::Malformed(None) => write!(formatter, ": {NOT_OBJECTS}"),
            Self::TooMuch(bound) => write!(
                formatter,
                ": the manifests have more than {bound}; name only files of this peering"
            ),
        }
    }
}

/// Reads the objects of a text with any number of documents.
///
/// # Errors
/// When it is not YAML of objects, or more than a run may keep.
pub(crate) fn read_manifests(
    text: &str,
    place: &str,
    budget: &Budget,
    objects: &mut Vec<Object>,
) -> Result<(), Problem> {
    budget.take_bytes(text.len()).map_err(Problem::TooMuch)?;
    let left = budget.values();
    // a stream has up to 3000 documents, which is more than the reader accepts by default
    let options = serde_saphyr::options! {
        with_snippet: false,
        legacy_octal_numbers: true,
        budget: serde_saphyr::budget! { max_depth: 64, max_documents: 100_000, max_nodes: left, max_events: 4 * left },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
    };
    let documents: Vec<Option<ManifestDocument>> =
        serde_saphyr::from_multiple_with_options(text, options)?;
    for document in documents.into_iter().flatten() {
        let taken = budget.take_values(document.values);
        taken.map_err(Problem::TooMuch)?;
        objects_in(document.value, place, objects);
    }
    Ok(())
}

impl From<serde_saphyr::Error> for Problem {
    fn from(error: serde_saphyr::Error) -> Self {
        match error {
            serde_saphyr::Error::Budget {
                breach: BudgetBreach::Nodes { .. },
                ..
            } => Self::TooMuch(Bound::Values),
            serde_saphyr::Error::Message { msg, .. } if msg == Bound::Values.to_string() => {
                Self::TooMuch(Bound::Values)
            }
            error => Self::Malformed(error.location().map(|location| location.line())),
        }
    }
}

/// A document of a file, and how many values it has: the reader of YAML cannot use a budget from outside.
struct ManifestDocument {
    value: Value,
    values: usize,
}

impl<'de> Deserialize<'de> for ManifestDocument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let budget = &Budget::default();
        let tree = Tree {
            budget,
            reads: typed,
            path: &[],
        };
        let value = tree.deserialize(deserializer)?;
        if !is_complete(&value) {
            return Err(D::Error::custom("not an object"));
        }
        Ok(Self {
            value,
            values: Bound::VALUES - budget.values(),
        })
    }
}
