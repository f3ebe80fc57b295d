//! The PublicKey: the other gateway's key (liqo `apis/networking/v1beta1/publickey_types.go`).

use crate::object::live::Impact::{Attention, Rights, Traffic};
use crate::object::live::{Cardinality, Effect, HeldSecret, LiveHalf, effect};
use crate::object::{Kind, Manifest, PLACEHOLDER, TemplateObject, fields, kind};
use crate::peering::names;
use crate::peering::side::{Side, extend};
use crate::peering::values::PublicKey;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub(crate) static KIND: Kind = kind!("PublicKey", Material, "public_key", LIVE);

pub(super) fn manifest(side: &Side<'_>, key: Option<PublicKey>) -> Manifest {
    let meta = side
        .object_meta(&*side.own.names.public_key)
        .label(names::GATEWAY_RESOURCE, "true")
        .sync(KIND.wave, None);
    // without the common metadata: before Liqo 1.2, each change of this object's metadata interrupts the tunnel (liqo issue 3090)
    let meta = extend(meta, &[side.own.metadata.public_key.as_deref()]);
    let public_key = match key {
        Some(key) => key.to_string(),
        None => STANDARD.encode(PLACEHOLDER),
    };
    TemplateObject::manifest(KIND, meta, fields! { public_key: public_key })
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    cardinality: Cardinality::InNamespace("PublicKeys"),
    held_secret: HeldSecret::PeersKey,
    effects: &[EFFECTS],
    ..LiveHalf::new(&["PublicKey"], "publickeies.networking.liqo.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // pkg/gateway/tunnel/wireguard/device.go:33-75
    effect(&["spec.publicKey"], Traffic, "The tunnel is down until the other gateway has this key."),
    effect(&["metadata"], Traffic, "Before Liqo 1.2 the server forgets its client until that speaks again.").keeps("From Liqo 1.2 on nothing happens."),
    effect(&["+"], Rights, "The gateway lets the other one in with it."),
    effect(&["-"], Attention, "The tunnel ends when the gateway restarts."),
];
