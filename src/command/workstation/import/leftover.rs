//! What the streams of the imported document do not have as the manifests have it. It is found by comparing them, so a field
//! that the import forgets is listed, too.

use super::manifest::{self, CLUSTER_ID_MAP, Object};
use super::side::Side;
use crate::diagnostic::{Bug, quoted};
use crate::peering::{Material, Peering, Role};
use crate::stream;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What Liqo and Kubernetes write themselves, by the kind's beginning: no stream has it, and Argo CD leaves it alone.
const THEIRS: [(&str, &str); 9] = [
    ("", ".metadata.annotations.argocd.argoproj.io/"),
    ("Namespace", ".metadata.labels.kubernetes.io/metadata.name"),
    ("Namespace", ".spec"),
    ("Configuration", ".spec.local"),
    ("Configuration", ".metadata.labels.configuration.liqo.io/configured"),
    ("ResourceSlice", ".spec.csr"),
    ("ResourceSlice", ".spec.consumerClusterID"),
    ("VirtualNode", ".spec.template"),
    ("Identity", ".spec.authParams.awsConfig.awsUserArn"),
];

/// A line for each difference of one side.
pub(super) fn lines(side: &Side, peering: &Peering, role: Role, keep: bool) -> Result<Vec<String>, Bug> {
    let plan = stream::plan(peering, role, &Material::public(peering, role), None)?;
    let mut ours = Vec::new();
    manifest::read(&stream::render(&plan)?, "", &mut ours)
        .map_err(|_| Bug::new("a stream that is no objects"))?;
    let mut ours: BTreeMap<_, _> = ours.iter().map(|object| (object.id(), object)).collect();
    let mut lines = Vec::new();
    for object in &side.objects {
        let title = object.title();
        match ours.remove(&object.id()) {
            Some(new) => {
                let mut differences = Vec::new();
                differ("", &seen(object), &seen(new), &mut differences);
                differences.retain(|(path, _)| !is_theirs(&object.kind, path));
                // without the seed the stream has a placeholder
                for (_, what) in differences.iter_mut().filter(|(path, _)| !keep && path == ".spec.publicKey")
                {
                    "becomes the new seed's".clone_into(what);
                }
                lines.extend(
                    differences.into_iter().map(|(path, what)| format!("{role}: {title}: {path} {what}")),
                );
            }
            None if object.owned || object.name == CLUSTER_ID_MAP || keep && object.kind == "Secret" => {}
            None => lines.push(format!("{role}: {title} is not part of the peering")),
        }
    }
    lines.extend(ours.values().map(|object| format!("{role}: {} is new", object.title())));
    Ok(lines)
}

/// What is compared. A Secret's values are not known.
fn seen(object: &Object) -> Value {
    let texts = |texts: &BTreeMap<String, String>| {
        Value::Object(texts.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect())
    };
    let mut seen = object.body.as_object().cloned().unwrap_or_default();
    let metadata = [("labels", texts(&object.labels)), ("annotations", texts(&object.annotations))];
    let metadata: Map<String, Value> =
        metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    seen.insert("metadata".to_owned(), Value::Object(metadata));
    Value::Object(seen)
}

fn is_theirs(kind: &str, path: &str) -> bool {
    THEIRS.iter().any(|(of, theirs)| kind.starts_with(of) && path.starts_with(theirs))
}

/// Where two values differ: paths, and what is different there. A number and its text are the same quantity.
fn differ(path: &str, old: &Value, new: &Value, differences: &mut Vec<(String, String)>) {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.values().all(|it| it.as_str() == Some("")),
        Value::Bool(_) | Value::Number(_) => false,
    };
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                let path = format!("{path}.{key}");
                match new.get(key) {
                    Some(new) => differ(&path, value, new, differences),
                    None if is_empty(value) => {}
                    None => differences.push((path, "is left out".to_owned())),
                }
            }
            let added = new.iter().filter(|(key, value)| !old.contains_key(*key) && !is_empty(value));
            differences.extend(added.map(|(key, _)| (format!("{path}.{key}"), "is new".to_owned())));
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                differ(&format!("{path}[{index}]"), old, new, differences);
            }
        }
        _ => {
            let [was, is] =
                [old, new].map(|value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned));
            if was != is {
                differences
                    .push((path.to_owned(), format!("becomes {} (was {})", quoted(&is), quoted(&was))));
            }
        }
    }
}
