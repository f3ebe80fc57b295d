//! Checks what must agree between the two clusters.

use super::cluster::liqo;
use super::side::Side;
use super::status::{dialled, stopped_gateway};
use super::{in_a_command, quoted};
use crate::object::live::{Check, Finding, Object, error, note, warning};
use crate::peering::authentication::credential::Credential;
use crate::peering::names::IDENTITY_TYPE;
use crate::peering::networking::keys::read_key;
use crate::peering::values::PublicKey;
use crate::peering::{State, names};
use crate::state::cluster::liqo::minor;

/// The findings; empty unless both clusters were read.
pub(super) fn check_pair(sides: &[Side<'_>]) -> Vec<Finding> {
    let [consumer, provider] = sides else {
        return Vec::new();
    };
    let keys = [(consumer, provider), (provider, consumer)]
        .into_iter()
        .filter_map(|(own, peer)| keys(own, peer));
    let versions = versions(consumer, provider).into_iter();
    let others = versions
        .chain(keys)
        .chain(mtus(consumer, provider))
        .chain(lost(consumer, provider));
    others.chain(released(consumer, provider)).collect()
}

/// Compares the versions of Liqo, which may differ only in the patch release.
fn versions(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let (one, other) = (liqo(consumer.live)?, liqo(provider.live)?);
    let message = format!(
        "Liqo is {} on the consumer and {} on the provider",
        quoted(one),
        quoted(other)
    );
    let help = "run the same minor version on both: Liqo supports nothing else";
    (minor(one)? != minor(other)?).then(|| warning(Check::LiqoSkew, message, help))
}

/// A gateway's key Secret, compared with the peer's PublicKey.
struct ComparedKeys<'s> {
    secret: &'s Object,
    agree: bool,
    /// The public key that the peer's PublicKey has.
    expected: String,
}

/// Compares the keys. A key Secret is named after its public key, or has a fixed name and the key in it. If there are
/// several, nothing is known.
fn compared_keys<'s>(own: &'s Side<'_>, peer: &Side<'_>) -> Option<ComparedKeys<'s>> {
    let name = peer.own_cluster().names.public_key.to_string();
    let mut there = peer.ours("PublicKey").filter(|key| key.name() == name);
    let public: PublicKey = there.next()?.text("/spec/publicKey").parse().ok()?;
    let fixed = own.own_cluster().names.key_secret.as_ref();
    let mut secrets = own.ours("Secret").filter(|it| match fixed {
        Some(name) => it.namespace() == own.tenant_namespace() && it.name() == name.as_str(),
        None => it.label(names::GATEWAY_RESOURCE).is_some(),
    });
    let secret = secrets.next().filter(|_| secrets.next().is_none())?;
    let (agree, expected) = if fixed.is_some() {
        (
            secret.string("/data/publicKey")? == public.to_string(),
            "of another key".to_owned(),
        )
    } else {
        let name = names::key_secret(Some(public));
        (secret.name() == name, format!("the one of `{name}`"))
    };
    Some(ComparedKeys {
        secret,
        agree,
        expected,
    })
}

fn keys(own: &Side<'_>, peer: &Side<'_>) -> Option<Finding> {
    let ComparedKeys {
        secret,
        agree,
        expected,
    } = compared_keys(own, peer)?;
    let is_fixed = own.own_cluster().names.key_secret.is_some();
    let flaw = read_key(secret.text("/data/publicKey"))
        .err()
        .filter(|_| is_fixed);
    if flaw.is_none() && agree {
        return None;
    }
    let other = format!(
        "the gateway's key Secret is {secret}, and the {}'s PublicKey is {expected}",
        peer.role
    );
    let (message, help) = match flaw {
        Some(flaw) => (
            format!("the key in {secret} {flaw}"),
            "write the key in base64 once: as it is below `data`, and nothing of it below `stringData`",
        ),
        None if is_fixed => (
            other,
            "the Secret, the document's `publicKey` and the other cluster's PublicKey must be of one key: correct the one that is another",
        ),
        None => (
            other,
            "one side is at an older revision: sync both Applications; there is no tunnel until both have the same keys",
        ),
    };
    Some(error(Check::Keys, message, help).on_side(own.role.word()))
}

