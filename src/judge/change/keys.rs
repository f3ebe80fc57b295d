//! Whether a key or a credential changes, as far as that can be known: without an identity, a file that was sealed again may hold
//! the same secret.

use super::FieldChange;
use super::peering_state::Version;
use crate::diagnostic::{readable, shown_name};
use crate::object::live::{Holds, Object};
use crate::peering::Role;
use crate::peering::authentication::credential::{Credential, Sealed};
use crate::peering::cluster::Cluster;
use crate::peering::networking::keys::KeySource;
use crate::stream::kinds::live_halves_of;

/// What becomes of a secret.
pub(super) enum Secret {
    /// It is another one.
    Changes(FieldChange),
    /// This file was sealed again.
    MayChange(String),
}

/// What becomes of the secret that an object of one side shows: the path in its table of effects, and the change.
pub(super) fn change(
    old: &Version,
    new: &Version,
    role: Role,
    object: &Object,
) -> Option<(&'static str, Secret)> {
    let is_name_fixed = new.peering.clusters.of(role).names.key_secret.is_some();
    match live_halves_of(object).next()?.holds {
        // where the name stays, nothing restarts the gateway
        Holds::OwnKey if is_name_fixed => Some(("data, name kept", key(old, new, role)?)),
        Holds::OwnKey => Some(("data", key(old, new, role)?)),
        Holds::NameOfOwnKey if is_name_fixed => None,
        Holds::NameOfOwnKey => Some(("spec.secretRef", key(old, new, role)?)),
        Holds::PeersKey => Some(("spec.publicKey", key(old, new, role.peer())?)),
        Holds::Credential => Some(("data", credential(old, new, role)?)),
        Holds::Nothing => None,
    }
}

/// What makes the key of a side another one. It comes from the seed, both cluster IDs and the generation
/// (`docs/project/derivation.md`); a key that is written must be the one that the seed gives.
fn key(old: &Version, new: &Version, side: Role) -> Option<Secret> {
    let source = |it: &Version| Some(it.peering.networking.as_ref()?.keys.of(side).clone());
    let (before, after) = (source(old)?, source(new)?);
    if let (Some(before), Some(after)) = (before.written(), after.written()) {
        let shown = |key: &dyn ToString| readable(&key.to_string());
        return (before != after).then(|| secret_change("publicKey", shown(&before), shown(&after)));
    }
    let cluster = |it: &Version, role: Role| it.peering.clusters.of(role).clone();
    let (own, own_new) = (cluster(old, side), cluster(new, side));
    if own.generation != own_new.generation {
        let generation = |it: &Cluster| it.generation.get().to_string();
        return Some(secret_change("keyGeneration", generation(&own), generation(&own_new)));
    }
    for role in Role::BOTH {
        let (before, after) = (cluster(old, role).id, cluster(new, role).id);
        if *before != *after {
            let shown = |id: &str| shown_name(id);
            return Some(secret_change("clusterID", shown(before.as_str()), shown(after.as_str())));
        }
    }
    match (before, after) {
        (KeySource::Seed(before, _), KeySource::Seed(after, _)) => {
            file(old, before.as_str(), new, after.as_str())
        }
        (KeySource::Elsewhere(_), KeySource::Seed(after, _)) => Some(Secret::MayChange(after.to_string())),
        (KeySource::Seed(before, _), KeySource::Elsewhere(_)) => Some(Secret::MayChange(before.to_string())),
        (KeySource::Elsewhere(_), KeySource::Elsewhere(_)) => None,
    }
}

fn credential(old: &Version, new: &Version, role: Role) -> Option<Secret> {
    let sealed = |it: &Version| {
        let sealed = it.peering.credential(role).and_then(Credential::sealed)?;
        Some(Sealed::file(sealed).value.clone())
    };
    file(old, sealed(old)?.as_str(), new, sealed(new)?.as_str())
}

/// The same bytes hold the same secret. Other bytes may hold it too, since each sealing is another one: an identity that opens
/// both decides it.
fn file(old: &Version, before: &str, new: &Version, after: &str) -> Option<Secret> {
    let (one, other) = (old.sealed.get(before), new.sealed.get(after));
    if one == other {
        return None;
    }
    let opened = one.zip(other).zip(new.owner.as_deref());
    match opened.and_then(|((one, other), owner)| owner.holds_the_same(one, other)) {
        Some(true) => None,
        Some(false) => {
            let field = shown_name(after);
            let note = Some("holds another secret");
            Some(Secret::Changes(FieldChange { path: field.into(), note, from: None, to: None }))
        }
        None => Some(Secret::MayChange(after.to_owned())),
    }
}

fn secret_change(field: &str, from: String, to: String) -> Secret {
    let path = field.to_owned().into();
    Secret::Changes(FieldChange { path, note: None, from: Some(from.into()), to: Some(to.into()) })
}
