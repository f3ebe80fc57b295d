//! Likely mistakes that may be meant, one function for each note: only `validate` looks for them, and the document is taken. The row of the
//! code has the level.

use super::pools;
use crate::diagnostic::{Code, Problems, Rule, Severity, quoted};
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::{Address, LiqoVersion};
use crate::peering::{Parsed, Peering, Role};
use std::net::IpAddr;

/// All notes on a document.
pub(super) fn notes(parsed: &Parsed, peering: &Peering) -> Problems {
    let mut notes = Problems::default();
    client_dials_elsewhere(peering, &mut notes);
    client_dials_own_network(peering, &mut notes);
    public_networks(peering, &mut notes);
    large_mtu(peering, &mut notes);
    service_annotations(peering, &mut notes);
    liqo_version(parsed, peering, &mut notes);
    shared_account(peering, &mut notes);
    unsigned_certificate(peering, &mut notes);
    pools::check_pools(peering, &mut notes);
    notes
}

/// The client dials the server's port and address, unless something is between them.
fn client_dials_elsewhere(peering: &Peering, notes: &mut Problems) {
    let Some(networking) = &peering.networking else {
        return;
    };
    let Some(client) = &networking.client else {
        return;
    };
    let server = &networking.server.endpoint;
    // the port is not known here if Kubernetes chooses the node port
    let chosen = server.service_type.value == ServiceType::NodePort && server.node_port.is_none();
    if let Some(port) = client.endpoint.port.filter(|_| !chosen) {
        let mut ports = vec![server.port.get()];
        ports.extend(server.node_port.map(|it| it.get()));
        if !ports.contains(&port.get()) {
            let known = ports
                .iter()
                .map(|port| format!("`{port}`"))
                .collect::<Vec<_>>()
                .join(" nor ");
            let message = format!(
                "the client dials port `{}`, and the server's Service has neither {known}",
                port.get()
            );
            let message = if ports.len() > 1 {
                message
            } else {
                message.replace("neither", "port")
            };
            let help = "remove the client's `port`: it follows from the server's; keep it if a load balancer or a router changes it";
            notes.refuse(Code::ClientAddress, port.span, message, help);
        }
    }
    let Some(ip) = &server.load_balancer_ip else {
        return;
    };
    let addresses = &client.endpoint.addresses;
    // a domain name may resolve to the load balancer's IP
    if !addresses.is_empty()
        && addresses
            .iter()
            .all(|it| matches!(it, Address::Ip(_)) && *it != ip.value)
    {
        let message = "the client dials another address than the server's `loadBalancerIP`";
        let help = format!(
            "write `addresses: [{}]`; keep it if that address leads to the load balancer",
            ip.value
        );
        let rule = Rule::new(Code::ClientAddress, message).help(help);
        notes.push(
            rule.mark(addresses.span)
                .also(ip.span, "the server's Service gets this one"),
        );
    }
}

/// Once both clusters are connected, the dialling cluster's nodes route the other one's networks into the tunnel, and with them the tunnel's
/// own packets (liqo `pkg/liqo-controller-manager/networking/internal-network/internalfabric-controller/route.go`).
fn client_dials_own_network(peering: &Peering, notes: &mut Problems) {
    let Some(networking) = &peering.networking else {
        return;
    };
    let Some(client) = &networking.client else {
        return;
    };
    let own = &peering.clusters[networking.server.location];
    for (network, what) in own.networks() {
        for address in client.endpoint.addresses.iter() {
            let Address::Ip(IpAddr::V4(ip)) = address else {
                continue;
            };
            if network.value.holds(*ip) {
                let message = format!(
                    "the client dials {ip}, an address of the server's own {what} {}",
                    network.value
                );
                let help = "write an address outside of it, of a node or a load balancer; where nodes have addresses of the pods' network, such as on EKS, their public one";
                let rule = Rule::new(Code::ClientAddress, message).help(help);
                notes.push(
                    rule.mark(client.endpoint.addresses.span)
                        .also(network.span, "the network"),
                );
            }
        }
    }
}

/// A pod network with public addresses is most often a slip: `142.42.0.0/16` for `10.42.0.0/16`.
fn public_networks(peering: &Peering, notes: &mut Problems) {
    for role in Role::BOTH {
        for (network, what) in peering.clusters[role].networks() {
            if pools::is_public(network.value) {
                let message = format!(
                    "the {role}'s {what} {} is a network of the internet",
                    network.value
                );
                let help = "compare it with the cluster's: its pods would not reach the hosts that have these addresses; keep it if they are yours";
                notes.refuse(Code::OutsidePools, network.span, message, help);
            }
        }
    }
}

/// The largest packet in an Ethernet frame, unless every link allows larger ones (RFC 894).
const ETHERNET: u16 = 1500;

/// The bytes around a packet of the tunnel: the header of IPv4, UDP's 8, and WireGuard's 32 (RFC 791, RFC 768; the WireGuard whitepaper,
/// section 5.4.6). Over IPv6 it is 20 more, but a document cannot tell whether a name has an IPv4 address.
const AROUND: u16 = 20 + 8 + 32;

