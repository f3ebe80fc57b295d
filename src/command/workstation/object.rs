//! An object of a live cluster, or of a stream.

use crate::diagnostic::{Bug, mask, shown_name};
use crate::peering::{Material, Peering, Role};
use crate::stream;
use serde_json::Value;
use std::fmt;

/// A message of a controller can be as long as an object.
const LONGEST: usize = 400;

/// An object of a cluster, or of a stream. What it does not have reads as empty.
#[derive(Debug, Clone)]
pub(super) struct Object(pub(super) Value);

impl Object {
    /// The string at a place (RFC 6901).
    pub(super) fn text(&self, pointer: &str) -> &str {
        self.0.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// The items of the list at a place.
    pub(super) fn list(&self, pointer: &str) -> &[Value] {
        self.0.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The strings of the list at a place.
    pub(super) fn texts(&self, pointer: &str) -> Vec<&str> {
        self.list(pointer).iter().filter_map(Value::as_str).collect()
    }

    pub(super) fn kind(&self) -> &str {
        self.text("/kind")
    }

    pub(super) fn name(&self) -> &str {
        self.text("/metadata/name")
    }

    pub(super) fn namespace(&self) -> &str {
        self.text("/metadata/namespace")
    }

    pub(super) fn label(&self, key: &str) -> Option<&str> {
        self.0.get("metadata")?.get("labels")?.get(key)?.as_str()
    }

    /// The conditions at a place, each with its type, its status, and what is written about it.
    pub(super) fn conditions(&self, pointer: &str) -> impl Iterator<Item = (&str, &str, String)> {
        let text =
            |value: &'_ Value, key: &str| value.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
        self.list(pointer).iter().map(move |it| {
            let part = |key: &str| it.get(key).and_then(Value::as_str).unwrap_or_default();
            let why = text(it, "message").filter(|it| !it.is_empty()).or_else(|| text(it, "reason"));
            (part("type"), part("status"), why.map(|why| format!(": {}", said(&why))).unwrap_or_default())
        })
    }

    /// The status of a condition, and what is written about it.
    pub(super) fn condition(&self, name: &str) -> Option<(&str, String)> {
        let mut conditions = self.conditions("/status/conditions");
        conditions.find(|(kind, ..)| *kind == name).map(|(_, status, why)| (status, why))
    }
}

/// `GatewayServer liqo-tenant-rome/rome`
impl fmt::Display for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [self.namespace(), self.name()].into_iter().filter(|part| !part.is_empty());
        let name = name.map(cut).collect::<Vec<_>>().join("/");
        write!(formatter, "{} {}", shown_name(&cut(self.kind())), shown_name(&name))
    }
}

/// Words of a controller, on one line.
pub(super) fn said(text: &str) -> String {
    mask(&cut(text)).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The objects of one side's stream.
///
/// # Errors
/// Only for a bug.
pub(super) fn planned(peering: &Peering, role: Role, material: &Material) -> Result<Vec<Object>, Bug> {
    let text = stream::render(&stream::plan(peering, role, material, None)?)?;
    let options = serde_saphyr::options! { with_snippet: false, budget: None };
    let objects = serde_saphyr::from_multiple_with_options(&text, options);
    let objects: Vec<_> = objects.map_err(|_| Bug::new("the stream does not read back"))?;
    Ok(objects.into_iter().map(Object).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_message_is_cut() {
        assert_eq!(super::said(&"a ".repeat(200)).len(), 399);
        assert_eq!(super::said(&"a ".repeat(2000)), format!("{}…", "a ".repeat(200)));
    }
}
