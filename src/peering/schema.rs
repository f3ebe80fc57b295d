//! The JSON Schema of `peering.yaml`, from the declarations that read it.
//!
//! It covers what one field can be. Rules between fields are checked elsewhere; what the schema refuses is refused there
//! too.

use super::spec::Document;
use schemars::generate::SchemaSettings;

/// The schema (draft 2020-12), as text that ends with a line break.
pub fn text() -> String {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Document>();
    schema.insert("title".into(), "peering.yaml of argocd-peering".into());
    // a value of this type serializes
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::text;
    use serde_json::Value;

    fn schema() -> Value {
        serde_json::from_str(&text()).expect("JSON")
    }

    #[test]
    fn nothing_may_be_null_and_nothing_unknown() {
        let text = text();
        assert!(!text.contains("\"null\""), "a nullable field");
        let mut objects = 0;
        let mut stack = vec![schema()];
        while let Some(value) = stack.pop() {
            if let Value::Object(map) = &value {
                if map.contains_key("properties") {
                    assert_eq!(map.get("additionalProperties"), Some(&Value::Bool(false)), "{map:?}");
                    objects += 1;
                }
                stack.extend(map.values().cloned());
            } else if let Value::Array(items) = value {
                stack.extend(items);
            }
        }
        assert!(objects > 20, "{objects}");
    }

    #[test]
    fn every_field_is_described() {
        let mut stack = vec![schema()];
        while let Some(value) = stack.pop() {
            if let Value::Object(map) = &value {
                for (name, property) in map.get("properties").and_then(Value::as_object).into_iter().flatten()
                {
                    assert!(property.get("description").is_some(), "`{name}` has no description: {property}");
                }
                stack.extend(map.values().cloned());
            } else if let Value::Array(items) = value {
                stack.extend(items);
            }
        }
    }
}
