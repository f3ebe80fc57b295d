//! The budget of a run for clusters' answers and for manifests, all of them together. Bytes alone are not a bound: a map is five bytes of
//! JSON and 600 of memory.

use crate::state::Bound;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::Cell;
use std::fmt;

/// How many values a map counts in addition to itself: one has room for eleven.
const MAP: usize = 3;

/// The part of a run's budget that is left.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes: Cell<usize>,
    values: Cell<usize>,
    broken: Cell<Option<Bound>>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            bytes: Cell::new(Bound::BYTES),
            values: Cell::new(Bound::VALUES),
            broken: Cell::new(None),
        }
    }
}

impl Budget {
    /// Takes the bytes of a text before it is read.
    ///
    /// # Errors
    /// When the run would exceed its budget.
    pub(crate) fn take_bytes(&self, count: usize) -> Result<(), Bound> {
        self.take(&self.bytes, count, Bound::Bytes)
    }

    /// Takes values, each before it is kept.
    ///
    /// # Errors
    /// When the run would exceed its budget.
    pub(crate) fn take_values(&self, count: usize) -> Result<(), Bound> {
        self.take(&self.values, count, Bound::Values)
    }

    fn take(&self, left: &Cell<usize>, count: usize, bound: Bound) -> Result<(), Bound> {
        let rest = left.get().checked_sub(count);
        left.set(rest.unwrap_or_default());
        if rest.is_some() {
            return Ok(());
        }
        self.broken.set(Some(bound));
        Err(bound)
    }

    /// How many values are left.
    pub(crate) const fn values(&self) -> usize {
        self.values.get()
    }

    /// The JSON value of a text, with the fields that are read; `None` if it is not JSON.
    ///
    /// # Errors
    /// When the value is larger than the rest of the budget.
    pub(crate) fn json(&self, text: &str, reads: FieldFilter) -> Result<Option<Value>, Bound> {
        let mut json = serde_json::Deserializer::from_str(text);
        let tree = Tree {
            budget: self,
            reads,
            path: &[],
        };
        let value = tree.deserialize(&mut json);
        let value = value.ok().filter(|_| json.end().is_ok());
        self.broken.get().map_or(Ok(value), Err)
    }
}

/// Decides what is read of a field, by its path in the object: `["status", "addresses"]`. Fields below a skipped one are not asked. The
/// items of a list have the list's path.
pub(crate) type FieldFilter = fn(&[&str]) -> Extent;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Skipped,
    Value,
    /// Only whether the field exists.
    Presence,
    /// A string, even where YAML would read a number.
    Text,
}

/// A value, or a list of objects, with the fields that are read.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'r> {
    pub(crate) budget: &'r Budget,
    pub(crate) reads: FieldFilter,
    pub(crate) path: &'r [&'r str],
}

impl Tree<'_> {
    fn kept<E: Error>(self, value: impl Into<Value>) -> Result<Value, E> {
        self.budget.take_values(1).map_err(E::custom)?;
        Ok(value.into())
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.kept(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.kept(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.kept(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.kept(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.kept(Number::from_f64(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.kept(value)
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        self.kept(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self)? {
            items.push(item);
        }
        self.kept(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let mut path = [self.path, &[key.as_str()]].concat();
            // the items of a list have their own paths
            if path == ["items"] {
                path.clear();
            }
            let extent = (self.reads)(&path);
            let value = match extent {
                Extent::Value => map.next_value_seed(Tree {
                    path: &path,
                    ..self
                })?,
                Extent::Text => self.kept(map.next_value::<String>()?)?,
                Extent::Presence | Extent::Skipped => {
                    let IgnoredAny = map.next_value()?;
                    if extent == Extent::Skipped {
                        continue;
                    }
                    self.kept(true)?
                }
            };
            fields.insert(key, value);
        }
        self.budget.take_values(MAP).map_err(A::Error::custom)?;
        self.kept(fields)
    }
}
