//! The GatewayServer: the gateway that listens (liqo `apis/networking/v1beta1/gatewayserver_types.go`).

use crate::diagnostic::{Code, Rule};
use crate::document::{Located, record, words};
use crate::object::{Kind, Manifest, Object, Wave};
use crate::peering::resolve::Context;
use crate::peering::side::Side;
use crate::peering::values::address::Address;
use crate::peering::values::labels::{NodeAnnotations, NodeLabels};
use crate::peering::values::number::{Mtu, NodePort, Port};
use crate::peering::values::role::Role;
use crate::peering::values::template::{Template, TemplateRef, Usual};
use serde::Serialize;
use std::net::Ipv4Addr;

record! {
    /// The gateway that listens.
    GatewayServerSpec {
        /// On which side. Default: `provider`.
        "location" => location: default Role = Role::Provider, also ["on", "side"];
        /// Its address.
        "endpoint" => endpoint: required ServerEndpoint, missing ENDPOINT;
        /// Default: Liqo's `wireguard-server`.
        "serverTemplateRef" => template: optional TemplateRef;
        /// Annotations of its Service; Liqo 1.2 or later.
        "serviceAnnotations" => service_annotations: or_empty NodeAnnotations, since "1.2";
        /// Labels of its Service; Liqo 1.2 or later.
        "serviceLabels" => service_labels: or_empty NodeLabels, since "1.2";
    }
}

record! {
    /// Where it listens.
    ServerEndpoint {
        /// How it is exposed: `ClusterIP`, `NodePort` or `LoadBalancer`.
        "serviceType" => service_type: required Located<ServiceType>,
            missing "write `ClusterIP`, `NodePort` or `LoadBalancer`", also ["type"];
        /// Default: 51840, `liqoctl`'s.
        "port" => port: default Port = Port::LIQOCTL;
        /// With `NodePort`. Default: Kubernetes chooses.
        "nodePort" => node_port: optional Located<NodePort>;
        /// With `LoadBalancer`.
        "loadBalancerIP" => load_balancer_ip: optional Located<Address>;
    }
}

/// What an endpoint has, for both gateways.
pub(super) const ENDPOINT: &str = "a server's has a `serviceType`, a client's `addresses`";

words! {
    /// The type of the gateway's Service. Liqo's CRD also lists `ExternalName`, and its controller refuses it.
    ServiceType {
        /// Reachable inside its cluster only.
        ClusterIp = "ClusterIP",
        /// A port on every node.
        NodePort = "NodePort",
        /// A load balancer.
        LoadBalancer = "LoadBalancer",
    }
}

/// How the gateway is exposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Service {
    /// Reachable inside its cluster only.
    ClusterIp,
    /// A port on every node, chosen by Kubernetes unless it is given.
    NodePort(Option<Located<NodePort>>),
    /// A load balancer, with the address that it should have if it is given.
    LoadBalancer(Option<Located<Ipv4Addr>>),
}

/// The gateway that listens, complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GatewayServer {
    /// On which side.
    pub location: Role,
    /// The port that it listens on.
    pub port: Port,
    /// How it is exposed.
    #[serde(flatten)]
    pub service: Service,
    /// The template that it is built from.
    pub template: Template,
    /// Annotations of its Service.
    pub service_annotations: NodeAnnotations,
    /// Labels of its Service.
    pub service_labels: NodeLabels,
}

static KIND: Kind =
    Kind { name: "GatewayServer", wave: Wave::Gateway, template: include_str!("gateway_server.yaml.j2") };

const LIQO: Usual = Usual {
    api_version: "networking.liqo.io/v1beta1",
    kind: "WgGatewayServerTemplate",
    name: "wireguard-server",
};

pub(super) fn resolve(context: &mut Context<'_, '_>, written: &GatewayServerSpec) -> Option<GatewayServer> {
    Some(GatewayServer {
        location: written.location,
        port: written.endpoint.port,
        service: service(context, &written.endpoint)?,
        template: Template::new(written.template.as_ref(), &LIQO, &context.liqo_namespace),
        service_annotations: written.service_annotations.clone(),
        service_labels: written.service_labels.clone(),
    })
}

fn service(context: &mut Context<'_, '_>, endpoint: &ServerEndpoint) -> Option<Service> {
    let service_type = &endpoint.service_type;
    let node_port = endpoint.node_port.as_ref();
    let load_balancer_ip = endpoint.load_balancer_ip.as_ref();
    for (field, span, only) in [
        ("nodePort", node_port.map(|port| port.span), ServiceType::NodePort),
        ("loadBalancerIP", load_balancer_ip.map(|ip| ip.span), ServiceType::LoadBalancer),
    ] {
        if let Some(span) = span
            && service_type.value != only
        {
            let message = format!("a Service of type `{}` has no `{field}`", service_type.value);
            let rule = Rule::new(Code::ServiceType, message)
                .help(format!("remove it, or set `serviceType: {only}`"));
            context.refuse(rule.at(span).and(service_type.span, "the type is set here"));
        }
    }
    let ip = match load_balancer_ip.map(|ip| (&ip.value, ip.span)) {
        Some((Address::Ip(ip), span)) => Some(Located::new(*ip, span)),
        Some((Address::Fqdn(name), span)) => {
            let message = format!("`{name}` is not an IPv4 address, which `loadBalancerIP` takes");
            let help = "a load balancer's domain name belongs in the client's `addresses`";
            context.push(Code::InvalidAddress, span, message, help);
            return None;
        }
        None => None,
    };
    Some(match service_type.value {
        ServiceType::ClusterIp => Service::ClusterIp,
        ServiceType::NodePort => Service::NodePort(endpoint.node_port),
        ServiceType::LoadBalancer => Service::LoadBalancer(ip),
    })
}

impl GatewayServer {
    /// The port at which the server answers its client, unless Kubernetes chooses it: a NodePort server answers at the
    /// node port, every other one at its port (liqo `wggatewayserver_controller.go`).
    #[must_use]
    pub fn answers_at(&self) -> Option<Port> {
        match &self.service {
            Service::NodePort(port) => port.map(|port| port.value.into()),
            Service::ClusterIp | Service::LoadBalancer(_) => Some(self.port),
        }
    }

    pub(super) fn manifest(&self, side: &Side<'_>, mtu: Mtu, secret: &str) -> Manifest {
        #[derive(Serialize)]
        struct Spec<'s> {
            #[serde(flatten)]
            server: &'s GatewayServer,
            mtu: Mtu,
            secret: &'s str,
        }
        let meta = side.object(&*side.own.names.gateway).sync(KIND.wave, None);
        let meta = side.extra(meta, side.own.metadata.gateway.as_deref());
        Object::manifest(&KIND, meta, &Spec { server: self, mtu, secret })
    }
}

/// As the template sees it: the type, and what only this type has.
impl Serialize for Service {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct View {
            service_type: ServiceType,
            node_port: Option<NodePort>,
            load_balancer_ip: Option<String>,
        }
        let (service_type, node_port, ip) = match self {
            Self::ClusterIp => (ServiceType::ClusterIp, None, None),
            Self::NodePort(port) => (ServiceType::NodePort, port.map(|port| port.value), None),
            Self::LoadBalancer(ip) => (ServiceType::LoadBalancer, None, ip.map(|ip| ip.value.to_string())),
        };
        View { service_type, node_port, load_balancer_ip: ip }.serialize(serializer)
    }
}
