//! What must fit between the two clusters.

use super::cluster::liqo;
use super::quoted;
use super::side::Side;
use super::status::dialled;
use crate::object::live::{Check, Finding, Object, error, warning};
use crate::peering::names;
use crate::peering::values::{ObjectName, PublicKey};
use crate::state::cluster::liqo::minor;

pub(super) fn check(consumer: &Side<'_>, provider: &Side<'_>) -> Vec<Finding> {
    let keys =
        [(consumer, provider), (provider, consumer)].into_iter().filter_map(|(own, peer)| keys(own, peer));
    let versions = versions(consumer, provider).into_iter();
    versions.chain(keys).chain(mtus(consumer, provider)).chain(lost(consumer, provider)).collect()
}

/// Liqo supports no other difference than a patch release.
fn versions(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let (one, other) = (liqo(consumer.live)?, liqo(provider.live)?);
    let message = format!("Liqo is {} on the consumer and {} on the provider", quoted(one), quoted(other));
    let help = "run the same minor version on both: Liqo supports nothing else";
    (minor(one)? != minor(other)?).then(|| warning(Check::LiqoSkew, message, help))
}

/// The own gateway's key Secret, and the name that it has if the peer's PublicKey is its. A key Secret is named after its public
/// key; one with a fixed name, or one of several, says nothing.
fn compared_keys<'s>(own: &'s Side<'_>, peer: &Side<'_>) -> Option<(&'s Object, String)> {
    if own.own().names.key_secret.is_some() {
        return None;
    }
    let name = peer.own().names.public_key.to_string();
    let mut there = peer.ours("PublicKey").filter(|key| key.name() == name);
    let public: PublicKey = there.next()?.text("/spec/publicKey").parse().ok()?;
    let mut secrets = own.ours("Secret").filter(|it| it.label(names::GATEWAY_RESOURCE).is_some());
    let secret = secrets.next()?;
    secrets.next().is_none().then(|| (secret, names::key_secret(Some(public))))
}

fn keys(own: &Side<'_>, peer: &Side<'_>) -> Option<Finding> {
    let (secret, expected) = compared_keys(own, peer)?;
    let message = format!(
        "the gateway's key Secret is {secret}, and the {}'s PublicKey is the one of `{expected}`",
        peer.role
    );
    let help = "one side is at an older revision: sync both Applications; there is no tunnel until both have the same keys";
    (secret.name() != expected).then(|| error(Check::Keys, message, help).on(own.role.word()))
}

/// Both gateways have the keys of each other and run, and neither gets an answer: what is left is the way between them.
/// WireGuard answers every message that it can authenticate (the whitepaper, section 5.4.3), and Liqo pings from both sides
/// (liqo `pkg/gateway/connection/connections_controller.go`).
fn lost(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let sides = [(consumer, provider), (provider, consumer)];
    let agree = |(own, peer)| compared_keys(own, peer).is_some_and(|(secret, name)| secret.name() == name);
    if !sides.into_iter().all(agree) || !sides.iter().all(|(own, _)| has_no_answer(own)) {
        return None;
    }
    let dialled = dialled(consumer)?;
    let captures = [capture(consumer)?, capture(provider)?];
    let message = format!(
        "both gateways run with the keys of each other, and no answer comes: what the client sends ({dialled}), or the answer, is lost on the way"
    );
    let help = format!(
        "run one line at each cluster; the first side where no packet comes in is after the firewall, NAT or load balancer that drops it\n    {}",
        captures.join("\n    ")
    );
    Some(error(Check::Connection, message, help))
}

/// Whether the gateway's pod has made its Connection, and no ping is answered.
fn has_no_answer(side: &Side<'_>) -> bool {
    let mut connections = side.ours("Connection").map(|it| it.text("/status/value")).peekable();
    connections.peek().is_some() && connections.all(|value| value != "Connected")
}

/// What shows the tunnel's packets on the node of a gateway that runs: at the port that the client dials, and at the server's
/// own, which a Service leads to. A cluster writes the node's name, and the line goes into a shell.
fn capture(side: &Side<'_>) -> Option<String> {
    let (networking, gateway) = side.gateway()?;
    if gateway.text("/status/internalEndpoint/ip").is_empty() {
        return None;
    }
    let node = gateway.text("/status/internalEndpoint/node").parse::<ObjectName>();
    let node = node.map_or_else(|_| "NODE".to_owned(), |name| name.to_string());
    let dialled = networking.client.as_ref()?.endpoint.port.as_ref()?.get();
    let own = networking.server.endpoint.port.get();
    let own = if own == dialled { String::new() } else { format!(" or udp port {own}") };
    Some(format!(
        "{}: kubectl debug node/{node} -it --profile=netadmin --image=nicolaka/netshoot -- tcpdump -ni any udp port {dialled}{own}",
        side.role
    ))
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
