//! What the streams of the imported document do not have as the manifests have it. It is found by comparing them, so a field
//! that the import forgets is listed, too.

use super::side::Side;
use crate::diagnostic::{Bug, quoted};
use crate::judge::comparison::{Mode, differences};
use crate::object::live::Object;
use crate::peering::{Material, Peering, Role};
use crate::state::cluster::liqo::CLUSTER_ID_MAP;
use crate::state::cluster::{Budget, manifest};
use crate::stream;
use crate::stream::kinds::live_halves_of;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A line for each difference of one side.
pub(super) fn lines(side: &Side, peering: &Peering, role: Role, keep: bool) -> Result<Vec<String>, Bug> {
    let plan = stream::plan(peering, role, &Material::public(peering, role), None)?;
    let mut ours = Vec::new();
    manifest::read(&stream::render(&plan)?, "", &Budget::default(), &mut ours)
        .map_err(|_| Bug::new("a stream that is no objects"))?;
    let mut ours: BTreeMap<_, _> = ours.iter().map(|object| (object.id(), object)).collect();
    let mut lines = Vec::new();
    for object in &side.objects {
        let title = object.title();
        match ours.remove(&object.id()) {
            Some(new) => {
                let (old, new) = (seen(object), seen(new));
                for it in differences(&old, &new, Mode::States) {
                    let text =
                        |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                    let what = match (it.from, it.to) {
                        _ if is_theirs(object, &it.path) => continue,
                        // without the seed the stream has a placeholder
                        _ if !keep && it.path == "spec.publicKey" => "becomes the new seed's".to_owned(),
                        (Some(one), None) | (None, Some(one)) if is_empty(one) => continue,
                        (_, None) => "is left out".to_owned(),
                        (None, _) => "is new".to_owned(),
                        // a number and its text are the same quantity
                        (Some(was), Some(is)) if text(was) == text(is) => continue,
                        (Some(was), Some(is)) => {
                            format!("becomes {} (was {})", quoted(&text(is)), quoted(&text(was)))
                        }
                    };
                    lines.push(format!("{role}: {title}: {} {what}", it.place()));
                }
            }
            None if object.is_owned() || object.name() == CLUSTER_ID_MAP => {}
            None if keep && object.kind() == "Secret" => {}
            None => lines.push(format!("{role}: {title} is not part of the peering")),
        }
    }
    lines.extend(ours.values().map(|object| format!("{role}: {} is new", object.title())));
    Ok(lines)
}

/// What is compared. A Secret's values are not known.
fn seen(object: &Object) -> Value {
    let mut seen: Map<_, _> = object.body().map(|(field, value)| (field.clone(), value.clone())).collect();
    let texts = |field| object.at(&format!("/metadata/{field}")).cloned().unwrap_or_else(|| json!({}));
    seen.insert(
        "metadata".to_owned(),
        json!({ "labels": texts("labels"), "annotations": texts("annotations") }),
    );
    Value::Object(seen)
}

/// Whether Liqo, Kubernetes or Argo CD writes a field itself: no stream has it, and Argo CD leaves it alone.
fn is_theirs(object: &Object, path: &str) -> bool {
    let of_kind = live_halves_of(object).flat_map(|half| half.theirs);
    of_kind.chain(&["metadata.annotations[argocd.argoproj.io/"]).any(|theirs| path.starts_with(theirs))
}

/// Whether a value says nothing: an API server leaves it out, or fills it in.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
