//! Both streams as values without secrets, their differences, and whether a key or a credential changes, as far as that can be known:
//! without an identity, a file that was sealed again may hold the same secret.

use super::peering::Version;
use super::{
    Consequence, FieldChange, ObjectChange, ObjectKey, effects, field_changes, object_key,
};
use crate::custody::without_line_ends;
use crate::diagnostic::{Bug, readable, shown_name};
use crate::judge::comparison::{Mode, planned};
use crate::object::live::owner::owners;
use crate::object::live::{Effect, HeldSecret, Impact, Object, effect};
use crate::peering::networking::keys::{KeySource, OwnKey};
use crate::peering::{Material, Role, State};
use crate::state::cluster::Snapshot;
use crate::stream::kinds::live_halves_of;
use std::collections::BTreeMap;

/// The objects of one side's stream. Without the written keys, the key Secret has the same name in every state.
fn without_keys(version: Option<&Version>, role: Role) -> Result<Vec<Object>, Bug> {
    let Some(Version { peering, .. }) = version else {
        return Ok(Vec::new());
    };
    let mut material = Material::public(peering, role);
    if let Some(keys) = &mut material.keys {
        keys.own = OwnKey::Public(None);
        keys.peer = None;
    }
    planned(peering, role, &material)
}

/// The changes of one side, in the order of the stream; then the removals, in the order in which Argo CD prunes. A file that may hold
/// another secret is added to `resealed`, with what it may change.
pub(super) fn compare(
    old: Option<&Version>,
    new: Option<&Version>,
    role: Role,
    resealed: &mut BTreeMap<String, HeldSecret>,
) -> Result<Vec<ObjectChange>, Bug> {
    let (before, after) = (without_keys(old, role)?, without_keys(new, role)?);
    let mut rest: BTreeMap<ObjectKey, &Object> =
        before.iter().map(|it| (object_key(it), it)).collect();
    let mut rows = Vec::new();
    let version = new.or(old);
    let cluster = version.map_or("", |it| it.peering.clusters[role].id.as_str());
    let side = Some((role, cluster));
    for object in &after {
        let Some(before) = rest.remove(&object_key(object)) else {
            rows.push(ObjectChange::added(side, object));
            continue;
        };
        let mut found = Vec::new();
        match secret_change_of(old, new, role, object) {
            Some((path, SecretChange::Changes(change))) => {
                found.push((effects::of_change(object, path, ""), change));
            }
            Some((_, SecretChange::MayChange(file))) => {
                let half = live_halves_of(object).next();
                let holds = half.map_or(HeldSecret::Nothing, |half| half.held_secret);
                resealed.insert(file, holds);
            }
            None => {}
        }
        found.extend(field_changes(before, object, Mode::States));
        rows.extend(ObjectChange::changed(side, object, found));
    }
    let is_drained = old.is_some_and(|old| old.peering.state == State::Drained);
    for object in before.iter().rev() {
        if rest.contains_key(&object_key(object)) {
            rows.push(ObjectChange::removed(side, object, is_drained));
        }
    }
    Ok(rows)
}

/// The other owners of a stream's objects in its cluster, and how each gives them up. The document's own Application does not count.
pub(crate) fn other_owners(stream: &[Object], live: &Snapshot, role: Role) -> Vec<Consequence> {
    let mut all = Vec::new();
    for owner in owners(stream.iter().filter_map(|planned| live.find(planned))) {
        if owner.application.is_none() {
            let words = format!("{role}: {}. To let go: {}.", owner.says(), owner.let_go);
            all.push(Consequence::new(Impact::Attention, words));
        }
    }
    all
}

/// The changes that a sync of a stream would make in a cluster with these objects. Of Secrets, only their existence is compared.
pub(crate) fn of_live(
    stream: &[Object],
    live: &Snapshot,
    role: Role,
    cluster: &str,
) -> Vec<ObjectChange> {
    let side = Some((role, cluster));
    let mut changes = Vec::new();
    for object in stream {
        let Some(found) = live.find(object) else {
            changes.push(ObjectChange::added(side, object));
            continue;
        };
        if object.kind() == "Secret" {
            continue;
        }
        let mut fields = field_changes(found, object, Mode::Live);
        for (effect, field) in &mut fields {
            if is_in_effect(found, object, field) {
                *effect = &IN_EFFECT;
            }
        }
        changes.extend(ObjectChange::changed(side, object, fields));
    }
    changes
}

static IN_EFFECT: Effect = effect(
    &[],
    Impact::Harmless,
    "The gateway has this Secret already: it does not restart.",
);

