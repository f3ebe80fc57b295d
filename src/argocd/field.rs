//! The values of fields, as Argo CD reads them.

use crate::document::Located;
use crate::input::yaml::{self, Node};

/// Whether Argo CD and kubectl read a value as true: they read YAML 1.1 (go.yaml.in/yaml/v2 `resolve.go`). A quoted text counts as what it
/// means: the API server refuses it.
pub(super) fn is_true(node: &Node) -> bool {
    node.text().and_then(yaml::boolean) == Some(true)
}

pub(super) fn locate_filled(node: &Node) -> Option<Located<String>> {
    locate(node).filter(|it| !it.value.is_empty())
}

pub(super) fn locate(node: &Node) -> Option<Located<String>> {
    let text = node.text()?;
    if node.is_empty() {
        return None;
    }
    Some(Located::new(text.to_owned(), node.span))
}
