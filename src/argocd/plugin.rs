//! How this plugin is recognised in a source, an object or a text.

use crate::diagnostic::nearest;
use crate::input::yaml::{Node, Value};

/// The plugin's name in plugin.yaml.
pub(crate) const PLUGIN: &str = "argocd-peering";

/// The API group of Argo CD's kinds.
pub(crate) const GROUP: &str = "argoproj.io/";

/// Whether a source names this plugin. Argo CD calls a plugin with a version `<name>-<version>`, and an operator can change both in
/// plugin.yaml (argo-cd `cmpserver/plugin/config.go`, `Address`).
pub(crate) fn is_plugin(name: &str) -> bool {
    name.starts_with(PLUGIN)
}

/// Whether a text may have an object of Argo CD that concerns this plugin. Most files have none.
pub(crate) fn mentions_plugin(text: &str) -> bool {
    names_group(text)
        || (text.contains(PLUGIN) && (text.contains("plugin:") || text.contains("\"plugin\"")))
}

/// Whether a text names Argo CD's API group. The annotations of any object, such as `argocd.argoproj.io/sync-wave`, do
/// not count.
fn names_group(text: &str) -> bool {
    let mut places = text.match_indices(GROUP);
    places.any(|(at, _)| !text.split_at(at).0.ends_with("argocd."))
}

/// Whether a plugin of this name is anywhere in an object.
pub(super) fn names_plugin(node: &Node) -> bool {
    match &node.value {
        Value::Empty => false,
        Value::Plain(text) | Value::Quoted(text) => text.contains(PLUGIN) && mentions_plugin(text),
        Value::List(items) => items.iter().any(names_plugin),
        Value::Map(entries) => {
            calls_plugin(node) || entries.iter().any(|(_, value)| names_plugin(value))
        }
    }
}

/// Whether a source is one of this plugin: by its name, by a name that is nearly the same, or because it has a role.
pub(super) fn calls_plugin(source: &Node) -> bool {
    let Some(plugin) = source.get("plugin") else {
        return false;
    };
    let name = plugin.text_of("name").unwrap_or_default();
    if is_plugin(name) || nearest(name, &[PLUGIN]).is_some() {
        return true;
    }
    gives_role(plugin.items_of("parameters"), "role", "string")
        || gives_role(plugin.items_of("env"), "ROLE", "value")
}

/// Whether the item with this name has a role, or a placeholder of a generator.
fn gives_role(items: &[Node], name: &str, value: &str) -> bool {
    items.iter().any(|item| {
        let text = item.text_of(value).unwrap_or_default();
        item.text_of("name") == Some(name)
            && (matches!(text, "consumer" | "provider") || text.contains("{{"))
    })
}
