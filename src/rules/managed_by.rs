//! A label that gives rights in a Namespace is allowed by the terms of a sealed file, so the stream opens one.

use crate::diagnostic::{Code, Problems};
use crate::peering::delivery::Delivery;
use crate::peering::values::reserved::MANAGED_BY;
use crate::peering::{Peering, Role};

pub(super) fn check(peering: &Peering, problems: &mut Problems) {
    for role in Role::BOTH.into_iter().filter(|role| !opens_a_file(peering, *role)) {
        for manager in peering.managers(role) {
            let message = format!(
                "`{MANAGED_BY}: {}` gives that Argo CD all rights in a Namespace of the {role}, and the {role}'s stream opens no sealed file, whose terms would allow it",
                manager.value
            );
            let help = format!(
                "remove it, and label the Namespace at the cluster: `kubectl label namespace NAME {MANAGED_BY}={}`; Argo CD leaves the label alone",
                manager.value
            );
            problems.refuse(Code::ReservedLabel, manager.span, message, help);
        }
    }
}

/// Whether each run for a side opens a sealed file, its seed's or its credential's.
fn opens_a_file(peering: &Peering, role: Role) -> bool {
    let is_sealed = peering.networking.is_some() || peering.sealed_credential(role).is_some();
    is_sealed && peering.clusters.of(role).delivery != Delivery::External
}
