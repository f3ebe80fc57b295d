//! The objects of one side.

use super::authentication::credential;
use super::cluster::Cluster;
use super::names::REMOTE_CLUSTER_ID;
use super::networking::keys::{Keys, OwnKey};
use super::values::{Metadata, Protection, Role};
use super::{Credential, Peering, State, authentication, cluster, networking, offloading};
use crate::diagnostic::Bug;
use crate::object::{Kind, Manifest, Meta, PLACEHOLDER, SecretMeta, Templated};
use minijinja::Value;
use std::collections::BTreeMap;
use zeroize::Zeroizing;

impl Peering {
    /// PLAN: the objects of one side's stream, in the order of their waves.
    ///
    /// # Errors
    /// Only for a bug: something that the peering needs was not opened. Without it the stream would lack objects, and
    /// Argo CD would prune them.
    pub fn manifests(&self, role: Role, material: &Material) -> Result<Vec<Manifest>, Bug> {
        let side = self.side(role);
        let mut manifests = vec![cluster::tenant_namespace::manifest(&side)];
        if let Some(networking) = &self.networking {
            let keys = material.keys.as_ref().ok_or_else(|| Bug::new("networking without keys"))?;
            manifests.extend(networking::manifests(&side, networking, keys));
        }
        // what this side uses of the other one
        let uses = self.directions.of(role);
        if let (Some(authentication), State::Active) = (&uses.authentication, self.state) {
            manifests.extend(credential::manifest(&side, authentication, material.credential.as_ref())?);
        }
        if let Some(offloading) = &uses.offloading {
            manifests.extend(offloading::manifests(&side, offloading));
        }
        // what the other one uses of this side; kept while it drains, so that Liqo can clean up here
        if let Some(authentication) = &self.directions.of(role.peer()).authentication {
            manifests.extend(authentication::manifests(&side, authentication));
        }
        if self.foreign_cluster {
            manifests.push(cluster::foreign_cluster::manifest(&side));
        }
        // stable: within a wave the order of the document stays
        manifests.sort_by_key(Manifest::wave);
        Ok(manifests)
    }

    const fn side(&self, role: Role) -> Side<'_> {
        Side {
            role,
            own: self.clusters.of(role),
            peer: self.clusters.of(role.peer()),
            common: &self.common,
            is_drained: matches!(self.state, State::Drained),
            protection: self.protection,
        }
    }
}

/// Argo CD asks before it deletes an object with these sync options.
const CONFIRM: &str = "Prune=confirm,Delete=confirm";

/// One side of a peering.
pub(super) struct Side<'p> {
    pub(super) role: Role,
    pub(super) own: &'p Cluster,
    pub(super) peer: &'p Cluster,
    /// Labels and annotations of every object.
    pub(super) common: &'p Metadata,
    /// Whether the first commit of a teardown was made.
    pub(super) is_drained: bool,
    pub(super) protection: Protection,
}

impl Side<'_> {
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

    /// An object of a kind; its template sees `spec`, and `extra` is what the user adds to its metadata.
    pub(super) fn manifest(
        &self,
        kind: &'static Kind,
        meta: Meta,
        extra: Option<&Metadata>,
        spec: impl Into<Value>,
    ) -> Manifest {
        let asks = kind.protected && self.protection == Protection::Confirm;
        let meta = meta.sync(kind.wave, asks.then_some(CONFIRM));
        Templated::manifest(*kind, with(meta, &[Some(self.common), extra]), spec)
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

/// What the sealed files give for one side.
#[derive(Default)]
pub struct Material {
    /// With networking.
    pub keys: Option<Keys>,
    /// With a sealed credential, where this side uses the other one: what its Secret shows.
    pub credential: Option<Zeroizing<Vec<u8>>>,
}

impl Material {
    /// What one side's stream needs, with nothing opened: the public keys that are written, and placeholders.
    pub fn public(peering: &Peering, role: Role) -> Self {
        let keys = peering.networking.as_ref().map(|networking| Keys {
            own: OwnKey::Public(networking.keys.of(role).written()),
            peer: networking.keys.of(role.peer()).written(),
        });
        let sealed = peering.credential(role).and_then(Credential::sealed);
        Self { keys, credential: sealed.map(|_| Zeroizing::new(PLACEHOLDER.to_vec())) }
    }
}
