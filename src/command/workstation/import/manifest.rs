//! An object as a manifest or an API server has it, less what an import must not know: of a Secret only its name, what Liqo
//! finds it by, and the public key are kept, and no value of its data is ever in memory as a value.

use crate::command::error::Bound;
use crate::command::workstation::budget::{Budget, Read, Tree, whole};
use crate::object::live::Live;
use crate::peering::names::{self, REMOTE_CLUSTER_ID};
use crate::peering::values::Item;
use serde::Deserialize;
use serde::de::{DeserializeSeed as _, Deserializer, Error as _};
use serde_json::Value;
use serde_saphyr::budget::BudgetBreach;
use std::fmt;

/// The item of a cluster's ConfigMap with its own ID (liqo `pkg/consts/core.go`).
const CLUSTER_ID: &str = "CLUSTER_ID";

/// What Liqo finds a Secret by. Tools keep whole objects in annotations, private keys and all, and no list of such tools is
/// complete: nothing else of a Secret's metadata is kept.
pub(super) const SECRET_LABELS: [&str; 3] =
    [REMOTE_CLUSTER_ID, names::GATEWAY_RESOURCE, names::IDENTITY_TYPE];
pub(super) const SECRET_ANNOTATION: &str = names::REMOTE_TENANT_NAMESPACE;

/// Whether a value is an object, or a list of them.
pub(super) fn is_whole(value: &Value) -> bool {
    let is_map = |place: &str| value.pointer(place).is_none_or(|it| it.is_object() || it.is_null());
    let maps = ["", "/metadata", "/metadata/labels", "/metadata/annotations", "/data"];
    let items = value.get("items").is_none_or(|it| it.as_array().is_some_and(|it| it.iter().all(is_whole)));
    value.is_object() && maps.into_iter().all(is_map) && items
}

/// The objects of a value, or of a list of them.
pub(super) fn objects(mut value: Value, place: &str, objects: &mut Vec<Live>) {
    let kind = value.get("kind").and_then(Value::as_str).unwrap_or_default();
    let (is_list, is_secret) = (kind.ends_with("List"), kind == "Secret");
    match value.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) if is_list || !items.is_empty() => {
            for item in items {
                self::objects(item, place, objects);
            }
        }
        _ if is_list => {}
        _ => {
            if is_secret {
                keep_public(&mut value);
            }
            objects.push(Live::of(place, value));
        }
    }
}

/// Takes away what of a Secret is not known to be public.
fn keep_public(secret: &mut Value) {
    let is_public = |path: [&str; 2]| match path {
        ["", key] => matches!(key, "apiVersion" | "kind" | "metadata" | "type" | "immutable" | "data"),
        ["/metadata", key] => {
            matches!(key, "name" | "namespace" | "labels" | "annotations" | "ownerReferences")
        }
        ["/metadata/labels", key] => SECRET_LABELS.contains(&key),
        ["/metadata/annotations", key] => key == SECRET_ANNOTATION,
        _ => true,
    };
    for place in ["", "/metadata", "/metadata/labels", "/metadata/annotations"] {
        if let Some(fields) = secret.pointer_mut(place).and_then(Value::as_object_mut) {
            fields.retain(|key, _| is_public([place, key]));
        }
    }
}

/// The public key of a gateway's Secret, or the ID of a cluster's ConfigMap.
pub(super) fn public(object: &Live) -> Option<&str> {
    object.string("/data/publicKey").or_else(|| object.string("/data/CLUSTER_ID"))
}

/// The cluster that an object is about: by its label, or by the field that Liqo's webhook makes the label of.
pub(super) fn peer(object: &Live) -> Option<&str> {
    object.label(REMOTE_CLUSTER_ID).or_else(|| object.string("/spec/clusterID"))
}

/// What of an object is read: of its data only what is public, and nothing in which the whole of it is repeated.
pub(super) fn read_of_object(path: &[&str]) -> Read {
    match path {
        ["data", key] if ![Item::PublicKey.word(), CLUSTER_ID].contains(key) => Read::Skipped,
        ["stringData"] | ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"] => {
            Read::Skipped
        }
        ["apiVersion" | "kind"]
        | ["metadata", "name" | "namespace"]
        | ["metadata", "labels" | "annotations", _]
        | ["data", _] => Read::Text,
        _ => whole(path),
    }
}

/// Why a text was not read. What is there is not quoted.
#[derive(Debug)]
pub(super) enum Problem {
    /// The line, if it is known, at which it is not YAML or not Kubernetes objects.
    Malformed(Option<u64>),
    TooMuch(Bound),
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(Some(line)) => write!(formatter, ", line {line}: not YAML of Kubernetes objects"),
            Self::Malformed(None) => formatter.write_str(": not YAML of Kubernetes objects"),
            Self::TooMuch(bound) => write!(
                formatter,
                ": with it, the manifests have more than {bound}: name only files of this peering"
            ),
        }
    }
}

/// Reads the objects of a text with any number of documents.
///
/// # Errors
/// When it is not YAML of objects, or more than a run may keep.
pub(super) fn read(text: &str, place: &str, budget: &Budget, objects: &mut Vec<Live>) -> Result<(), Problem> {
    budget.take_bytes(text.len()).map_err(Problem::TooMuch)?;
    let left = budget.values();
    // a stream has up to 3000 documents, which is more than the reader takes by itself
    let options = serde_saphyr::options! {
        with_snippet: false,
        legacy_octal_numbers: true,
        budget: serde_saphyr::budget! { max_depth: 64, max_documents: 100_000, max_nodes: left, max_events: 4 * left },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
    };
    let documents: Vec<Option<Document>> =
        serde_saphyr::from_multiple_with_options(text, options).map_err(|error| match error {
            serde_saphyr::Error::Budget { breach: BudgetBreach::Nodes { .. }, .. } => {
                Problem::TooMuch(Bound::Values)
            }
            serde_saphyr::Error::Message { msg, .. } if msg == Bound::Values.to_string() => {
                Problem::TooMuch(Bound::Values)
            }
            error => Problem::Malformed(error.location().map(|location| location.line())),
        })?;
    for document in documents.into_iter().flatten() {
        budget.take_values(document.values).map_err(Problem::TooMuch)?;
        self::objects(document.value, place, objects);
    }
    Ok(())
}

/// A document of a file, and how many values it has: the reader of YAML takes no budget from outside.
struct Document {
    value: Value,
    values: usize,
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let budget = Budget::default();
        let value = Tree { budget: &budget, reads: read_of_object, path: &[] }.deserialize(deserializer)?;
        if !is_whole(&value) {
            return Err(D::Error::custom("not an object"));
        }
        Ok(Self { value, values: Bound::VALUES - budget.values() })
    }
}
