//! A document that is written for people: fields in order, in block style, short lists on one line.

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
    /// Adds a field, unless it has no value.
    pub(crate) fn set(mut self, key: &str, value: impl Content) -> Self {
        if let Some(value) = value.yaml() {
            self.0.push((key.to_owned(), value));
        }
        self
    }

    /// Sets the value at the end of a path. A number in the path is the index of an item, at most the next one of the list.
    pub(crate) fn set_at(mut self, path: &[String], value: &Value) -> Self {
        let Some((key, rest)) = path.split_first() else {
            return self;
        };
        let (at, before) = match self.0.iter().position(|(name, _)| name == key) {
            Some(at) => (at, self.0.remove(at).1),
            None => (self.0.len(), Yaml::Map(Self::default())),
        };
        let after = (key.clone(), before.set_at(rest, value));
        self.0.insert(at, after);
        self
    }

    /// Adds a string, unless it is the default.
    pub(crate) fn unusual(self, key: &str, value: Option<&str>, usual: &str) -> Self {
        self.set(key, value.filter(|value| *value != usual))
    }

    /// Adds the fields of a record that are Liqo's own, from an object. The record's declaration is read backwards: fields with their
    /// default value are left out, and so are those in `but`.
    pub(crate) fn read_back<R: Record>(self, object: Option<&Value>, but: &[&str]) -> Self {
        let mut fields = self;
        for name in R::OBJECT_FIELDS {
            if let Some(value) = object.and_then(|object| object.get(name))
                && !but.contains(name)
                && !value.is_null()
                && value.as_str() != Some("")
                && R::default_of(name).as_ref() != Some(value)
            {
                fields = fields.set(name, value);
            }
        }
        fields
    }
}

impl Yaml {
    fn set_at(self, path: &[String], value: &Value) -> Self {
        let Some((key, rest)) = path.split_first() else {
            return Self::from(value);
        };
        match (key.parse::<usize>(), self) {
            (Ok(at), Self::List(mut items)) => {
                let before = if at < items.len() {
                    items.remove(at)
                } else {
                    Self::Map(Fields::default())
                };
                items.insert(at.min(items.len()), before.set_at(rest, value));
                Self::List(items)
            }
            (Ok(_), _) => Self::List(vec![Self::Map(Fields::default()).set_at(rest, value)]),
            (Err(_), Self::Map(fields)) => Self::Map(fields.set_at(path, value)),
            (Err(_), _) => Self::Map(Fields::default().set_at(path, value)),
        }
    }
}

/// A value that a field can be set to, or no value.
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

/// A map without fields counts as no value: in the document it would have a meaning.
impl Content for Fields {
    fn yaml(self) -> Option<Yaml> {
        (!self.0.is_empty()).then_some(Yaml::Map(self))
    }
}

/// A value as it is, including an empty map.
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
                let fields = map.iter().map(|(key, value)| (key.clone(), value.into()));
                Self::Map(Fields(fields.collect()))
            }
            scalar => Self::Scalar(scalar.clone()),
        }
    }
}

/// Writes the document as text, with the part of `serde-saphyr` that the image does not have.
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
            let options = serde_saphyr::ser_options! { compact_list_indent: false, prefer_block_scalars: false };
            serde_saphyr::to_string_with_options(self, options)
                .map_err(|_| Bug::new("a document as text"))
        }
    }

    impl Serialize for Fields {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
        }
    }
}
