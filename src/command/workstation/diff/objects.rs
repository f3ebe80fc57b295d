//! Both streams as values without secrets, and what is different in an object.

use super::effects;
use super::keys::{self, Secret};
use super::version::Version;
use crate::command::workstation::compare::{Difference, Mode, differences, shown};
use crate::command::workstation::plan::planned;
use crate::diagnostic::Bug;
use crate::object::live::{Effect, Holds, Impact, Object};
use crate::peering::networking::keys::{Keys, OwnKey};
use crate::peering::{Material, Role, State};
use crate::stream::kinds::live_halves_of;
use std::collections::BTreeMap;

/// An object that is not the same on both sides of a comparison.
pub(super) struct Row {
    /// On whose cluster; none for Argo CD's own objects.
    pub(super) role: Option<Role>,
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
    pub(super) fn of(object: &Object) -> Self {
        let text = |pointer| object.text(pointer).to_owned();
        Self {
            api_version: text("/apiVersion"),
            kind: text("/kind"),
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
        }
    }
}

/// The objects of one side's stream. Without the keys that are written, their Secret has one name in every state.
fn without_keys(version: &Version, role: Role) -> Result<Vec<Object>, Bug> {
    let mut material = Material::public(&version.peering, role);
    material.keys = material.keys.map(|_| Keys { own: OwnKey::Public(None), peer: None });
    planned(&version.peering, role, &material)
}

/// The rows of one side, in the order of the stream; then what is removed, in the order in which Argo CD prunes. A file that may
/// hold another secret goes to `resealed`, with what it may change.
pub(super) fn compare(
    old: Option<&Version>,
    new: Option<&Version>,
    role: Role,
    resealed: &mut BTreeMap<String, Holds>,
) -> Result<Vec<Row>, Bug> {
    let plan = |version: Option<&Version>| version.map(|it| without_keys(it, role)).transpose();
    let (before, after) = (plan(old)?.unwrap_or_default(), plan(new)?.unwrap_or_default());
    let mut rest: BTreeMap<Id, &Object> = before.iter().map(|it| (Id::of(it), it)).collect();
    let mut rows = Vec::new();
    let id = |version: Option<&Version>| version.map(|it| it.peering.clusters.of(role).id.to_string());
    let cluster = id(new).or_else(|| id(old)).unwrap_or_default();
    for object in &after {
        let Some(before) = rest.remove(&Id::of(object)) else {
            rows.push(Row::added(Some(role), &cluster, object));
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
        rows.extend(Row::changed(Some(role), &cluster, object, found));
    }
    let removed = before.iter().rev().filter(|object| rest.contains_key(&Id::of(object)));
    let is_drained = new.is_none() && old.is_some_and(|old| old.peering.state == State::Drained);
    rows.extend(removed.map(|object| Row::removed(Some(role), &cluster, object, is_drained)));
    Ok(rows)
}

impl Row {
    /// An object that only the new state has.
    pub(super) fn added(role: Option<Role>, cluster: &str, object: &Object) -> Self {
        let effects = vec![effects::of_change(object, "+", "")];
        let (cluster, object) = (cluster.to_owned(), Id::of(object));
        Self { role, cluster, object, what: What::Added, effects, asks: false }
    }

    /// An object that only the old state has.
    pub(super) fn removed(role: Option<Role>, cluster: &str, object: &Object, is_drained: bool) -> Self {
        let options = object.text("/metadata/annotations/argocd.argoproj.io~1sync-options");
        let asks = options.contains("Prune=confirm");
        let effects = vec![effects::of_removal(object, is_drained)];
        let (cluster, object) = (cluster.to_owned(), Id::of(object));
        Self { role, cluster, object, what: What::Removed, effects, asks }
    }

    /// What all that changes leaves alone.
    pub(super) fn keeps(&self) -> Option<&'static str> {
        let keeps = self.effects.first()?.keeps;
        let is_kept = !keeps.is_empty() && self.effects.iter().all(|effect| effect.keeps == keeps);
        is_kept.then_some(keeps)
    }

    /// An object with changes, if there are any.
    pub(super) fn changed(
        role: Option<Role>,
        cluster: &str,
        object: &Object,
        found: Vec<(&'static Effect, Change)>,
    ) -> Option<Self> {
        let (all, changes): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let mut effects: Vec<&'static Effect> = Vec::new();
        for effect in all {
            if !effects.iter().any(|it| it.hazard() == effect.hazard()) {
                effects.push(effect);
            }
        }
        // beside a hazard, "nothing happens" of another field reads as its opposite
        if effects.iter().any(|effect| effect.impact > Impact::Harmless) {
            effects.retain(|effect| effect.impact > Impact::Harmless);
        }
        let what = What::Changed(changes);
        let row =
            Self { role, cluster: cluster.to_owned(), object: Id::of(object), what, effects, asks: false };
        (!row.effects.is_empty()).then_some(row)
    }
}

impl Difference<'_> {
    /// What it does, and how it is shown.
    pub(super) fn change(self, object: &Object) -> (&'static Effect, Change) {
        let to = self.to.map(|to| to.as_str().map_or_else(|| to.to_string(), ToOwned::to_owned));
        let effect = effects::of_change(object, &self.path, &to.unwrap_or_default());
        let (from, to) = (self.from.map(shown), self.to.map(shown));
        (effect, Change { field: self.place(), note: "", from, to })
    }
}
