//! What `tests/coverage/*.yaml` says of every field of Liqo's CRDs.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::harness::argocd::yaml;

/// The release that a field was in from the start.
const FIRST: &str = "v1.0.0";

/// `kinds.yaml`: all of Liqo's kinds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Kinds {
    /// Those with a file of their own.
    pub(crate) concerned: Vec<String>,
    /// The others, each with the reason.
    pub(crate) not_concerned: BTreeMap<String, String>,
}

/// `<kind>.yaml`: one kind.
pub(crate) struct Kind {
    /// Its name.
    pub(crate) name: String,
    /// As its objects have it.
    pub(crate) api_version: String,
    /// What it is for, and where it is.
    pub(crate) about: String,
    /// Its fields, in the page's order.
    pub(crate) rows: Vec<Row>,
}

/// One field.
pub(crate) struct Row {
    /// Its path: `[]` is any item, `*` any key of a map, `**` everything below.
    pub(crate) field: String,
    /// The first release that has it.
    pub(crate) since: String,
    /// Where it comes from.
    pub(crate) how: How,
    /// What else is to be said.
    pub(crate) note: Option<String>,
}

/// Where a field of a stream comes from.
pub(crate) enum How {
    /// It is said in peering.yaml, at these places; less some words that cannot be said, and why.
    Expressed(Vec<String>, BTreeMap<String, String>),
    /// It follows from what is said at these places.
    Derived(Vec<String>),
    /// It has one value.
    Fixed(Value),
    /// It is not in the stream.
    Omitted(Reason),
}

/// Why a field is not in a stream.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Reason {
    /// It is below `status`.
    Status,
    /// Liqo fills it in.
    Liqo,
    /// Liqo never acts on it.
    Unread,
    /// The two clusters tell it to each other.
    KeysExchange,
}

impl Kinds {
    pub(crate) fn read() -> Self {
        serde_json::from_value(document("kinds"))
            .unwrap_or_else(|error| panic!("kinds.yaml: {error}"))
    }

    /// The kinds with a file of their own.
    pub(crate) fn tables(&self) -> Vec<Kind> {
        self.concerned.iter().map(|name| Kind::read(name)).collect()
    }
}

impl Kind {
    fn read(name: &str) -> Self {
        let written: WrittenKind = serde_json::from_value(document(name))
            .unwrap_or_else(|error| panic!("{name}.yaml: {error}"));
        let WrittenKind {
            api_version,
            about,
            fields,
        } = written;
        let rows: Vec<Row> = fields.into_iter().map(|row| row.checked(name)).collect();
        let mut seen = Vec::new();
        for row in &rows {
            assert!(
                !seen.contains(&&row.field),
                "{name}.yaml: {} is there twice",
                row.field
            );
            seen.push(&row.field);
        }
        Self {
            name: name.to_owned(),
            api_version,
            about,
            rows,
        }
    }

    /// The row that a path belongs to.
    pub(crate) fn row(&self, path: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.covers(path))
    }

    /// Whether the value at a path is a map with keys of anybody's own.
    pub(crate) fn is_map(&self, path: &str) -> bool {
        self.rows.iter().any(|row| {
            row.field
                .strip_prefix(path)
                .is_some_and(|rest| rest == ".*" || rest.starts_with(".*."))
        })
    }

    /// Whether a path has rows below it.
    pub(crate) fn has_below(&self, path: &str) -> bool {
        self.rows.iter().any(|row| {
            row.field
                .strip_prefix(path)
                .is_some_and(|rest| rest.starts_with(['.', '[']))
        })
    }
}

impl Row {
    /// Whether this row speaks of the field at this path.
    pub(crate) fn covers(&self, path: &str) -> bool {
        match self.field.strip_suffix(".**") {
            Some(root) => path
                .strip_prefix(root)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
            None => self.field == path,
        }
    }

    /// Whether an object of a stream may have it.
    pub(crate) const fn is_emitted(&self) -> bool {
        !matches!(self.how, How::Omitted(_))
    }

    /// The places in peering.yaml that it names.
    pub(crate) fn places(&self) -> &[String] {
        match &self.how {
            How::Expressed(places, _) | How::Derived(places) => places,
            How::Fixed(_) | How::Omitted(_) => &[],
        }
    }
}

