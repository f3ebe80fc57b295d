//! What people read after a rotation: the keys, and what has to be done in which order.

use super::Rotation;
use crate::input::folder::DOCUMENT;
use crate::peering::delivery::Delivery;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::Role;
use crate::peering::{Peering, names};

/// The keys and the steps; `document` tells whether its text changed. Nothing secret.
pub(crate) fn steps(after: &Peering, rotation: &Rotation, document: bool) -> String {
    let mut text = String::new();
    for role in Role::BOTH {
        text += &keys(after, rotation, role);
    }
    let mut number = 0;
    let mut step = |words: &str| {
        number += 1;
        text += &format!("{number}. {words}\n");
    };
    for role in Role::BOTH {
        if let Some(words) = before_commit(after, rotation, role) {
            step(&words);
        }
    }
    let new_seed = rotation.new_seed.as_ref();
    let files: Vec<_> =
        new_seed.map(|seed| seed.file.as_str()).into_iter().chain(document.then_some(DOCUMENT)).collect();
    step(&format!(
        "Only {} changed. Commit that, and nothing else: if the same commit removes other objects,\n   the old and the new key Secret can exist together, and Liqo cannot work with two.",
        files.join(" and ")
    ));
    let others: Vec<String> =
        new_seed.iter().flat_map(|seed| &seed.others).map(ToString::to_string).collect();
    if !others.is_empty() {
        step(&format!("The old seed serves {} too: replace it there as well.", others.join(" ")));
    }
    if let Some(elsewhere) = elsewhere(after, rotation) {
        step(&elsewhere);
    }
    step(&format!(
        "In a maintenance window push, and refresh both Applications together. {}",
        interruption()
    ));
    for role in Role::BOTH {
        if let Some(words) = after_sync(after, rotation, role) {
            step(&words);
        }
    }
    step("On both clusters: `kubectl get connections.networking.liqo.io --all-namespaces` shows Connected.");
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
    "The tunnel is down from the first gateway's\n   restart until both clusters have their new keys: a pod's restart (some 10 to 30 seconds, an estimate), and the time\n   between the two syncs (seconds with a webhook, up to three minutes with polling)."
}

/// The commit makes a cluster ask for the new key, so a key that the stream does not bring has to be there.
fn before_commit(after: &Peering, rotation: &Rotation, role: Role) -> Option<String> {
    let own = after.clusters.of(role);
    if !rotation.keys.of(role).changes() || own.delivery != Delivery::External {
        return None;
    }
    let export = format!("argocd-peering keys export FOLDER --role {role}");
    Some(match own.external {
        Some(_) => {
            format!("Before the commit: put {}'s new key into its store. `{export}` prints it.", own.id)
        }
        None => format!(
            "Before the commit: apply on {} the Secret that\n   `{export} --format secret` prints.",
            own.id
        ),
    })
}

/// What a gateway needs to take its new key where Argo CD and Liqo do not see to it.
fn after_sync(after: &Peering, rotation: &Rotation, role: Role) -> Option<String> {
    let own = after.clusters.of(role);
    let change = rotation.keys.of(role);
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

fn keys(after: &Peering, rotation: &Rotation, role: Role) -> String {
    let cluster = after.clusters.of(role);
    let change = rotation.keys.of(role);
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

/// The other organisation has this side's public key written down.
fn elsewhere(after: &Peering, rotation: &Rotation) -> Option<String> {
    let networking = after.networking.as_ref()?;
    let side = rotation.side;
    let KeySource::Elsewhere(_) = networking.keys.of(side.peer()) else {
        return None;
    };
    Some(format!(
        "Send the new public key to the organisation of {}: in their repository it is `{side}.publicKey`. Until they have\n   synced it the tunnel is down, so agree on the time.",
        after.clusters.of(side.peer()).id
    ))
}
