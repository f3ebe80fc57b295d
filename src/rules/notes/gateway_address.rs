//! A gateway is dialled from outside of its cluster: an address of its own pods leads nowhere.

use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::Peering;
use crate::peering::values::Address;

pub(super) fn note(peering: &Peering, notes: &mut Problems) {
    let Some(networking) = &peering.networking else { return };
    let Some(client) = &networking.client else { return };
    let own = peering.clusters.of(networking.server.location);
    let pods = own.pod_cidrs.iter().flat_map(|cidrs| cidrs.iter());
    let networks =
        pods.map(|it| (it, "pod CIDR")).chain(own.external_cidr.as_ref().map(|it| (it, "external CIDR")));
    for (network, what) in networks {
        for address in client.endpoint.addresses.iter() {
            let Address::Ip(ip) = address else { continue };
            if network.value.first() <= *ip && *ip <= network.value.last() {
                let message =
                    format!("the client dials {ip}, an address of the server's own {what} {}", network.value);
                let help = "write the address of a node or of the load balancer: the other cluster reaches no pod before the tunnel is up";
                let rule = Rule::new(Code::GatewayAddress, message).help(help);
                notes.push(rule.at(client.endpoint.addresses.span).and(network.span, "the network"));
            }
        }
    }
}
