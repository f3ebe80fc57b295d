//! Where a field belongs that stands in another place: mostly a matter of indentation.

use super::authentication::{Authentication, Subject};
use super::networking::{ClientEndpoint, GatewayServer, KnownClient, Networking, ServerEndpoint};
use super::offloading::{OffloadedNamespace, Offloading, ResourceSlice};
use super::{Cluster, Names, Spec};
use crate::diagnostic::one_of;

/// The maps that people write by hand. The deeper ones are Kubernetes' own.
const MAPS: [(&str, &[&str]); 14] = [
    ("spec", Spec::FIELDS),
    ("consumer", Cluster::FIELDS),
    ("provider", Cluster::FIELDS),
    ("names", Names::FIELDS),
    ("networking", Networking::FIELDS),
    ("gatewayServer", GatewayServer::FIELDS),
    ("gatewayServer.endpoint", ServerEndpoint::FIELDS),
    ("gatewayClient", KnownClient::FIELDS),
    ("gatewayClient.endpoint", ClientEndpoint::FIELDS),
    ("authentication", Authentication::FIELDS),
    ("subject", Subject::FIELDS),
    ("offloading", Offloading::FIELDS),
    ("resourceSlices", ResourceSlice::FIELDS),
    ("namespaces", OffloadedNamespace::FIELDS),
];

/// The places of a field, in words, if there are few enough to help.
pub(super) fn of(field: &str) -> Option<String> {
    let places: Vec<&str> =
        MAPS.iter().filter(|(_, fields)| fields.contains(&field)).map(|(place, _)| *place).collect();
    matches!(places.len(), 1..=3)
        .then(|| format!("`{field}` belongs into {}: is it indented as the fields there?", one_of(&places)))
}
