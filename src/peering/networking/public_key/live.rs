//! The PublicKey in a cluster.

use crate::object::live::Impact::{Attention, Harmless, Traffic};
use crate::object::live::{Effect, Holds, LiveHalf, Once, effect};

pub(crate) static LIVE: LiveHalf = LiveHalf {
    once: Once::InNamespace("PublicKeys"),
    holds: Holds::PeersKey,
    effects: &[EFFECTS],
    ..LiveHalf::new(&["PublicKey"], "publickeies.networking.liqo.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // pkg/gateway/tunnel/wireguard/device.go:33-75
    effect(&["spec.publicKey"], Traffic, "The gateway takes the other one's new key at once: the tunnel is down until the other gateway has it too."),
    effect(&["metadata"], Traffic, "Before Liqo 1.2 the server forgets its client at each change of this metadata, until the client speaks again (liqo issue 3090).").keeps("From Liqo 1.2 on nothing happens."),
    effect(&["+"], Harmless, "The gateway lets the other one in with this key."),
    effect(&["-"], Attention, "The running gateway keeps the other one's key; after its next start there is no tunnel."),
];
