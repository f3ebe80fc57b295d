//! A text under a name, and the fields of its places.

use super::{Span, shown_name};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A text and the name that messages use for it. Every diagnostic of a fleet can have one, so a copy is cheap.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

impl Source {
    /// A text under a name. Messages show the name, so it must be relative; possible key material in it is masked.
    pub fn new(name: &str, text: impl Into<String>) -> Self {
        Self {
            name: shown_name(name).into(),
            text: text.into().into(),
        }
    }

    /// The name that messages use.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and the column of a byte, counted from 1, the column in characters.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let before = self
            .text
            .get(..byte.min(self.text.len()))
            .unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
        (before.matches('\n').count() + 1, column)
    }
}

/// The fields at some places of a document, such as `spec.consumer.podCIDRs[0]`, for messages that show no snippet. Empty for a text that
/// is not YAML. Only the needed places are kept: a path can be as long as the document, which has thousands of places.
///
/// A map begins where its first key does. If two fields have the same place, the first one counts: the map.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paths(BTreeMap<Span, String>);

impl Paths {
    /// The field whose key or value is at exactly this place; `None` for the document itself.
    pub fn path(&self, span: Span) -> Option<&str> {
        self.0.get(&span).map(String::as_str)
    }

    /// The fields at these places.
    pub(crate) fn fields_at(&self, places: impl Iterator<Item = Span>) -> Self {
        let kept = places.filter_map(|place| Some((place, self.path(place)?.to_owned())));
        kept.collect()
    }
}

impl FromIterator<(Span, String)> for Paths {
    fn from_iter<I: IntoIterator<Item = (Span, String)>>(fields: I) -> Self {
        let mut paths = BTreeMap::new();
        for (span, path) in fields {
            paths.entry(span).or_insert(path);
        }
        Self(paths)
    }
}
