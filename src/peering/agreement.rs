//! The facts that both sides of a peering must have in common, as one digest that two organisations can compare.
//!
//! Where each side keeps its own repository, the two documents differ in each side's own values: seeds, credentials,
//! names, amounts. Everything that one side's objects say about the other side is in the digest.

use crate::document::Located;
use crate::peering::networking::Networking;
use crate::peering::values::{Cidr, ClusterId, Mtu, Namespace, Port, PublicKey};
use crate::peering::{Peering, Role, Sides};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The facts. They are hashed as JSON in the order of the fields. A change of this list needs another `v`.
#[derive(Serialize)]
struct Agreement<'p> {
    v: u32,
    consumer: AgreedSide<'p>,
    provider: AgreedSide<'p>,
    networking: Option<Tunnel>,
    /// Whether the consumer is authorised at the provider.
    forward: bool,
    /// Whether the provider is authorised at the consumer.
    reverse: bool,
}

#[derive(Serialize)]
struct AgreedSide<'p> {
    id: &'p ClusterId,
    tenant_namespace: &'p Namespace,
    pods: &'p [Located<Cidr>],
    external: Option<Located<Cidr>>,
    public_key: Option<PublicKey>,
}

#[derive(Serialize)]
struct Tunnel {
    mtu: Mtu,
    server: Role,
    /// The port at which the server answers, unless Kubernetes chooses it.
    port: Option<Port>,
}

/// SHA-256 of the facts that both sides must share, in hexadecimal.
pub fn digest(peering: &Peering, keys: Option<&Sides<PublicKey>>) -> String {
    let agreement = Agreement {
        v: 1,
        consumer: side(peering, keys, Role::Consumer),
        provider: side(peering, keys, Role::Provider),
        networking: peering.networking.as_ref().map(tunnel),
        forward: peering.authentication(Role::Consumer).is_some(),
        reverse: peering.authentication(Role::Provider).is_some(),
    };
    // strings and numbers serialize
    let json = serde_json::to_vec(&agreement).unwrap_or_default();
    format!("sha256:{:x}", Sha256::digest(json))
}

fn side<'p>(peering: &'p Peering, keys: Option<&Sides<PublicKey>>, role: Role) -> AgreedSide<'p> {
    let cluster = &peering.clusters[role];
    let networks = peering.networking.as_ref().map(|it| &it.networks[role]);
    AgreedSide {
        id: &cluster.id,
        tenant_namespace: &cluster.tenant_namespace,
        pods: networks.map_or(&[], |it| &it.pods),
        external: networks.map(|it| it.external),
        public_key: keys.map(|keys| keys[role]),
    }
}

fn tunnel(networking: &Networking) -> Tunnel {
    Tunnel {
        mtu: networking.mtu(),
        server: networking.server.location,
        port: networking.server.answers_at(),
    }
}
