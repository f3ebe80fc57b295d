//! JSON Schema of records and scalars.

use schemars::{Schema, json_schema};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A field: its name, whether it must be present, its description line by line, and its schema.
type FieldSchema<'f> = (&'f str, bool, &'f [&'f str], Schema);

/// The schema of a record with this description. Unknown fields are refused.
pub fn record_schema(description: &[&str], fields: Vec<FieldSchema<'_>>) -> Schema {
    let required: Vec<&str> = fields
        .iter()
        .filter(|(_, required, ..)| *required)
        .map(|it| it.0)
        .collect();
    let required = (!required.is_empty()).then(|| json!({ "required": required }));
    let properties = fields
        .into_iter()
        .map(|(name, _, doc, schema)| (name, described(schema, &join_lines(doc))));
    let schema = json_schema!({
        "description": join_lines(description),
        "type": "object",
        "properties": properties.collect::<BTreeMap<_, _>>(),
        "additionalProperties": false,
    });
    extended(schema, required.unwrap_or_default())
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
    lines
        .iter()
        .map(|line| line.trim())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A schema with this description.
pub(crate) fn described(schema: Schema, description: &str) -> Schema {
    extended(schema, json!({ "description": description }))
}

/// Declares the schema of a type, inlined where the type is used. A pattern may allow more than the type's own rule,
/// never less.
macro_rules! schema {
    ($type:ty, $generator:ident => $schema:expr) => {
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
    ($type:ty, $schema:tt) => {
        $crate::document::schema!($type, _generator => schemars::json_schema!($schema));
    };
}
pub(crate) use schema;
