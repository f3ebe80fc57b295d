//! A text that is masked when it is serialized.

use super::printed;
use schemars::JsonSchema;
use serde::Serialize;

/// A text for people, masked on its way out like those on standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown(String);

impl Shown {
    /// Before it is masked.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// As it leaves the process.
    pub(crate) fn masked(&self) -> String {
        printed(&self.0)
    }
}

impl From<String> for Shown {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Serialize for Shown {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.masked())
    }
}

impl JsonSchema for Shown {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}
