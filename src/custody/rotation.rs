//! ROTATE: what changes in `peering.yaml` when a key is replaced, and what a person has to do then.
//!
//! Only the values are edited, at their places, so comments and layout stay. The result is read again and must be the
//! peering that was meant, so a layout that cannot be edited is found before anything is written.

mod seeds;

use super::terms::ClusterPair;
use super::{Error, RotationProblem};
use crate::diagnostic::Source;
use crate::input::folder::DOCUMENT;
use crate::input::yaml::{self, Setting};
use crate::peering::delivery::Delivery;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{Day, FileName, Generation, PublicKey, Role, Sides};
use crate::peering::{Peering, names};
use crate::rules;
pub(crate) use seeds::Seeds;
use serde_json::json;

/// A side's key before and after the rotation. Both are equal if the key stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Change {
    old: PublicKey,
    new: PublicKey,
}

impl Change {
    fn changes(&self) -> bool {
        self.old != self.new
    }

    fn new_key(&self) -> Option<PublicKey> {
        self.changes().then_some(self.new)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rotation {
    /// The side whose key is replaced.
    side: Role,
    /// The new generation of that side.
    generation: Generation,
    /// What happens to both keys.
    keys: Sides<Change>,
    /// The new sealed file, if the seed itself is replaced.
    pub(crate) new_seed: Option<NewSeed>,
}

/// A sealed file that replaces another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewSeed {
    /// Its name in the folder.
    pub(crate) file: FileName,
    pub(crate) sealed: Vec<u8>,
    /// The other peerings that the old seed serves.
    others: Vec<ClusterPair>,
}

impl Rotation {
    /// The changes in the document.
    pub(crate) fn edit(&self, day: Option<Day>) -> DocumentEdit {
        let keys = Sides::make(|role| self.keys[role].new_key());
        DocumentEdit {
            side: self.side,
            generation: self.generation,
            keys,
            day,
        }
    }
}

/// What a rotation changes in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocumentEdit {
    /// The side that gets a new generation.
    side: Role,
    /// The new generation of that side.
    generation: Generation,
    /// The new public keys. None for a side whose key stays, or is not known.
    keys: Sides<Option<PublicKey>>,
    /// The day of the rotation.
    day: Option<Day>,
}

impl DocumentEdit {
    /// Whether the side gets another key.
    fn replaces(&self, role: Role) -> bool {
        role == self.side || self.keys[role].is_some()
    }

    /// The peering after this edit.
    fn applied_to(&self, before: &Peering) -> Peering {
        let mut after = before.clone();
        for role in Role::BOTH.into_iter().filter(|role| self.replaces(*role)) {
            after.clusters.of_mut(role).written.rotated =
                self.day.or(before.clusters[role].rotated);
        }
        after.clusters.of_mut(self.side).written.generation = self.generation;
        let Some(networking) = &mut after.networking else {
            return after;
        };
        for role in Role::BOTH {
            let Some(new) = self.keys[role] else {
                continue;
            };
            if let KeySource::Seed(_, Some(written)) = networking.keys.of_mut(role) {
                *written = new;
            }
            if let Some(written) = &mut after.clusters.of_mut(role).written.public_key {
                written.value = new;
            }
        }
        after
    }
}

/// The document after a rotation, and the peering that it describes. Everything that is not a key or its generation stays,
/// byte for byte. A text that cannot be edited to exactly this is refused.
pub(crate) fn edit_document(
    source: &Source,
    before: &Peering,
    edit: &DocumentEdit,
) -> Result<(Source, Peering), Error> {
    let edited = yaml::edit(source.text(), &settings(before, edit));
    let edited = Source::new(source.name(), edited.ok_or(RotationProblem::Layout)?);
    match rules::parse(&edited) {
        Ok(after) if after == edit.applied_to(before) => Ok((edited, after)),
        _ => Err(RotationProblem::Layout.into()),
    }
}

fn settings(before: &Peering, edit: &DocumentEdit) -> Vec<Setting> {
    let mut settings = Vec::new();
    for role in Role::BOTH {
        let own = &before.clusters[role];
        let key = edit.keys[role].filter(|_| own.public_key.is_some());
        let is_raised = role == edit.side && own.generation != edit.generation;
        let day = edit.day.filter(|_| edit.replaces(role));
        let fields: [(_, _, &[&str]); 3] = [
            ("publicKey", key.map(|it| json!(it.to_string())), &[]),
            (
                "keyGeneration",
                is_raised.then(|| json!(edit.generation.get())),
                &["clusterID"],
            ),
            (
                "keyRotated",
                day.map(|it| json!(it)),
                &["keyGeneration", "clusterID"],
            ),
        ];
        settings.extend(fields.into_iter().filter_map(|(field, value, after)| {
            Some(Setting::new(&format!("spec.{role}.{field}"), value?).after(after))
        }));
    }
    settings
}

