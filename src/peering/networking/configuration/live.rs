//! The Configuration in a cluster.

use crate::diagnostic::quoted;
use crate::object::live::Impact::{Harmless, Traffic};
use crate::object::live::{Awaited, Check, Effect, Finding, LiveHalf, Object, Once, effect, error, note};

pub(crate) static LIVE: LiveHalf = LiveHalf {
    once: Once::InCluster("Configurations"),
    effects: &[EFFECTS],
    status,
    theirs: &["spec.local", "metadata.labels[configuration.liqo.io/configured]"],
    ..LiveHalf::new(&["Configuration"], "configurations.networking.liqo.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // LCM/networking/external-network/configuration/network.go:75-116; before 1.2 only created, and `cidr` is immutable
    effect(&["spec.remote.cidr"], Traffic, "Liqo replaces the other cluster's Networks and the routes to them, and may remap them to other addresses: connections to its pods break, the tunnel stays up. Liqo before 1.2 ignores the change: delete the Configuration, and Argo CD creates it anew."),
    effect(&["+"], Harmless, "Liqo routes the other cluster's networks, remapped where they overlap."),
    effect(&["-"], Traffic, "Liqo removes the other cluster's Networks and the routes to them. That can take minutes."),
];

/// Liqo 1.2 has a condition, older ones only the networks (liqo `apis/networking/v1beta1/configuration_types.go`).
fn status(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let mut remapped = Vec::new();
    for field in ["pod", "external"] {
        let wanted = object.texts(&format!("/spec/remote/cidr/{field}"));
        let given = object.texts(&format!("/status/remote/cidr/{field}"));
        if given.is_empty() || object.condition("NetworkCIDRsConfigured").is_some_and(|it| it.0 != "True") {
            let message = "Liqo has not configured the other cluster's networks";
            let help = "Liqo's IPAM may have no free network of this size: look at its Networks, and at the logs of liqo-ipam";
            return vec![error(Check::Configuration, message, help)];
        }
        if wanted != given {
            let [wanted, given] = [wanted, given].map(|it| quoted(&it.join(", ")));
            remapped.push(format!("{field}: {wanted} is {given} here"));
        }
    }
    if remapped.is_empty() {
        return Vec::new();
    }
    let message = format!("Liqo remaps the other cluster's networks: {}", remapped.join("; "));
    vec![note(Check::Remapped, message, "pods here reach the other ones at these addresses")]
}
