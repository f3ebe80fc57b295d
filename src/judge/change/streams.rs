//! Both streams as values without secrets, and what is different in an object.

use super::keys::{self, Secret};
use super::peering_state::Version;
use super::{Change, Consequence, FieldChange, Id, effects};
use crate::diagnostic::Bug;
use crate::judge::comparison::{Difference, Mode, differences, planned, shown};
use crate::object::live::owner::owners;
use crate::object::live::{Effect, Holds, Impact, Object};
use crate::peering::networking::keys::{Keys, OwnKey};
use crate::peering::{Material, Role, State};
use crate::state::cluster::Snapshot;
use crate::stream::kinds::live_halves_of;
use serde_json::Value;
use std::collections::BTreeMap;

/// The objects of one side's stream. Without the keys that are written, their Secret has one name in every state.
fn without_keys(version: &Version, role: Role) -> Result<Vec<Object>, Bug> {
    let mut material = Material::public(&version.peering, role);
    material.keys = material.keys.map(|_| Keys { own: OwnKey::Public(None), peer: None });
    planned(&version.peering, role, &material)
}

/// The changes of one side, in the order of the stream; then what is removed, in the order in which Argo CD prunes. A file that may
/// hold another secret goes to `resealed`, with what it may change.
pub(super) fn compare(
    old: Option<&Version>,
    new: Option<&Version>,
    role: Role,
    resealed: &mut BTreeMap<String, Holds>,
) -> Result<Vec<Change>, Bug> {
    let plan = |version: Option<&Version>| version.map(|it| without_keys(it, role)).transpose();
    let (before, after) = (plan(old)?.unwrap_or_default(), plan(new)?.unwrap_or_default());
    let mut rest: BTreeMap<Id, &Object> = before.iter().map(|it| (Id::of(it), it)).collect();
    let mut rows = Vec::new();
    let id = |version: Option<&Version>| version.map(|it| it.peering.clusters.of(role).id.to_string());
    let cluster = id(new).or_else(|| id(old)).unwrap_or_default();
    let side = Some((role, cluster.as_str()));
    for object in &after {
        let Some(before) = rest.remove(&Id::of(object)) else {
            rows.push(Change::added(side, object));
            continue;
        };
        let mut found = Vec::new();
        match old.zip(new).and_then(|(old, new)| keys::change(old, new, role, object)) {
            Some((path, Secret::Changes(change))) => {
                found.push((effects::of_change(object, path, ""), change));
            }
            Some((_, Secret::MayChange(file))) => {
                let holds = live_halves_of(object).next().map_or(Holds::Nothing, |half| half.holds);
                resealed.insert(file, holds);
            }
            None => {}
        }
        let changes = differences(&before.value, &object.value, Mode::States);
        found.extend(changes.into_iter().map(|it| it.change(object)));
        rows.extend(Change::changed(side, object, found));
    }
    let removed = before.iter().rev().filter(|object| rest.contains_key(&Id::of(object)));
    let is_drained = new.is_none() && old.is_some_and(|old| old.peering.state == State::Drained);
    rows.extend(removed.map(|object| Change::removed(side, object, is_drained)));
    Ok(rows)
}

impl Difference<'_> {
    /// What it does, and how it is shown.
    pub(super) fn change(self, object: &Object) -> (&'static Effect, FieldChange) {
        let to = self.to.map(|to| to.as_str().map_or_else(|| to.to_string(), ToOwned::to_owned));
        let effect = effects::of_change(object, &self.path, &to.unwrap_or_default());
        let value = |it: Option<&Value>| it.map(|it| shown(it).into());
        (
            effect,
            FieldChange { path: self.place().into(), note: None, from: value(self.from), to: value(self.to) },
        )
    }
}

/// Who else has a stream's objects in its cluster, and how each lets go. The document's own Application is no other one.
pub(crate) fn other_owners(stream: &[Object], live: &Snapshot, role: Role) -> Vec<Consequence> {
    let owners = owners(stream.iter().filter_map(|planned| live.find(planned)));
    let owners = owners.iter().filter(|it| !it.is_argo_cd);
    owners
        .map(|it| {
            Consequence::new(Impact::Attention, format!("{role}: {}. To let go: {}.", it.says(), it.let_go))
        })
        .collect()
}

/// What a sync of a stream would change in its cluster, whose objects are these. Of Secrets only whether they exist.
pub(crate) fn of_live(stream: &[Object], live: &Snapshot, role: Role, cluster: &str) -> Vec<Change> {
    let side = Some((role, cluster));
    let change = |object: &Object| match live.find(object) {
        None => Some(Change::added(side, object)),
        Some(_) if object.kind() == "Secret" => None,
        Some(live) => {
            let differences = differences(&live.value, &object.value, Mode::Live);
            Change::changed(side, object, differences.into_iter().map(|it| it.change(object)).collect())
        }
    };
    stream.iter().filter_map(change).collect()
}
