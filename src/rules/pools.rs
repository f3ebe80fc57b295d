//! The networks from which Liqo's IPAM gives addresses. Before 1.2 it refuses every network outside of them, the cluster's own and those of
//! its peers. From 1.2 on it remaps the peers' networks, and accepts the cluster's own pods and Services as they are (liqo v1.0.0 to v1.2.0
//! `pkg/ipam/ipam.go`, `NetworkAcquire`).

use crate::diagnostic::{Code, Problems};
use crate::peering::values::{Cidr, LiqoVersion};
use crate::peering::{Peering, Role};

/// The pools in Liqo's default Helm values (liqo `deployments/liqo/values.yaml`, `ipam.pools`).
const POOLS: [&str; 3] = ["10.0.0.0/8", "192.168.0.0/16", "172.16.0.0/12"];

/// The default pools.
pub(crate) fn usual_pools() -> Vec<Cidr> {
    POOLS.iter().filter_map(|it| it.parse().ok()).collect()
}

/// Whether a network is in one of these pools.
pub(crate) fn pools_contain(pools: &[Cidr], network: Cidr) -> bool {
    pools.iter().any(|pool| pool.contains(network))
}

/// Networks that are not anyone's in the internet (RFC 1918; RFC 6598, shared; RFC 2544, benchmarks; RFC 5737, documentation; RFC 1112,
/// class E).
#[rustfmt::skip] // a table
const PRIVATE: [&str; 9] = [
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15",
    "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
];

/// Whether a network has addresses of the internet.
pub(super) fn is_public(network: Cidr) -> bool {
    let mut private = PRIVATE.iter().filter_map(|text| text.parse::<Cidr>().ok());
    !private.any(|private| private.contains(network))
}

/// Notes a network that Liqo before 1.2 refuses with the default pools. One of the internet has its own note.
pub(super) fn check_pools(peering: &Peering, notes: &mut Problems) {
    if peering.lowest_liqo() >= LiqoVersion::V1_2 {
        return;
    }
    let pools = usual_pools();
    let networks = Role::BOTH.map(|role| peering.clusters[role].networks());
    for (network, _) in networks.into_iter().flatten() {
        if !pools_contain(&pools, network.value) && !is_public(network.value) {
            let message = format!("Liqo before 1.2 refuses {network} unless its pools have it");
            let help = "set `liqoVersion: \"1.2\"` if both clusters have it; else set `ipam.pools` on both as `argocd-peering liqo-values` prints it";
            notes.add(Code::OutsidePools, network.span, message, help);
        }
    }
}
