//! What every credential is in a cluster.

use crate::object::live::Impact::{Attention, Harmless};
use crate::object::live::{Effect, effect};

#[rustfmt::skip] // a table
pub(super) const EFFECTS: &[Effect] = &[
    // internal/crdReplicator/crdReplicator-operator.go:139-159
    effect(&["+"], Harmless, "Liqo copies this cluster's slices to the other one with it."),
    effect(&["-"], Attention, "Liqo stops copying to the other cluster, once nothing of it is left on either side."),
    effect(&["metadata.annotations[liqo.io/remote-tenant-namespace]"], Attention, "Liqo copies to another namespace of the other cluster; what is in the old one stays there."),
];
