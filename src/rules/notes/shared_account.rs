//! A gateway and a virtual kubelet of one name have one ServiceAccount, which Liqo deletes with the virtual node.

use crate::diagnostic::{Code, Problems, Rule};
use crate::peering::Peering;
use crate::peering::values::Role;
use crate::rules::offloading;

/// Liqo runs both in the tenant namespace, each under an account of its own name (liqo
/// `networking/external-network/utils/rbac.go`, `offloading/virtualnode-controller/virtualkubelet.go`).
pub(super) fn note(peering: &Peering, notes: &mut Problems) {
    if peering.networking.is_none() {
        return;
    }
    for role in Role::BOTH {
        let Some(offloading) = offloading(peering, role) else { continue };
        let gateway = &peering.clusters.of(role).names.gateway;
        let slices = offloading.slices.iter().filter(|slice| slice.written.create_virtual_node);
        let slices = slices.map(|slice| (slice.name.as_str(), slice.name.span));
        let custom = offloading.virtual_nodes.iter().map(|node| (node.name.as_str(), node.name.span));
        for (name, span) in slices.chain(custom).filter(|(name, _)| *name == gateway.as_str()) {
            let message = format!(
                "the virtual node and the gateway are both called `{name}`, so Liqo gives them one ServiceAccount"
            );
            let help = format!(
                "Liqo deletes it with the virtual node, and the gateway then has no access until its pod restarts: set another `{role}.names.gateway`, which replaces the gateway, or restart the gateway after a drain"
            );
            let rule = Rule::new(Code::SharedServiceAccount, message).help(help);
            notes.push(rule.at(span).and(gateway.span, "the gateway's name"));
        }
    }
}
