//! The tenant Namespace: what belongs to the other cluster.

pub(crate) mod live;

use super::super::names;
use crate::object::{Kind, Manifest, Wave, kind};
use crate::peering::side::Side;

pub(crate) static KIND: Kind =
    kind!("tenant Namespace", Wave::Namespace, "tenant_namespace.yaml.j2", live::LIVE).protected();

pub(in crate::peering) fn manifest(side: &Side<'_>) -> Manifest {
    let meta = side
        .cluster_object(&side.own.tenant_namespace)
        .label(names::TENANT_NAMESPACE, "true")
        // Liqo's gateway pods are privileged; Liqo itself sets these since 1.1
        .label("pod-security.kubernetes.io/audit", "privileged")
        .label("pod-security.kubernetes.io/enforce", "privileged")
        .label("pod-security.kubernetes.io/warn", "privileged");
    side.manifest(&KIND, meta, side.own.metadata.tenant_namespace.as_deref(), ())
}