/// Whether a gateway already uses the Secret that is written now: Liqo found it by its labels, and the Deployment has the Secret of the
/// status (liqo `wireguard/wggatewayclient_controller.go`, handleSecretRefStatus).
fn is_in_effect(live: &Object, object: &Object, field: &FieldChange) -> bool {
    let name = object.text("/spec/secretRef/name");
    field.path.as_str().starts_with("spec.secretRef") && name == live.text("/status/secretRef/name")
}

/// The change of a secret.
enum SecretChange {
    /// It changes.
    Changes(FieldChange),
    /// This file was sealed again.
    MayChange(String),
}

/// The change of the secret in an object of one side: the path in the table of effects, and the change.
fn secret_change_of(
    old: Option<&Version>,
    new: Option<&Version>,
    role: Role,
    object: &Object,
) -> Option<(&'static str, SecretChange)> {
    let (old, new) = (old?, new?);
    let is_name_fixed = new.peering.clusters[role].names.key_secret.is_some();
    match live_halves_of(object).next()?.held_secret {
        // if the name stays, nothing restarts the gateway
        HeldSecret::OwnKey if is_name_fixed => Some(("data, name kept", key(old, new, role)?)),
        HeldSecret::OwnKey => Some(("data", key(old, new, role)?)),
        HeldSecret::NameOfOwnKey if is_name_fixed => None,
        HeldSecret::NameOfOwnKey => Some(("spec.secretRef", key(old, new, role)?)),
        HeldSecret::PeersKey => Some(("spec.publicKey", key(old, new, role.peer())?)),
        HeldSecret::Credential => Some(("data", credential(old, new, role)?)),
        HeldSecret::Nothing => None,
    }
}

/// The change of a side's key. The key depends on the seed, both cluster IDs and the generation
/// (`docs/project/derivation.md`); a written key must be the one that the seed gives.
fn key(old: &Version, new: &Version, side: Role) -> Option<SecretChange> {
    let (before, after) = (old.peering.key_source(side)?, new.peering.key_source(side)?);
    if let (Some(before), Some(after)) = (before.written(), after.written()) {
        let keys = [before, after].map(|key| readable(&key.to_string()));
        return (before != after).then(|| secret_change("publicKey", keys));
    }
    let own = [old, new].map(|it| it.peering.clusters[side].generation.get());
    if own[0] != own[1] {
        return Some(secret_change("keyGeneration", own.map(|it| it.to_string())));
    }
    let ids = Role::BOTH.map(|role| [old, new].map(|it| it.peering.clusters[role].id.as_str()));
    if let Some(ids) = ids.into_iter().find(|[before, after]| before != after) {
        return Some(secret_change("clusterID", ids.map(shown_name)));
    }
    match (before, after) {
        (KeySource::Seed(before, _), KeySource::Seed(after, _)) => {
            file(old, before.as_str(), new, after.as_str())
        }
        // one is not written: it is the seed's, which `publicKey` can show in the commit before
        (_, KeySource::Elsewhere(key)) => Some(secret_change(
            "publicKey",
            [DERIVED.to_owned(), readable(&key.to_string())],
        )),
        (KeySource::Elsewhere(key), _) => Some(secret_change(
            "publicKey",
            [readable(&key.to_string()), DERIVED.to_owned()],
        )),
    }
}

const DERIVED: &str = "derived from the seed";

fn credential(old: &Version, new: &Version, role: Role) -> Option<SecretChange> {
    let [before, after] = [old, new].map(|it| it.peering.sealed_kubeconfig(role));
    file(old, before?.file.as_str(), new, after?.file.as_str())
}

/// The change of a sealed file's secret. The same bytes hold the same secret. Other bytes may hold it too, since each sealing gives other
/// bytes: only an identity that opens both can decide.
fn file(old: &Version, before: &str, new: &Version, after: &str) -> Option<SecretChange> {
    let files = [old.sealed.get(before), new.sealed.get(after)];
    let [one, other] = files.map(|it| it.map(Vec::as_slice));
    if one.map(without_line_ends) == other.map(without_line_ends) {
        return None;
    }
    let compared = match (one, other, &new.owner) {
        (Some(one), Some(other), Some(owner)) => owner.compare(one, other),
        _ => None,
    };
    let Some((is_same, server)) = compared else {
        return Some(SecretChange::MayChange(after.to_owned()));
    };
    let words = if server.is_some() {
        "holds another credential, for the server"
    } else {
        "holds another secret"
    };
    let change = FieldChange {
        path: shown_name(after).into(),
        note: Some(words),
        from: None,
        to: server.map(|it| shown_name(&it).into()),
    };
    (!is_same).then_some(SecretChange::Changes(change))
}

fn secret_change(field: &str, [from, to]: [String; 2]) -> SecretChange {
    let path = field.to_owned().into();
    SecretChange::Changes(FieldChange {
        path,
        note: None,
        from: Some(from.into()),
        to: Some(to.into()),
    })
}
