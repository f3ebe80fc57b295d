//! The Secret of a gateway's keys in a cluster.

use crate::object::live::Impact::{Attention, Harmless, Traffic};
use crate::object::live::{Effect, Holds, LiveHalf, Once, Scope, effect};
use crate::peering::delivery::live::{BRINGERS, IMMUTABLE};
use crate::peering::names;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub(crate) static LIVE: LiveHalf = LiveHalf {
    scope: Scope::WithoutData,
    label: Some((names::GATEWAY_RESOURCE, Some("true"))),
    once: Once::InCluster("key Secrets"),
    holds: Holds::OwnKey,
    effects: &[EFFECTS, IMMUTABLE],
    ..LiveHalf::new(BRINGERS, "secrets")
};

/// Whether a Secret's item, in base64, is a key in base64 again: 44 bytes, and Liqo reads 32 (liqo
/// `pkg/gateway/tunnel/wireguard/keys.go`).
pub(crate) fn is_encoded_twice(item: &str) -> bool {
    STANDARD
        .decode(item)
        .is_ok_and(|key| key.len() == 44 && STANDARD.decode(&key).is_ok_and(|it| it.len() == 32))
}

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // one gateway reads its key when it starts: pkg/gateway/tunnel/wireguard/keys.go; two Secrets: wireguard/utils.go:217-247
    effect(&["data, name kept"], Attention, "The Secret keeps its name, so the gateway keeps its old key until you restart it: `kubectl rollout restart deployment gw-NAME`. Both clusters have to change, and the tunnel is down in between."),
    effect(&["data"], Traffic, "Another key is another Secret. The tunnel is down from the first sync to the second and a restart of the gateway: seconds with a webhook, up to three minutes with polling. Without automated pruning it stays down until you prune the old Secret."),
    effect(&["+"], Harmless, "The gateway takes its key from it."),
    effect(&["-"], Attention, "Argo CD deletes the Secret. The running gateway keeps its key, and does not start again without another Secret in its place."),
];
