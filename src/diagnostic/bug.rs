//! A bug, as an error.

/// A bug in this program. It names the place, and quotes no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is a bug in argocd-peering: {0}")]
pub struct Bug(pub String);

impl Bug {
    /// A bug at a place.
    pub fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// What to do about it.
    pub const fn help(&self) -> &'static str {
        "please report it with the document, without secrets"
    }
}
