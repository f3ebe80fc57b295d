//! One side of a peering, for kinds that make its objects.

use super::cluster::Cluster;
use super::names::REMOTE_CLUSTER_ID;
use super::values::{Metadata, Protection, Role};
use crate::object::{Kind, Manifest, Meta, SecretMeta, TemplateObject};
use minijinja::Value;
use std::collections::BTreeMap;

/// The sync options with which Argo CD asks before it deletes an object.
const CONFIRM: &str = "Prune=confirm,Delete=confirm";

/// One side of a peering.
pub(super) struct Side<'p> {
    pub(super) role: Role,
    pub(super) own: &'p Cluster,
    pub(super) peer: &'p Cluster,
    /// Labels and annotations of every object.
    pub(super) common: &'p Metadata,
    /// Whether the peering is drained: the first commit of a teardown.
    pub(super) is_drained: bool,
    pub(super) protection: Protection,
}

impl Side<'_> {
    /// The metadata of an object in the tenant namespace, with the label by which Liqo finds the objects of a peering.
    pub(super) fn object_meta(&self, name: impl ToString) -> Meta {
        Meta::new(name, &*self.own.tenant_namespace).label(REMOTE_CLUSTER_ID, &*self.peer.id)
    }

    /// The metadata of a Secret in the tenant namespace, with the same label.
    pub(super) fn secret(&self, name: impl ToString) -> SecretMeta {
        SecretMeta::new(name, &*self.own.tenant_namespace).label(REMOTE_CLUSTER_ID, &*self.peer.id)
    }

    /// The metadata of a cluster-scoped object, with the same label.
    pub(super) fn cluster_object(&self, name: impl ToString) -> Meta {
        Meta::cluster(name).label(REMOTE_CLUSTER_ID, &*self.peer.id)
    }

    /// An object of a kind. Its template gets `spec`, and `extra` is the user's metadata for it.
    pub(super) fn manifest(
        &self,
        kind: &'static Kind,
        meta: Meta,
        extra: Option<&Metadata>,
        spec: impl Into<Value>,
    ) -> Manifest {
        let asks = kind.protected && self.protection == Protection::Confirm;
        let meta = meta.sync(kind.wave, asks.then_some(CONFIRM));
        TemplateObject::manifest(*kind, extend(meta, &[Some(self.common), extra]), spec)
    }
}

/// Adds a user's labels and annotations. Of two values for one key, the later one counts.
pub(super) fn extend(mut meta: Meta, extras: &[Option<&Metadata>]) -> Meta {
    let (mut labels, mut annotations) = (BTreeMap::new(), BTreeMap::new());
    for extra in extras.iter().flatten() {
        labels.extend(extra.labels.0.clone());
        annotations.extend(extra.annotations.0.clone());
    }
    meta.labels.extend(labels);
    meta.annotations.extend(annotations);
    meta
}
