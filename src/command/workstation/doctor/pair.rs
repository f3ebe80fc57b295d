//! Checks what must agree between the two clusters.

use super::cluster::liqo_version;
use super::live_side::LiveSide;
use super::status::{dialled_address, is_connected, stopped_gateway};
use super::{name_in_command, quoted};
use crate::object::live::{Check, Finding, Object, error, note, warning};
use crate::peering::authentication::credential::Credential;
use crate::peering::names::IDENTITY_TYPE;
use crate::peering::networking::keys::read_key;
use crate::peering::values::PublicKey;
use crate::peering::{State, names};
use crate::state::cluster::liqo::minor;

/// The findings; empty unless both clusters were read.
pub(super) fn check_pair(sides: &[LiveSide<'_>]) -> Vec<Finding> {
    let [consumer, provider] = sides else {
        return Vec::new();
    };
    let findings = [
        check_versions(consumer, provider),
        check_keys(consumer, provider),
        check_keys(provider, consumer),
        check_mtus(consumer, provider),
        check_packets(consumer, provider),
        check_release(consumer, provider),
    ];
    findings.into_iter().flatten().collect()
}

/// Compares the versions of Liqo, which may differ only in the patch release.
fn check_versions(consumer: &LiveSide<'_>, provider: &LiveSide<'_>) -> Option<Finding> {
    let (one, other) = (liqo_version(consumer.live)?, liqo_version(provider.live)?);
    if minor(one)? == minor(other)? {
        return None;
    }
    let (one, other) = (quoted(one), quoted(other));
    let message = format!("Liqo is {one} on the consumer and {other} on the provider");
    let help = "run the same minor version on both";
    Some(warning(Check::LiqoSkew, message, help))
}

/// A gateway's key Secret, whether it has the key of the peer's PublicKey, and what that PublicKey is. A key Secret is named after its
/// public key, or has a fixed name and the key in it. If there are several, nothing is known.
fn compare_keys<'s>(
    own: &'s LiveSide<'_>,
    peer: &LiveSide<'_>,
) -> Option<(&'s Object, bool, String)> {
    let name = peer.own_cluster().names.public_key.to_string();
    let key = peer.objects("PublicKey").find(|key| key.name() == name)?;
    let public: PublicKey = key.text("/spec/publicKey").parse().ok()?;
    let mut secrets = own.objects("Secret").filter(|it| is_key_secret(own, it));
    let (Some(secret), None) = (secrets.next(), secrets.next()) else {
        return None;
    };
    if own.own_cluster().names.key_secret.is_some() {
        let is_same = secret.string("/data/publicKey")? == public.to_string();
        return Some((secret, is_same, "of another key".to_owned()));
    }
    let name = names::key_secret(Some(public));
    let is_same = secret.name() == name;
    Some((secret, is_same, format!("the one of `{name}`")))
}

fn is_key_secret(own: &LiveSide<'_>, secret: &Object) -> bool {
    match &own.own_cluster().names.key_secret {
        Some(name) => {
            secret.namespace() == own.tenant_namespace() && secret.name() == name.as_str()
        }
        None => secret.label(names::GATEWAY_RESOURCE).is_some(),
    }
}

fn check_keys(own: &LiveSide<'_>, peer: &LiveSide<'_>) -> Option<Finding> {
    let (secret, is_same, expected) = compare_keys(own, peer)?;
    let is_fixed = own.own_cluster().names.key_secret.is_some();
    let (message, help) = match read_key(secret.text("/data/publicKey")) {
        Err(flaw) if is_fixed => (
            format!("the key in {secret} {flaw}"),
            "write the key in base64 once, only below `data`",
        ),
        _ if is_same => return None,
        _ => (
            format!(
                "the gateway's key Secret is {secret}, and the {}'s PublicKey is {expected}",
                peer.role
            ),
            if is_fixed {
                "correct the odd one of the Secret, the document's `publicKey` and the PublicKey"
            } else {
                "sync both Applications: one side is at an older revision"
            },
        ),
    };
    Some(error(Check::Keys, message, help).on_side(own.role.word()))
}

