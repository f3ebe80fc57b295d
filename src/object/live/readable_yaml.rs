//! A document as it is written for people: fields in their order, in block style, short lists on a line.

use crate::document::Record;
use serde_json::Value;

/// A value of the document.
pub(crate) enum Yaml {
    Scalar(Value),
    List(Vec<Self>),
    Map(Fields),
}

/// The fields of a map.
#[derive(Default)]
pub(crate) struct Fields(Vec<(String, Yaml)>);

impl Fields {
    /// With another field, unless it has no value.
    pub(crate) fn with(mut self, key: &str, value: impl Content) -> Self {
        self.0.extend(value.yaml().map(|value| (key.to_owned(), value)));
        self
    }

    /// With a value at the end of a path; a number in it is an item of a list, at most the next one.
    pub(crate) fn with_at(mut self, path: &[String], value: &Value) -> Self {
        let Some((key, rest)) = path.split_first() else { return self };
        let at = self.0.iter().position(|(name, _)| name == key);
        let before = at.map(|at| self.0.remove(at).1);
        let after = before.unwrap_or_else(|| Yaml::Map(Self::default())).with_at(rest, value);
        self.0.insert(at.unwrap_or(self.0.len()), (key.clone(), after));
        self
    }

    /// With another string, unless it is the usual one.
    pub(crate) fn unusual(self, key: &str, value: Option<&str>, usual: &str) -> Self {
        self.with(key, value.filter(|value| *value != usual))
    }

    /// With the fields of a record that are Liqo's own, as an object has them, less those that mean nothing else than if they
    /// were left out, and less `but`: the declaration is read backwards.
    pub(crate) fn read_back<R: Record>(self, object: Option<&Value>, but: &[&str]) -> Self {
        let names = R::LIQOS.iter().filter(|name| !but.contains(name));
        names.fold(self, |fields, name| {
            let value = object.and_then(|object| object.get(name));
            let value = value.filter(|value| !value.is_null() && value.as_str() != Some(""));
            fields.with(name, value.filter(|value| R::default_of(name).as_ref() != Some(value)))
        })
    }
}

impl Yaml {
    fn with_at(self, path: &[String], value: &Value) -> Self {
        let Some((key, rest)) = path.split_first() else { return Self::from(value) };
        let Ok(at) = key.parse::<usize>() else {
            let fields = if let Self::Map(fields) = self { fields } else { Fields::default() };
            return Self::Map(fields.with_at(path, value));
        };
        let mut items = if let Self::List(items) = self { items } else { Vec::new() };
        let before = if at < items.len() { items.remove(at) } else { Self::Map(Fields::default()) };
        items.insert(at.min(items.len()), before.with_at(rest, value));
        Self::List(items)
    }
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
        Some(Yaml::Scalar(self.into()))
    }
}

impl Content for bool {
    fn yaml(self) -> Option<Yaml> {
        Some(Yaml::Scalar(self.into()))
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
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(map) => {
                Self::Map(map.iter().fold(Fields::default(), |fields, (key, value)| fields.with(key, value)))
            }
            scalar => Self::Scalar(scalar.clone()),
        }
    }
}

/// As text, with what the image lacks of `serde-saphyr`.
#[cfg(feature = "workstation")]
mod serialize {
    use super::{Fields, Yaml};
    use crate::diagnostic::Bug;
    use serde::ser::{Serialize, Serializer};
    use serde_saphyr::FlowSeq;

    impl Serialize for Yaml {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Self::Scalar(value) => value.serialize(serializer),
                Self::List(items) if items.iter().all(|item| matches!(item, Self::Scalar(_))) => {
                    FlowSeq(items).serialize(serializer)
                }
                Self::List(items) => items.serialize(serializer),
                Self::Map(fields) => fields.serialize(serializer),
            }
        }
    }

    impl Fields {
        pub(crate) fn text(&self) -> Result<String, Bug> {
            let options =
                serde_saphyr::ser_options! { compact_list_indent: false, prefer_block_scalars: false };
            serde_saphyr::to_string_with_options(self, options).map_err(|_| Bug::new("a document as text"))
        }
    }

    impl Serialize for Fields {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
        }
    }
}
