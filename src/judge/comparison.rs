//! The fields in which two objects differ, and the objects of a stream to compare.

use crate::diagnostic::{Bug, cut, mask, printed};
use crate::object::live::Object;
use crate::peering::names::is_placeholder;
use crate::peering::{Material, Peering, Role};
use crate::stream;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// A field with different values.
pub(crate) struct Difference<'v> {
    /// `spec.endpoint.port`, `metadata.labels[liqo.io/remote-cluster-id]`
    pub(crate) path: String,
    pub(crate) from: Option<&'v Value>,
    pub(crate) to: Option<&'v Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Two states of the same object.
    States,
    /// A live object, and the fields that a stream sets. Other fields of the cluster were added by defaults, webhooks
    /// or controllers. A value that is not known without an identity counts as equal.
    Live,
}

/// Lists to which Liqo's webhook adds items (liqo `pkg/webhooks/virtualnode/mutate.go`).
const APPENDED: [&str; 2] = ["annotationsNotReflected", "labelsNotReflected"];

/// The fields in which two values differ.
pub(crate) fn differences<'v>(from: &'v Value, to: &'v Value, mode: Mode) -> Vec<Difference<'v>> {
    let mut found = Vec::new();
    differ(String::new(), Some(from), Some(to), mode, &mut found);
    found
}

fn differ<'v>(
    path: String,
    from: Option<&'v Value>,
    to: Option<&'v Value>,
    mode: Mode,
    found: &mut Vec<Difference<'v>>,
) {
    let live = mode == Mode::Live;
    match (from, to) {
        _ if from == to => {}
        (_, Some(Value::String(text))) if live && is_placeholder(text) => {}
        (None, Some(Value::Array(to))) if live && to.is_empty() => {}
        (Some(Value::Array(from)), Some(Value::Array(to)))
            if live
                && APPENDED.iter().any(|it| path.ends_with(it))
                && to.iter().all(|it| from.contains(it)) => {}
        (Some(Value::Array(from)), Some(Value::Array(to)))
            if from.len() == to.len() && to.iter().any(Value::is_object) =>
        {
            for (index, (from, to)) in from.iter().zip(to).enumerate() {
                let path = format!("{path}[{index}]");
                differ(path, Some(from), Some(to), mode, found);
            }
        }
        _ => match (fields(from), fields(to)) {
            (Some(from), Some(to)) => {
                let gone = from.keys().filter(|key| !live && !to.contains_key(*key));
                for key in to.keys().chain(gone) {
                    differ(field(&path, key), from.get(key), to.get(key), mode, found);
                }
            }
            _ => found.push(Difference { path, from, to }),
        },
    }
}

/// The fields of an object. A missing object has no fields.
fn fields(value: Option<&Value>) -> Option<&Map<String, Value>> {
    static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    value.map_or(Some(&EMPTY), Value::as_object)
}

/// The path of a field.
fn field(path: &str, key: &str) -> String {
    let plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match (path, plain) {
        ("", _) => key.to_owned(),
        (_, true) => format!("{path}.{key}"),
        (_, false) => format!("{path}[{key}]"),
    }
}

/// A value as a person writes it.
pub(crate) fn value_text(value: &Value) -> String {
    let text = value.as_str().map(ToOwned::to_owned);
    text.unwrap_or_else(|| value.to_string())
}

impl Difference<'_> {
    /// The new value as text; empty if the new object lacks the field.
    pub(crate) fn new_text(&self) -> String {
        self.to.map(value_text).unwrap_or_default()
    }

    /// The path in a message. Its keys can be anyone's text.
    pub(crate) fn place(&self) -> String {
        on_one_line(&printed(&mask(&self.path)))
    }
}

/// A text as JSON, if it has several lines or looks like a change itself.
fn on_one_line(text: &str) -> String {
    let is_plain = !text.contains(['\n', '\r', '\t', '→']) && !text.starts_with('"');
    if is_plain {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}

/// The most characters of a value that are shown.
const SHOWN: usize = 80;

/// A value on one line, masked as a whole before it is cut.
pub(crate) fn shown_json(value: &Value) -> String {
    let text = match value {
        Value::String(text) if !text.is_empty() => on_one_line(&printed(&mask(text))),
        value => printed(&mask(&value.to_string())),
    };
    cut(&text, SHOWN)
}

/// The objects of one side's stream.
///
/// # Errors
/// Only for a bug.
pub(crate) fn planned(
    peering: &Peering,
    role: Role,
    material: &Material,
) -> Result<Vec<Object>, Bug> {
    let text = stream::render(&stream::plan(peering, role, material, None)?)?;
    let options = serde_saphyr::options! { with_snippet: false, budget: None };
    let objects = serde_saphyr::from_multiple_with_options(&text, options);
    let objects: Vec<_> = objects.map_err(|_| Bug::new("the stream does not read back"))?;
    Ok(objects.into_iter().map(Object::new).collect())
}
