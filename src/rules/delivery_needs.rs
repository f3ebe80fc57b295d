//! The needs of a side's delivery: a seed to seal with, a Secret's name that is known without the key, and the values' keys in a store.

use crate::diagnostic::{Code, Problems, Rule};
use crate::document::Located;
use crate::peering::delivery::{Delivery, ExternalSpec};
use crate::peering::values::Item;
use crate::peering::{Peering, Role};

pub(super) fn check_delivery(peering: &Peering, problems: &mut Problems) {
    for role in Role::BOTH {
        let cluster = &peering.clusters[role];
        match cluster.delivery {
            Delivery::Secret => {}
            Delivery::SealedSecret if peering.seals(role) => has_seed(peering, role, problems),
            Delivery::SealedSecret => {}
            Delivery::External => has_name(peering, role, problems),
        }
        if let Some(external) = &cluster.external {
            store(peering, role, external, problems);
        }
    }
}

/// Sealing needs a seed, even where no key is derived from it (`custody/sealed_secret.rs`).
fn has_seed(peering: &Peering, role: Role, problems: &mut Problems) {
    if peering.seed_of(role).is_none() {
        let message =
            format!("the {role}'s `delivery: SealedSecret` seals with a seed, and there is none");
        let help = "set `seed: { file: peering.seed.age }` in `spec`, or the seed of this side beside its `clusterID`, and create that \
                    file then with `argocd-peering seed new`";
        problems.refuse(Code::Seed, peering.clusters[role].id.span, message, help);
    }
}

/// A Secret without a fixed name is named after its key, and with `External` no file is opened that gives the key.
fn has_name(peering: &Peering, role: Role, problems: &mut Problems) {
    let cluster = &peering.clusters[role];
    if peering.networking.is_some()
        && cluster.public_key.is_none()
        && cluster.names.key_secret.is_none()
    {
        let message = format!(
            "the name of the {role}'s key Secret is not known: it follows from the key, which `delivery: External` does not open"
        );
        let help = "set its `publicKey`, which `argocd-peering keys` prints as long as the side has no `delivery: External`, or `names.keySecret`";
        problems.refuse(Code::MissingField, cluster.id.span, message, help);
    }
}

/// `external` must name a key of the store for each value of the side's Secrets.
fn store(peering: &Peering, role: Role, external: &Located<ExternalSpec>, problems: &mut Problems) {
    if peering.clusters[role].delivery != Delivery::External {
        let help = "set `delivery: External`, or remove `external`";
        let message =
            format!("`external` has no effect: the {role}'s Secrets are delivered in another way");
        return problems.refuse(Code::UnknownField, external.span, message, help);
    }
    let needed = peering.secret_items(role);
    if needed.is_empty() {
        let message =
            format!("`external` has no effect: the {role}'s stream has no Secret with data");
        return problems.refuse(Code::UnknownField, external.span, message, "remove it");
    }
    for item in Item::ALL {
        match (needed.contains(item), external.keys.remote(*item)) {
            (true, Some(_)) | (false, None) => {}
            (true, None) => {
                let problem =
                    Rule::new(Code::MissingField, format!("the field `{item}` is missing"))
                        .help(format!(
                            "the {role}'s Secret has it: write what it is called in the store"
                        ))
                        .mark(external.keys.span);
                problems.push(problem.label("in the map that begins here"));
            }
            (false, Some(remote)) => {
                let message = format!(
                    "`external.keys.{item}` has no effect: no Secret of the {role}'s has it"
                );
                let help = "remove it: the keys belong to `networking`, and `kubeconfig` to a `credential` that is one";
                problems.refuse(Code::UnknownField, remote.span, message, help);
            }
        }
    }
}
