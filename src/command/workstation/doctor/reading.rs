//! What of the clusters was read for a peering, and when.

use crate::peering::Role;
use crate::peering::values::Sides;
use crate::state::cluster::Snapshot;
use crate::state::cluster::liqo::CLUSTER_ID_RESOURCE;
use std::time::Duration;

/// What was read of a peering's clusters and of their Argo CD: of those that were asked for.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Since 1970.
    pub(super) at: Duration,
    pub(super) clusters: Sides<Option<Snapshot>>,
    pub(super) argocd: Option<Snapshot>,
    /// Read from a record, so without what a record does not have.
    pub(super) is_recorded: bool,
}

impl Reading {
    pub(super) const fn of(&self, role: Role) -> Option<&Snapshot> {
        self.clusters.of(role).as_ref()
    }

    /// Why a cluster was not read.
    pub(super) const fn not_named(&self) -> &'static str {
        if self.is_recorded { "the record does not have it" } else { "its context is not named" }
    }

    pub(super) fn clusters(&self) -> impl Iterator<Item = (Role, &Snapshot)> {
        Role::BOTH.into_iter().filter_map(|role| Some((role, self.of(role)?)))
    }
}

/// Whether Liqo is not on the cluster. What must not be read is not known to be missing.
pub(super) fn is_not_liqo(live: &Snapshot) -> bool {
    live.of_kind("ConfigMap").next().is_none() && live.refusal(CLUSTER_ID_RESOURCE).is_none()
}
