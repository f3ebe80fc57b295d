//! The GatewayServer: the gateway that listens (liqo `apis/networking/v1beta1/gatewayserver_types.go`).

pub(crate) mod live;

use crate::diagnostic::{Code, Rule};
use crate::document::{Located, records, words};
use crate::object::{Kind, Manifest, Wave, fields, kind};
use crate::peering::context::Context;
use crate::peering::side::Side;
use crate::peering::values::{
    Address, Mtu, NodeAnnotations, NodeLabels, NodePort, Port, Role, TemplateRef, Usual,
};

records! {
    /// The gateway that listens.
    GatewayServerSpec {
        /// The side whose gateway listens. Default: `provider`.
        ours "location" => location: default Role = Role::Provider, also ["on", "side"];
        /// Its address.
        "endpoint" => endpoint: required ServerEndpoint, missing ENDPOINT;
        /// The template of its gateway. Default: Liqo's `wireguard-server`.
        "serverTemplateRef" => template: optional TemplateRef;
        /// Annotations of its Service; Liqo 1.2 or later.
        "serviceAnnotations" => service_annotations: or_empty NodeAnnotations, since "1.2";
        /// Labels of its Service; Liqo 1.2 or later.
        "serviceLabels" => service_labels: or_empty NodeLabels, since "1.2";
    }

    /// Where it listens.
    ServerEndpoint {
        /// How it is exposed.
        "serviceType" => service_type: required Located<ServiceType>,
            missing "write `ClusterIP`, `NodePort` or `LoadBalancer`", also ["type"];
        /// The port of its Service. Default: 51840, `liqoctl`'s.
        "port" => port: default Port = Port::LIQOCTL;
        /// The port on every node, with `NodePort`. Default: Kubernetes chooses.
        "nodePort" => node_port: optional Located<NodePort>;
        /// The address to ask for, with `LoadBalancer`.
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

/// The gateway that listens, complete: its template is filled in, and its endpoint has what its type has.
pub type GatewayServer = GatewayServerSpec;

pub(crate) static KIND: Kind = kind!("GatewayServer", Wave::Gateway, "gateway_server.yaml.j2", live::LIVE);

const LIQO: Usual = Usual {
    api_version: "networking.liqo.io/v1beta1",
    kind: "WgGatewayServerTemplate",
    name: "wireguard-server",
};

pub(super) fn resolve(context: &mut Context<'_, '_>, written: &GatewayServerSpec) -> Option<GatewayServer> {
    let endpoint = &written.endpoint;
    let service_type = &endpoint.service_type;
    for (field, span, only) in [
        ("nodePort", endpoint.node_port.as_ref().map(|port| port.span), ServiceType::NodePort),
        ("loadBalancerIP", endpoint.load_balancer_ip.as_ref().map(|ip| ip.span), ServiceType::LoadBalancer),
    ] {
        if let Some(span) = span
            && service_type.value != only
        {
            let message = format!("a Service of type `{}` has no `{field}`", service_type.value);
            let rule = Rule::new(Code::ServiceType, message)
                .help(format!("remove it, or set `serviceType: {only}`"));
            context.problems.push(rule.at(span).and(service_type.span, "the type is set here"));
        }
    }
    if let Some(Located { value: Address::Fqdn(name), span }) = &endpoint.load_balancer_ip {
        let message = format!("`{name}` is not an IPv4 address, which `loadBalancerIP` takes");
        let help = "a load balancer's domain name belongs in the client's `addresses`";
        context.problems.refuse(Code::InvalidAddress, *span, message, help);
        return None;
    }
    let template = LIQO.complete(written.template.as_ref(), context.liqo_namespace(written.location))?;
    Some(GatewayServer { template: Some(template), ..written.clone() })
}

impl GatewayServer {
    /// The port at which the server answers its client, unless Kubernetes chooses it: a NodePort server answers at the
    /// node port, every other one at its port (liqo `wggatewayserver_controller.go`).
    pub fn answers_at(&self) -> Option<Port> {
        match self.endpoint.service_type.value {
            ServiceType::NodePort => self.endpoint.node_port.map(|port| port.value.into()),
            ServiceType::ClusterIp | ServiceType::LoadBalancer => Some(self.endpoint.port),
        }
    }

    pub(super) fn manifest(&self, side: &Side<'_>, mtu: Mtu, secret: &str) -> Manifest {
        let spec = fields! { secret: secret, mtu: mtu, written: self };
        let meta = side.object(&*side.own.names.gateway);
        side.manifest(&KIND, meta, side.own.metadata.gateway.as_deref(), spec)
    }
}
