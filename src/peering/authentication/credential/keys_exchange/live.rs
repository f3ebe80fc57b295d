//! The nonce in a cluster, and a handshake that was made there.

use super::super::identity;
use super::{KeysExchange, proof};
use crate::object::live::Impact::{Attention, Harmless};
use crate::object::live::{Effect, Fields, LiveHalf, Object, Once, Scope, effect};
use crate::peering::names;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub(crate) static NONCE: LiveHalf = LiveHalf {
    scope: Scope::WithoutData,
    label: Some((names::NONCE_LABEL, None)),
    once: Once::InCluster("nonces"),
    effects: &[EFFECTS],
    ..LiveHalf::new(&["Secret"], "secrets")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // LCM/authentication/tenant-controller/tenant_controller.go:258-300
    effect(&["+"], Harmless, "Liqo checks the consumer's signature over it."),
    effect(&["data"], Attention, "Liqo renews the certificate again when the Tenant has the signature over the new one."),
    effect(&["-"], Attention, "Liqo signs and renews no certificate for the consumer any more; the one that it has works until it ends."),
    effect(&["-, drained"], Harmless, "The consumer has nothing here after the drain."),
];

/// The handshake of a Tenant, as a document has it. None if Liqo's is one that a document cannot have, with an RSA key for example.
pub(crate) fn read_back(
    tenant: &Object,
    nonce: &Object,
    identity: Option<&Object>,
    user: &str,
) -> Option<Fields> {
    let is_one = tenant.string("/spec/authzPolicy").is_none_or(|it| it == "KeysExchange");
    let nonce = String::from_utf8(STANDARD.decode(nonce.string("/data/nonce")?).ok()?).ok()?;
    let [key, csr, signature] =
        ["publicKey", "csr", "signature"].map(|it| tenant.text(&format!("/spec/{it}")));
    let certificate = identity.map(|it| it.text("/spec/authParams/signedCRT"));
    let fields =
        Fields::default().with("nonce", nonce.as_str()).read_back::<KeysExchange>(tenant.at("/spec"), &[]);
    (is_one && proof::holds([&nonce, key, csr, signature], user, certificate))
        .then(|| fields.with("authParams", identity.map(identity::live::read_back)))
}
