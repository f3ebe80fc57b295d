//! Networks of one cluster do not overlap. Those of two clusters may: Liqo remaps them (liqo `pkg/ipam`).

use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::Peering;
use crate::peering::values::READ_NETWORKS;

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    let Some(networking) = &peering.networking else { return };
    for networks in [&networking.networks.consumer, &networking.networks.provider] {
        let cidrs: Vec<_> = networks.pods.iter().chain([&networks.external]).collect();
        for (index, cidr) in cidrs.iter().enumerate() {
            if let Some(first) = cidrs.iter().take(index).find(|first| first.overlaps(cidr.value)) {
                let message = format!("`{}` overlaps `{}` of the same cluster", cidr.value, first.value);
                let rule = Rule::new(Code::CidrOverlap, message).help(READ_NETWORKS);
                problems.push(rule.at(cidr.span).and(first.span, "the other network"));
            }
        }
    }
}
