//! A text under a name.

use super::shown_name;
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
        let end = byte.min(self.text.len());
        let before = self.text.get(..end).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}