/// Both gateways run and have each other's keys, and neither gets an answer: the cause is the network between them. WireGuard answers every
/// message that it can authenticate (the whitepaper, section 5.4.3), and Liqo pings from both sides (liqo
/// `pkg/gateway/connection/connections_controller.go`).
fn lost(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let mut sides = [(consumer, provider), (provider, consumer)].into_iter();
    if !sides.all(|(own, peer)| {
        compared_keys(own, peer).is_some_and(|it| it.agree)
            && has_no_answer(own)
            && stopped_gateway(own).is_none()
    }) {
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

/// Whether the gateway's pod has created its Connection, and no ping is answered.
fn has_no_answer(side: &Side<'_>) -> bool {
    let mut connections = side
        .ours("Connection")
        .map(|it| it.text("/status/value"))
        .peekable();
    connections.peek().is_some() && connections.all(|value| value != "Connected")
}

/// The command that captures the tunnel's packets on the node of a running gateway. It listens on two ports: the one that the client
/// dials, and the one on which the server listens behind its Service.
fn capture(side: &Side<'_>) -> Option<String> {
    let (networking, gateway) = side.gateway()?;
    if gateway.text("/status/internalEndpoint/ip").is_empty() {
        return None;
    }
    let node = in_a_command(gateway.text("/status/internalEndpoint/node"), "NODE");
    let dialled = networking.client.as_ref()?.endpoint.port.as_ref()?.get();
    let own = networking.server.endpoint.port.get();
    let own = if own == dialled {
        String::new()
    } else {
        format!(" or udp port {own}")
    };
    Some(format!(
        "{}: kubectl debug node/{node} -it --profile=netadmin --image=nicolaka/netshoot -- tcpdump -ni any udp port {dialled}{own}",
        side.role
    ))
}

/// Compares the MTUs: packets of the larger one are lost on their way out of the other gateway.
fn mtus(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let [one, other] = [consumer, provider].map(|side| side.gateway()?.1.integer("/spec/mtu"));
    let (one, other) = (one?, other?);
    let message = format!("the gateway's MTU is {one} on the consumer and {other} on the provider");
    let help = "sync both Applications: the document has one MTU for both; until then large packets can be lost";
    (one != other).then(|| error(Check::MtuDiffers, message, help))
}

/// The kinds that Liqo creates while a cluster uses the other one: on the consumer, and as copies on the provider (docs/teardown.md).
const USED: [&str; 5] = [
    "NamespaceOffloading",
    "VirtualNode",
    "ResourceSlice",
    "NamespaceMap",
    "Node",
];

/// For a drained peering of which everything relevant was read: whether the consumer has released everything.
fn released(consumer: &Side<'_>, provider: &Side<'_>) -> Option<Finding> {
    let sides = [consumer, provider];
    let is_read = |side: &Side<'_>| {
        USED.into_iter()
            .chain(["Namespace", "Secret"])
            .all(|it| side.live.has_kind(it))
    };
    if consumer.peering.state != State::Drained || !sides.into_iter().all(is_read) {
        return None;
    }
    let left: Vec<String> = sides.into_iter().flat_map(leftovers).collect();
    let Some(first) = left.first() else {
        let help = "docs/howto/take-down.md has the commands";
        return Some(note(
            Check::Released,
            "released: yes, delete both Applications",
            help,
        ));
    };
    let message = format!(
        "released: no, {} of Liqo's objects are left, such as the {first}",
        left.len()
    );
    let help = "wait: half a minute is usual, and minutes where pods have to end; if it stays, docs/teardown.md has what frees it";
    Some(error(Check::Released, message, help))
}

/// The objects that are left on a cluster, each with the cluster's role.
fn leftovers(side: &Side<'_>) -> impl Iterator<Item = String> {
    let used = USED.into_iter().flat_map(|kind| side.ours(kind));
    let others = side
        .live
        .objects
        .iter()
        .filter(|it| is_offloaded(side, it) || is_credential(side, it));
    used.chain(others).map(|it| format!("{}'s {it}", side.role))
}

/// Whether this is a namespace that the other cluster offloaded. The tenant namespace itself stays until the folder is removed.
fn is_offloaded(side: &Side<'_>, it: &Object) -> bool {
    it.kind() == "Namespace" && side.is_labelled(it) && it.name() != side.tenant_namespace()
}

/// Whether this is a credential that Git has. Any other credential is deleted with the tenant namespace.
fn is_credential(side: &Side<'_>, it: &Object) -> bool {
    let authentication = side.peering.authentication(side.role);
    let is_ours =
        authentication.is_some_and(|it| !matches!(*it.credential, Credential::ExistingSecret));
    is_ours
        && it.kind() == "Secret"
        && side.is_ours(it)
        && it.label(IDENTITY_TYPE) == Some("ControlPlane")
}
