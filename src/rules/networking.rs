//! The networking module.

use super::{Context, keys, template};
use crate::diagnostic::{Code, Rule};
use crate::document::decode::Located;
use crate::document::networking::{
    GatewayClient, GatewayServer, KnownClient, Networking as Written, ServerEndpoint, ServiceType,
};
use crate::peering::cidr::Cidr;
use crate::peering::endpoint::{Address, Mtu, Port, Protocol, Service};
use crate::peering::networking::{Client, Networking, Networks, Server};
use crate::peering::role::{Role, Sides};
use crate::peering::version::LiqoVersion;

/// `liqoctl`'s default (liqo `pkg/liqo-controller-manager/networking/forge/common.go`). Liqo's CRD has none, and leaves
/// it to the kernel then, on each side for itself.
const DEFAULT_MTU: i64 = 1340;

/// `liqoctl`'s default (liqo `pkg/liqo-controller-manager/networking/forge/gatewayserver.go`). Liqo's CRD has none.
const DEFAULT_PORT: i64 = 51_840;

/// Where a cluster's networks stand.
const READ_NETWORKS: &str = "read it on the cluster: kubectl get networks.ipam.liqo.io -n liqo -o custom-columns=NAME:.metadata.name,CIDR:.status.cidr";

pub(super) fn networking(context: &mut Context<'_>, written: &Located<Written>) -> Option<Networking> {
    let keys = Sides::make(|role| keys::source(context, role));
    let networks = Sides::make(|role| networks(context, role));
    let server = server(context, &written.value.gateway_server);
    let client = match &written.value.gateway_client.value {
        GatewayClient::Pending => Some(None),
        GatewayClient::Known(client) => {
            self::client(context, client, &written.value.gateway_server, server.as_ref()).map(Some)
        }
    };
    Some(Networking {
        keys: Sides { consumer: keys.consumer?, provider: keys.provider? },
        networks: Sides { consumer: networks.consumer?, provider: networks.provider? },
        mtu: written.value.mtu.or_else(|| Mtu::try_from(DEFAULT_MTU).ok())?,
        server: server?,
        client: client?,
    })
}

fn networks(context: &mut Context<'_>, role: Role) -> Option<Networks> {
    let cluster = context.cluster(role);
    let missing = |field: &str| {
        Rule::new(Code::MissingField, format!("networking needs the {role}'s `{field}`"))
            .help(READ_NETWORKS)
            .at(cluster.cluster_id.span)
    };
    if cluster.pod_cidrs.is_none() {
        context.problems.push(missing("podCIDRs"));
    }
    if cluster.external_cidr.is_none() {
        context.problems.push(missing("externalCIDR"));
    }
    let (pods, external) = (cluster.pod_cidrs.as_ref()?, cluster.external_cidr.as_ref()?);
    match pods.value.as_slice() {
        [] => context.push(Code::EmptyList, pods.span, "`podCIDRs` is empty", READ_NETWORKS),
        // before, Liqo silently ignores all but the first
        [_, second, ..] => context.needs(LiqoVersion::V1_2, second.span, "more than one pod CIDR"),
        [_] => {}
    }
    overlaps(context, &pods.value.iter().chain([external]).collect::<Vec<_>>());
    Some(Networks { pods: pods.value.iter().map(|cidr| cidr.value).collect(), external: external.value })
}

/// Networks of one cluster must not overlap. Those of two clusters may: Liqo remaps them (`pkg/ipam`).
fn overlaps(context: &mut Context<'_>, cidrs: &[&Located<Cidr>]) {
    for (index, cidr) in cidrs.iter().enumerate() {
        if let Some(first) = cidrs.iter().take(index).find(|first| first.value.overlaps(cidr.value)) {
            let message = format!("`{}` overlaps `{}` of the same cluster", cidr.value, first.value);
            let rule = Rule::new(Code::CidrOverlap, message).help(READ_NETWORKS);
            context.problems.push(rule.at(cidr.span).and(first.span, "the other network"));
        }
    }
}

