//! An object as a manifest or an API server has it, less what an import must not know: of a Secret only its name, what Liqo
//! finds it by, and the public key are kept, and no value of its data is ever in memory as a value.

use crate::command::error::Bound;
use crate::command::workstation::budget::{Budget, Read, Tree, whole};
use crate::diagnostic::shown_name;
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::values::Item;
use serde::Deserialize;
use serde::de::{DeserializeSeed as _, Deserializer, Error as _, IgnoredAny};
use serde_json::{Map, Value};
use serde_saphyr::budget::BudgetBreach;
use std::collections::BTreeMap;
use std::fmt;

/// The item of a cluster's ConfigMap with its own ID (liqo `pkg/consts/core.go`).
const CLUSTER_ID: &str = "CLUSTER_ID";

/// What Liqo finds a Secret by. Tools keep whole objects in annotations, private keys and all, and no list of such tools is
/// complete: nothing else of a Secret's metadata is kept.
pub(super) const SECRET_LABELS: [&str; 3] =
    [REMOTE_CLUSTER_ID, "networking.liqo.io/gateway-resource", "liqo.io/identity-type"];
pub(super) const SECRET_ANNOTATION: &str = "liqo.io/remote-tenant-namespace";

type Texts = BTreeMap<String, String>;

/// An object, or a `List` of them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Raw {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    data: Option<Texts>,
    #[serde(default)]
    items: Vec<Self>,
    #[serde(default)]
    status: Value,
    #[serde(flatten)]
    body: Map<String, Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    #[serde(default)]
    name: String,
    #[serde(default)]
    namespace: String,
    #[serde(default)]
    labels: Option<Texts>,
    #[serde(default)]
    annotations: Option<Texts>,
    #[serde(default)]
    owner_references: Vec<IgnoredAny>,
}

/// One object, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    /// With its API group: `Tenant.authentication.liqo.io`.
    pub(super) kind: String,
    pub(super) name: String,
    /// Empty for an object of the whole cluster.
    pub(super) namespace: String,
    pub(super) labels: Texts,
    pub(super) annotations: Texts,
    /// Whether a controller made it for another object.
    pub(super) owned: bool,
    /// The public key of a gateway's Secret, or the ID of a cluster's ConfigMap.
    pub(super) public: Option<String>,
    pub(super) status: Value,
    /// Everything else, such as `spec`.
    pub(super) body: Value,
    /// The file or the context.
    pub(super) place: String,
}

impl Raw {
    /// The object, or those of the list.
    pub(super) fn objects(self, place: &str, objects: &mut Vec<Object>) {
        if !self.items.is_empty() || self.kind.ends_with("List") {
            self.items.into_iter().for_each(|item| item.objects(place, objects));
            return;
        }
        let group = self.api_version.split_once('/').map(|(group, _)| format!(".{group}"));
        let kind = self.kind + &group.unwrap_or_default();
        let Metadata { name, namespace, labels, annotations, owner_references } = self.metadata;
        let (mut labels, mut annotations) = (labels.unwrap_or_default(), annotations.unwrap_or_default());
        let mut body = self.body;
        if kind == "Secret" {
            labels.retain(|key, _| SECRET_LABELS.contains(&key.as_str()));
            annotations.retain(|key, _| key == SECRET_ANNOTATION);
            body.retain(|key, _| matches!(key.as_str(), "type" | "immutable"));
        }
        objects.push(Object {
            kind,
            name,
            namespace,
            labels,
            annotations,
            owned: !owner_references.is_empty(),
            public: self.data.into_iter().flatten().map(|(_, text)| text).next(),
            status: self.status,
            body: Value::Object(body),
            place: place.to_owned(),
        });
    }
}

impl Object {
    /// The cluster that it is about: by its label, or by the field that Liqo's webhook makes the label of.
    pub(super) fn peer(&self) -> Option<&str> {
        let label = self.labels.get(REMOTE_CLUSTER_ID).map(String::as_str);
        label.or_else(|| self.text("/spec/clusterID"))
    }

    /// Whether the replicator copied it from the other cluster (liqo `pkg/consts/replication.go`).
    pub(super) fn is_copy(&self) -> bool {
        self.labels.contains_key("liqo.io/replicated")
    }

    /// The string at a place (RFC 6901); an empty one is none.
    pub(super) fn text(&self, pointer: &str) -> Option<&str> {
        self.at(pointer)?.as_str().filter(|text| !text.is_empty())
    }

    /// The value at a place; null is none.
    pub(super) fn at(&self, pointer: &str) -> Option<&Value> {
        self.body.pointer(pointer).filter(|value| !value.is_null())
    }

    /// What is at a place, as a list: Liqo's older guides write one item without one.
    pub(super) fn list(&self, pointer: &str) -> Vec<Value> {
        match self.at(pointer) {
            Some(Value::Array(items)) => items.clone(),
            one => one.into_iter().cloned().collect(),
        }
    }

    /// What tells it from others of its cluster.
    pub(super) fn id(&self) -> (&str, &str, &str) {
        (&self.kind, &self.namespace, &self.name)
    }

    /// `Tenant.authentication.liqo.io liqo-tenant-rome/rome`
    pub(super) fn title(&self) -> String {
        let slash = if self.namespace.is_empty() { "" } else { "/" };
        shown_name(&format!("{} {}{slash}{}", self.kind, self.namespace, self.name))
    }

    /// The same with its file or context.
    pub(super) fn with_place(&self) -> String {
        format!("{} ({})", self.title(), shown_name(&self.place))
    }
}

/// Whether a text is a whole object, as tools keep one in an annotation: JSON (kapp, older Rancher), base64 of gzip (Rancher),
/// of zip (Banzai's operators) or of JSON, or YAML. It is nothing that a person means, and can have anything in it.
pub(super) fn is_object(text: &str) -> bool {
    const BEGINNINGS: [&str; 6] = ["{", "[{", "H4sI", "UEsD", "eyJ", "W3si"];
    let text = text.trim_start();
    BEGINNINGS.iter().any(|begin| text.starts_with(begin)) || text.lines().any(|it| it.starts_with("kind:"))
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
pub(super) fn read(
    text: &str,
    place: &str,
    budget: &Budget,
    objects: &mut Vec<Object>,
) -> Result<(), Problem> {
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
        document.raw.objects(place, objects);
    }
    Ok(())
}

/// A document of a file, and how many values it has: the reader of YAML takes no budget from outside.
struct Document {
    raw: Raw,
    values: usize,
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let budget = Budget::default();
        let value = Tree { budget: &budget, reads: read_of_object, path: &[] }.deserialize(deserializer)?;
        let raw = Raw::deserialize(value).map_err(D::Error::custom)?;
        Ok(Self { raw, values: Bound::VALUES - budget.values() })
    }
}
