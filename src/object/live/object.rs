//! An object of a live cluster, or of a stream, as its own API has it.

use crate::diagnostic::{mask, shown_name};
use serde_json::Value;
use std::fmt;

/// A message of a controller can be as long as an object.
const LONGEST: usize = 400;

/// An object of a cluster, or of a stream. What it does not have reads as empty.
#[derive(Debug, Clone)]
pub(crate) struct Live(pub(crate) Value);

impl Live {
    /// The string at a place (RFC 6901).
    pub(crate) fn text(&self, pointer: &str) -> &str {
        self.0.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// The items of the list at a place.
    pub(crate) fn list(&self, pointer: &str) -> &[Value] {
        self.0.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The strings of the list at a place.
    pub(crate) fn texts(&self, pointer: &str) -> Vec<&str> {
        self.list(pointer).iter().filter_map(Value::as_str).collect()
    }

    pub(crate) fn integer(&self, pointer: &str) -> Option<i64> {
        self.0.pointer(pointer).and_then(Value::as_i64)
    }

    pub(crate) fn kind(&self) -> &str {
        self.text("/kind")
    }

    pub(crate) fn name(&self) -> &str {
        self.text("/metadata/name")
    }

    pub(crate) fn namespace(&self) -> &str {
        self.text("/metadata/namespace")
    }

    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        self.0.get("metadata")?.get("labels")?.get(key)?.as_str()
    }

    pub(crate) fn annotation(&self, key: &str) -> Option<&str> {
        self.0.get("metadata")?.get("annotations")?.get(key)?.as_str()
    }

    /// Whether the replicator copied it from the other cluster (liqo `pkg/consts/replication.go`).
    pub(crate) fn is_copy(&self) -> bool {
        self.label("liqo.io/replicated").is_some()
    }

    /// The conditions at a place, each with its type, its status, and what is written about it.
    pub(crate) fn conditions(&self, pointer: &str) -> impl Iterator<Item = (&str, &str, String)> {
        let text =
            |value: &'_ Value, key: &str| value.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
        self.list(pointer).iter().map(move |it| {
            let part = |key: &str| it.get(key).and_then(Value::as_str).unwrap_or_default();
            let why = text(it, "message").filter(|it| !it.is_empty()).or_else(|| text(it, "reason"));
            (part("type"), part("status"), why.map(|why| format!(": {}", one_line(&why))).unwrap_or_default())
        })
    }

    /// The status of a condition, and what is written about it.
    pub(crate) fn condition(&self, name: &str) -> Option<(&str, String)> {
        let mut conditions = self.conditions("/status/conditions");
        conditions.find(|(kind, ..)| *kind == name).map(|(_, status, why)| (status, why))
    }
}

/// `GatewayServer liqo-tenant-rome/rome`
impl fmt::Display for Live {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [self.namespace(), self.name()].into_iter().filter(|part| !part.is_empty());
        let name = name.map(cut).collect::<Vec<_>>().join("/");
        write!(formatter, "{} {}", shown_name(&cut(self.kind())), shown_name(&name))
    }
}

/// Words of a controller, on one line.
pub(crate) fn one_line(text: &str) -> String {
    mask(&cut(text)).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_message_is_cut() {
        assert_eq!(super::one_line(&"a ".repeat(200)).len(), 399);
        assert_eq!(super::one_line(&"a ".repeat(2000)), format!("{}…", "a ".repeat(200)));
    }
}
