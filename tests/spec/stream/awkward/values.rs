//! The awkward values, by what may stand in a field, and where each field's value goes: `values.json`.

use serde::Deserialize;
use serde_json::Value;
use std::sync::LazyLock;

/// A field's values, and where the value must be: role, kind and place (RFC 6901).
#[derive(Deserialize)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) values: Vec<String>,
    pub(super) places: Vec<(String, String, String)>,
}

pub(super) static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let mut all: Value = serde_json::from_str(include_str!("values.json")).expect("JSON");
    let lists = all["lists"].take();
    for field in all["fields"].as_array_mut().expect("a list") {
        // a list's name stands for it
        if let Some(name) = field["values"].as_str() {
            field["values"] = lists[name]["values"].clone();
        }
    }
    serde_json::from_value(all["fields"].take()).expect("fields")
});
