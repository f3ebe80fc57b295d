//! One side of a peering, as the objects of its stream see it.

use super::cluster::Cluster;
use super::names::REMOTE_CLUSTER_ID;
use super::values::{Metadata, Role};
use super::{Peering, Protection, State};
use crate::object::{Kind, Manifest, Meta, Object, SecretMeta};
use minijinja::Value;
use std::collections::BTreeMap;

/// Argo CD asks before it deletes an object with these sync options.
const CONFIRM: &str = "Prune=confirm,Delete=confirm";

/// One side of a peering.
pub(super) struct Side<'p> {
    pub(super) peering: &'p Peering,
    pub(super) role: Role,
    pub(super) own: &'p Cluster,
    pub(super) peer: &'p Cluster,
}

impl<'p> Side<'p> {
    /// This side of a peering.
    pub(super) const fn new(peering: &'p Peering, role: Role) -> Self {
        Self { peering, role, own: peering.clusters.of(role), peer: peering.clusters.of(role.peer()) }
    }

    /// An object of the tenant namespace, with the label by which Liqo finds everything of a peering.
    pub(super) fn object(&self, name: impl ToString) -> Meta {
        Meta::new(name, &*self.own.tenant_namespace).label(REMOTE_CLUSTER_ID, &*self.peer.id)
    }

    /// A Secret of the tenant namespace, with the same label.
    pub(super) fn secret(&self, name: impl ToString) -> SecretMeta {
        SecretMeta::new(name, &*self.own.tenant_namespace).label(REMOTE_CLUSTER_ID, &*self.peer.id)
    }

    /// An object of the whole cluster, with the same label.
    pub(super) fn cluster_object(&self, name: impl ToString) -> Meta {
        Meta::cluster(name).label(REMOTE_CLUSTER_ID, &*self.peer.id)
    }

    /// Whether the first commit of a teardown was made.
    pub(super) fn is_drained(&self) -> bool {
        self.peering.state == State::Drained
    }

    /// An object of a kind; its template sees `spec`, and `extra` is what the user adds to its metadata.
    pub(super) fn manifest(
        &self,
        kind: &'static Kind,
        meta: Meta,
        extra: Option<&Metadata>,
        spec: impl Into<Value>,
    ) -> Manifest {
        let asks = kind.protected && self.peering.protection == Protection::Confirm;
        let meta = meta.sync(kind.wave, asks.then_some(CONFIRM));
        Object::manifest(*kind, with(meta, &[Some(&self.peering.common), extra]), spec)
    }
}

/// With labels and annotations of a user. Of two values for one key the later one counts.
pub(super) fn with(mut meta: Meta, extras: &[Option<&Metadata>]) -> Meta {
    let extras = || extras.iter().flatten();
    let labels: BTreeMap<_, _> = extras().flat_map(|it| it.labels.0.clone()).collect();
    let annotations: BTreeMap<_, _> = extras().flat_map(|it| it.annotations.0.clone()).collect();
    meta.labels.extend(labels);
    meta.annotations.extend(annotations);
    meta
}
