//! Likely mistakes that may be meant, one function for each note: only `validate` looks for them, and the document is taken. The row of the
//! code has the level.

use super::pools;
use crate::diagnostic::{Code, Problems, Rule, Severity, quoted};
use crate::peering::networking::Networking;
use crate::peering::networking::gateway_client::GatewayClient;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::{Address, LiqoVersion};
use crate::peering::{Parsed, Peering, Role};
use std::net::IpAddr;

/// All notes on a document.
pub(super) fn notes(parsed: &Parsed, peering: &Peering) -> Problems {
    let mut notes = Problems::default();
    if let Some(networking) = &peering.networking {
        if let Some(client) = &networking.client {
            other_port(networking, client, &mut notes);
            other_address(networking, client, &mut notes);
            own_network(peering, networking, client, &mut notes);
        }
        large_mtu(networking, &mut notes);
        service_annotations(peering, networking, &mut notes);
        pools::check_pools(peering, &mut notes);
    }
    for role in Role::BOTH {
        public_networks(peering, role, &mut notes);
        unsigned_certificate(peering, role, &mut notes);
        shared_account(peering, role, &mut notes);
    }
    liqo_version(parsed, peering, &mut notes);
    notes
}

/// The client dials the server's port, unless something is between them.
fn other_port(networking: &Networking, client: &GatewayClient, notes: &mut Problems) {
    let server = &networking.server.endpoint;
    // the port is not known here if Kubernetes chooses the node port
    let chosen = server.service_type.value == ServiceType::NodePort && server.node_port.is_none();
    let (Some(port), false) = (client.endpoint.port, chosen) else {
        return;
    };
    let (dialled, own) = (port.get(), server.port.get());
    let node_port = server.node_port.map(|it| it.get());
    if dialled != own && Some(dialled) != node_port {
        let known = match node_port {
            Some(node_port) => format!("the ports `{own}` and `{node_port}`"),
            None => format!("port `{own}`"),
        };
        let message = format!("the client dials port `{dialled}`, but the server has {known}");
        let help = "remove the client's `port`, unless a load balancer or router maps it";
        notes.add(Code::ClientAddress, port.span, message, help);
    }
}

/// The client dials the server's address. A domain name may resolve to the load balancer's IP.
fn other_address(networking: &Networking, client: &GatewayClient, notes: &mut Problems) {
    let Some(ip) = &networking.server.endpoint.load_balancer_ip else {
        return;
    };
    let addresses = &client.endpoint.addresses;
    let is_other = |it: &Address| matches!(it, Address::Ip(own) if *own != ip.value.ip());
    if addresses.iter().all(is_other) {
        let message = "the client dials another address than the server's `loadBalancerIP`";
        let help = format!("write `addresses: [{ip}]`, unless yours leads to the load balancer");
        let rule = Rule::new(Code::ClientAddress, message).help(help);
        let note = rule.mark(addresses.span);
        notes.push(note.also(ip.span, "the server's address"));
    }
}

/// Once both clusters are connected, the dialling cluster's nodes route the other one's networks into the tunnel, and with them the tunnel's
/// own packets (liqo `pkg/liqo-controller-manager/networking/internal-network/internalfabric-controller/route.go`).
fn own_network(
    peering: &Peering,
    networking: &Networking,
    client: &GatewayClient,
    notes: &mut Problems,
) {
    let addresses = &client.endpoint.addresses;
    for (network, what) in peering.clusters[networking.server.location].networks() {
        for address in addresses.iter() {
            if let Address::Ip(IpAddr::V4(ip)) = address
                && network.holds(*ip)
            {
                let message = format!("the client dials {ip} of the server's own {what} {network}");
                let help = "write a node's or load balancer's address outside of this network";
                let rule = Rule::new(Code::ClientAddress, message).help(help);
                let note = rule.mark(addresses.span);
                notes.push(note.also(network.span, "the network"));
            }
        }
    }
}

/// A pod network with public addresses is most often a slip: `142.42.0.0/16` for `10.42.0.0/16`.
fn public_networks(peering: &Peering, role: Role, notes: &mut Problems) {
    for (network, what) in peering.clusters[role].networks() {
        if pools::is_public(network.value) {
            let message = format!("the {role}'s {what} {network} has public addresses");
            let help = "compare it with the cluster's: pods cannot reach internet hosts in it";
            notes.add(Code::OutsidePools, network.span, message, help);
        }
    }
}

/// The largest packet in an Ethernet frame, unless every link allows larger ones (RFC 894).
const ETHERNET: u16 = 1500;

