//! Places in peering.yaml, looked up in `docs/peering.schema.json`.

use serde_json::Value;

use crate::harness::committed;

/// The JSON Schema of peering.yaml.
pub(crate) struct Places(Value);

impl Places {
    pub(crate) fn read() -> Self {
        Self(serde_json::from_str(&committed("docs/peering.schema.json")).expect("JSON"))
    }

    /// What may stand at a place: none if there is no such place, several if there are alternatives.
    pub(crate) fn at(&self, place: &str) -> Vec<&Value> {
        let mut nodes = self.alternatives(&self.0);
        for name in place.replace("[]", ".[]").split('.') {
            let below = nodes.into_iter().map(|node| match name {
                "[]" => &node["items"],
                "*" => &node["additionalProperties"],
                _ => &node["properties"][name],
            });
            nodes = below
                .filter(|node| node.is_object())
                .flat_map(|node| self.alternatives(node))
                .collect();
        }
        nodes
    }

    /// The words that may stand at a place.
    pub(crate) fn words(&self, place: &str) -> Vec<&str> {
        let lists = self
            .at(place)
            .into_iter()
            .filter_map(|node| node["enum"].as_array());
        lists.flatten().filter_map(Value::as_str).collect()
    }

    /// What a place that is left out means, if the schema has it.
    pub(crate) fn default(&self, place: &str) -> Option<&Value> {
        self.at(place)
            .into_iter()
            .find_map(|node| node.get("default"))
    }

    /// A node itself, or what it refers to; the default stands beside the reference.
    fn alternatives<'s>(&'s self, node: &'s Value) -> Vec<&'s Value> {
        let referred = node["$ref"]
            .as_str()
            .and_then(|name| self.0.pointer(name.strip_prefix('#')?));
        let branches = node["anyOf"].as_array().into_iter().flatten();
        let inner = referred
            .into_iter()
            .chain(branches)
            .flat_map(|node| self.alternatives(node));
        std::iter::once(node).chain(inner).collect()
    }
}
