//! The objects of a stream.

use std::fmt;

use serde_json::Value;

/// The documents of a text, read as Argo CD reads them: as YAML 1.1.
///
/// # Panics
/// When it is not YAML.
#[track_caller]
pub(crate) fn documents(text: &str) -> Vec<Value> {
    let options = serde_saphyr::options! { with_snippet: false, legacy_octal_numbers: true };
    serde_saphyr::from_multiple_with_options(text, options)
        .unwrap_or_else(|error| panic!("not YAML 1.1: {error}"))
}

/// An object's identity in a cluster. The version is no part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id {
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl Id {
    /// Of an object. What it does not have is empty.
    pub(crate) fn of(object: &Value) -> Self {
        let text = |pointer| {
            object
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        Self {
            group: text("/apiVersion")
                .split_once('/')
                .map_or("", |(group, _)| group)
                .to_owned(),
            kind: text("/kind"),
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
        }
    }
}

/// `GatewayServer.networking.liqo.io liqo-tenant-rome/rome`
impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            group,
            kind,
            namespace,
            name,
        } = self;
        formatter.write_str(kind)?;
        if !group.is_empty() {
            write!(formatter, ".{group}")?;
        }
        formatter.write_str(" ")?;
        if !namespace.is_empty() {
            write!(formatter, "{namespace}/")?;
        }
        formatter.write_str(name)
    }
}

/// The one object of a kind.
#[track_caller]
pub(crate) fn only<'o>(objects: &'o [Value], kind: &str) -> &'o Value {
    let of_kind: Vec<&Value> = objects
        .iter()
        .filter(|object| object["kind"] == kind)
        .collect();
    assert_eq!(of_kind.len(), 1, "one {kind}");
    of_kind[0]
}

/// The string at a place (RFC 6901), which must be there.
#[track_caller]
pub(crate) fn text_at<'v>(object: &'v Value, pointer: &str) -> &'v str {
    match object.pointer(pointer).and_then(Value::as_str) {
        Some(text) => text,
        None => panic!("{}: no string at {pointer}", Id::of(object)),
    }
}

/// An object's label, if it has it.
pub(crate) fn label<'v>(object: &'v Value, key: &str) -> Option<&'v str> {
    object["metadata"]["labels"][key].as_str()
}

/// An object's annotation, if it has it.
pub(crate) fn annotation<'v>(object: &'v Value, key: &str) -> Option<&'v str> {
    object["metadata"]["annotations"][key].as_str()
}

/// Where two values differ: paths, and what is different there. Keys that only one of them has are differences, too.
pub(crate) fn differences(expected: &Value, found: &Value) -> Vec<(String, String)> {
    let mut differences = Vec::new();
    differ("", expected, found, &mut differences);
    differences
}

fn differ(path: &str, expected: &Value, found: &Value, differences: &mut Vec<(String, String)>) {
    let difference = match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (key, expected) in expected {
                let path = format!("{path}.{key}");
                match found.get(key) {
                    Some(found) => differ(&path, expected, found, differences),
                    None => differences.push((path, "missing".to_owned())),
                }
            }
            let extra = found.keys().filter(|key| !expected.contains_key(*key));
            differences.extend(extra.map(|key| (format!("{path}.{key}"), "extra".to_owned())));
            return;
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                differ(&format!("{path}[{index}]"), expected, found, differences);
            }
            return;
        }
        (Value::Array(expected), Value::Array(found)) => {
            format!("expected {} item(s), found {}", expected.len(), found.len())
        }
        _ if expected == found => return,
        _ => format!("expected {}, found {}", shown(expected), shown(found)),
    };
    differences.push((path.to_owned(), difference));
}

/// A scalar as it is; of a map or a list only what it is.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a map".to_owned(),
        scalar => scalar.to_string(),
    }
}
