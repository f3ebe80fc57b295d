//! The GatewayClient in a cluster.

use super::{ClientEndpoint, GatewayClientSpec, LIQO};
use crate::object::live::Impact::{Harmless, Traffic};
use crate::object::live::{Effect, Fields, LiveHalf, Object, effect};
use crate::peering::networking::gateway;
use crate::peering::read_back::template;
use serde_json::Value;

pub(crate) static LIVE: LiveHalf = LiveHalf {
    once: gateway::ONCE,
    holds: gateway::HOLDS,
    effects: &[EFFECTS, gateway::EFFECTS],
    status: |object, awaited| gateway::pod(object, awaited).into_iter().collect(),
    ..LiveHalf::new(&["GatewayClient"], "gatewayclients.networking.liqo.io")
};

/// The gateway that dials, as a document has it: the port only where it is not the server's.
pub(crate) fn read_back(client: &Object, port: Option<&Value>, liqo: &str) -> Fields {
    let endpoint = client.at("/spec/endpoint");
    let endpoint = Fields::default().read_back::<ClientEndpoint>(endpoint, &["port"]).with("port", port);
    Fields::default()
        .with("endpoint", endpoint)
        .with("clientTemplateRef", template(client, "clientTemplateRef", &LIQO, liqo))
        .read_back::<GatewayClientSpec>(client.at("/spec"), &["endpoint", "clientTemplateRef"])
}

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // deployments/liqo/templates/liqo-wireguard-gateway-client-template.yaml, `--endpoint-address`, `--endpoint-port`; it does
    // not read the protocol
    effect(&["spec.endpoint.addresses", "spec.endpoint.port"], Traffic, "The gateway restarts and dials the new address and port: the tunnel is down for 5 to 30 seconds, and until the server answers there."),
    effect(&["spec.endpoint.protocol"], Harmless, "Liqo's own template always uses UDP; only a custom one reads it."),
    effect(&["spec.clientTemplateRef"], Traffic, gateway::ANOTHER_TEMPLATE),
];
