//! The tenant Namespace: what belongs to the other cluster.

use super::super::side::Side;
use crate::object::{Kind, Manifest, Object, Wave};

/// Whether Argo CD asks before it deletes an object.
pub(crate) const CONFIRM: &str = "Prune=confirm,Delete=confirm";

static KIND: Kind = Kind {
    name: "tenant Namespace",
    wave: Wave::Namespace,
    template: include_str!("tenant_namespace.yaml.j2"),
};

pub(in crate::peering) fn manifest(side: &Side<'_>) -> Manifest {
    let extra = side.own.metadata.tenant_namespace.as_deref();
    let meta = side
        .cluster_object(&side.own.tenant_namespace)
        .label("liqo.io/tenant-namespace", "true")
        // Liqo's gateway pods are privileged; Liqo itself sets these since 1.1
        .label("pod-security.kubernetes.io/audit", "privileged")
        .label("pod-security.kubernetes.io/enforce", "privileged")
        .label("pod-security.kubernetes.io/warn", "privileged")
        .sync(KIND.wave, side.confirm());
    Object::manifest(&KIND, side.extra(meta, extra), &())
}
