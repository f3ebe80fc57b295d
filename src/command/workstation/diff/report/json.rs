//! The outcome for programs. Its schema is `docs/diff.schema.json`.

use super::super::notes::of_resealed;
use super::super::objects::What;
use super::{Changed, name, worst};
use crate::command::error::Error;
use crate::diagnostic::secrecy::Shown;
use crate::diagnostic::shown_name;
use crate::object::live::{Effect, Impact};
use crate::peering::Role;
use crate::report;
use schemars::JsonSchema;
use serde::Serialize;

/// What `diff --format json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::command) struct Report {
    /// How many peerings were compared.
    peerings: usize,
    /// The worst class of all changes: `harmless`, `needs-attention`, `widens-rights`, `loses-protection`, `interrupts-traffic`
    /// or `deletes-data`.
    worst: &'static str,
    /// The peerings that are not the same.
    changed: Vec<Peering>,
}

#[derive(Serialize, JsonSchema)]
struct Peering {
    /// The folder, from the one that is compared.
    folder: Shown,
    /// What is said of the peering as a whole.
    notes: Vec<Hazard>,
    /// The objects that are not the same.
    objects: Vec<Object>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Object {
    /// `consumer` or `provider`; left out for Argo CD's own objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    /// The cluster's ID; left out for Argo CD's own objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<Shown>,
    /// As in the manifest.
    api_version: Shown,
    /// As in the manifest.
    kind: Shown,
    /// `namespace/name`; `gw-keys-…` where the name follows from a key that is not known.
    name: Shown,
    /// `added`, `removed` or `changed`.
    change: &'static str,
    /// Of a change, its fields.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    fields: Vec<Field>,
    /// What it does to the clusters.
    effects: Vec<Hazard>,
    /// Whether Argo CD asks before it deletes the object.
    asks: bool,
}

#[derive(Serialize, JsonSchema)]
struct Field {
    /// The path of a field, or a file's name.
    path: Shown,
    /// What there is to say instead of values.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// The old value; left out if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Shown>,
    /// The new value; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Shown>,
}

/// What a change does.
#[derive(Serialize, JsonSchema)]
struct Hazard {
    /// As in `worst`.
    class: &'static str,
    /// A few sentences.
    message: Shown,
}

/// The report of so many peerings.
///
/// # Errors
/// Only for a bug.
pub(in super::super) fn json(all: usize, changed: &[Changed]) -> Result<String, Error> {
    let report = Report {
        peerings: all,
        worst: worst(changed).name(),
        changed: changed.iter().map(peering).collect(),
    };
    Ok(report::json(&report)?)
}

fn peering(changed: &Changed) -> Peering {
    let notes = changed.notes.iter().cloned().chain(of_resealed(&changed.resealed));
    Peering {
        folder: shown_name(&changed.folder).into(),
        notes: notes.map(|note| hazard(note.impact, note.words)).collect(),
        objects: changed.rows.iter().map(object).collect(),
    }
}

fn object(row: &super::Row) -> Object {
    let (change, fields) = match &row.what {
        What::Added => ("added", Vec::new()),
        What::Removed => ("removed", Vec::new()),
        What::Changed(changes) => ("changed", changes.iter().map(field).collect()),
    };
    Object {
        role: row.role.map(Role::word),
        cluster: row.role.map(|_| shown_name(&row.cluster).into()),
        api_version: row.object.api_version.clone().into(),
        kind: row.object.kind.clone().into(),
        name: name(row).into(),
        change,
        fields,
        effects: row.effects.iter().copied().map(of_effect).chain(row.keeps().map(of_keeps)).collect(),
        asks: row.asks,
    }
}

fn field(change: &super::Change) -> Field {
    let text = |it: &Option<String>| it.clone().map(Shown::from);
    Field {
        path: change.field.clone().into(),
        note: (!change.note.is_empty()).then_some(change.note),
        from: text(&change.from),
        to: text(&change.to),
    }
}

fn of_effect(effect: &'static Effect) -> Hazard {
    hazard(effect.impact, effect.words.to_owned())
}

fn of_keeps(words: &'static str) -> Hazard {
    hazard(Impact::Harmless, words.to_owned())
}

fn hazard(impact: Impact, message: String) -> Hazard {
    Hazard { class: impact.name(), message: message.into() }
}