/// With WireGuard's headers, a packet of the tunnel must fit into an Ethernet frame.
fn large_mtu(peering: &Peering, notes: &mut Problems) {
    let Some(networking) = &peering.networking else {
        return;
    };
    let Some(written) = networking.mtu else {
        return;
    };
    let mtu = written.get();
    let most = ETHERNET - AROUND;
    if mtu > most {
        let message = format!(
            "a packet of {mtu} bytes is one of {} between the gateways, and Ethernet takes {ETHERNET}",
            mtu + AROUND
        );
        let help = format!(
            "write {most} or less, unless every link between the clusters has jumbo frames"
        );
        let rule = Rule::new(Code::Mtu, message).help(help);
        notes.push(rule.mark(written.span).level(Severity::Note));
    }
}

/// The prefixes of annotations that clouds and load balancers read on Services: docs of cloud-provider-aws, GKE, Azure, DigitalOcean and
/// others below kubernetes.io; MetalLB, Cilium, kube-vip, Tailscale and external-dns below their own domains.
#[rustfmt::skip] // a table
const OF_SERVICES: [&str; 10] = [
    "service.beta.kubernetes.io/", "service.kubernetes.io/", "networking.gke.io/", "cloud.google.com/",
    "metallb.universe.tf/", "metallb.io/", "io.cilium/", "lbipam.cilium.io/",
    "kube-vip.io/", "external-dns.alpha.kubernetes.io/",
];

/// Liqo copies no annotation of the GatewayServer to its Service (liqo `server-operator/server_controller.go`).
fn service_annotations(peering: &Peering, notes: &mut Problems) {
    let Some(networking) = &peering.networking else {
        return;
    };
    let Some(metadata) = &peering.clusters[networking.server.location]
        .metadata
        .gateway
    else {
        return;
    };
    let mut keys = metadata.annotations.0.keys();
    if let Some(key) = keys.find(|key| OF_SERVICES.iter().any(|start| key.starts_with(start))) {
        let message = format!(
            "{} is on the GatewayServer, and reaches no Service",
            quoted(key)
        );
        let help = "from Liqo 1.2 write it to `gatewayServer.serviceAnnotations`; before, into a template of your own";
        notes.refuse(Code::ServiceAnnotation, metadata.span, message, help);
    }
}

/// The document has a Liqo that is newer than this program knows.
fn liqo_version(parsed: &Parsed, peering: &Peering, notes: &mut Problems) {
    let Some(version) = &peering.liqo_version else {
        return;
    };
    let text = parsed
        .source
        .text()
        .get(version.span.start..version.span.end)
        .unwrap_or_default();
    let text = text.trim_matches(['"', '\'']);
    if LiqoVersion::is_unknown(text) {
        let newest = LiqoVersion::NEWEST;
        let message = format!(
            "this release knows Liqo up to {newest}, and takes {} as {newest}",
            quoted(text)
        );
        let help =
            "look for a newer release of argocd-peering; docs/compatibility.md has what was tried";
        let rule = Rule::new(Code::LiqoVersion, message).help(help);
        notes.push(rule.mark(version.span).level(Severity::Note));
    }
}

/// The first certificate of a handshake must be carried to the document once (liqo
/// `authentication/tenant-controller/tenant_controller.go`).
fn unsigned_certificate(peering: &Peering, notes: &mut Problems) {
    for user in Role::BOTH {
        let Some(credential) = peering.authentication(user).map(|it| &it.credential) else {
            continue;
        };
        if credential.handshake().is_some() && credential.identity().is_none() {
            let message = format!("the {} has not signed this certificate yet", user.peer());
            let help = format!(
                "after the {0}'s first sync: `argocd-peering authenticate provider FOLDER{1} --from-context …`",
                user.peer(),
                if user == Role::Provider {
                    " --reverse"
                } else {
                    ""
                }
            );
            notes.refuse(Code::Unsigned, credential.span, message, help);
        }
    }
}

/// A gateway and a virtual kubelet with the same name share one ServiceAccount, which Liqo deletes with the virtual node.
///
/// Liqo runs both in the tenant namespace, each under an account with its own name (liqo `networking/external-network/utils/rbac.go`,
/// `offloading/virtualnode-controller/virtualkubelet.go`).
fn shared_account(peering: &Peering, notes: &mut Problems) {
    if peering.networking.is_none() {
        return;
    }
    for role in Role::BOTH {
        let Some(offloading) = peering.offloading(role) else {
            continue;
        };
        let gateway = &peering.clusters[role].names.gateway;
        let slices = offloading
            .slices
            .iter()
            .filter(|slice| slice.written.create_virtual_node);
        let slices = slices.map(|slice| (slice.name.as_str(), slice.name.span));
        let custom = offloading
            .virtual_nodes
            .iter()
            .map(|node| (node.name.as_str(), node.name.span));
        for (name, span) in slices
            .chain(custom)
            .filter(|(name, _)| *name == gateway.as_str())
        {
            let message = format!(
                "the virtual node and the gateway are both called `{name}`, so Liqo gives them one ServiceAccount"
            );
            let help = format!(
                "Liqo deletes it with the virtual node, and the gateway then has no access until its pod restarts: set another `{role}.names.gateway`, which replaces the gateway, or restart the gateway after a drain"
            );
            let rule = Rule::new(Code::DuplicateName, message).help(help);
            let note = rule.mark(span).level(Severity::Note);
            notes.push(note.also(gateway.span, "the gateway's name"));
        }
    }
}
