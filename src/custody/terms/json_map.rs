//! Maps that are read field by field, each field once.

use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

/// What has fields.
pub(super) trait Fields<'d>: Default {
    /// Takes the value of a field. The error is that there is no such field, or that this is no value of it.
    fn take<A: MapAccess<'d>>(&mut self, field: &str, map: &mut A) -> Result<(), A::Error>;
}

/// Reads a map. A field that is there twice is refused: readers of JSON do not agree on which one counts.
pub(super) fn read_fields<'d, T: Fields<'d>, D: Deserializer<'d>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(Reader(PhantomData))
}

struct Reader<T>(PhantomData<T>);

impl<'d, T: Fields<'d>> Visitor<'d> for Reader<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<T, A::Error> {
        let (mut read, mut seen) = (T::default(), BTreeSet::new());
        while let Some(field) = map.next_key::<String>()? {
            read.take(&field, &mut map)?;
            if !seen.insert(field) {
                return Err(A::Error::custom("a field is there twice"));
            }
        }
        Ok(read)
    }
}