/// Both sides and both directions of a place: `<own>` and `<other>` are the two clusters, and what is said of one
/// direction can be said of the other one, below `reverse`.
pub(crate) fn meant(place: &str) -> Vec<String> {
    let mut meant = vec![place.to_owned()];
    for side in ["<own>", "<other>"] {
        if place.contains(side) {
            meant = vec![
                place.replace(side, "consumer"),
                place.replace(side, "provider"),
            ];
        }
    }
    for direction in ["spec.authentication.", "spec.offloading."] {
        if let Some(rest) = place
            .strip_prefix("spec.")
            .filter(|_| place.starts_with(direction))
        {
            meant.push(format!("spec.reverse.{rest}"));
        }
    }
    meant
}

// ---- the fields that hold values: of an object, and of a CRD's schema -----------------------

/// What the API server knows without the CRD's help.
const OF_EVERY_OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// An object's values by path. An empty list or map is a value of its own.
pub(crate) fn of_object(object: &Value, kind: &Kind) -> BTreeMap<String, Vec<Value>> {
    let mut leaves = BTreeMap::new();
    for (name, value) in object.as_object().into_iter().flatten() {
        if !["apiVersion", "kind"].contains(&name.as_str()) {
            add(name.clone(), value, kind, &mut leaves);
        }
    }
    leaves
}

fn add(path: String, value: &Value, kind: &Kind, leaves: &mut BTreeMap<String, Vec<Value>>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let is_map = kind.is_map(&path);
            for (key, value) in map {
                let key = if is_map { "*" } else { key };
                add(format!("{path}.{key}"), value, kind, leaves);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                add(format!("{path}[]"), item, kind, leaves);
            }
        }
        value => leaves.entry(path).or_default().push(value.clone()),
    }
}

/// A schema's fields by path, each with its own schema.
pub(crate) fn of_schema(schema: &Value) -> BTreeMap<String, &Value> {
    let mut leaves = BTreeMap::new();
    for (name, node) in schema["properties"].as_object().into_iter().flatten() {
        if !OF_EVERY_OBJECT.contains(&name.as_str()) {
            add_schema(name.clone(), node, &mut leaves);
        }
    }
    leaves
}

fn add_schema<'s>(path: String, node: &'s Value, leaves: &mut BTreeMap<String, &'s Value>) {
    let properties = node["properties"]
        .as_object()
        .filter(|properties| !properties.is_empty());
    match (properties, &node["items"], &node["additionalProperties"]) {
        (Some(properties), _, _) => {
            for (name, node) in properties {
                add_schema(format!("{path}.{name}"), node, leaves);
            }
        }
        (None, items @ Value::Object(_), _) => add_schema(format!("{path}[]"), items, leaves),
        (None, _, values @ Value::Object(_)) => add_schema(format!("{path}.*"), values, leaves),
        _ => {
            leaves.insert(path, node);
        }
    }
}

// ---- as it is written -----------------------------------------------------------------------

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WrittenKind {
    api_version: String,
    about: String,
    fields: Vec<WrittenRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRow {
    field: String,
    since: Option<String>,
    expressed: Option<Places>,
    #[serde(default)]
    without: BTreeMap<String, String>,
    derived: Option<Places>,
    fixed: Option<Value>,
    omitted: Option<Reason>,
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Places {
    One(String),
    Several(Vec<String>),
}

impl Places {
    fn list(self) -> Vec<String> {
        match self {
            Self::One(place) => vec![place],
            Self::Several(places) => places,
        }
    }
}

impl WrittenRow {
    fn checked(self, kind: &str) -> Row {
        let Self {
            field,
            since,
            expressed,
            without,
            derived,
            fixed,
            omitted,
            note,
        } = self;
        let how = match (expressed, derived, fixed, omitted) {
            (Some(places), None, None, None) => How::Expressed(places.list(), without),
            (None, Some(places), None, None) => How::Derived(places.list()),
            (None, None, Some(value), None) => How::Fixed(value),
            (None, None, None, Some(reason)) => How::Omitted(reason),
            _ => panic!(
                "{kind}.yaml: {field}: say one of `expressed`, `derived`, `fixed` and `omitted`"
            ),
        };
        Row {
            field,
            since: since.unwrap_or_else(|| FIRST.to_owned()),
            how,
            note,
        }
    }
}

fn document(name: &str) -> Value {
    yaml(&format!("tests/coverage/{name}.yaml"))
}
