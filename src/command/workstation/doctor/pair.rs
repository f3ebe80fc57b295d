//! What must fit between the two clusters.

use super::cluster::liqo;
use super::quoted;
use super::side::Side;
use crate::object::live::{Check, Finding, error, warning};
use crate::peering::names;
use crate::peering::values::PublicKey;
use crate::state::cluster::liqo::minor;

pub(super) fn check(consumer: &Side<'_>, provider: &Side<'_>) -> Vec<Finding> {
    let keys =
        [(consumer, provider), (provider, consumer)].into_iter().filter_map(|(own, peer)| keys(own, peer));
    versions(consumer, provider).into_iter().chain(keys).chain(mtus(consumer, provider)).collect()
}

/// Liqo supports no other difference than a patch release.
fn versions(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let (one, other) = (liqo(consumer.live)?, liqo(provider.live)?);
    let message = format!("Liqo is {} on the consumer and {} on the provider", quoted(one), quoted(other));
    let help = "run the same minor version on both: Liqo supports nothing else";
    (minor(one)? != minor(other)?).then(|| warning(Check::LiqoSkew, message, help))
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
    (last.name() != expected && secrets.is_empty())
        .then(|| error(Check::Keys, message, help).on(own.role.word()))
}

/// Packets of the larger one are lost on their way out of the other one.
fn mtus(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let mtu = |side: &Side<'_>| side.gateway()?.1.integer("/spec/mtu");
    let (one, other) = (mtu(consumer)?, mtu(provider)?);
    let message = format!("the gateway's MTU is {one} on the consumer and {other} on the provider");
    let help =
        "sync both Applications: the document has one MTU for both; until then large packets can be lost";
    (one != other).then(|| error(Check::MtuDiffers, message, help))
}
