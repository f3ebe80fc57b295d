//! The GatewayServer: the gateway that listens (liqo `apis/networking/v1beta1/gatewayserver_types.go`).

use crate::diagnostic::{Code, Rule, quoted};
use crate::document::{Located, records, words};
use crate::object::live::Impact::{Attention, Harmless, Traffic};
use crate::object::live::{
    Cardinality, Check, Client, Effect, Fields, Finding, GatewayContext, HeldSecret, LiveHalf,
    Object, StatusContext, effect, error, note, warning,
};
use crate::object::{Kind, kind};
use crate::peering::context::Context;
use crate::peering::read_back::template;
use crate::peering::values::{
    LiqoTemplate, LoadBalancerIp, NodeAnnotations, NodeLabels, NodePort, Port, Role, TemplateRef,
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
        "loadBalancerIP" => load_balancer_ip: optional Located<LoadBalancerIp>;
    }
}

/// The help for a missing endpoint of either gateway.
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

/// The gateway that listens, complete: with its template, and only with the fields of its Service's type.
pub type GatewayServer = GatewayServerSpec;

pub(crate) static KIND: Kind = kind!("GatewayServer", Gateway, "gateway_server", LIVE);

const LIQO: LiqoTemplate = LiqoTemplate {
    api_version: "networking.liqo.io/v1beta1",
    kind: "WgGatewayServerTemplate",
    name: "wireguard-server",
};

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &GatewayServerSpec,
) -> Option<GatewayServer> {
    let endpoint = &written.endpoint;
    let service_type = &endpoint.service_type;
    let node_port = endpoint.node_port.as_ref().map(|it| it.span);
    let address = endpoint.load_balancer_ip.as_ref().map(|it| it.span);
    for (field, span, only) in [
        ("nodePort", node_port, ServiceType::NodePort),
        ("loadBalancerIP", address, ServiceType::LoadBalancer),
    ] {
        if let Some(span) = span
            && service_type.value != only
        {
            let message = format!("a Service of type `{service_type}` has no `{field}`");
            let help = format!("remove it, or set `serviceType: {only}`");
            let rule = Rule::new(Code::UnknownField, message).help(help);
            let problem = rule.mark(span);
            let problem = problem.also(service_type.span, "the type is set here");
            context.problems.push(problem);
        }
    }
    let liqo = context.liqo_namespace(written.location);
    Some(GatewayServer {
        template: Some(LIQO.complete(written.template.as_ref(), liqo)?),
        ..written.clone()
    })
}

impl GatewayServer {
    /// The port at which the server answers its client; `None` if Kubernetes chooses it. A NodePort server answers at
    /// the node port, others at the Service's port (liqo `wggatewayserver_controller.go`).
    pub fn answers_at(&self) -> Option<Port> {
        match self.endpoint.service_type.value {
            ServiceType::NodePort => Some(self.endpoint.node_port?.value.into()),
            ServiceType::ClusterIp | ServiceType::LoadBalancer => Some(self.endpoint.port),
        }
    }
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    cardinality: CARDINALITY,
    held_secret: HELD_SECRET,
    effects: &[EFFECTS, EFFECTS_OF_BOTH],
    status,
    ..LiveHalf::new(&["GatewayServer"], "gatewayservers.networking.liqo.io")
};

const RUNS: &str = "The gateway does not restart.";

// LCM/networking/external-network/wireguard/wggatewayserver_controller.go, ensureDeployment and ensureService; the template
// deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml: `strategy: Recreate`
#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    effect(&["spec.endpoint.port"], Traffic, "The tunnel is down until the client dials the new port."),
    // a taken node port: wggatewayserver_controller.go:326-333
    effect(&["spec.endpoint.nodePort"], Traffic, "The tunnel is down until the client dials the new port. If it is taken, choose another and delete the gateway's Deployment.").keeps(RUNS),
    effect(&["spec.endpoint.serviceType", "spec.endpoint.loadBalancerIP"], Traffic, "The tunnel is down until the client dials the new address.").keeps(RUNS),
    effect(&["spec.serverTemplateRef"], Traffic, ANOTHER_TEMPLATE),
    // external-dns docs/annotations/annotations.md (`hostname`; the prefix is `external-dns.alpha.kubernetes.io` before 0.22);
    // k8s.io/cloud-provider-aws, -azure, -gcp: `service.beta.kubernetes.io/…`, `networking.gke.io/…`
    effect(&["spec.serviceAnnotations", "spec.serviceLabels"], Attention, "Controllers such as external-dns act on the gateway's Service. Liqo before 1.2 ignores it."),
];