/// The bytes around a packet of the tunnel: the header of IPv4, UDP's 8, and WireGuard's 32 (RFC 791, RFC 768; the WireGuard whitepaper,
/// section 5.4.6). Over IPv6 it is 20 more, but a document cannot tell whether a name has an IPv4 address.
const AROUND: u16 = 20 + 8 + 32;

/// With WireGuard's headers, a packet of the tunnel must fit into an Ethernet frame.
fn large_mtu(networking: &Networking, notes: &mut Problems) {
    const MOST: u16 = ETHERNET - AROUND;
    if let Some(mtu) = networking.mtu
        && mtu.get() > MOST
    {
        let (inner, outer) = (mtu.get(), mtu.get() + AROUND);
        let message = format!(
            "a packet of {inner} bytes needs {outer} between gateways: Ethernet takes {ETHERNET}"
        );
        let help = format!("write at most {MOST}, unless every link has jumbo frames");
        let rule = Rule::new(Code::Mtu, message).help(help);
        notes.push(rule.mark(mtu.span).level(Severity::Note));
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
fn service_annotations(peering: &Peering, networking: &Networking, notes: &mut Problems) {
    let server = &peering.clusters[networking.server.location];
    let Some(metadata) = &server.metadata.gateway else {
        return;
    };
    let mut keys = metadata.annotations.0.keys();
    if let Some(key) = keys.find(|key| OF_SERVICES.iter().any(|start| key.starts_with(start))) {
        let key = quoted(key);
        let message = format!("{key} is on the GatewayServer, and reaches no Service");
        let help = "write it to `gatewayServer.serviceAnnotations`; before Liqo 1.2, into your own template";
        notes.add(Code::ServiceAnnotation, metadata.span, message, help);
    }
}

/// The document has a Liqo that is newer than this program knows.
fn liqo_version(parsed: &Parsed, peering: &Peering, notes: &mut Problems) {
    let Some(version) = &peering.liqo_version else {
        return;
    };
    let place = version.span.start..version.span.end;
    let text = parsed.source.text().get(place).unwrap_or_default();
    let text = text.trim_matches(['"', '\'']);
    if LiqoVersion::is_unknown(text) {
        let (newest, written) = (LiqoVersion::NEWEST, quoted(text));
        let message = format!("this release takes Liqo {written} as {newest}, its newest");
        let help = "look for a newer argocd-peering";
        let rule = Rule::new(Code::LiqoVersion, message).help(help);
        notes.push(rule.mark(version.span).level(Severity::Note));
    }
}

/// The first certificate of a handshake must be carried to the document once (liqo
/// `authentication/tenant-controller/tenant_controller.go`).
fn unsigned_certificate(peering: &Peering, user: Role, notes: &mut Problems) {
    let Some(authentication) = peering.authentication(user) else {
        return;
    };
    let credential = &authentication.credential;
    if credential.handshake().is_some() && credential.identity().is_none() {
        let (signer, reverse) = match user {
            Role::Consumer => (Role::Provider, ""),
            Role::Provider => (Role::Consumer, " --reverse"),
        };
        let message = format!("the {signer} has not signed this certificate yet");
        let help = format!(
            "after the {signer}'s first sync: `argocd-peering authenticate provider FOLDER{reverse} --from-context …`"
        );
        notes.add(Code::Unsigned, credential.span, message, help);
    }
}

/// A gateway and a virtual kubelet with the same name share one ServiceAccount, which Liqo deletes with the virtual node.
///
/// Liqo runs both in the tenant namespace, each under an account with its own name (liqo `networking/external-network/utils/rbac.go`,
/// `offloading/virtualnode-controller/virtualkubelet.go`).
fn shared_account(peering: &Peering, role: Role, notes: &mut Problems) {
    let (Some(offloading), Some(_)) = (peering.offloading(role), &peering.networking) else {
        return;
    };
    let gateway = &peering.clusters[role].names.gateway;
    for (name, _) in offloading.nodes() {
        if name.value != gateway.as_str() {
            continue;
        }
        let message = format!("the virtual node and the gateway `{name}` share one ServiceAccount");
        let help = format!(
            "set another `{role}.names.gateway`: Liqo deletes the account with the virtual node"
        );
        let shared = Rule::new(Code::DuplicateName, message).help(help);
        let note = shared.mark(name.span).level(Severity::Note);
        notes.push(note.also(gateway.span, "the gateway's name"));
    }
}
