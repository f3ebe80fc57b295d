//! The differences between the streams of the imported document and the manifests. They come from a comparison, so a field that the import
//! forgets is listed, too.

use super::side::Side;
use crate::command::workstation::kubeconfig_report::service_account;
use crate::diagnostic::{Bug, quoted, shown_name};
use crate::judge::change::known_effect;
use crate::judge::comparison::{Difference, Mode, differences, planned, value_text};
use crate::object::live::owner::is_mark;
use crate::object::live::{Effect, Impact, Object};
use crate::peering::{Material, Peering, Role};
use crate::state::cluster::liqo::CLUSTER_ID_MAP;
use crate::stream::kinds::live_halves_of;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A difference on one side, and what a sync does with it.
pub(super) struct Loss {
    pub(super) line: String,
    impact: Impact,
}

impl Loss {
    /// Why nothing is written, if the user has to accept this change first.
    pub(super) fn refusal(&self, accepted: &[Impact]) -> Option<String> {
        let Self { line, impact } = self;
        let is_refused = matches!(impact, Impact::Rights | Impact::Traffic | Impact::Data);
        if !is_refused || accepted.contains(impact) {
            return None;
        }
        let name = impact.name();
        Some(format!("{line} Correct it, or add `--accept {name}`"))
    }

    const fn harmless(line: String) -> Self {
        Self {
            line,
            impact: Impact::Harmless,
        }
    }
}

/// A line for each difference on one side, and the objects that its stream also has.
pub(super) fn compare<'s>(
    side: &'s Side,
    peering: &Peering,
    role: Role,
    keep: bool,
) -> Result<(Vec<Loss>, Vec<&'s Object>), Bug> {
    let ours = planned(peering, role, &Material::public(peering, role))?;
    let mut ours: BTreeMap<_, _> = ours.iter().map(|object| (object.id(), object)).collect();
    let (mut lines, mut adopted) = (Vec::new(), Vec::new());
    for object in &side.objects {
        let title = object.title();
        match ours.remove(&object.id()) {
            Some(new) => {
                adopted.push(object);
                lines.extend(of_leaving(role, object));
                let (old, new) = (comparable(object), comparable(new));
                for it in &differences(&old, &new, Mode::States) {
                    lines.extend(of_field(role, object, it, keep));
                }
            }
            None if object.is_owned() || object.name() == CLUSTER_ID_MAP => {}
            None if keep && object.kind() == "Secret" => {}
            None => lines.push(Loss::harmless(format!(
                "{role}: {title} is not part of the peering"
            ))),
        }
    }
    for object in ours.into_values() {
        if !object.is_hook() {
            let title = object.title();
            lines.push(Loss::harmless(format!("{role}: {title} is new")));
        }
    }
    Ok((lines, adopted))
}

/// An object that is being deleted. No sync can revert a deletion (kubernetes/website
/// `docs/concepts/overview/working-with-objects/finalizers.md`).
fn of_leaving(role: Role, object: &Object) -> Option<Loss> {
    let since = object.string("/metadata/deletionTimestamp")?;
    let line = format!(
        "{role}: {} is being deleted (since {}): docs/teardown.md has what frees it",
        object.title(),
        shown_name(since)
    );
    Some(Loss::harmless(line))
}

/// A field that differs between the stream and the object.
fn of_field(role: Role, object: &Object, it: &Difference<'_>, keep: bool) -> Option<Loss> {
    let is_new_key = !keep && it.path == "spec.publicKey";
    let what = match (it.from, it.to) {
        _ if is_theirs(object, &it.path) || is_mark_at(&it.path) => return None,
        // without the seed the stream has a placeholder
        _ if is_new_key => "becomes the new seed's".to_owned(),
        (Some(one), None) | (None, Some(one)) if is_empty(one) => return None,
        (_, None) => "is left out".to_owned(),
        (None, _) => "is new".to_owned(),
        // a number and its text are the same quantity
        (Some(was), Some(is)) if value_text(was) == value_text(is) => return None,
        (Some(was), Some(Value::Array(is))) if is.as_slice() == [was.clone()] => {
            return Some(Loss::harmless(format!(
                "{role}: {}: {} becomes a list",
                object.title(),
                it.place()
            )));
        }
        (Some(was), Some(is)) => {
            let [was, is] = [was, is].map(|value| quoted(&value_text(value)));
            format!("becomes {is} (was {was})")
        }
    };
    // Argo CD keeps what a stream does not have; new keys were requested
    let is_change = it.to.is_some() && !it.from.is_none_or(is_empty) && !is_new_key;
    let effect = known_effect(object, &it.path, &it.new_text()).filter(|_| is_change);
    let line = format!("{role}: {}: {} {what}", object.title(), it.place());
    Some(match effect {
        Some(Effect { words, impact, .. }) => Loss {
            line: format!("{line}. {words}"),
            impact: *impact,
        },
        None => Loss::harmless(line),
    })
}

/// Whether a field is the mark of a tool, which the note about the owner names.
fn is_mark_at(path: &str) -> bool {
    let label = path.strip_prefix("metadata.labels[");
    let key = label.or(path.strip_prefix("metadata.annotations["));
    key.and_then(|key| key.strip_suffix(']'))
        .is_some_and(is_mark)
}

/// The fields that are compared. A Secret's values are not known.
fn comparable(object: &Object) -> Value {
    let mut seen = Map::new();
    for (key, value) in object.body() {
        seen.insert(key.clone(), value.clone());
    }
    let empty = json!({});
    let [labels, annotations] = ["/metadata/labels", "/metadata/annotations"]
        .map(|place| object.find(place).unwrap_or(&empty));
    let metadata = json!({ "labels": labels, "annotations": annotations });
    seen.insert("metadata".to_owned(), metadata);
    // a ServiceAccount of another namespace can also be written as a user, and RBAC treats both alike
    let subjects = seen.get_mut("subjects").and_then(Value::as_array_mut);
    for subject in subjects.into_iter().flatten() {
        let texts =
            ["kind", "namespace", "name"].map(|field| subject.get(field).and_then(Value::as_str));
        if let [Some("ServiceAccount"), Some(namespace), Some(name)] = texts
            && namespace != object.namespace()
        {
            let name = service_account(namespace, name);
            *subject =
                json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name });
        }
    }
    Value::Object(seen)
}

/// Whether Liqo, Kubernetes or Argo CD writes a field itself: no stream has it, and Argo CD keeps it.
fn is_theirs(object: &Object, path: &str) -> bool {
    let mut of_kind = live_halves_of(object).flat_map(|half| half.written_by_cluster);
    path.starts_with("metadata.annotations[argocd.argoproj.io/")
        || of_kind.any(|theirs| path.starts_with(theirs))
}

/// Whether a value is empty: an API server leaves it out, or fills it in.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
