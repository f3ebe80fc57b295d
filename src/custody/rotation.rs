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
pub(crate) use seeds::PeeringSeeds;
use serde_json::{Value, json};

/// A side's key before and after the rotation. Both are equal if the key stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeyChange {
    old: PublicKey,
    new: PublicKey,
}

impl KeyChange {
    const fn unchanged(key: PublicKey) -> Self {
        Self { old: key, new: key }
    }

    /// The new key, if it is another one.
    fn new_key(&self) -> Option<PublicKey> {
        (self.old != self.new).then_some(self.new)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rotation {
    /// The side whose key is replaced.
    side: Role,
    /// The new generation of that side.
    generation: Generation,
    /// What happens to both keys.
    keys: Sides<KeyChange>,
    /// The new sealed file, if the seed itself is replaced.
    pub(crate) new_seed: Option<ReplacedSeed>,
}

/// A sealed file that replaces another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReplacedSeed {
    /// Its name in the folder.
    pub(crate) file: FileName,
    pub(crate) sealed: Vec<u8>,
    /// The other peerings that the old seed serves.
    others: Vec<ClusterPair>,
}

impl Rotation {
    /// The peering after this rotation.
    fn applied_to(&self, before: &Peering, day: Option<Day>) -> Peering {
        let mut after = before.clone();
        after.clusters.of_mut(self.side).written.generation = self.generation;
        for role in Role::BOTH {
            let Some(new) = self.keys[role].new_key() else {
                continue;
            };
            let cluster = after.clusters.of_mut(role);
            cluster.written.rotated = day.or(cluster.written.rotated);
            if let Some(written) = &mut cluster.written.public_key {
                written.value = new;
            }
            if let Some(networking) = &mut after.networking
                && let KeySource::Seed(_, Some(written)) = networking.keys.of_mut(role)
            {
                *written = new;
            }
        }
        after
    }

    /// The fields of the document that change.
    fn settings(&self, before: &Peering, day: Option<Day>) -> Vec<Setting> {
        let mut settings = Vec::new();
        for role in Role::BOTH {
            let (own, new_key) = (&before.clusters[role], self.keys[role].new_key());
            if let (Some(key), Some(_)) = (new_key, &own.public_key) {
                settings.push(setting(role, "publicKey", json!(key.to_string())));
            }
            if role == self.side && own.generation != self.generation {
                let generation = setting(role, "keyGeneration", json!(self.generation.get()));
                settings.push(generation.after(&["clusterID"]));
            }
            if let Some(day) = day
                && new_key.is_some()
            {
                let day = setting(role, "keyRotated", json!(day));
                settings.push(day.after(&["keyGeneration", "clusterID"]));
            }
        }
        settings
    }
}

fn setting(role: Role, field: &str, value: Value) -> Setting {
    Setting::new(&format!("spec.{role}.{field}"), value)
}

/// The document after a rotation on this day, and the peering that it describes. Everything that is not a key or its generation stays,
/// byte for byte. A text that cannot be edited to exactly this is refused.
pub(crate) fn edit_document(
    source: &Source,
    before: &Peering,
    rotation: &Rotation,
    day: Option<Day>,
) -> Result<(Source, Peering), Error> {
    let edited = yaml::edit(source.text(), &rotation.settings(before, day));
    let edited = Source::new(source.name(), edited.ok_or(RotationProblem::Layout)?);
    match rules::parse(&edited) {
        Ok(after) if after == rotation.applied_to(before, day) => Ok((edited, after)),
        _ => Err(RotationProblem::Layout.into()),
    }
}

/// The keys and the steps, without secrets. `document` is true if the document's text changed.
pub(crate) fn steps(after: &Peering, rotation: &Rotation, document: bool) -> String {
    let (mut text, mut steps) = (String::new(), Vec::new());
    for role in Role::BOTH {
        text += &keys_of(after, rotation, role);
        steps.extend(before_commit(after, rotation, role));
    }
    let (mut files, mut others) = (Vec::new(), Vec::new());
    if let Some(seed) = &rotation.new_seed {
        files.push(seed.file.as_str());
        others.extend(seed.others.iter().map(ToString::to_string));
    }
    files.extend(document.then_some(DOCUMENT));
    steps.push(format!(
        "Commit {}, and nothing else: a commit that also removes objects can leave two key Secrets, and Liqo needs one.",
        files.join(" and ")
    ));
    if !others.is_empty() {
        steps.push(format!(
            "The old seed serves {} too: replace it there.",
            others.join(" ")
        ));
    }
    steps.extend(step_elsewhere(after, rotation));
    steps.push(format!(
        "In a maintenance window push, and refresh both Applications together. {INTERRUPTION}"
    ));
    for role in Role::BOTH {
        steps.extend(after_sync(after, rotation, role));
    }
    steps.push(
        "On both clusters: `kubectl get connections.networking.liqo.io --all-namespaces` shows Connected."
            .into(),
    );
    for (number, step) in (1..).zip(steps) {
        text += &format!("{number}. {step}\n");
    }
    text += match rotation.new_seed {
        Some(_) => {
            "\nThe old seed stays in Git's history; its keys are useless once both clusters sync.\n"
        }
        None => "\nAnyone with the seed has this key too: after a leak, use --new-seed.\n",
    };
    text
}

/// How long a rotation interrupts.
const INTERRUPTION: &str = "The tunnel is down until both clusters\n   have their new keys: about 10 to 30 seconds, and the time between the syncs.";

/// The step before the commit. With the commit, a cluster asks for the new key, so a key that the stream does not bring
/// must already exist.
fn before_commit(after: &Peering, rotation: &Rotation, role: Role) -> Option<String> {
    let own = &after.clusters[role];
    rotation.keys[role].new_key()?;
    if own.delivery != Delivery::External {
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
    change.new_key()?;
    match (&own.names.key_secret, own.delivery, &own.external) {
        // its Secret keeps the name
        (Some(_), ..) => Some(format!(
            "On {}: restart the gateway `{}` in namespace {}: a gateway reads its key only at start.",
            own.id, own.names.gateway, own.tenant_namespace
        )),
        // liqo pkg/liqo-controller-manager/networking/external-network/wireguard/utils.go
        (None, Delivery::External, None) => Some(format!(
            "On {}: delete the old key Secret `{}` in namespace {}: Liqo needs one.",
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
    let keys = match change.new_key() {
        Some(new) => format!("old public key: {}\n  new public key: {new}", change.old),
        None => format!("public key: {} (stays)", change.old),
    };
    format!(
        "{role}: {}\n  {keys}\n  key generation: {}\n\n",
        cluster.id,
        cluster.generation.get()
    )
}

/// The step for the other organisation, which has this side's public key in its document.
fn step_elsewhere(after: &Peering, rotation: &Rotation) -> Option<String> {
    let networking = after.networking.as_ref()?;
    let side = rotation.side;
    let KeySource::Elsewhere(_) = &networking.keys[side.peer()] else {
        return None;
    };
    Some(format!(
        "Send {}'s organisation the new public key for their `{side}.publicKey`, and agree on the time.",
        after.clusters[side.peer()].id
    ))
}

#[cfg(test)]
mod tests;
