//! A list against its schema: how many items, each of them, and which must differ.

use std::collections::BTreeSet;

use serde_json::Value;

use super::check::length_problems;
use super::schema::{ListType, Schema};

impl Schema {
    pub(super) fn array_problems(&self, items: &[Value], at: &str) -> Vec<String> {
        let mut problems = length_problems(items.len(), self.min_items, self.max_items, "items", at);
        if let Some(schema) = &self.items {
            for (index, item) in items.iter().enumerate() {
                problems.extend(schema.problems(item, &format!("{at}[{index}]")));
            }
        }
        problems.extend(self.duplicates(items, at));
        problems
    }

    /// Items of a set, or keys of a list map, that were there before
    /// (`listtype.ValidateListSetsAndMaps`).
    fn duplicates(&self, items: &[Value], at: &str) -> Vec<String> {
        if matches!(self.list_type, ListType::Atomic) {
            return Vec::new();
        }
        let mut seen = BTreeSet::new();
        let again = |(_, item): &(usize, &Value)| !seen.insert(self.identity(item));
        let duplicates = items.iter().enumerate().filter(again);
        duplicates.map(|(index, _)| format!("{at}[{index}]: duplicate")).collect()
    }

    /// What tells an item from the others; a key that is left out has its default.
    fn identity(&self, item: &Value) -> Vec<String> {
        let ListType::Map(keys) = &self.list_type else {
            return vec![canonical(item)];
        };
        let schema = self.items.as_ref().expect("a list map has a schema for its items");
        let key_value = |key: &String| {
            let default = || schema.properties.get(key)?.default.as_ref();
            item.get(key).or_else(default).map(canonical).unwrap_or_default()
        };
        keys.iter().map(key_value).collect()
    }
}

/// JSON text in which `1` and `1.0` are one number.
fn canonical(value: &Value) -> String {
    value.as_f64().map_or_else(|| value.to_string(), |number| number.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Schema;

    fn problems(schema: &Value, value: &Value) -> String {
        Schema::read(schema, "").problems(value, "x").join("; ")
    }

    #[test]
    fn sets_and_list_maps_have_no_duplicates() {
        let text = json!({ "type": "string" });
        let set = json!({ "type": "array", "items": text, "x-kubernetes-list-type": "set" });
        assert_eq!(problems(&set, &json!(["a", "b", "a"])), "x[2]: duplicate");

        let fields = json!({ "port": { "type": "integer" }, "by": { "type": "string", "default": "TCP" } });
        let map = json!({
            "type": "array",
            "items": { "type": "object", "properties": fields },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port", "by"],
        });
        assert_eq!(problems(&map, &json!([{ "port": 1 }, { "port": 1, "by": "UDP" }])), "");
        assert_eq!(problems(&map, &json!([{ "port": 1 }, { "port": 1, "by": "TCP" }])), "x[1]: duplicate");
    }
}
