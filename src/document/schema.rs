//! JSON Schema of records and scalars.

use schemars::Schema;
use serde_json::{Map, Value};

/// The schema of a record while it is built.
#[derive(Debug)]
pub struct RecordSchema {
    description: String,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl RecordSchema {
    /// A record with this description, line by line.
    pub fn new(description: &[&str]) -> Self {
        Self { description: joined(description), properties: Map::new(), required: Vec::new() }
    }

    /// Adds a field.
    pub fn field(&mut self, name: &str, description: &[&str], schema: Schema, required: bool) {
        self.properties.insert(name.to_owned(), described(schema, &joined(description)).into());
        if required {
            self.required.push(name.into());
        }
    }

    /// Adds keywords to a field's schema.
    pub fn extend(schema: &mut Schema, more: Value) {
        if let Value::Object(more) = more {
            for (keyword, value) in more {
                schema.insert(keyword, value);
            }
        }
    }

    /// The schema. Unknown fields are refused.
    pub fn finish(self) -> Schema {
        let mut schema = Schema::default();
        for (keyword, value) in [
            ("description", self.description.into()),
            ("type", "object".into()),
            ("properties", self.properties.into()),
            ("additionalProperties", false.into()),
        ] {
            schema.insert(keyword.into(), value);
        }
        if !self.required.is_empty() {
            schema.insert("required".into(), self.required.into());
        }
        schema
    }
}

/// The lines of a doc comment as one text.
fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// A schema with this description.
pub(crate) fn described(mut schema: Schema, description: &str) -> Schema {
    schema.insert("description".into(), description.into());
    schema
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
