//! Networks of one cluster do not overlap. Those of two clusters may: Liqo remaps them (liqo `pkg/ipam`).

use crate::diagnostic::{Code, Problems, Rule};
use crate::document::Located;
use crate::peering::values::{Cidr, READ_NETWORKS};
use crate::peering::{Peering, Role};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

pub(super) fn check_cidr_overlap(peering: &Peering, role: Role, problems: &mut Problems) {
    let Some(networking) = &peering.networking else {
        return;
    };
    let networks = &networking.networks[role];
    // of overlapping networks only the widest is kept, so no two of these overlap: a document can have thousands
    let mut widest: BTreeMap<Ipv4Addr, &Located<Cidr>> = BTreeMap::new();
    for cidr in networks.pods.iter().chain([&networks.external]) {
        let Some(first) = overlapping(&widest, cidr.value) else {
            widest.insert(cidr.start(), cidr);
            continue;
        };
        let message = format!("`{cidr}` overlaps `{first}` of the same cluster");
        let help = format!("one is wrong: {READ_NETWORKS}");
        let overlap = Rule::new(Code::CidrOverlap, message).help(help);
        let problem = overlap.mark(cidr.span);
        problems.push(problem.also(first.span, "the other network"));
        if !first.contains(cidr.value) {
            while let Some(inner) = overlapping(&widest, cidr.value) {
                widest.remove(&inner.start());
            }
            widest.insert(cidr.start(), cidr);
        }
    }
}

/// The network that shares an address with another one. The networks are sorted by their first addresses; if several match, it is the last.
fn overlapping<'c>(
    networks: &BTreeMap<Ipv4Addr, &'c Located<Cidr>>,
    cidr: Cidr,
) -> Option<&'c Located<Cidr>> {
    let (_, before) = networks.range(..=cidr.end()).next_back()?;
    (before.end() >= cidr.start()).then_some(before)
}
