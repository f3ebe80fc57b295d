//! The client dials what its server listens at, unless there is something between them.

use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::Peering;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::Address;

pub(super) fn note(peering: &Peering, notes: &mut Problems) {
    let Some(networking) = &peering.networking else { return };
    let Some(client) = &networking.client else { return };
    let server = &networking.server.endpoint;
    // a node port that Kubernetes chooses is not known here
    let chosen = server.service_type.value == ServiceType::NodePort && server.node_port.is_none();
    if let Some(port) = client.endpoint.port.filter(|_| !chosen) {
        let mut ports = vec![server.port.get()];
        ports.extend(server.node_port.map(|it| it.get()));
        if !ports.contains(&port.get()) {
            let known = ports.iter().map(|port| format!("`{port}`")).collect::<Vec<_>>().join(" nor ");
            let message = format!(
                "the client dials port `{}`, and the server's Service has neither {known}",
                port.get()
            );
            let message = if ports.len() > 1 { message } else { message.replace("neither", "port") };
            let help = "remove the client's `port`: it follows from the server's; keep it if a load balancer or a router changes it";
            notes.refuse(Code::ClientPort, port.span, message, help);
        }
    }
    let Some(ip) = &server.load_balancer_ip else { return };
    let addresses = &client.endpoint.addresses;
    // a domain name may lead there
    let other = |address: &Address| matches!(address, Address::Ip(_)) && *address != ip.value;
    if !addresses.is_empty() && addresses.iter().all(other) {
        let message = "the client dials another address than the server's `loadBalancerIP`";
        let help =
            format!("write `addresses: [{}]`; keep it if that address leads to the load balancer", ip.value);
        let rule = Rule::new(Code::ClientAddress, message).help(help);
        notes.push(rule.at(addresses.span).and(ip.span, "the server's Service gets this one"));
    }
}
