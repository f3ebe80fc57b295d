//! Who takes over objects that exist takes over their namespace too, and its labels change.

use crate::diagnostic::{Code, Problems};
use crate::peering::{Peering, Role};

pub(super) fn note(peering: &Peering, notes: &mut Problems) {
    for role in Role::BOTH {
        let cluster = peering.clusters.of(role);
        let named = cluster.settings.iter().find(|it| it.value.0.starts_with("names."));
        let written = (!cluster.conventional_namespace).then_some(cluster.tenant_namespace.span);
        if let Some(place) = written.or(named.map(|it| it.span)) {
            let message = format!(
                "if the {role}'s tenant namespace `{}` exists already, it gets the labels \
                 `pod-security.kubernetes.io/audit`, `enforce` and `warn` with `privileged`",
                cluster.tenant_namespace.value
            );
            let help =
                "Liqo's gateways are privileged; check that a policy of the cluster allows these labels";
            notes.refuse(Code::AdoptedNamespace, place, message, help);
        }
    }
}
