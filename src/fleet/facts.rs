//! The values in a peering's document that follow from its fleet.

use super::edges::Edge;
use crate::input::yaml::Setting;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::Role;
use serde_json::{Value, json};

/// The field whose value is a map or `pending`.
pub(crate) const GATEWAY_CLIENT: &str = "spec.networking.gatewayClient";

/// The values that the fleet sets in this peering's document, in the document's order. All other fields are the
/// document's own. With a load balancer, its address is one of them.
pub(crate) fn facts(edge: &Edge<'_>, node_port: Option<u16>, has_balancer: bool) -> Vec<Setting> {
    let mut facts = Vec::new();
    let mut say = |path: &str, value: Option<Value>| {
        facts.extend(value.map(|value| Setting::new(path, value)));
    };
    say(
        "spec.liqoVersion",
        edge.liqo_version.map(|version| json!(version.to_string())),
    );
    for role in Role::BOTH {
        let own = edge.clusters.of(role);
        let name = own.name.as_str();
        let mut say = |field: &str, value| say(&format!("spec.{role}.{field}"), value);
        say("clusterID", Some(json!(own.id())));
        say("argocdCluster", (name != own.id()).then(|| json!(name)));
        own.facts()
            .into_iter()
            .for_each(|(field, value)| say(field, Some(value).filter(|it| !it.is_null())));
    }
    let gateway = edge.gateway;
    say(
        "spec.networking.mtu",
        edge.says.mtu.map(|mtu| json!(mtu.get())),
    );
    let mut server =
        |field: &str, value| say(&format!("spec.networking.gatewayServer.{field}"), value);
    server("location", Some(json!(edge.location.word())));
    server(
        "endpoint.serviceType",
        Some(json!(gateway.service_type.word())),
    );
    server("endpoint.port", gateway.port.map(|port| json!(port.get())));
    server("endpoint.nodePort", node_port.map(|port| json!(port)));
    match &gateway.addresses {
        Some(addresses) => {
            let addresses = addresses
                .iter()
                .map(|address| json!(address.to_string()))
                .collect();
            say(
                &format!("{GATEWAY_CLIENT}.endpoint.addresses"),
                Some(addresses),
            );
        }
        // an address of a gateway of another type is not the address of this one
        None if !has_balancer => say(GATEWAY_CLIENT, Some(json!("pending"))),
        None => {}
    }
    // a Service of another type has no such field (`peering/networking/gateway_server.rs`)
    for (field, only) in [
        ("nodePort", ServiceType::NodePort),
        ("loadBalancerIP", ServiceType::LoadBalancer),
    ] {
        if gateway.service_type != only {
            facts.push(Setting::absent(&format!(
                "spec.networking.gatewayServer.endpoint.{field}"
            )));
        }
    }
    for role in edge.offload() {
        let path = format!("{}.offloading.resourceSlices.0.resources", role.direction());
        for (name, amount) in edge.says.resources.of(role).iter().flat_map(|it| &it.0) {
            // a resource's name has dots
            let mut setting = Setting::new(&path, json!(amount.as_str()));
            setting.path.push(name.to_string());
            facts.push(setting);
        }
    }
    facts
}
