//! A value and its place.

use crate::diagnostic::Span;
use schemars::JsonSchema;
use std::ops::Deref;

// A value and its place in the document: where the value is written, or where another value is written from which it follows. The schema is
// that of the value. A doc comment here would become its description, so there is none.
//
// Two of them are equal if their values are equal. An edit of the document moves places and changes no meaning, and a rotation compares the
// peering before its edit with the peering after it.
#[derive(Debug, Clone, Copy, serde::Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Located<T> {
    pub value: T,
    #[serde(skip)]
    pub span: Span,
}

impl<T> Located<T> {
    /// A value at a place.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// Another value at the same place.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Located<U> {
        Located {
            value: map(self.value),
            span: self.span,
        }
    }
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Located<T> {}

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: std::fmt::Display> std::fmt::Display for Located<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(formatter)
    }
}