fn server(context: &mut Context<'_>, written: &GatewayServer) -> Option<Server> {
    let endpoint = &written.endpoint;
    for (field, span) in [
        ("`serviceAnnotations`", written.service_annotations.as_ref().map(|it| it.span)),
        ("`serviceLabels`", written.service_labels.as_ref().map(|it| it.span)),
    ] {
        if let Some(span) = span {
            context.needs(LiqoVersion::V1_2, span, field);
        }
    }
    Some(Server {
        location: written.location.unwrap_or(Role::Provider),
        port: endpoint.port.or_else(|| Port::try_from(DEFAULT_PORT).ok())?,
        service: service(context, endpoint)?,
        template: template::reference(context, written.template.as_ref(), &template::SERVER)?,
        service_annotations: written
            .service_annotations
            .as_ref()
            .map(|it| it.value.0.clone())
            .unwrap_or_default(),
        service_labels: written.service_labels.as_ref().map(|it| it.value.0.clone()).unwrap_or_default(),
    })
}

fn service(context: &mut Context<'_>, endpoint: &ServerEndpoint) -> Option<Service> {
    let service_type = &endpoint.service_type;
    let word = Service::WORDS.get(service_type.value as usize).copied().unwrap_or_default();
    let node_port = endpoint.node_port.as_ref();
    let load_balancer_ip = endpoint.load_balancer_ip.as_ref();
    for (field, span, only) in [
        ("nodePort", node_port.map(|port| port.span), ServiceType::NodePort),
        ("loadBalancerIP", load_balancer_ip.map(|ip| ip.span), ServiceType::LoadBalancer),
    ] {
        if let Some(span) = span
            && service_type.value != only
        {
            let only = Service::WORDS.get(only as usize).copied().unwrap_or_default();
            let rule = Rule::new(Code::ServiceType, format!("a Service of type `{word}` has no `{field}`"))
                .help(format!("remove it, or say `serviceType: {only}`"));
            context.problems.push(rule.at(span).and(service_type.span, "the type is said here"));
        }
    }
    let ip = match load_balancer_ip.map(|ip| (&ip.value, ip.span)) {
        Some((Address::Ip(ip), _)) => Some(*ip),
        Some((Address::Fqdn(name), span)) => {
            let message = format!("`{name}` is not an IPv4 address, which `loadBalancerIP` is");
            let help = "a load balancer's name belongs into the client's `addresses`";
            context.push(Code::InvalidAddress, span, message, help);
            return None;
        }
        None => None,
    };
    Some(match service_type.value {
        ServiceType::ClusterIp => Service::ClusterIp,
        ServiceType::NodePort => Service::NodePort(node_port.map(|port| port.value)),
        ServiceType::LoadBalancer => Service::LoadBalancer(ip),
    })
}

fn client(
    context: &mut Context<'_>,
    written: &KnownClient,
    server_written: &GatewayServer,
    server: Option<&Server>,
) -> Option<Client> {
    let addresses = &written.endpoint.addresses;
    if addresses.value.is_empty() {
        context.push(
            Code::EmptyList,
            addresses.span,
            "`addresses` is empty",
            "name the server's address, or say `gatewayClient: pending` until it is known",
        );
    }
    let server = server?;
    // Liqo `wggatewayserver_controller.go`: a NodePort server answers at the node port, every other at its port
    let derived = match server.service {
        Service::NodePort(port) => port.and_then(|port| Port::try_from(i64::from(port.get())).ok()),
        Service::ClusterIp | Service::LoadBalancer(_) => Some(server.port),
    };
    let port = written.endpoint.port.or(derived);
    if port.is_none() {
        let rule = Rule::new(
            Code::Port,
            "the client's port is not known: Kubernetes chooses the server's node port",
        )
        .help("say `nodePort` at the server or `port` here, or `gatewayClient: pending` until it is known");
        let spot = server_written.endpoint.service_type.span;
        context.problems.push(rule.at(addresses.span).and(spot, "no `nodePort` is said here"));
    }
    Some(Client {
        addresses: addresses.value.clone(),
        port: port?,
        protocol: written.endpoint.protocol.unwrap_or(Protocol::Udp),
        template: template::reference(context, written.template.as_ref(), &template::CLIENT)?,
    })
}
