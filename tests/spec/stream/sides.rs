//! What holds between the two streams of a peering, and between them and the document.

use serde_json::{Value, json};
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};

use super::peerings::{Peered, Stream, peerings};
use crate::harness::{Id, ROLES, annotation, decoded, label, peer, text_at};

/// Does it for each peering with a networking module; there must be one.
fn with_networking(check: impl Fn(&Peered)) {
    let with = || {
        peerings()
            .iter()
            .filter(|peered| !peered.document["spec"]["networking"].is_null())
    };
    assert!(with().count() > 0, "no example has networking");
    with().for_each(check);
}

/// The same where both sides' keys are Secrets of the streams: tests/conformance opens the other ones.
fn with_secrets(check: impl Fn(&Peered)) {
    let is_secret = |peered: &Peered| {
        ROLES
            .iter()
            .all(|role| cluster(peered, role)["delivery"].is_null())
    };
    let with = || {
        peerings()
            .iter()
            .filter(|it| is_secret(it) && !it.document["spec"]["networking"].is_null())
    };
    assert!(with().count() > 5, "examples with Secrets");
    with().for_each(check);
}

/// What the document says of one cluster.
fn cluster<'p>(peered: &'p Peered, role: &str) -> &'p Value {
    &peered.document["spec"][role]
}

#[track_caller]
fn key_secret(stream: &Stream) -> &Value {
    let secrets = stream.of_kind("Secret");
    let mut keys = secrets
        .iter()
        .filter(|it| label(it, "networking.liqo.io/gateway-resource").is_some());
    match (keys.next(), keys.next()) {
        (Some(secret), None) => secret,
        _ => panic!("{}: there must be one key Secret", stream.place),
    }
}

/// The 32 bytes of a key. It is not shown.
#[track_caller]
fn key(object: &Value, pointer: &str) -> [u8; 32] {
    let bytes = decoded(text_at(object, pointer));
    bytes
        .try_into()
        .unwrap_or_else(|_| panic!("{}: {pointer}: not 32 bytes", Id::of(object)))
}

#[test]
fn each_side_knows_the_others_key() {
    with_secrets(|peered| {
        for role in ROLES {
            let own = text_at(key_secret(peered.stream(role)), "/data/publicKey");
            let known = text_at(
                peered.stream(peer(role)).only("PublicKey"),
                "/spec/publicKey",
            );
            assert_eq!(own, known, "{}: the {role}'s key", peered.name);
        }
        let [consumer, provider] =
            ROLES.map(|role| key(key_secret(peered.stream(role)), "/data/privateKey"));
        assert!(
            consumer != provider,
            "{}: both sides have one key",
            peered.name
        );
    });
}

#[test]
fn the_public_key_is_the_private_keys() {
    with_secrets(|peered| {
        for stream in &peered.streams {
            let secret = key_secret(stream);
            let (private, public) = (
                key(secret, "/data/privateKey"),
                key(secret, "/data/publicKey"),
            );
            assert!(
                x25519(private, X25519_BASEPOINT_BYTES) == public,
                "{}: not a pair",
                stream.place
            );
            // as the kernel clamps it, so that `wg show` prints what the Secret holds
            let clamped = private[0] % 8 == 0 && private[31] / 64 == 1;
            assert!(clamped, "{}: the private key is not clamped", stream.place);
        }
    });
}

/// The gateways of a peering: where the document puts the server, and the other side's client, unless it is pending.
fn gateways(peered: &Peered) -> (&Value, Option<&Value>) {
    let networking = &peered.document["spec"]["networking"];
    let server = networking["gatewayServer"]["location"]
        .as_str()
        .unwrap_or("provider");
    let other = |role, kind| {
        assert!(
            peered.stream(role).of_kind(kind).is_empty(),
            "{}: {kind}",
            peered.name
        );
    };
    other(server, "GatewayClient");
    other(peer(server), "GatewayServer");
    let client = if networking["gatewayClient"] == "pending" {
        other(peer(server), "GatewayClient");
        None
    } else {
        Some(peered.stream(peer(server)).only("GatewayClient"))
    };
    (peered.stream(server).only("GatewayServer"), client)
}

