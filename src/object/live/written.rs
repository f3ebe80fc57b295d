//! A document as it is written for people: fields in their order, with comments, in block style. A string is without quotes
//! only where YAML 1.1 and 1.2 both take it for that string.

use crate::document::Record;
use crate::input::yaml::{Plain, read_plain};
use crate::object::quote;
use serde_json::Value;

/// A value of the document.
pub(crate) enum Yaml {
    Text(String),
    /// A number or a boolean, as JSON writes it.
    Scalar(String),
    List(Vec<Self>),
    Map(Fields),
}

/// The fields of a map, each with the comment above it.
#[derive(Default)]
pub(crate) struct Fields(Vec<(String, Yaml, &'static str)>);

impl Fields {
    /// With another field, unless it has no value.
    pub(crate) fn with(mut self, key: &str, value: impl Content) -> Self {
        self.0.extend(value.yaml().map(|value| (key.to_owned(), value, "")));
        self
    }

    /// Adds a field with a comment above it.
    pub(crate) fn because(mut self, comment: &'static str, key: &str, value: impl Content) -> Self {
        let count = self.0.len();
        self = self.with(key, value);
        if let Some(field) = self.0.get_mut(count) {
            field.2 = comment;
        }
        self
    }

    /// With another string, unless it is the usual one.
    pub(crate) fn unusual(self, key: &str, value: Option<&str>, usual: &str) -> Self {
        self.with(key, value.filter(|value| *value != usual))
    }

    /// With the fields of a record that are Liqo's own, as an object has them, less those that mean nothing else than if they
    /// were left out, and less `but`: the declaration is read backwards.
    pub(crate) fn read_back<R: Record>(self, object: Option<&Value>, but: &[&str]) -> Self {
        let names = R::LIQOS.iter().filter(|name| !name.is_empty() && !but.contains(name));
        names.fold(self, |fields, name| {
            let value = object.and_then(|object| object.get(name));
            let is_empty = |value: &&Value| value.is_null() || value.as_str() == Some("");
            let value = value.filter(|value| !is_empty(value) && R::default_of(name).as_ref() != Some(value));
            fields.with(name, value)
        })
    }

    /// The document, from this depth on.
    pub(crate) fn write(&self, indent: usize, text: &mut String) {
        for (key, value, comment) in &self.0 {
            let pad = " ".repeat(indent);
            // the parts of `spec` are apart from each other
            if indent == 2 && matches!(value, Yaml::Map(_)) && !text.ends_with(":\n") {
                text.push('\n');
            }
            for line in comment.lines() {
                text.push_str(&format!("{pad}# {line}\n"));
            }
            text.push_str(&format!("{pad}{}:", scalar(key)));
            value.write(indent + 2, text);
        }
    }
}

impl Yaml {
    /// After `key:`, up to the end of its last line.
    fn write(&self, indent: usize, text: &mut String) {
        match self {
            Self::Text(value) => text.push_str(&format!(" {}\n", scalar(value))),
            Self::Scalar(value) => text.push_str(&format!(" {value}\n")),
            Self::List(items) if items.is_empty() => text.push_str(" []\n"),
            Self::List(items) if !items.iter().any(|item| matches!(item, Self::List(_) | Self::Map(_))) => {
                let items = items.iter().map(|item| match item {
                    Self::Text(value) => scalar(value),
                    Self::Scalar(value) => value.clone(),
                    Self::List(_) | Self::Map(_) => String::new(),
                });
                text.push_str(&format!(" [{}]\n", items.collect::<Vec<_>>().join(", ")));
            }
            Self::List(items) => {
                text.push('\n');
                for item in items {
                    let start = text.len();
                    match item {
                        Self::Map(fields) if !fields.0.is_empty() => {
                            fields.write(indent + 2, text);
                            text.replace_range(start + indent..=start + indent, "-");
                        }
                        other => {
                            text.push_str(&format!("{}-", " ".repeat(indent)));
                            other.write(indent + 2, text);
                        }
                    }
                }
            }
            Self::Map(fields) if fields.0.is_empty() => text.push_str(" {}\n"),
            Self::Map(fields) => {
                text.push('\n');
                fields.write(indent, text);
            }
        }
    }
}

/// A string as a scalar. In flow style a comma or a bracket would end it, so only what is harmless anywhere is left plain.
fn scalar(text: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "-_./+=".contains(c);
    let plain = text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(harmless)
        && read_plain(text) == Plain::Text;
    if plain { text.to_owned() } else { quote(text) }
}

/// What a field may be given: a value, or none.
pub(crate) trait Content {
    fn yaml(self) -> Option<Yaml>;
}

impl Content for Yaml {
    fn yaml(self) -> Option<Yaml> {
        Some(self)
    }
}

impl Content for &str {
    fn yaml(self) -> Option<Yaml> {
        Some(Yaml::Text(self.to_owned()))
    }
}

impl Content for bool {
    fn yaml(self) -> Option<Yaml> {
        Some(Yaml::Scalar(self.to_string()))
    }
}

/// A map without fields is none: in the document it would mean something.
impl Content for Fields {
    fn yaml(self) -> Option<Yaml> {
        (!self.0.is_empty()).then_some(Yaml::Map(self))
    }
}

/// As it is, also an empty map.
impl Content for &Value {
    fn yaml(self) -> Option<Yaml> {
        Some(Yaml::from(self))
    }
}

impl<T: Content> Content for Option<T> {
    fn yaml(self) -> Option<Yaml> {
        self.and_then(T::yaml)
    }
}

impl From<&Value> for Yaml {
    fn from(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(map) => {
                Self::Map(map.iter().fold(Fields::default(), |fields, (key, value)| fields.with(key, value)))
            }
            scalar => Self::Scalar(scalar.to_string()),
        }
    }
}
