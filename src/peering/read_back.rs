//! The document's fields of a live object: a kind's declaration read backwards.

use super::values::LiqoTemplate;
use super::values::label_key::{KeyUse, key_use};
use crate::object::live::owner::is_mark;
use crate::object::live::{Fields, Object};
use serde_json::{Value, json};

/// The labels and annotations of an object that a user may have set.
pub(crate) fn extra(object: Option<&Object>) -> Option<Fields> {
    extra_where(object, |key| key_use(key) == KeyUse::Free)
}

/// As [`extra`], with another rule for the keys that a user may set.
pub(crate) fn extra_where(object: Option<&Object>, is_free: fn(&str) -> bool) -> Option<Fields> {
    let object = object?;
    let mut fields = Fields::default();
    for field in ["labels", "annotations"] {
        fields = fields.set(field, free_texts(object, field, is_free));
    }
    Some(fields)
}

fn free_texts(object: &Object, field: &str, is_free: fn(&str) -> bool) -> Fields {
    let texts = object
        .find(&format!("/metadata/{field}"))
        .and_then(Value::as_object);
    let mut fields = Fields::default();
    for (key, value) in texts.into_iter().flatten() {
        if let Some(text) = value.as_str()
            && is_free(key)
            && !is_object(text)
            && !is_mark(key)
        {
            fields = fields.set(key, text);
        }
    }
    fields
}

/// Whether a text is a whole object, as tools keep one in an annotation: JSON (kapp, older Rancher), base64 of gzip (Rancher), of zip
/// (Banzai's operators) or of JSON, or YAML. A person did not write it, and it can contain anything.
fn is_object(text: &str) -> bool {
    const BEGINNINGS: [&str; 6] = ["{", "[{", "H4sI", "UEsD", "eyJ", "W3si"];
    let text = text.trim_start();
    BEGINNINGS.iter().any(|begin| text.starts_with(begin))
        || text.lines().any(|it| it.starts_with("kind:"))
}

/// The list at a place. Liqo's older guides write a single item without a list.
pub(crate) fn list(object: &Object, pointer: &str) -> Vec<Value> {
    match object.find(pointer) {
        Some(Value::Array(items)) => items.clone(),
        one => one.into_iter().cloned().collect(),
    }
}

/// A reference to a template, unless it is Liqo's own template.
pub(super) fn template<'o>(
    object: &'o Object,
    field: &str,
    usual: &LiqoTemplate,
    liqo: &str,
) -> Option<&'o Value> {
    let usual = json!({ "apiVersion": usual.api_version, "kind": usual.kind, "name": usual.name, "namespace": liqo });
    let written = object.find(&format!("/spec/{field}"));
    written.filter(|written| **written != usual)
}
