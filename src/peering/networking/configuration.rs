//! The Configuration: the other cluster's networks (liqo `apis/networking/v1beta1/configuration_types.go`).

pub(crate) mod live;

use crate::diagnostic::Code;
use crate::document::Located;
use crate::object::{Kind, Manifest, Serde, Wave, kind};
use crate::peering::context::Context;
use crate::peering::side::Side;
use crate::peering::values::{Cidr, LiqoVersion, READ_NETWORKS, Role};
use serde::Serialize;

/// A cluster's networks, as the cluster itself knows them. At least one is for pods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Networks {
    /// The pods'.
    pub pods: Vec<Located<Cidr>>,
    /// Liqo's external one.
    pub external: Located<Cidr>,
}

pub(crate) static KIND: Kind = kind!("Configuration", Wave::Material, "configuration.yaml.j2", live::LIVE);

pub(super) fn resolve(context: &mut Context<'_, '_>, role: Role) -> Option<Networks> {
    let cluster = context.cluster(role);
    let written =
        [("podCIDRs", cluster.pod_cidrs.is_some()), ("externalCIDR", cluster.external_cidr.is_some())];
    for (field, _) in written.into_iter().filter(|(_, is_written)| !is_written) {
        let message = format!("networking needs the {role}'s `{field}`");
        context.problems.refuse(Code::MissingField, cluster.cluster_id.span, message, READ_NETWORKS);
    }
    let (pods, external) = (cluster.pod_cidrs.as_ref()?, cluster.external_cidr?);
    match pods.value.as_slice() {
        [] => context.problems.refuse(Code::EmptyList, pods.span, "`podCIDRs` is empty", READ_NETWORKS),
        // an older Liqo silently ignores all but the first
        [_, second, ..] => context.needs(LiqoVersion::V1_2, second.span, "more than one pod CIDR"),
        [_] => {}
    }
    Some(Networks { pods: pods.value.clone(), external })
}

/// On one side: the networks of the other one.
pub(super) fn manifest(side: &Side<'_>, remote: &Networks) -> Manifest {
    let meta = side.object(&*side.own.names.configuration);
    side.manifest(&KIND, meta, side.own.metadata.configuration.as_deref(), Serde(remote))
}
