//! The GatewayClient in a cluster.

use crate::object::live::Impact::{Harmless, Traffic};
use crate::object::live::{Effect, LiveHalf, effect};
use crate::peering::networking::gateway;

pub(crate) static LIVE: LiveHalf = LiveHalf {
    once: gateway::ONCE,
    holds: gateway::HOLDS,
    effects: &[EFFECTS, gateway::EFFECTS],
    status: |object, awaited| gateway::pod(object, awaited).into_iter().collect(),
    ..LiveHalf::new(&["GatewayClient"], "gatewayclients.networking.liqo.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // deployments/liqo/templates/liqo-wireguard-gateway-client-template.yaml, `--endpoint-address`, `--endpoint-port`; it does
    // not read the protocol
    effect(&["spec.endpoint.addresses", "spec.endpoint.port"], Traffic, "The gateway restarts and dials the new address and port: the tunnel is down for 5 to 30 seconds, and until the server answers there."),
    effect(&["spec.endpoint.protocol"], Harmless, "Liqo's own template always uses UDP; only a custom one reads it."),
    effect(&["spec.clientTemplateRef"], Traffic, gateway::ANOTHER_TEMPLATE),
];
