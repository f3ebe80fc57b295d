//! One of the two clusters: its names.

use super::Context;
use crate::diagnostic::{Code, Span};
use crate::document::authentication::Credential;
use crate::document::decode::Located;
use crate::peering::authentication::SubjectKind;
use crate::peering::endpoint::Generation;
use crate::peering::role::Role;
use crate::peering::{Cluster, KeySecretName, Names};
use std::str::FromStr;

/// What Liqo's guide and `liqoctl` call it on both sides.
const PUBLIC_KEY: &str = "gw-publickey";

/// What Liqo's own handshake calls it (`pkg/tenantNamespace/bindings.go`).
const ROLE_BINDING: &str = "liqo-binding-liqo-remote-controlplane";

pub(super) fn cluster(context: &mut Context<'_>, role: Role) -> Option<Cluster> {
    let written = context.cluster(role);
    let peer = &context.cluster(role.peer()).cluster_id;
    let tenant_namespace = if let Some(namespace) = &written.tenant_namespace {
        Some(namespace.value.clone())
    } else {
        let instead = format!("{role}.tenantNamespace");
        context.made("the tenant namespace", &format!("liqo-tenant-{}", peer.value), peer.span, &instead)
    };
    refuse_unused(context, role);
    let names = names(context, role);
    Some(Cluster {
        id: written.cluster_id.value.clone(),
        tenant_namespace: tenant_namespace?,
        generation: written.key_generation.or_else(|| Generation::try_from(1).ok())?,
        names: names?,
        extras: written.metadata.clone().unwrap_or_default(),
    })
}

fn names(context: &mut Context<'_>, role: Role) -> Option<Names> {
    let written = context.cluster(role).names.as_ref();
    let peer = &context.cluster(role.peer()).cluster_id;
    let instead = |field: &str| format!("{role}.names.{field}");
    let gateway = match written.and_then(|names| names.gateway.as_ref()) {
        Some(name) => Some(name.value.clone()),
        None if context.spec.networking.is_some() => {
            context.made("the gateway", peer.value.as_str(), peer.span, &instead("gateway"))
        }
        // there is none, so whatever the peer is called, it is not too long for one
        None => "gateway".parse().ok(),
    };
    Some(Names {
        gateway: gateway?,
        configuration: or(written.and_then(|it| it.configuration.as_ref()), peer.value.as_str())?,
        key_secret: match written.and_then(|names| names.key_secret.as_ref()) {
            Some(name) => KeySecretName::Fixed(name.value.clone()),
            None => KeySecretName::AfterKey,
        },
        public_key: or(written.and_then(|it| it.public_key.as_ref()), PUBLIC_KEY)?,
        tenant: or(written.and_then(|it| it.tenant.as_ref()), peer.value.as_str())?,
        role_binding: or(written.and_then(|it| it.role_binding.as_ref()), ROLE_BINDING)?,
        identity: written.and_then(|it| it.identity.as_ref()).map(|name| name.value.clone()),
    })
}

/// The name that is written, or the conventional one.
fn or<T: FromStr + Clone>(written: Option<&Located<T>>, default: &str) -> Option<T> {
    match written {
        Some(name) => Some(name.value.clone()),
        None => default.parse().ok(),
    }
}

/// Names, labels and annotations of objects that this side does not have: what they were meant for is not made.
fn refuse_unused(context: &mut Context<'_>, role: Role) {
    const NETWORKING: &str = "remove it, or add `networking`";
    const PROVIDES: &str = "remove it: Tenant and RoleBinding are on the side that lets the other one in";
    const CONSUMES: &str = "remove it: the credential is on the side that uses the other one; with `existingSecret` somebody else makes it";
    const ACCOUNT: &str = "remove it: only with a `subject` of kind `ServiceAccount` the stream has one";
    let cluster = context.cluster(role);
    let networking = (context.spec.networking.is_some(), NETWORKING);
    let credential = context.authentication(role).map(|it| &it.credential);
    let consumes = (credential.is_some_and(|it| !matches!(it, Credential::ExistingSecret)), CONSUMES);
    let lets_in = context.authentication(role.peer());
    let provides = (lets_in.is_some(), PROVIDES);
    let account = (lets_in.is_some_and(|it| it.subject.kind == SubjectKind::ServiceAccount), ACCOUNT);
    let mut written: Vec<(&str, Option<Span>, (bool, &str))> = Vec::new();
    if let Some(names) = &cluster.names {
        written.extend([
            ("names.gateway", span(names.gateway.as_ref()), networking),
            ("names.configuration", span(names.configuration.as_ref()), networking),
            ("names.keySecret", span(names.key_secret.as_ref()), networking),
            ("names.publicKey", span(names.public_key.as_ref()), networking),
            ("names.tenant", span(names.tenant.as_ref()), provides),
            ("names.roleBinding", span(names.role_binding.as_ref()), provides),
            ("names.identity", span(names.identity.as_ref()), consumes),
        ]);
    }
    if let Some(extras) = &cluster.metadata {
        written.extend([
            ("metadata.gateway", span(extras.gateway.as_ref()), networking),
            ("metadata.configuration", span(extras.configuration.as_ref()), networking),
            ("metadata.keySecret", span(extras.key_secret.as_ref()), networking),
            ("metadata.publicKey", span(extras.public_key.as_ref()), networking),
            ("metadata.tenant", span(extras.tenant.as_ref()), provides),
            ("metadata.roleBinding", span(extras.role_binding.as_ref()), provides),
            ("metadata.serviceAccount", span(extras.service_account.as_ref()), account),
            ("metadata.identity", span(extras.identity.as_ref()), consumes),
        ]);
    }
    for (field, span, (used, help)) in written {
        if let (Some(span), false) = (span, used) {
            let message = format!("the {role} has no object for `{field}`");
            context.push(Code::UnusedSetting, span, message, help);
        }
    }
}

fn span<T>(written: Option<&Located<T>>) -> Option<Span> {
    written.map(|written| written.span)
}