/// The keys and the steps, without secrets. `document` is true if the document's text changed.
pub(crate) fn steps(after: &Peering, rotation: &Rotation, document: bool) -> String {
    let before_commit = Role::BOTH
        .into_iter()
        .filter_map(|role| before_commit(after, rotation, role));
    let mut steps: Vec<String> = before_commit.collect();
    let new_seed = rotation.new_seed.as_ref();
    let files: Vec<_> = new_seed
        .map(|seed| seed.file.as_str())
        .into_iter()
        .chain(document.then_some(DOCUMENT))
        .collect();
    let files = files.join(" and ");
    steps.push(format!(
        "Only {files} changed. Commit that, and nothing else: if the same commit removes other objects,\n   the old and the new key Secret can exist together, and Liqo cannot work with two."
    ));
    let others: Vec<String> = new_seed
        .iter()
        .flat_map(|seed| &seed.others)
        .map(ToString::to_string)
        .collect();
    if !others.is_empty() {
        steps.push(format!(
            "The old seed serves {} too: replace it there as well.",
            others.join(" ")
        ));
    }
    steps.extend(step_elsewhere(after, rotation));
    steps.push(format!(
        "In a maintenance window push, and refresh both Applications together. {}",
        interruption()
    ));
    steps.extend(
        Role::BOTH
            .into_iter()
            .filter_map(|role| after_sync(after, rotation, role)),
    );
    steps.push(
        "On both clusters: `kubectl get connections.networking.liqo.io --all-namespaces` shows Connected."
            .into(),
    );
    let mut text: String = Role::BOTH
        .into_iter()
        .map(|role| keys_of(after, rotation, role))
        .collect();
    for (number, step) in (1..).zip(steps) {
        text += &format!("{number}. {step}\n");
    }
    text += match rotation.new_seed {
        Some(_) => {
            "\nThe old seed stays in Git's history, and opens with the old identities; its keys are useless once both clusters have the new ones.\n"
        }
        None => {
            "\nAnyone with the seed has this key too: after a leak of the seed, or of an identity that opens it, use --new-seed.\n"
        }
    };
    text
}

/// How long a rotation interrupts.
pub(crate) const fn interruption() -> &'static str {
    "The tunnel is down from the first gateway's\n   restart until both clusters have their new keys: a pod's restart (some 10 to 30 seconds, an estimate), and the time\n   between the two syncs."
}

/// The step before the commit. With the commit, a cluster asks for the new key, so a key that the stream does not bring
/// must already exist.
fn before_commit(after: &Peering, rotation: &Rotation, role: Role) -> Option<String> {
    let own = &after.clusters[role];
    if !rotation.keys[role].changes() || own.delivery != Delivery::External {
        return None;
    }
    let export = format!("argocd-peering keys export FOLDER --role {role}");
    Some(match own.external {
        Some(_) => {
            format!(
                "Before the commit: put {}'s new key into its store. `{export}` prints it.",
                own.id
            )
        }
        None => format!(
            "Before the commit: apply on {} the Secret that\n   `{export} --format secret` prints.",
            own.id
        ),
    })
}

/// The step after the sync, where Argo CD and Liqo do not make the gateway use its new key.
fn after_sync(after: &Peering, rotation: &Rotation, role: Role) -> Option<String> {
    let own = &after.clusters[role];
    let change = &rotation.keys[role];
    if !change.changes() {
        return None;
    }
    match (&own.names.key_secret, own.delivery, &own.external) {
        (Some(name), ..) => Some(format!(
            "On {}: restart the gateway `{}` in namespace {}. Its Secret has the fixed name `{name}`, and a gateway reads its\n   key only when it starts.",
            own.id, own.names.gateway, own.tenant_namespace
        )),
        // liqo pkg/liqo-controller-manager/networking/external-network/wireguard/utils.go
        (None, Delivery::External, None) => Some(format!(
            "On {}: delete the old key Secret `{}` in namespace {}. Liqo leaves a gateway alone while it finds two.",
            own.id,
            names::key_secret(Some(change.old)),
            own.tenant_namespace
        )),
        (None, ..) => None,
    }
}

fn keys_of(after: &Peering, rotation: &Rotation, role: Role) -> String {
    let cluster = &after.clusters[role];
    let change = &rotation.keys[role];
    let generation = cluster.generation.get();
    if change.changes() {
        format!(
            "{role}: {}\n  old public key: {}\n  new public key: {}\n  key generation: {generation}\n\n",
            cluster.id, change.old, change.new
        )
    } else {
        format!(
            "{role}: {}\n  public key: {} (stays)\n  key generation: {generation}\n\n",
            cluster.id, change.new
        )
    }
}

/// The step for the other organisation, which has this side's public key in its document.
fn step_elsewhere(after: &Peering, rotation: &Rotation) -> Option<String> {
    let networking = after.networking.as_ref()?;
    let side = rotation.side;
    let KeySource::Elsewhere(_) = &networking.keys[side.peer()] else {
        return None;
    };
    Some(format!(
        "Send the new public key to the organisation of {}: in their repository it is `{side}.publicKey`. Until they have\n   synced it the tunnel is down, so agree on the time.",
        after.clusters[side.peer()].id
    ))
}

#[cfg(test)]
mod tests;
