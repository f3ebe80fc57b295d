//! The tenant Namespace, which has the peering's objects.

use crate::object::live::Impact::{Attention, Data, Harmless, Traffic};
use crate::object::live::{Cardinality, Effect, LiveHalf, effect};
use crate::object::{Grant, Kind, Manifest, kind};
use crate::peering::names;
use crate::peering::side::Side;

pub(crate) static KIND: Kind = kind!("tenant Namespace", Namespace, "tenant_namespace", LIVE)
    .protected()
    .gives(Grant::Namespace);

pub(in crate::peering) fn manifest(side: &Side<'_>) -> Manifest {
    let meta = side
        .cluster_object(&side.own.tenant_namespace)
        .label(names::TENANT_NAMESPACE, "true")
        // Liqo's gateway pods are privileged; since 1.1, Liqo itself sets these labels
        .label("pod-security.kubernetes.io/audit", "privileged")
        .label("pod-security.kubernetes.io/enforce", "privileged")
        .label("pod-security.kubernetes.io/warn", "privileged");
    let extra = side.own.metadata.tenant_namespace.as_deref();
    side.manifest(&KIND, meta, extra, ())
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    label: Some((names::TENANT_NAMESPACE, None)),
    cardinality: Cardinality::InCluster("tenant namespaces"),
    effects: &[EFFECTS],
    written_by_cluster: WRITTEN_BY_KUBERNETES,
    ..LiveHalf::new(&["Namespace"], "namespaces")
};

/// The fields that Kubernetes writes on every Namespace.
pub(in crate::peering) const WRITTEN_BY_KUBERNETES: &[&str] =
    &["spec", "metadata.labels[kubernetes.io/metadata.name]"];

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // pkg/tenantNamespace/namespaceManager.go:186-190
    effect(&["+"], Harmless, "It holds the other cluster's objects. Of two, Liqo uses neither."),
    // deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml: `privileged: true`
    effect(&["metadata.labels[pod-security.kubernetes.io/enforce]"], Attention, "Kubernetes starts privileged gateways only if this label allows them."),
    // k8s.io/pod-security-admission admission/admission.go
    effect(&["metadata.labels[pod-security.kubernetes.io/audit]", "metadata.labels[pod-security.kubernetes.io/warn]"], Harmless, "Kubernetes only logs or warns by it."),
    effect(&["-"], Data, "The namespace goes with gateway, keys, credential and Liqo's objects."),
    effect(&["-, drained"], Traffic, "The namespace goes with the gateway and its keys; the drain left nothing else."),
];
