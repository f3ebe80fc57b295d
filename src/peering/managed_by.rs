//! Who gets rights in a side's Namespaces by a label of the document.

use super::Peering;
use super::values::{Role, reserved::MANAGED_BY};
use crate::document::Located;

impl Peering {
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
