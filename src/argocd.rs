//! What Argo CD reports to a plugin: who calls, and for which side.

pub(crate) mod application;
pub(crate) mod application_set;
pub mod caller;
pub(crate) mod declared;
pub mod parameters;
pub(crate) mod plugin;
pub(crate) mod sync;

use crate::document::Located;
use crate::input::yaml::{self, Node};

/// The characters that make a text a pattern, or the denial of one, in the lists of an AppProject (argo-cd `util/glob`,
/// `pkg/apis/application/v1alpha1/app_project_types.go`, isDenyPattern).
pub(crate) const PATTERN: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];

/// The boolean that Argo CD and kubectl read in a value: they read YAML 1.1 (go.yaml.in/yaml/v2 `resolve.go`). A quoted text counts as what
/// it means: the API server refuses it.
fn boolean(node: &Node) -> Option<bool> {
    node.text().and_then(yaml::boolean)
}

fn is_true(node: &Node) -> bool {
    boolean(node) == Some(true)
}

/// The text under a key, or an empty one.
fn text_or_empty(node: &Node, key: &str) -> String {
    node.text_of(key).unwrap_or_default().to_owned()
}

fn locate_filled(node: &Node) -> Option<Located<String>> {
    locate(node).filter(|it| !it.value.is_empty())
}

fn locate(node: &Node) -> Option<Located<String>> {
    let text = node.text().filter(|_| !node.is_empty())?;
    Some(Located::new(text.to_owned(), node.span))
}
