//! The needs of a side's delivery: a seed to seal with, a Secret's name that is known without the key, and the values' keys in a store.

use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::delivery::Delivery;
use crate::peering::values::DataKey;
use crate::peering::{Peering, Role};

/// Sealing needs a seed, even where no key is derived from it (`custody/sealed_secret.rs`). A Secret without a fixed name is named after its
/// key, and with `External` no file is opened that gives the key.
pub(super) fn check_delivery(peering: &Peering, role: Role, problems: &mut Problems) {
    let cluster = &peering.clusters[role];
    let is_named = cluster.public_key.is_some() || cluster.names.key_secret.is_some();
    if peering.seals(role) && peering.seed_of(role).is_none() {
        let message = format!("the {role}'s `delivery: SealedSecret` needs a seed");
        let help =
            "set `seed: { file: peering.seed.age }` in `spec`, and run `argocd-peering seed new`";
        problems.add(Code::Seed, cluster.id.span, message, help);
    }
    if cluster.delivery == Delivery::External && peering.networking.is_some() && !is_named {
        let message =
            format!("`delivery: External` opens no seed: the {role}'s key Secret has no name");
        let help = "set `publicKey` or `names.keySecret`";
        problems.add(Code::MissingField, cluster.id.span, message, help);
    }
}

/// `external` must name a key of the store for each value of the side's Secrets.
pub(super) fn check_store(peering: &Peering, role: Role, problems: &mut Problems) {
    let Some(external) = &peering.clusters[role].external else {
        return;
    };
    if peering.clusters[role].delivery != Delivery::External {
        let help = "set `delivery: External`, or remove `external`";
        let message =
            format!("`external` has no effect: the {role}'s Secrets have another delivery");
        return problems.add(Code::UnknownField, external.span, message, help);
    }
    let needed = peering.secret_keys(role);
    if needed.is_empty() {
        let message = format!("`external` has no effect: the {role}'s stream has no Secret for it");
        return problems.add(Code::UnknownField, external.span, message, "remove it");
    }
    for item in DataKey::ALL {
        match (needed.contains(item), external.keys.remote(*item)) {
            (true, Some(_)) | (false, None) => {}
            (true, None) => {
                let message = format!("the field `{item}` is missing");
                let help = "write its name in the store";
                let missing = Rule::new(Code::MissingField, message).help(help);
                let problem = missing.mark(external.keys.span);
                problems.push(problem.label("in this map"));
            }
            (false, Some(remote)) => {
                let message =
                    format!("`external.keys.{item}` has no effect: no Secret of the {role} has it");
                let help = "remove it, or add `networking` or a sealed kubeconfig";
                problems.add(Code::UnknownField, remote.span, message, help);
            }
        }
    }
}
