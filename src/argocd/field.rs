//! How a field of Argo CD's objects is read.

use crate::document::Located;
use crate::input::yaml::{Node, Value};

/// Whether a value is `true` to Argo CD and to kubectl, which read YAML 1.1 (go.yaml.in/yaml/v2 `resolve.go`). A text in quotes is
/// not: the API server refuses it.
pub(super) fn is_true(node: &Node) -> bool {
    let is_one = |text: &str| ["true", "yes", "on", "y"].iter().any(|it| text.eq_ignore_ascii_case(it));
    matches!(&node.value, Value::Plain(text) if is_one(text))
}

pub(super) fn locate_filled(node: &Node) -> Option<Located<String>> {
    locate(node).filter(|it| !it.value.is_empty())
}

pub(super) fn locate(node: &Node) -> Option<Located<String>> {
    let text = node.text().filter(|_| !node.is_empty())?;
    Some(Located::new(text.to_owned(), node.span))
}
