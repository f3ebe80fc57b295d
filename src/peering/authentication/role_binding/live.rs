//! The RoleBinding in a cluster.

use crate::object::live::Impact::{Attention, Harmless, Rights};
use crate::object::live::{Effect, LiveHalf, Scope, effect};

pub(crate) static LIVE: LiveHalf = LiveHalf {
    scope: Scope::InTenantNamespace,
    effects: &[EFFECTS],
    ..LiveHalf::new(&["RoleBinding"], "rolebindings.rbac.authorization.k8s.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // Kubernetes RBAC; docs/teardown.md
    effect(&["subjects"], Rights, "The new subject gets the rights of Liqo's control plane in the tenant namespace, and the old one loses them at once. Until the other cluster's credential is the new one's, Liqo there copies nothing; the tunnel and running pods stay."),
    effect(&["roleRef"], Attention, "Kubernetes refuses to change it: delete the RoleBinding, and Argo CD creates it anew."),
    effect(&["+"], Rights, "The other cluster's Liqo may write its slices into the tenant namespace."),
    effect(&["-"], Attention, "The other cluster's Liqo is let in no more. What it still has here, it cannot remove: its deletions wait."),
    effect(&["-, drained"], Harmless, "The other cluster's Liqo is let in no more. It has nothing here after the drain."),
];