#[test]
fn both_gateways_have_one_mtu() {
    with_networking(|peered| {
        let (server, client) = gateways(peered);
        let written = &peered.document["spec"]["networking"]["mtu"];
        let mtu = if written.is_null() {
            &json!(1340)
        } else {
            written
        };
        for gateway in [Some(server), client].into_iter().flatten() {
            assert_eq!(
                &gateway["spec"]["mtu"],
                mtu,
                "{}: {}",
                peered.name,
                Id::of(gateway)
            );
        }
    });
}

#[test]
fn the_client_dials_where_the_server_listens() {
    with_networking(|peered| {
        let (server, client) = gateways(peered);
        let Some(client) = client else { return };
        let written = &peered.document["spec"]["networking"]["gatewayClient"]["endpoint"];
        let (server, client) = (&server["spec"]["endpoint"], &client["spec"]["endpoint"]);
        assert_eq!(client["addresses"], written["addresses"], "{}", peered.name);
        // a port that is said for the client, as for a load balancer in between, goes before the server's own
        let ports = [&written["port"], &server["nodePort"], &server["port"]];
        let port = ports
            .into_iter()
            .find(|port| !port.is_null())
            .expect("a server has a port");
        assert_eq!(&client["port"], port, "{}", peered.name);
    });
}

#[test]
fn the_gateways_use_the_key_secret_of_their_stream() {
    with_secrets(|peered| {
        let (server, client) = gateways(peered);
        for gateway in [Some(server), client].into_iter().flatten() {
            let namespace = &gateway["metadata"]["namespace"];
            let stream = peered
                .streams
                .iter()
                .find(|stream| &key_secret(stream)["metadata"]["namespace"] == namespace)
                .expect("the gateway's stream");
            let name = text_at(key_secret(stream), "/metadata/name");
            assert_eq!(
                gateway["spec"]["secretRef"],
                json!({ "name": name }),
                "{}",
                stream.place
            );
        }
    });
}

#[test]
fn each_side_routes_to_the_others_networks() {
    with_networking(|peered| {
        for role in ROLES {
            let other = cluster(peered, peer(role));
            let remote = json!({ "cidr": { "pod": other["podCIDRs"], "external": [other["externalCIDR"]] } });
            let configuration = peered.stream(role).only("Configuration");
            assert_eq!(
                configuration["spec"]["remote"], remote,
                "{}/{role}",
                peered.name
            );
        }
    });
}

#[test]
fn each_side_names_the_other_one() {
    for peered in peerings() {
        for role in ROLES {
            let other = text_at(cluster(peered, peer(role)), "/clusterID");
            for object in &peered.stream(role).objects {
                let labelled = label(object, "liqo.io/remote-cluster-id");
                // workloads' namespaces and their offloading belong to no peer
                let free = ["Namespace", "NamespaceOffloading"]
                    .iter()
                    .any(|kind| object["kind"] == *kind);
                let right = labelled == Some(other) || labelled.is_none() && free;
                assert!(
                    right,
                    "{}/{role}: {}: {labelled:?}",
                    peered.name,
                    Id::of(object)
                );
                for pointer in ["/spec/clusterID", "/spec/providerClusterID"] {
                    let said = object.pointer(pointer).is_none_or(|id| id == other);
                    assert!(
                        said,
                        "{}/{role}: {}: {pointer}",
                        peered.name,
                        Id::of(object)
                    );
                }
            }
        }
    }
}

#[test]
fn the_credential_names_the_providers_tenant_namespace() {
    let mut checked = 0;
    for peered in peerings() {
        let tenants = ROLES.map(|role| {
            let namespaces = peered.stream(role).of_kind("Namespace");
            let mut tenant = namespaces
                .into_iter()
                .filter(|it| label(it, "liqo.io/tenant-namespace").is_some());
            text_at(tenant.next().expect("a tenant namespace"), "/metadata/name")
        });
        for (stream, remote) in peered.streams.iter().zip(tenants.into_iter().rev()) {
            for secret in stream.of_kind("Secret") {
                if label(secret, "liqo.io/identity-type").is_some() {
                    let named = annotation(secret, "liqo.io/remote-tenant-namespace");
                    assert_eq!(named, Some(remote), "{}", stream.place);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 0, "no example has a credential");
}
