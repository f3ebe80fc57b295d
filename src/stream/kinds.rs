//! Every kind of a stream: the only list. A kind that is missing here is found by the tests.

use super::delivery;
use crate::object::Kind;
use crate::object::live::{Live, LiveHalf};
use crate::peering::authentication::credential::{identity, kubeconfig};
use crate::peering::authentication::{role_binding, service_account, tenant};
use crate::peering::cluster::tenant_namespace;
use crate::peering::networking::{configuration, gateway_client, gateway_server, keys, public_key};
use crate::peering::observed::OBSERVED;
use crate::peering::offloading::{namespace, resource_slice, virtual_node};

/// In the order in which an object is looked for: what a label tells apart comes before the rest of its kind.
pub(crate) static KINDS: [&Kind; 18] = [
    &tenant_namespace::KIND,
    &keys::KIND,
    &public_key::KIND,
    &configuration::KIND,
    &gateway_server::KIND,
    &gateway_client::KIND,
    &role_binding::KIND,
    &kubeconfig::KIND,
    &identity::KIND,
    &tenant::KIND,
    &service_account::KIND,
    &service_account::TOKEN,
    &resource_slice::KIND,
    &virtual_node::KIND,
    &namespace::WORKLOAD,
    &namespace::OFFLOADING,
    &delivery::SEALED_SECRET,
    &delivery::EXTERNAL_SECRET,
];

/// The live halves of all kinds, and of what Liqo makes of them.
pub(crate) fn live_halves() -> impl Iterator<Item = &'static LiveHalf> {
    KINDS.iter().map(|kind| kind.live).chain(OBSERVED)
}

/// The live halves that an object has: its own first, and then that of all objects of its kind.
pub(crate) fn live_halves_of(object: &Live) -> impl Iterator<Item = &'static LiveHalf> {
    live_halves().filter(|half| half.is(object))
}
