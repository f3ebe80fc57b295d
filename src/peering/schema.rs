//! The JSON Schema of `peering.yaml`, from the very types that read it.
//!
//! It says what one field can say. Rules between fields are [`crate::rules`]'s; what the schema refuses, that
//! refuses too.

mod scalars;

use crate::document::Document;
use crate::document::decode::Located;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::borrow::Cow;

/// The schema (draft 2020-12), as text that ends with a line break.
#[must_use]
pub fn text() -> String {
    let generator = SchemaSettings::draft2020_12().with_transform(NotNull).into_generator();
    let mut schema = generator.into_root_schema_for::<Document>();
    schema.insert("title".into(), "peering.yaml of argocd-peering".into());
    // a value of this type serializes
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// A field that may be left out may not be null: `key:` with nothing behind it is a mistake.
#[derive(Debug, Clone, Copy)]
struct NotNull;

impl Transform for NotNull {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                schema.insert("type".into(), only);
            }
        }
        let inner = match schema.get_mut("anyOf") {
            Some(Value::Array(choices)) => {
                choices.retain(|choice| choice.get("type") != Some(&Value::from("null")));
                match choices.as_slice() {
                    [only] => only.as_object().cloned(),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(inner) = inner {
            schema.remove("anyOf");
            for (key, value) in inner {
                // the field's own description is more to the point than its type's
                if schema.get(&key).is_none() {
                    schema.insert(key, value);
                }
            }
        }
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
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
