//! A map that is not known yet.

use super::{Decode, Decoder, word_or};
use crate::input::yaml::Node;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// A map, or the word `pending` while its content is not known.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum PendingOr<T> {
    Pending,
    Known(Box<T>),
}

impl<T: Decode> Decode for PendingOr<T> {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        if node.is_map() {
            return Box::decode(node, decoder).map(Self::Known);
        }
        word_or(node, &["pending"], "a map, or `pending`", decoder)?;
        Some(Self::Pending)
    }
}

impl<T: JsonSchema> JsonSchema for PendingOr<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PendingOr".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let known = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [{ "type": "string", "enum": ["pending"] }, known] })
    }
}
