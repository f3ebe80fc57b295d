//! A field of `peering.yaml`, as the schema has it, from which `docs/document.md` is made as well.

use crate::diagnostic::{nearest, one_of, quoted};
use crate::peering::schema_text;
use serde_json::{Map, Value};

/// Whether a name is a field's path and not a code: `spec`, `metadata.name`.
pub(super) fn is_path(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    ["apiVersion", "kind", "metadata", "spec"].contains(&first)
}

/// What a field is, and the fields in it. The error names the field that was probably meant.
pub(super) fn page(path: &str) -> Result<String, String> {
    let schema: Value = serde_json::from_str(&schema_text()).unwrap_or_default();
    let mut node = Node { schema: &schema, value: &schema };
    let mut place = String::new();
    let mut description = "";
    for part in path.split('.') {
        // an item of a list: `podCIDRs[0]`, `podCIDRs[]`
        let name = part.split('[').next().unwrap_or_default();
        let fields = node.fields();
        let Some(value) = fields.iter().find_map(|map| map.get(name)) else {
            return Err(unknown(name, &place, &fields));
        };
        description = value["description"].as_str().unwrap_or_default();
        node = Node { schema: &schema, value };
        place = if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    }
    let mut page = format!("# {place}\n\n{description}\n\nValue: {}\n", node.kind());
    let maps = node.maps();
    if !maps.is_empty() {
        page += "\nFields:\n";
    }
    for map in maps {
        let required = map["required"].as_array().map_or(&[][..], Vec::as_slice);
        for (name, field) in map["properties"].as_object().into_iter().flatten() {
            let value = Node { schema: &schema, value: field }.kind();
            let must = if required.iter().any(|it| it == name) { ", required" } else { "" };
            let text = field["description"].as_str().unwrap_or_default();
            page += &format!("  {name} ({value}{must})\n      {text}\n");
        }
    }
    Ok(page + "\nAll fields: docs/document.md of the repository, document.html of the site\n")
}

/// All fields, as a person writes their paths, in the schema's order.
pub(super) fn paths() -> Vec<String> {
    let schema: Value = serde_json::from_str(&schema_text()).unwrap_or_default();
    let mut paths = Vec::new();
    collect_paths(Node { schema: &schema, value: &schema }, "", &mut paths);
    paths
}

/// The field that is probably meant by the end of its path.
pub(super) fn nearest_path(end: &str) -> Option<String> {
    let paths = paths();
    let names: Vec<&str> = paths.iter().filter_map(|path| path.rsplit('.').next()).collect();
    let near = end.rsplit('.').next().and_then(|name| nearest(name, &names));
    let mut ends = std::iter::once(end).chain(near).map(|end| format!(".{end}"));
    ends.find_map(|end| paths.iter().find(|path| path.ends_with(&end))).cloned()
}

fn collect_paths(node: Node<'_>, place: &str, paths: &mut Vec<String>) {
    for (name, value) in node.fields().into_iter().flatten() {
        let path = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
        // alternatives of one value share fields
        if !paths.contains(&path) {
            paths.push(path.clone());
            collect_paths(Node { value, ..node }, &path, paths);
        }
    }
}

fn unknown(name: &str, place: &str, fields: &[&Map<String, Value>]) -> String {
    let place = if place.is_empty() { String::new() } else { format!(" in `{place}`") };
    let names: Vec<&str> = fields.iter().flat_map(|map| map.keys()).map(String::as_str).collect();
    let advice = match (nearest(name, &names), names.as_slice()) {
        (Some(near), _) => format!("; did you mean `{near}`?"),
        (None, []) => ", which has no fields".to_owned(),
        (None, names) => format!("; there are {}", one_of(names)),
    };
    format!("there is no field {}{place}{advice}", quoted(name))
}

/// A node of the schema, and the schema that its references lead into.
#[derive(Clone, Copy)]
struct Node<'s> {
    schema: &'s Value,
    value: &'s Value,
}

impl<'s> Node<'s> {
    /// What it can be: itself, what it refers to, each of several; of a list its items.
    fn branches(self) -> Vec<&'s Value> {
        let value = self.value;
        let next = |value: &'s Value| Node { value, ..self }.branches();
        if let Some(name) = value["$ref"].as_str().and_then(|it| it.strip_prefix("#/$defs/")) {
            return self.schema["$defs"].get(name).map(next).unwrap_or_default();
        }
        if let Some(branches) = value["anyOf"].as_array() {
            return branches.iter().flat_map(next).collect();
        }
        if value["items"].is_object() {
            return next(&value["items"]);
        }
        vec![value]
    }

    /// Those with fields.
    fn maps(self) -> Vec<&'s Value> {
        self.branches()
            .into_iter()
            .filter(|it| it["properties"].as_object().is_some_and(|it| !it.is_empty()))
            .collect()
    }

    fn fields(self) -> Vec<&'s Map<String, Value>> {
        self.maps().into_iter().filter_map(|it| it["properties"].as_object()).collect()
    }

    /// What may be written, in few words.
    fn kind(self) -> String {
        let list = if self.value["items"].is_object() { "list of " } else { "" };
        let mut kinds: Vec<String> = Vec::new();
        for branch in self.branches() {
            let kind = match (branch["enum"].as_array(), branch["const"].as_str(), branch["type"].as_str()) {
                (Some(words), ..) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" | "),
                (_, Some(word), _) => word.to_owned(),
                (.., Some("object")) => "map".to_owned(),
                (.., Some(kind)) => kind.to_owned(),
                _ => "value".to_owned(),
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        format!("{list}{}", kinds.join(" or "))
    }
}
