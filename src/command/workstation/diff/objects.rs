//! Both streams as values without secrets, and what is different in an object.

use super::effects::{self, Effect};
use super::keys;
use super::tree::Version;
use crate::diagnostic::Bug;
use crate::diagnostic::secrecy::{mask, printed};
use crate::object::PLACEHOLDER;
use crate::peering::networking::keys::{Keys, OwnKey};
use crate::peering::{Material, Peering, Role};
use crate::stream;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// An object that is not the same on both sides of a comparison.
pub(super) struct Row {
    pub(super) role: Role,
    /// The cluster's ID.
    pub(super) cluster: String,
    pub(super) object: Id,
    pub(super) what: What,
    /// What each part of it does, each once.
    pub(super) effects: Vec<&'static Effect>,
    /// Whether Argo CD asks before it deletes the object.
    pub(super) asks: bool,
}

pub(super) enum What {
    Added,
    Removed,
    Changed(Vec<Change>),
}

/// A part of an object that changes. Its texts come from a repository, and are masked.
pub(super) struct Change {
    /// The path of a field, or a file's name.
    pub(super) field: String,
    /// What there is to say instead of values.
    pub(super) note: &'static str,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
}

/// An object in a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
}

impl Id {
    pub(super) fn of(object: &Value) -> Self {
        let text = |pointer| text_at(object, pointer).to_owned();
        Self {
            api_version: text("/apiVersion"),
            kind: text("/kind"),
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
        }
    }
}

fn text_at<'v>(object: &'v Value, pointer: &str) -> &'v str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The objects of one side's stream. Without the keys that are written, their Secret has one name in every state.
pub(super) fn planned(peering: &Peering, role: Role, with_keys: bool) -> Result<Vec<Value>, Bug> {
    let mut material = Material::public(peering, role);
    if !with_keys {
        material.keys = material.keys.map(|_| Keys { own: OwnKey::Public(None), peer: None });
    }
    let stream = stream::render(&stream::plan(peering, role, &material, None)?)?;
    let options = serde_saphyr::options! { with_snippet: false, budget: None };
    serde_saphyr::from_multiple_with_options(&stream, options)
        .map_err(|_| Bug::new("the stream does not read back"))
}

/// What is known of an object without an identity, for a comparison with a live one.
pub(super) fn known(mut value: Value) -> Value {
    let unknown = STANDARD.encode(PLACEHOLDER);
    let is_known = |value: &Value| value.as_str().is_none_or(|it| it != unknown && !is_unnamed(it));
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, value| is_known(value));
        for value in fields.values_mut() {
            *value = known(value.take());
        }
    }
    value
}

/// Whether it is the name of a Secret of keys that were not derived.
pub(super) fn is_unnamed(name: &str) -> bool {
    name == crate::peering::names::key_secret(None)
}

/// The rows of one side, in the order of the stream; then what is removed, in the order in which Argo CD prunes.
pub(super) fn compared(old: Option<&Version>, new: Option<&Version>, role: Role) -> Result<Vec<Row>, Bug> {
    let plan = |version: Option<&Version>| version.map(|it| planned(&it.peering, role, false)).transpose();
    let (before, after) = (plan(old)?.unwrap_or_default(), plan(new)?.unwrap_or_default());
    let mut rest: BTreeMap<Id, Value> = before.iter().map(|it| (Id::of(it), it.clone())).collect();
    let mut rows = Vec::new();
    let id = |version: Option<&Version>| version.map(|it| it.peering.clusters.of(role).id.to_string());
    let cluster = id(new).or_else(|| id(old)).unwrap_or_default();
    for object in &after {
        let Some(before) = rest.remove(&Id::of(object)) else {
            rows.push(Row::whole(role, &cluster, object, What::Added));
            continue;
        };
        let mut changes = differences(Some(&before), Some(object), false);
        let secrets = old.zip(new).and_then(|(old, new)| keys::change(old, new, role, title(object)));
        let mut found = Vec::new();
        found.extend(secrets.map(|(path, change)| (effects::of_change(title(object), path, None), change)));
        found.extend(changes.drain(..).map(|it| it.change(title(object))));
        rows.extend(Row::changed(role, &cluster, object, found));
    }
    let removed = before.iter().rev().filter(|object| rest.contains_key(&Id::of(object)));
    rows.extend(removed.map(|object| Row::whole(role, &cluster, object, What::Removed)));
    Ok(rows)
}

