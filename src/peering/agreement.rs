//! The facts that both sides of a peering must have in common, as one digest that two organisations can compare.
//!
//! Where each side keeps its own repository, the two documents differ in each side's own values: seeds, credentials,
//! names, amounts. Everything that one side's objects say about the other side is in the digest.

use crate::peering::networking::Networking;
use crate::peering::values::{Port, PublicKey};
use crate::peering::{Peering, Role, Sides};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The facts. They are hashed as JSON in the order of the fields. A change of this list needs another `v`.
#[derive(Serialize)]
struct Terms {
    v: u32,
    consumer: Side,
    provider: Side,
    networking: Option<Tunnel>,
    /// Whether the consumer is authorised at the provider.
    forward: bool,
    /// Whether the provider is authorised at the consumer.
    reverse: bool,
}

#[derive(Serialize)]
struct Side {
    id: String,
    tenant_namespace: String,
    pods: Vec<String>,
    external: Option<String>,
    public_key: Option<String>,
}

#[derive(Serialize)]
struct Tunnel {
    mtu: u16,
    server: &'static str,
    /// The port at which the server answers, unless Kubernetes chooses it.
    port: Option<u16>,
}

/// SHA-256 of the facts that both sides must share, in hexadecimal.
pub fn digest(peering: &Peering, keys: Option<&Sides<PublicKey>>) -> String {
    let terms = Terms {
        v: 1,
        consumer: side(peering, keys, Role::Consumer),
        provider: side(peering, keys, Role::Provider),
        networking: peering.networking.as_ref().map(tunnel),
        forward: peering.authentication(Role::Consumer).is_some(),
        reverse: peering.authentication(Role::Provider).is_some(),
    };
    // strings and numbers serialize
    let json = serde_json::to_vec(&terms).unwrap_or_default();
    format!("sha256:{:x}", Sha256::digest(json))
}

fn side(peering: &Peering, keys: Option<&Sides<PublicKey>>, role: Role) -> Side {
    let cluster = &peering.clusters[role];
    let networks = peering.networking.as_ref().map(|it| &it.networks[role]);
    Side {
        id: cluster.id.to_string(),
        tenant_namespace: cluster.tenant_namespace.to_string(),
        pods: networks
            .map(|it| it.pods.iter().map(ToString::to_string).collect())
            .unwrap_or_default(),
        external: networks.map(|it| it.external.to_string()),
        public_key: keys.map(|keys| keys[role].to_string()),
    }
}

fn tunnel(networking: &Networking) -> Tunnel {
    let server = &networking.server;
    let port = server.answers_at().map(Port::get);
    Tunnel {
        mtu: networking.mtu().get(),
        server: server.location.word(),
        port,
    }
}
