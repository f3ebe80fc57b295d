//! The GatewayClient: the gateway that dials (liqo `apis/networking/v1beta1/gatewayclient_types.go`).

use super::gateway_server::{
    ANOTHER_TEMPLATE, CARDINALITY, EFFECTS_OF_BOTH, ENDPOINT, GatewayServer, GatewayServerSpec,
    HELD_SECRET, pod,
};
use crate::diagnostic::{Code, Rule};
use crate::document::{Located, records, words};
use crate::object::live::Impact::{Attention, Traffic};
use crate::object::live::{Effect, Fields, LiveHalf, Object, effect};
use crate::object::{Kind, kind};
use crate::peering::context::Context;
use crate::peering::read_back::template;
use crate::peering::values::{Address, LiqoTemplate, Port, TemplateRef};
use serde_json::Value;

records! {
    /// The gateway that dials.
    GatewayClientSpec {
        /// Its address.
        "endpoint" => endpoint: required ClientEndpoint, missing ENDPOINT;
        /// The template of its gateway. Default: Liqo's `wireguard-client`.
        "clientTemplateRef" => template: optional TemplateRef;
    }

    /// What it dials.
    ClientEndpoint {
        /// Addresses of the gateway that listens; Liqo's template uses the first.
        "addresses" => addresses: required Located<Vec<Address>>,
            missing "set the server's address: `addresses: [172.16.183.16]`",
            schema { "minItems": 1 };
        /// The port that it dials. Default: the server's node port, or its port.
        "port" => port: optional Located<Port>;
        /// Liqo's own template always uses UDP. Default: `UDP`.
        "protocol" => protocol: default Protocol = Protocol::Udp;
    }
}

words! {
    /// The protocol that a gateway client dials with.
    Protocol {
        /// WireGuard's.
        Udp = "UDP",
        /// For a custom template.
        Tcp = "TCP",
    }
}

/// The gateway that dials, complete: with its port and its template.
pub type GatewayClient = GatewayClientSpec;

pub(crate) static KIND: Kind = kind!("GatewayClient", Gateway, "gateway_client", LIVE);

const LIQO: LiqoTemplate = LiqoTemplate {
    api_version: "networking.liqo.io/v1beta1",
    kind: "WgGatewayClientTemplate",
    name: "wireguard-client",
};

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &GatewayClientSpec,
    server_written: &GatewayServerSpec,
    server: Option<&GatewayServer>,
) -> Option<GatewayClient> {
    let span = written.endpoint.addresses.span;
    if written.endpoint.addresses.is_empty() {
        let help = "add the server's address, or for now set `gatewayClient: pending`";
        context.add(Code::MissingField, span, "`addresses` is empty", help);
    }
    let mut complete = written.clone();
    let port = server?.answers_at().map(|port| Located::new(port, span));
    complete.endpoint.port = written.endpoint.port.or(port);
    if complete.endpoint.port.is_none() {
        let message = "the client's port is unknown: Kubernetes chooses the server's node port";
        let help =
            "set the server's `nodePort`, the client's `port`, or for now `gatewayClient: pending`";
        let service_type = server_written.endpoint.service_type.span;
        let problem = Rule::new(Code::Port, message).help(help).mark(span);
        let problem = problem.also(service_type, "no `nodePort` is set here");
        context.problems.push(problem);
        return None;
    }
    let liqo = context.liqo_namespace(server_written.location.peer());
    complete.template = Some(LIQO.complete(written.template.as_ref(), liqo)?);
    Some(complete)
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    cardinality: CARDINALITY,
    held_secret: HELD_SECRET,
    effects: &[EFFECTS, EFFECTS_OF_BOTH],
    status: |object, context| pod(object, &context.gateway).into_iter().collect(),
    ..LiveHalf::new(&["GatewayClient"], "gatewayclients.networking.liqo.io")
};

/// The gateway that dials, as the document's fields. `port` is given only if it is not the server's.
pub(crate) fn read_back(client: &Object, port: Option<&Value>, liqo: &str) -> Fields {
    let endpoint = Fields::default()
        .read_back::<ClientEndpoint>(client.find("/spec/endpoint"), &["port"])
        .set("port", port);
    let template = template(client, "clientTemplateRef", &LIQO, liqo);
    Fields::default()
        .set("endpoint", endpoint)
        .set("clientTemplateRef", template)
        .read_back::<GatewayClientSpec>(client.find("/spec"), &["endpoint", "clientTemplateRef"])
}

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // deployments/liqo/templates/liqo-wireguard-gateway-client-template.yaml, `--endpoint-address`, `--endpoint-port`; it does
    // not read the protocol
    effect(&["spec.endpoint.addresses", "spec.endpoint.port"], Traffic, "The gateway restarts: the tunnel is down until the server answers at the new address."),
    effect(&["spec.endpoint.protocol"], Attention, "Only a custom template reads it; Liqo's own uses UDP."),
    effect(&["spec.clientTemplateRef"], Traffic, ANOTHER_TEMPLATE),
];
