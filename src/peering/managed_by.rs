//! Who gets rights by the document alone: by a label of a side's Namespaces, and by a key that is exchanged.

use super::Peering;
use super::values::{Role, reserved::MANAGED_BY};
use crate::document::Located;

impl Peering {
    /// The SHA-256 of each public key that a cluster is let in with.
    pub(crate) fn exchanged_keys(&self) -> Vec<String> {
        let handshake = |role: Role| self.directions.of(role).authentication.as_ref()?.credential.handshake();
        Role::BOTH.into_iter().filter_map(handshake).map(|it| it.keys().public_key.fingerprint()).collect()
    }

    /// The namespaces of the Argo CDs that get all rights in the Namespaces of a side's stream, each with the place of the
    /// metadata that has the label; that of `commonMetadata` is the tenant namespace's.
    pub(crate) fn managers(&self, role: Role) -> Vec<Located<&str>> {
        let own = self.clusters.of(role);
        let offloading = self.directions.of(role).offloading.iter();
        let namespaces = offloading.flat_map(|it| &it.namespaces).filter(|it| it.written.create);
        let workloads = namespaces.filter_map(|it| it.written.namespace_metadata.as_ref());
        let common = [(&self.common.labels.0, own.tenant_namespace.span)];
        let tenant = own.metadata.tenant_namespace.iter().map(|it| (&it.labels.0, it.span));
        let workloads = workloads.map(|it| (&it.labels.0, it.span));
        let all = common.into_iter().chain(tenant).chain(workloads);
        all.filter_map(|(labels, span)| Some(Located::new(labels.get(MANAGED_BY)?.as_str(), span))).collect()
    }
}