/// Both gateways run and have each other's keys, and neither gets an answer: the cause is the network between them. WireGuard answers every
/// message that it can authenticate (the whitepaper, section 5.4.3), and Liqo pings from both sides (liqo
/// `pkg/gateway/connection/connections_controller.go`).
fn check_packets(consumer: &LiveSide<'_>, provider: &LiveSide<'_>) -> Option<Finding> {
    for (own, peer) in [(consumer, provider), (provider, consumer)] {
        let (_, is_same, _) = compare_keys(own, peer)?;
        if !is_same || !lacks_answer(own) || stopped_gateway(own).is_some() {
            return None;
        }
    }
    let address = dialled_address(consumer)?;
    let message =
        format!("the gateways' keys fit, and packets ({address}) or their answers are lost");
    let help = format!(
        "run one line at each cluster; before the first side without packets, a firewall, NAT or load balancer drops them\n    {}\n    {}",
        capture_command(consumer)?,
        capture_command(provider)?
    );
    Some(error(Check::Connection, message, help))
}

/// Whether the gateway's pod has created its Connection, and no ping is answered.
fn lacks_answer(side: &LiveSide<'_>) -> bool {
    side.objects("Connection").next().is_some() && !is_connected(side)
}

/// The command that captures the tunnel's packets on the node of a running gateway. It listens on two ports: the one that the client
/// dials, and the one on which the server listens behind its Service.
fn capture_command(side: &LiveSide<'_>) -> Option<String> {
    let (networking, gateway) = side.gateway()?;
    gateway.string("/status/internalEndpoint/ip")?;
    let node = name_in_command(gateway.text("/status/internalEndpoint/node"), "NODE");
    let dialled = networking.client.as_ref()?.endpoint.port.as_ref()?.get();
    let mut line = format!(
        "{}: kubectl debug node/{node} -it --profile=netadmin --image=nicolaka/netshoot -- tcpdump -ni any udp port {dialled}",
        side.role
    );
    let own = networking.server.endpoint.port.get();
    if own != dialled {
        line += &format!(" or udp port {own}");
    }
    Some(line)
}

/// Compares the MTUs: packets of the larger one are lost on their way out of the other gateway.
fn check_mtus(consumer: &LiveSide<'_>, provider: &LiveSide<'_>) -> Option<Finding> {
    let one = consumer.gateway()?.1.integer("/spec/mtu")?;
    let other = provider.gateway()?.1.integer("/spec/mtu")?;
    if one == other {
        return None;
    }
    let message =
        format!("the gateway's MTU differs: {one} on the consumer, {other} on the provider");
    let help = "sync both Applications: until then large packets can be lost";
    Some(error(Check::MtuDiffers, message, help))
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
fn check_release(consumer: &LiveSide<'_>, provider: &LiveSide<'_>) -> Option<Finding> {
    if consumer.peering.state != State::Drained {
        return None;
    }
    let mut left = Vec::new();
    for side in [consumer, provider] {
        let mut kinds = USED.into_iter().chain(["Namespace", "Secret"]);
        if !kinds.all(|kind| side.live.has_kind(kind)) {
            return None;
        }
        for kind in USED {
            left.extend(side.objects(kind).map(|it| (side.role, it)));
        }
        for it in &side.live.objects {
            if is_offloaded(side, it) || is_credential(side, it) {
                left.push((side.role, it));
            }
        }
    }
    let Some((role, first)) = left.first() else {
        let message = "released: yes, delete both Applications";
        let help = "see docs/howto/take-down.md";
        return Some(note(Check::Released, message, help));
    };
    let count = left.len();
    let message =
        format!("released: no, {count} of Liqo's objects remain, such as the {role}'s {first}");
    let help = "wait some minutes while pods end; then see docs/teardown.md";
    Some(error(Check::Released, message, help))
}

/// Whether this is a namespace that the other cluster offloaded. The tenant namespace itself stays until the folder is removed.
fn is_offloaded(side: &LiveSide<'_>, it: &Object) -> bool {
    it.kind() == "Namespace" && side.is_labelled(it) && it.name() != side.tenant_namespace()
}

/// Whether this is a credential that Git has. Any other credential is deleted with the tenant namespace.
fn is_credential(side: &LiveSide<'_>, it: &Object) -> bool {
    // `credential` of a peering that is drained has none
    let authentication = side.peering.authentication(side.role);
    matches!(authentication, Some(user) if *user.credential != Credential::ExistingSecret)
        && it.kind() == "Secret"
        && side.is_ours(it)
        && it.label(IDENTITY_TYPE) == Some("ControlPlane")
}
