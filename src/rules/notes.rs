//! Likely mistakes that may be meant, one function for each note. Only `validate` looks for them.

use super::pools;
use crate::diagnostic::{Code, Problems, Rule, Span, quoted};
use crate::peering::delivery::Delivery;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::{Address, LiqoVersion};
use crate::peering::{Parsed, Peering, Role};
use crate::uri::Uri;
use ipnet::Ipv4Net;

/// All notes on a document. `exists` tells whether a file exists in the document's folder.
pub(super) fn notes(parsed: &Parsed, peering: &Peering, exists: impl Fn(&str) -> bool) -> Problems {
    let mut notes = Problems::default();
    client(peering, &mut notes);
    example_value(parsed, &mut notes);
    gateway_address(peering, &mut notes);
    public_networks(peering, &mut notes);
    large_mtu(peering, &mut notes);
    service_annotations(peering, &mut notes);
    liqo_version(parsed, peering, &mut notes);
    shared_account(peering, &mut notes);
    schema_line(parsed.source.text(), exists, &mut notes);
    adopted_namespace(peering, &mut notes);
    unsigned(peering, &mut notes);
    pools::check(peering, &mut notes);
    notes
}

/// The client dials the server's port and address, unless something is between them.
fn client(peering: &Peering, notes: &mut Problems) {
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
            notes.refuse(Code::ClientPort, port.span, message, help);
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
            rule.at(addresses.span)
                .and(ip.span, "the server's Service gets this one"),
        );
    }
}

/// A gateway is dialled from outside of its cluster, so an address of its own pods does not work.
fn gateway_address(peering: &Peering, notes: &mut Problems) {
    let Some(networking) = &peering.networking else {
        return;
    };
    let Some(client) = &networking.client else {
        return;
    };
    let own = peering.clusters.of(networking.server.location);
    for (network, what) in own.networks() {
        for address in client.endpoint.addresses.iter() {
            let Address::Ip(ip) = address else { continue };
            if network.value.holds(*ip) {
                let message = format!(
                    "the client dials {ip}, an address of the server's own {what} {}",
                    network.value
                );
                let help = "write the address of a node or of the load balancer: the other cluster reaches no pod before the tunnel is up";
                let rule = Rule::new(Code::GatewayAddress, message).help(help);
                notes.push(
                    rule.at(client.endpoint.addresses.span)
                        .and(network.span, "the network"),
                );
            }
        }
    }
}

/// Networks that are not anyone's in the internet (RFC 1918; RFC 6598, shared; RFC 2544, benchmarks; RFC 3927, link-local; RFC 5737,
/// documentation; RFC 1112, class E).
#[rustfmt::skip] // a table
const PRIVATE: [&str; 10] = [
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15", "169.254.0.0/16",
    "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
];

/// A pod network with public addresses is most often a slip: `142.42.0.0/16` for `10.42.0.0/16`.
fn public_networks(peering: &Peering, notes: &mut Problems) {
    let private: Vec<Ipv4Net> = PRIVATE.iter().filter_map(|it| it.parse().ok()).collect();
    for role in Role::BOTH {
        for (network, what) in peering.clusters.of(role).networks() {
            let ends = [network.value.first(), network.value.last()];
            if !private
                .iter()
                .any(|private| ends.iter().all(|end| private.contains(end)))
            {
                let message = format!(
                    "the {role}'s {what} {} is a network of the internet",
                    network.value
                );
                let help = "compare it with the cluster's: its pods would not reach the hosts that have these addresses; keep it if they are yours";
                notes.refuse(Code::PublicNetwork, network.span, message, help);
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
        notes.refuse(Code::LargeMtu, written.span, message, help);
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
    let Some(metadata) = &peering
        .clusters
        .of(networking.server.location)
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
        notes.refuse(Code::UnknownLiqo, version.span, message, help);
    }
}

/// A document that adopts existing objects also adopts their namespace, whose labels change.
fn adopted_namespace(peering: &Peering, notes: &mut Problems) {
    for role in Role::BOTH {
        let cluster = peering.clusters.of(role);
        let named = cluster
            .settings
            .iter()
            .find(|it| it.value.0.starts_with("names."));
        let written = (!cluster.conventional_namespace).then_some(cluster.tenant_namespace.span);
        // with `External`, the gateway and its keys exist already, and the gateway is as privileged as after the change
        let is_new = !matches!(cluster.delivery, Delivery::External);
        if let Some(place) = written.or(named.map(|it| it.span)).filter(|_| is_new) {
            let message = format!(
                "if the {role}'s tenant namespace `{}` exists already, it gets the labels \
                 `pod-security.kubernetes.io/audit`, `enforce` and `warn` with `privileged`",
                cluster.tenant_namespace.value
            );
            let help = "Liqo's gateways are privileged; check that a policy of the cluster allows these labels";
            notes.refuse(Code::AdoptedNamespace, place, message, help);
        }
    }
}

/// The first certificate of a handshake must be carried to the document once (liqo
/// `authentication/tenant-controller/tenant_controller.go`).
fn unsigned(peering: &Peering, notes: &mut Problems) {
    for user in Role::BOTH {
        let Some(credential) = peering.authentication(user).map(|it| &it.credential) else {
            continue;
        };
        if credential.handshake().is_some() && credential.identity().is_none() {
            let message = format!("the {} has not signed this certificate yet", user.peer());
            let help = format!(
                "after the {0}'s first sync: `argocd-peering authenticate provider{1} --from-context …`",
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
        let gateway = &peering.clusters.of(role).names.gateway;
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
            let rule = Rule::new(Code::SharedServiceAccount, message).help(help);
            notes.push(rule.at(span).and(gateway.span, "the gateway's name"));
        }
    }
}

/// The user and the address in the examples; they are from Liqo's guide for Argo CD.
const VALUES: [&str; 2] = ["myuser", "172.16.183.16"];
/// The documentation's domain (RFC 2606, section 3).
const DOMAIN: &str = "example.org";

/// Values of the examples, which a real peering does not have: a person who copies an example changes them.
fn example_value(parsed: &Parsed, notes: &mut Problems) {
    for (span, text) in parsed.scalars() {
        let host = Uri::split(text).authority.host;
        let domain = host
            .strip_suffix(DOMAIN)
            .is_some_and(|before| before.is_empty() || before.ends_with('.'));
        if domain || VALUES.contains(&host) {
            let message = format!("{} is a value of the examples", quoted(text));
            notes.refuse(
                Code::ExampleValue,
                span,
                message,
                "write the value of your clusters",
            );
        }
    }
}

/// The line of the YAML language server (redhat-developer/yaml-language-server, README, "Using inlined schema").
const MODELINE: &str = "# yaml-language-server: $schema=";

/// The comment that names the schema for an editor. If the file is missing, the editor gives no help and no error.
fn schema_line(text: &str, exists: impl Fn(&str) -> bool, notes: &mut Problems) {
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let start = begin + MODELINE.len();
        begin += line.len();
        let Some(path) = line.strip_prefix(MODELINE).map(str::trim_end) else {
            continue;
        };
        // a URL or an absolute path is not checked
        if !path.contains("://") && !path.starts_with('/') && !exists(path) {
            let message = format!(
                "the schema {} does not exist, so an editor checks nothing",
                quoted(path)
            );
            let help = "`argocd-peering schema > peering.schema.json` makes it; write its path from this file, or remove the line";
            notes.refuse(
                Code::SchemaLine,
                Span {
                    start,
                    end: start + path.len(),
                },
                message,
                help,
            );
        }
    }
}
