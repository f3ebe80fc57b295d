//! The GatewayServer in a cluster.

use super::{GatewayServerSpec, LIQO, ServerEndpoint};
use crate::diagnostic::quoted;
use crate::object::live::Impact::{Attention, Harmless, Traffic};
use crate::object::live::{
    Awaited, Check, Client, Effect, Fields, Finding, LiveHalf, Object, effect, error, note, warning,
};
use crate::peering::networking::gateway;
use crate::peering::read_back::template;

pub(crate) static LIVE: LiveHalf = LiveHalf {
    once: gateway::ONCE,
    holds: gateway::HOLDS,
    effects: &[EFFECTS, gateway::EFFECTS],
    status,
    ..LiveHalf::new(&["GatewayServer"], "gatewayservers.networking.liqo.io")
};

const RUNS: &str = "The gateway does not restart.";

// LCM/networking/external-network/wireguard/wggatewayserver_controller.go, ensureDeployment and ensureService; the template
// deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml: `strategy: Recreate`
#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    effect(&["spec.endpoint.port"], Traffic, "The gateway restarts on another port, and its Service changes: the tunnel is down for 5 to 30 seconds, and until the client dials a port that changed with it."),
    // a taken node port: wggatewayserver_controller.go:326-333
    effect(&["spec.endpoint.nodePort"], Traffic, "The Service changes: the tunnel is down until the client dials the new port. If another Service has the port, delete the gateway's Deployment after you have corrected it.").keeps(RUNS),
    effect(&["spec.endpoint.serviceType", "spec.endpoint.loadBalancerIP"], Traffic, "The Service changes: the tunnel is down until the Service has its address and the client dials it.").keeps(RUNS),
    effect(&["spec.serverTemplateRef"], Traffic, gateway::ANOTHER_TEMPLATE),
    // external-dns docs/annotations/annotations.md (`hostname`; the prefix is `external-dns.alpha.kubernetes.io` before 0.22);
    // k8s.io/cloud-provider-aws, -azure, -gcp: `service.beta.kubernetes.io/…`, `networking.gke.io/…`
    effect(&["spec.serviceAnnotations"], Attention, "Controllers go by the gateway's Service: external-dns publishes the host names that are written here, and a cloud's load balancer takes its address from here, and whether the internet reaches it. Liqo before 1.2 ignores it."),
    effect(&["spec.serviceLabels"], Harmless, "Liqo changes the gateway's Service; what a load balancer makes of it is its own. Liqo before 1.2 ignores it."),
];

/// The gateway that listens, as a document has it.
pub(crate) fn read_back(fields: Fields, server: &Object, liqo: &str) -> Fields {
    // the CRD's default
    let service_type = server.string("/spec/endpoint/serviceType").unwrap_or("ClusterIP");
    let endpoint = Fields::default()
        .with("serviceType", service_type)
        .read_back::<ServerEndpoint>(server.at("/spec/endpoint"), &["serviceType"]);
    fields
        .with("endpoint", endpoint)
        .with("serverTemplateRef", template(server, "serverTemplateRef", &LIQO, liqo))
        .read_back::<GatewayServerSpec>(server.at("/spec"), &["endpoint", "serverTemplateRef"])
}

/// (liqo `apis/networking/v1beta1/gatewayserver_types.go`, GatewayServerStatus)
fn status(object: &Object, awaited: &Awaited<'_>) -> Vec<Finding> {
    gateway::pod(object, awaited).into_iter().chain(address(object, awaited)).collect()
}

fn address(object: &Object, awaited: &Awaited<'_>) -> Option<Finding> {
    let addresses = object.texts("/status/endpoint/addresses");
    let shown = quoted(&addresses.join(", "));
    let at_port = object.integer("/status/endpoint/port");
    let shown_port = at_port.unwrap_or_default();
    // a NodePort server reports an empty address while its node is not ready (liqo `wggatewayserver_controller.go`)
    if addresses.iter().all(|address| address.is_empty()) {
        let help = "its Service waits for a load balancer, or for a node port that is taken: look at the Service `gw-…`";
        return Some(error(Check::ServerAddress, "it has no address yet", help));
    }
    let (dialled, port) = match awaited.client.as_ref()? {
        Client::Pending => {
            return Some(note(
                Check::ServerAddress,
                format!("it answers at {shown}, port {shown_port}"),
                "set them in `spec.networking.gatewayClient`, which is `pending`",
            ));
        }
        Client::Dials { address, port } => (address, *port),
    };
    if at_port != port {
        return Some(error(
            Check::ServerAddress,
            format!("it answers at port {shown_port}, and the document's client dials another one"),
            "correct the client's `port` or the server's `nodePort`",
        ));
    }
    // any node answers for a NodePort
    let is_fixed = object.text("/spec/endpoint/serviceType") == "LoadBalancer";
    let message =
        format!("its load balancer has {shown}, and the document's client dials {}", quoted(dialled));
    let help = "correct the client's `addresses`, unless this one leads there too";
    (is_fixed && !addresses.contains(&dialled.as_str())).then(|| warning(Check::ServerAddress, message, help))
}
