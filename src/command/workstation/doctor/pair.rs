//! What must fit between the two clusters.

use super::super::live::liqo::minor;
use super::cluster::liqo;
use super::{Side, quoted};
use crate::object::live::{Finding, error, warning};
use crate::peering::names;
use crate::peering::values::PublicKey;

pub(super) fn check(consumer: &Side<'_>, provider: &Side<'_>) -> Vec<Finding> {
    let keys =
        [(consumer, provider), (provider, consumer)].into_iter().filter_map(|(own, peer)| keys(own, peer));
    versions(consumer, provider).into_iter().chain(keys).collect()
}

/// Liqo supports no other difference than a patch release.
fn versions(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let (one, other) = (liqo(&consumer.live)?, liqo(&provider.live)?);
    let message = format!("Liqo is {} on the consumer and {} on the provider", quoted(one), quoted(other));
    let help = "run the same minor version on both: Liqo supports nothing else";
    (minor(one)? != minor(other)?).then(|| warning("liqo-versions", message, help))
}

/// A key Secret is named after its public key, so the PublicKey at the peer must fit it. A Secret with a fixed name says nothing.
fn keys(own: &Side<'_>, peer: &Side<'_>) -> Option<Finding> {
    if own.own().names.key_secret.is_some() {
        return None;
    }
    let name = peer.own().names.public_key.to_string();
    let mut there = peer.ours("PublicKey").filter(|key| key.name() == name);
    let public: PublicKey = there.next()?.text("/spec/publicKey").parse().ok()?;
    let expected = names::key_secret(Some(public));
    let secrets = own.ours("Secret").filter(|it| it.label(names::GATEWAY_RESOURCE).is_some());
    let mut secrets: Vec<_> = secrets.collect();
    let last = secrets.pop()?;
    let message = format!(
        "the gateway's key Secret is {last}, and the {}'s PublicKey is the one of `{expected}`",
        peer.role
    );
    let help = "one side is at an older revision: sync both Applications; there is no tunnel until both have the same keys";
    (last.name() != expected && secrets.is_empty()).then(|| error("keys", message, help).on(own.role.word()))
}