impl Row {
    /// An object that one side of the comparison does not have.
    pub(super) fn whole(role: Role, cluster: &str, object: &Value, what: What) -> Self {
        let sign = if matches!(what, What::Added) { "+" } else { "-" };
        let options = text_at(object, "/metadata/annotations/argocd.argoproj.io~1sync-options");
        let asks = sign == "-" && options.contains("Prune=confirm");
        let effects = vec![effects::of_change(title(object), sign, None)];
        Self { role, cluster: cluster.to_owned(), object: Id::of(object), what, effects, asks }
    }

    /// An object with changes, if there are any.
    pub(super) fn changed(
        role: Role,
        cluster: &str,
        object: &Value,
        found: Vec<(&'static Effect, Change)>,
    ) -> Option<Self> {
        let (all, changes): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let mut effects: Vec<&'static Effect> = Vec::new();
        for effect in all {
            if !effects.contains(&effect) {
                effects.push(effect);
            }
        }
        let what = What::Changed(changes);
        let row =
            Self { role, cluster: cluster.to_owned(), object: Id::of(object), what, effects, asks: false };
        (!row.effects.is_empty()).then_some(row)
    }
}

/// What an object is to Liqo, where its kind alone does not say it.
pub(super) fn title(object: &Value) -> &str {
    let label = |key: &str| object.pointer("/metadata/labels").and_then(|labels| labels.get(key));
    match text_at(object, "/kind") {
        "Namespace" if label("liqo.io/tenant-namespace").is_some() => "tenant Namespace",
        "Secret" | "SealedSecret" | "ExternalSecret" if label("liqo.io/identity-type").is_some() => {
            "credential"
        }
        "Secret" | "SealedSecret" | "ExternalSecret"
            if label("networking.liqo.io/gateway-resource").is_some() =>
        {
            "keys"
        }
        kind => kind,
    }
}

/// A field whose value is another one.
pub(super) struct Difference<'v> {
    path: String,
    from: Option<&'v Value>,
    to: Option<&'v Value>,
}

impl Difference<'_> {
    /// What it does, and how it is shown.
    pub(super) fn change(self, title: &str) -> (&'static Effect, Change) {
        let effect = effects::of_change(title, &self.path, self.to.and_then(Value::as_str));
        let field = printed(&mask(&self.path));
        (effect, Change { field, note: "", from: self.from.map(shown), to: self.to.map(shown) })
    }
}

/// The fields in which two values differ. What only a live object has is the cluster's business.
pub(super) fn differences<'v>(
    from: Option<&'v Value>,
    to: Option<&'v Value>,
    live: bool,
) -> Vec<Difference<'v>> {
    let mut found = Vec::new();
    differ(String::new(), from, to, live, &mut found);
    found
}

fn differ<'v>(
    path: String,
    from: Option<&'v Value>,
    to: Option<&'v Value>,
    live: bool,
    found: &mut Vec<Difference<'v>>,
) {
    static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    let fields = |value: Option<&'v Value>| match value {
        None => Some(&*EMPTY),
        Some(Value::Object(fields)) => Some(fields),
        Some(_) => None,
    };
    match (fields(from), fields(to)) {
        (Some(from), Some(to)) => {
            let gone = from.keys().filter(|key| !live && !to.contains_key(*key));
            for key in to.keys().chain(gone) {
                differ(field(&path, key), from.get(key), to.get(key), live, found);
            }
        }
        _ if from == to || (live && is_part(to, from)) => {}
        _ => found.push(Difference { path, from, to }),
    }
}

/// Whether a live value has all that is planned of it: the API server fills defaults in, also in the items of a list.
fn is_part(planned: Option<&Value>, live: Option<&Value>) -> bool {
    match (planned, live) {
        (Some(Value::Array(planned)), Some(Value::Array(live))) => {
            planned.len() == live.len()
                && planned
                    .iter()
                    .zip(live)
                    .all(|(it, live)| differences(Some(live), Some(it), true).is_empty())
        }
        _ => planned == live,
    }
}

/// The path of a field: `spec.endpoint.port`, `metadata.labels[liqo.io/remote-cluster-id]`.
fn field(path: &str, key: &str) -> String {
    let plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match (path, plain) {
        ("", _) => key.to_owned(),
        (_, true) => format!("{path}.{key}"),
        (_, false) => format!("{path}[{key}]"),
    }
}

/// The most characters of a value that are shown.
const SHOWN: usize = 80;

/// A value on one line, masked as a whole before it is cut.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) if !text.is_empty() => text.clone(),
        value => value.to_string(),
    };
    let text = printed(&mask(&text));
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
