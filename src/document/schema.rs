//! JSON Schema of records and scalars.

use schemars::{Schema, json_schema};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A field: its name, whether it must be present, its description line by line, and its schema.
type FieldSchema<'f> = (&'f str, bool, &'f [&'f str], Schema);

/// The schema of a record with this description. Unknown fields are refused.
pub fn record_schema(description: &[&str], fields: Vec<FieldSchema<'_>>) -> Schema {
    let (mut properties, mut required) = (BTreeMap::new(), Vec::new());
    for (name, is_required, doc, schema) in fields {
        required.extend(is_required.then_some(name));
        properties.insert(name, described(schema, &join_lines(doc)));
    }
    let schema = json_schema!({
        "description": join_lines(description),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if required.is_empty() {
        return schema;
    }
    extended(schema, json!({ "required": required }))
}

/// A schema with more keywords.
pub fn extended(mut schema: Schema, more: Value) -> Schema {
    if let Value::Object(more) = more {
        schema.ensure_object().extend(more);
    }
    schema
}

/// The lines of a doc comment as one text.
fn join_lines(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    lines.join(" ")
}

/// A schema with this description.
fn described(schema: Schema, description: &str) -> Schema {
    extended(schema, json!({ "description": description }))
}

/// Declares the schema of a type, inlined where the type is used. A pattern may allow more than the type's own rule,
/// never less.
macro_rules! schema {
    ($content:ty, $generator:ident => $schema:expr) => {
        impl schemars::JsonSchema for $content {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($content).into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
    ($content:ty, $schema:tt) => {
        $crate::document::schema!($content, _generator => schemars::json_schema!($schema));
    };
}
pub(crate) use schema;
