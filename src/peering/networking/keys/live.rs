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

/// A key of a Secret's item or of a PublicKey, or why it is none: it is 32 bytes in base64, which a Secret's private key is, too (liqo
/// `pkg/gateway/tunnel/wireguard/keys.go`). Kubernetes takes line breaks in base64 (Go `encoding/base64`).
pub(crate) fn read_key(item: &str) -> Result<String, String> {
    let text = item.replace(['\n', '\r'], "");
    let Ok(key) = STANDARD.decode(&text) else { return Err("is not base64".to_owned()) };
    if key.len() == 32 {
        return Ok(text);
    }
    let is_twice = STANDARD.decode(key.trim_ascii()).is_ok_and(|it| it.len() == 32);
    let why = match key.as_slice() {
        _ if is_twice => ": it is encoded twice",
        [b'-', b'-', b'-', ..] => ": it is PEM",
        [.., b'\n'] => ": it ends in a line break",
        _ => "",
    };
    Err(format!("has {} bytes, and Liqo reads 32{why}", key.len()))
}

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // one gateway reads its key when it starts: pkg/gateway/tunnel/wireguard/keys.go; two Secrets: wireguard/utils.go:217-247
    effect(&["data, name kept"], Attention, "The Secret keeps its name, so the gateway keeps its old key until you restart it: `kubectl rollout restart deployment gw-NAME`. Both clusters have to change, and the tunnel is down in between."),
    effect(&["data"], Traffic, "Another key is another Secret. The tunnel is down from the first sync to the second and a restart of the gateway: seconds with a webhook, up to three minutes with polling. Without automated pruning it stays down until you prune the old Secret."),
    effect(&["+"], Harmless, "The gateway takes its key from it."),
    effect(&["-"], Attention, "Argo CD deletes the Secret. The running gateway keeps its key, and does not start again without another Secret in its place."),
];
