//! Where a cluster has the ID and the version of its Liqo.

use super::{Kubectl, Snapshot, whole_field};
use crate::object::live::Object;
use crate::peering::names::NETWORK_TYPE;
use crate::state::StateError;

/// The ConfigMap with the cluster's ID (liqo `deployments/liqo/templates/liqo-clusterid-configmap.yaml`).
pub(crate) const CLUSTER_ID_MAP: &str = "liqo-clusterid-configmap";

/// The Deployment whose image has Liqo's version.
pub(crate) const MANAGER: &str = "liqo-controller-manager";

/// Both, as arguments of `kubectl get` in the namespace that Liqo is installed in.
pub(crate) const CLUSTER_ID_RESOURCE: &str = "configmap/liqo-clusterid-configmap";
pub(crate) const MANAGER_RESOURCE: &str = "deployment/liqo-controller-manager";

/// The ID of a cluster, if it was read (liqo `pkg/consts/clusterid.go`).
pub(crate) fn cluster_id(live: &Snapshot) -> Option<&str> {
    Some(live.of_kind("ConfigMap").next()?.text("/data/CLUSTER_ID"))
}

/// All ConfigMaps with the name of the one with the cluster's ID: anyone with a namespace can make a second one.
pub(crate) fn cluster_id_maps(kubectl: &mut Kubectl<'_>) -> Result<Vec<Object>, StateError> {
    let named = format!("--field-selector=metadata.name={CLUSTER_ID_MAP}");
    kubectl.require(&["configmaps"], &["-A", &named], whole_field)
}

/// Liqo's own networks of a type, `pod-cidr` or `external-cidr`, each with its CIDR. The CIDR in the status counts: for an external network
/// it can differ from the one in the spec. With Helm's `ipam.podCIDRs` the names change, the label does not (liqo
/// `deployments/liqo/templates/liqo-ipam-networks.yaml`).
pub(crate) fn of_type<'o>(
    networks: impl Iterator<Item = &'o Object>,
    network_type: &str,
) -> impl Iterator<Item = (&'o Object, &'o str)> {
    let of_type = networks.filter(move |it| {
        it.label(NETWORK_TYPE) == Some(network_type) || it.name() == network_type
    });
    of_type.filter_map(|network| {
        let cidrs = [network.text("/status/cidr"), network.text("/spec/cidr")];
        Some((network, cidrs.into_iter().find(|cidr| !cidr.is_empty())?))
    })
}

/// The tag of a Deployment's first image.
pub(crate) fn tag(deployment: &Object) -> Option<&str> {
    let image = deployment.text("/spec/template/spec/containers/0/image");
    // a digest may follow, and a registry may have a port
    let name = image.split('@').next()?.rsplit('/').next()?;
    Some(name.split_once(':')?.1)
}

/// Major and minor of a version such as `v1.2.0-rc.1`.
pub(crate) fn minor(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.strip_prefix('v').unwrap_or(version).split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}
