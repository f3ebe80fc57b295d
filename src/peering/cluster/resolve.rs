//! A cluster, from what is written of it.

use super::{Cluster, ObjectNames, settings};
use crate::document::Located;
use crate::peering::context::Context;
use crate::peering::names;
use crate::peering::values::{ClusterId, Role};
use std::str::FromStr;

pub(in crate::peering) fn cluster(context: &mut Context<'_, '_>, role: Role) -> Option<Cluster> {
    let written = context.cluster(role);
    let peer = &context.cluster(role.peer()).cluster_id;
    let instead = format!("{role}.tenantNamespace");
    let tenant_namespace = match &written.tenant_namespace {
        Some(namespace) => Some(namespace.clone()),
        None => {
            context.name_after("the tenant namespace", &names::tenant_namespace(peer), peer.span, &instead)
        }
    };
    let names = names(context, role);
    let id = &written.cluster_id;
    let argocd_cluster = written.argocd_cluster.clone().map(|it| it.map(|title| title.to_string()));
    Some(Cluster {
        id: id.clone(),
        argocd_cluster: argocd_cluster.unwrap_or_else(|| id.clone().map(|id| id.to_string())),
        pod_cidrs: written.pod_cidrs.clone(),
        external_cidr: written.external_cidr,
        tenant_namespace: tenant_namespace?,
        conventional_namespace: written.tenant_namespace.is_none(),
        generation: written.key_generation,
        delivery: written.delivery,
        external: written.external.clone(),
        seed: written.seed.as_ref().map(|seed| seed.file.clone()),
        public_key: written.public_key,
        names: names?,
        metadata: written.metadata.clone(),
        settings: settings(&written.names, &written.metadata),
    })
}

fn names(context: &mut Context<'_, '_>, role: Role) -> Option<ObjectNames> {
    let written = &context.cluster(role).names;
    let peer = &context.cluster(role.peer()).cluster_id;
    let gateway = match &written.gateway {
        Some(name) => Some(name.clone()),
        None if context.has_networking => {
            let instead = format!("{role}.names.gateway");
            context.name_after("the gateway", &names::gateway(peer), peer.span, &instead)
        }
        // without networking there is no gateway, so the peer's ID cannot be too long for one
        None => or(None, "gateway", peer),
    };
    Some(ObjectNames {
        gateway: gateway?,
        configuration: or(written.configuration.as_ref(), peer.as_str(), peer)?,
        key_secret: written.key_secret.clone(),
        public_key: or(written.public_key.as_ref(), names::PUBLIC_KEY, peer)?,
        tenant: or(written.tenant.as_ref(), peer.as_str(), peer)?,
        role_binding: or(written.role_binding.as_ref(), names::ROLE_BINDING, peer)?,
        identity: written.identity.clone(),
    })
}

/// The written name, or the conventional one, which has the place of the peer's ID.
fn or<T: FromStr + Clone>(
    written: Option<&Located<T>>,
    conventional: &str,
    peer: &Located<ClusterId>,
) -> Option<Located<T>> {
    match written {
        Some(name) => Some(name.clone()),
        None => conventional.parse().ok().map(|name| Located::new(name, peer.span)),
    }
}