/// The gateway that listens, as the document's fields.
pub(crate) fn read_back(fields: Fields, server: &Object, liqo: &str) -> Fields {
    // the CRD's default
    let service_type = server
        .string("/spec/endpoint/serviceType")
        .unwrap_or("ClusterIP");
    let endpoint = Fields::default()
        .set("serviceType", service_type)
        .read_back::<ServerEndpoint>(server.find("/spec/endpoint"), &["serviceType"]);
    let template = template(server, "serverTemplateRef", &LIQO, liqo);
    fields
        .set("endpoint", endpoint)
        .set("serverTemplateRef", template)
        .read_back::<GatewayServerSpec>(server.find("/spec"), &["endpoint", "serverTemplateRef"])
}

/// (liqo `apis/networking/v1beta1/gatewayserver_types.go`, GatewayServerStatus)
fn status(object: &Object, StatusContext { gateway, .. }: &StatusContext<'_>) -> Vec<Finding> {
    let pod = pod(object, gateway).into_iter();
    pod.chain(address(object, gateway)).collect()
}

/// A missing or wrong address. Nothing is reported while the tunnel is up: then the address that the client dials leads
/// here, through whatever router or load balancer.
fn address(object: &Object, gateway: &GatewayContext) -> Option<Finding> {
    if gateway.is_connected {
        return None;
    }
    let addresses = object.texts("/status/endpoint/addresses");
    let shown = quoted(&addresses.join(", "));
    let at_port = object.integer("/status/endpoint/port");
    let shown_port = at_port.unwrap_or_default();
    // for a NodePort, every node answers
    let is_fixed = object.text("/spec/endpoint/serviceType") == "LoadBalancer";
    // a NodePort server reports an empty address while its node is not ready (liqo `wggatewayserver_controller.go`)
    if addresses.iter().all(|address| address.is_empty()) {
        let help = "the Service `gw-…` waits for a load balancer, or its node port is taken";
        return Some(error(Check::ServerAddress, "it has no address yet", help));
    }
    match gateway.client.as_ref()? {
        Client::Pending => {
            let message = format!("it answers at {shown}, port {shown_port}");
            let help = "set them in `spec.networking.gatewayClient`";
            Some(note(Check::ServerAddress, message, help))
        }
        Client::Dials { port, .. } if at_port != *port => {
            let message = format!("it answers at port {shown_port}; the client dials another");
            let help = "correct the client's `port` or the server's `nodePort`, unless a router maps the port";
            Some(warning(Check::ServerAddress, message, help))
        }
        Client::Dials { address, .. } if is_fixed && !addresses.contains(&address.as_str()) => {
            let dialled = quoted(address);
            let message = format!("its load balancer has {shown}, and the client dials {dialled}");
            let help = "correct the client's `addresses`, unless this one leads there";
            Some(warning(Check::ServerAddress, message, help))
        }
        Client::Dials { .. } => None,
    }
}

pub(super) const CARDINALITY: Cardinality = Cardinality::InCluster("gateways");

pub(super) const HELD_SECRET: HeldSecret = HeldSecret::NameOfOwnKey;

pub(super) const ANOTHER_TEMPLATE: &str =
    "Liqo rebuilds the gateway from another template: the tunnel is down for 5 to 30 seconds.";

#[rustfmt::skip] // a table
pub(super) const EFFECTS_OF_BOTH: &[Effect] = &[
    effect(&["spec.mtu"], Traffic, "The gateway restarts: the tunnel is down for 5 to 30 seconds. Large packets may be lost until both clusters are synced."),
    // wggatewayserver_controller.go:433-447; 4 to 26 seconds were measured
    effect(&["spec.secretRef"], Traffic, "The gateway restarts with its new key."),
    effect(&["+"], Harmless, "The tunnel is up once both clusters have a gateway."),
    effect(&["-"], Traffic, "Liqo deletes the gateway and the tunnel."),
];

const POD: &str = "see the Deployment `gw-…` in the tenant namespace: pod security, key Secret, `found multiple secrets`";

/// The finding about the gateway's pod, for both kinds. The pod also makes the Connection.
pub(super) fn pod(object: &Object, gateway: &GatewayContext) -> Option<Finding> {
    // Liqo keeps the address while the Deployment exists (liqo `wireguard/wggatewayclient_controller.go`, handleInternalEndpointStatus), so
    // also while a container ends again and again. A container that waits once can be another replica's.
    let has_address = !object.text("/status/internalEndpoint/ip").is_empty();
    if let Some(pod) = &gateway.pod
        && (pod.log.is_some() || !has_address)
    {
        let help = match &pod.log {
            Some(log) => format!("its log says why: {log}"),
            None => POD.to_owned(),
        };
        return Some(error(Check::GatewayPod, pod.why.clone(), help));
    }
    if !has_address {
        return Some(error(Check::GatewayPod, "it has no running pod", POD));
    }
    (!gateway.connection)
        .then(|| error(Check::Connection, "its pod has not made a Connection", POD))
}
