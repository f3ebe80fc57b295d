//! The Configuration: the other cluster's networks (liqo `apis/networking/v1beta1/configuration_types.go`).

use crate::diagnostic::{Code, quoted};
use crate::document::Located;
use crate::object::live::Impact::{Harmless, Traffic};
use crate::object::live::{
    Cardinality, Check, Effect, Finding, LiveHalf, Object, StatusContext, effect, error, note,
};
use crate::object::{Kind, Manifest, Serde, kind};
use crate::peering::context::Context;
use crate::peering::side::Side;
use crate::peering::values::{Cidr, LiqoVersion, READ_NETWORKS, Role};
use serde::Serialize;

/// A cluster's networks, as the cluster itself knows them. At least one is for pods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Networks {
    /// The networks of pods.
    pub pods: Vec<Located<Cidr>>,
    /// Liqo's external network.
    pub external: Located<Cidr>,
}

pub(crate) static KIND: Kind = kind!("Configuration", Material, "configuration", LIVE);

pub(super) fn resolve(context: &mut Context<'_, '_>, role: Role) -> Option<Networks> {
    let cluster = context.cluster(role);
    for (field, is_written) in [
        ("podCIDRs", cluster.pod_cidrs.is_some()),
        ("externalCIDR", cluster.external_cidr.is_some()),
    ] {
        if !is_written {
            let message = format!("networking needs the {role}'s `{field}`");
            context.add(Code::MissingField, cluster.id.span, message, READ_NETWORKS);
        }
    }
    let (pods, external) = (cluster.pod_cidrs.clone()?, cluster.external_cidr?);
    match pods.as_slice() {
        [] => {
            let message = "`podCIDRs` is empty";
            context.add(Code::MissingField, pods.span, message, READ_NETWORKS);
        }
        // older versions of Liqo silently ignore all but the first
        [_, second, ..] => context.needs(LiqoVersion::V1_2, second.span, "more than one pod CIDR"),
        [_] => {}
    }
    Some(Networks {
        pods: pods.value,
        external,
    })
}

/// The Configuration of one side, with the networks of the other one.
pub(super) fn manifest(side: &Side<'_>, remote: &Networks) -> Manifest {
    let meta = side.object_meta(&*side.own.names.configuration);
    let extra = side.own.metadata.configuration.as_deref();
    side.manifest(&KIND, meta, extra, Serde(remote))
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    cardinality: Cardinality::InCluster("Configurations"),
    effects: &[EFFECTS],
    status,
    written_by_cluster: &[
        "spec.local",
        "metadata.labels[configuration.liqo.io/configured]",
    ],
    ..LiveHalf::new(&["Configuration"], "configurations.networking.liqo.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // LCM/networking/external-network/configuration/network.go:75-116; before 1.2 only created, and `cidr` is immutable
    effect(&["spec.remote.cidr"], Traffic, "Liqo replaces the other cluster's Networks and routes: connections to its pods break. Before Liqo 1.2, delete the Configuration, and Argo CD recreates it."),
    effect(&["+"], Harmless, "Liqo routes the other cluster's networks, remapped where they overlap."),
    effect(&["-"], Traffic, "Liqo removes the other cluster's Networks and routes; that can take minutes."),
];

/// The findings of a Configuration. Liqo 1.2 has a condition for it, older versions only report the networks (liqo
/// `apis/networking/v1beta1/configuration_types.go`).
fn status(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let mut remapped = Vec::new();
    for field in ["pod", "external"] {
        let wanted = object.texts(&format!("/spec/remote/cidr/{field}"));
        let given = object.texts(&format!("/status/remote/cidr/{field}"));
        let condition = object.condition("NetworkCIDRsConfigured");
        if given.is_empty() || matches!(condition, Some((status, _)) if status != "True") {
            let message = "Liqo has not configured the other cluster's networks";
            let help = "see the Networks and liqo-ipam's logs: a free network may be missing";
            return vec![error(Check::Configuration, message, help)];
        }
        if wanted != given {
            let [wanted, given] = [wanted, given].map(|it| quoted(&it.join(", ")));
            remapped.push(format!("{field}: {wanted} is {given} here"));
        }
    }
    if remapped.is_empty() {
        return Vec::new();
    }
    let remapped = remapped.join("; ");
    let message = format!("Liqo remaps the other cluster's networks: {remapped}");
    let help = "pods here reach the others at these addresses";
    vec![note(Check::Remapped, message, help)]
}
