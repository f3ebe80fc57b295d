//! RESOLVE: from the written document to its meaning. Defaults are filled in, and rules that concern only one kind are
//! checked. Rules across kinds are in [`crate::rules`].

use super::cluster::{Cluster, ObjectNames};
use super::context::Context;
use super::spec::{Document, Spec};
use super::values::{ClusterId, Metadata, Role, Sides};
use super::{Direction, Peering, authentication, names, networking, offloading};
use crate::diagnostic::{Code, Problems};
use crate::document::{Field, Located};
use std::str::FromStr;

/// The peering that a document describes; `None` if a value makes that impossible. Problems are added.
pub(super) fn peering(
    document: &Document,
    newer: &[Located<&Field>],
    problems: &mut Problems,
) -> Option<Peering> {
    let spec = &document.spec;
    let liqo_namespace = match &spec.liqo_namespace {
        Some(namespace) => namespace.clone(),
        None => "liqo".parse().ok()?,
    };
    let mut context = Context {
        clusters: Sides {
            consumer: &spec.consumer,
            provider: &spec.provider,
        },
        has_networking: spec.networking.is_some(),
        seed: spec.seed.as_ref(),
        common: spec.common_metadata.as_ref(),
        liqo_version: spec.liqo_version.map(|it| it.value),
        liqo_namespace,
        problems,
    };
    for field in newer {
        if let Some(Ok(version)) = field.since.map(str::parse) {
            context.needs(version, field.span, &format!("`{}`", field.name));
        }
    }
    let clusters = Sides::make(|role| cluster(&mut context, role));
    let networking = match &spec.networking {
        Some(written) => networking::resolve(&mut context, written).map(Some),
        None => Some(None),
    };
    let directions = Sides::make(|user| direction(&mut context, spec, user));
    let common = common(&mut context);
    Some(Peering {
        name: document.metadata.name.clone(),
        liqo_version: spec.liqo_version,
        seed: spec.seed.clone(),
        clusters: clusters.both_sides()?,
        networking: networking?,
        directions: directions.both_sides()?,
        state: spec.state,
        protection: spec.protection,
        foreign_cluster: spec.foreign_cluster,
        common,
    })
}

/// A cluster, from its written fields.
fn cluster(context: &mut Context<'_, '_>, role: Role) -> Option<Cluster> {
    let written = context.cluster(role);
    let peer = &context.cluster(role.peer()).id;
    let tenant_namespace = if let Some(namespace) = &written.tenant_namespace {
        Some(namespace.clone())
    } else {
        let name = names::tenant_namespace(peer);
        let instead = format!("{role}.tenantNamespace");
        context.name_after("the tenant namespace", &name, peer.span, &instead)
    };
    let names = object_names(context, role);
    let argocd_cluster = match &written.argocd_cluster {
        Some(title) => Located::new(title.to_string(), title.span),
        None => Located::new(written.id.to_string(), written.id.span),
    };
    Some(Cluster {
        argocd_cluster,
        tenant_namespace: tenant_namespace?,
        liqo_namespace: context.liqo_namespace(role).clone(),
        names: names?,
        written: written.clone(),
    })
}

fn object_names(context: &mut Context<'_, '_>, role: Role) -> Option<ObjectNames> {
    let written = context.cluster(role).names.clone();
    let peer = &context.cluster(role.peer()).id;
    let gateway = match written.gateway {
        None if context.has_networking => {
            let instead = format!("{role}.names.gateway");
            context.name_after("the gateway", &names::gateway(peer), peer.span, &instead)
        }
        // without networking there is no gateway, so the peer's ID cannot be too long for a gateway's name
        name => written_or(name, "gateway", peer),
    };
    Some(ObjectNames {
        gateway: gateway?,
        configuration: written_or(written.configuration, peer.as_str(), peer)?,
        key_secret: written.key_secret,
        public_key: written_or(written.public_key, names::PUBLIC_KEY, peer)?,
        tenant: written_or(written.tenant, peer.as_str(), peer)?,
        role_binding: written_or(written.role_binding, names::ROLE_BINDING, peer)?,
        identity: written.identity,
    })
}

/// The written name, or the conventional one at the place of the peer's ID.
fn written_or<T: FromStr>(
    written: Option<Located<T>>,
    conventional: &str,
    peer: &Located<ClusterId>,
) -> Option<Located<T>> {
    written.or_else(|| Some(Located::new(conventional.parse().ok()?, peer.span)))
}

/// What one cluster uses of the other.
fn direction(context: &mut Context<'_, '_>, spec: &Spec, user: Role) -> Option<Direction> {
    let (written, offloaded) = match user {
        Role::Consumer => (spec.authentication.as_ref(), spec.offloading.as_ref()),
        Role::Provider => match &spec.reverse {
            Some(reverse) => (Some(&reverse.authentication), reverse.offloading.as_ref()),
            None => (None, None),
        },
    };
    let authentication = match written {
        Some(written) => authentication::resolve(context, written, user).map(Some),
        None => Some(None),
    };
    let offloading = match offloaded {
        Some(written) => offloading::resolve(context, written, user).map(Some),
        None => Some(None),
    };
    Some(Direction {
        authentication: authentication?,
        offloading: offloading?,
    })
}

/// The most bytes of `commonMetadata`, which every object repeats.
const COMMON_MAX: usize = 4096;

/// The labels and annotations of all objects.
fn common(context: &mut Context<'_, '_>) -> Metadata {
    let Some(written) = context.common else {
        return Metadata::default();
    };
    let size = written.size();
    if size > COMMON_MAX {
        let message = format!("`commonMetadata` has {size} bytes: the limit is {COMMON_MAX}");
        let help = "move long texts to one object's `metadata`";
        context.add(Code::StreamTooLarge, written.span, message, help);
    }
    written.value.clone()
}
