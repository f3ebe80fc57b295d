//! The fields that hold values: of an object, and of a CRD's schema. A field with fields of its own stands in them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::table::Kind;

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
    let properties = node["properties"].as_object().filter(|properties| !properties.is_empty());
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
