//! The tenant Namespace: what belongs to the other cluster.

use super::super::side::Side;
use crate::object::{Kind, Manifest, Wave};

static KIND: Kind =
    Kind::new("tenant Namespace", Wave::Namespace, include_str!("tenant_namespace.yaml.j2")).protected();

pub(in crate::peering) fn manifest(side: &Side<'_>) -> Manifest {
    let meta = side
        .cluster_object(&side.own.tenant_namespace)
        .label("liqo.io/tenant-namespace", "true")
        // Liqo's gateway pods are privileged; Liqo itself sets these since 1.1
        .label("pod-security.kubernetes.io/audit", "privileged")
        .label("pod-security.kubernetes.io/enforce", "privileged")
        .label("pod-security.kubernetes.io/warn", "privileged");
    side.manifest(&KIND, meta, side.own.metadata.tenant_namespace.as_deref(), ())
}
