//! Slices, virtual nodes and offloaded namespaces: what each list and each direction needs.

use super::unique;
use crate::diagnostic::{Code, Problems};
use crate::peering::{Peering, Role};

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    for user in Role::BOTH {
        let Some(offloading) = peering.offloading(user) else { continue };
        if peering.authentication(user).is_none() {
            let message = "offloading needs authentication: the consumer asks the provider for resources";
            let help = "add `authentication`, or remove `offloading`";
            problems.refuse(Code::MissingAuthentication, offloading.span, message, help);
        }
        let slices = offloading.slices.iter().map(|it| (it.name.as_str(), it.name.span));
        let namespaces = offloading.namespaces.iter().map(|it| (it.name.as_str(), it.name.span));
        let nodes = offloading.virtual_nodes.iter().map(|it| (it.name.as_str(), it.name.span));
        unique(slices, "ResourceSlice", problems);
        unique(namespaces, "offloaded namespace", problems);
        unique(nodes, "virtual node", problems);
    }
    directions_differ(peering, problems);
}

/// Liqo copies a slice to the other cluster, into the namespace of the other direction's slices, under its own name.
fn directions_differ(peering: &Peering, problems: &mut Problems) {
    let slices = |user| peering.offloading(user).into_iter().flat_map(|it| &it.slices);
    for slice in slices(Role::Provider) {
        if slices(Role::Consumer).any(|other| other.name == slice.name) {
            let message = format!("the slice `{}` exists in the other direction too", slice.name.value);
            let help = "Liqo copies each slice to the other cluster, into the namespace of the other direction's \
                        slices: give it another name";
            problems.refuse(Code::DuplicateName, slice.name.span, message, help);
        }
    }
}
