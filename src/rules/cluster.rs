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

/// A field, its object, where it is written, and whether the object is in the stream; if not, what to do.
type Setting = (&'static str, &'static str, Option<Span>, (bool, &'static str));

/// Names, labels and annotations of objects that this side does not have would do nothing, and hide a mistake.
fn refuse_unused(context: &mut Context<'_>, role: Role) {
    const NETWORKING: &str = "remove it, or add `networking`";
    const PROVIDES: &str = "remove it: a cluster has one only if the other cluster uses its resources";
    const CONSUMES: &str = "remove it: a cluster has one only if it uses the other cluster's resources";
    const EXISTING: &str = "remove it: with `existingSecret` the stream does not create the credential";
    const ACCOUNT: &str = "remove it: the stream creates one only for a `subject` of `kind: ServiceAccount`";
    let cluster = context.cluster(role);
    let networking = (context.spec.networking.is_some(), NETWORKING);
    let credential = context.authentication(role).map(|it| &it.credential);
    let consumes = match credential {
        Some(Credential::ExistingSecret) => (false, EXISTING),
        credential => (credential.is_some(), CONSUMES),
    };
    let lets_in = context.authentication(role.peer());
    let provides = (lets_in.is_some(), PROVIDES);
    let account = (lets_in.is_some_and(|it| it.subject.kind == SubjectKind::ServiceAccount), ACCOUNT);
    let mut written: Vec<Setting> = Vec::new();
    if let Some(names) = &cluster.names {
        written.extend([
            ("names.gateway", "gateway", span(names.gateway.as_ref()), networking),
            ("names.configuration", "Configuration", span(names.configuration.as_ref()), networking),
            ("names.keySecret", "key Secret", span(names.key_secret.as_ref()), networking),
            ("names.publicKey", "PublicKey", span(names.public_key.as_ref()), networking),
            ("names.tenant", "Tenant", span(names.tenant.as_ref()), provides),
            ("names.roleBinding", "RoleBinding", span(names.role_binding.as_ref()), provides),
            ("names.identity", "credential", span(names.identity.as_ref()), consumes),
        ]);
    }
    if let Some(extras) = &cluster.metadata {
        written.extend([
            ("metadata.gateway", "gateway", span(extras.gateway.as_ref()), networking),
            ("metadata.configuration", "Configuration", span(extras.configuration.as_ref()), networking),
            ("metadata.keySecret", "key Secret", span(extras.key_secret.as_ref()), networking),
            ("metadata.publicKey", "PublicKey", span(extras.public_key.as_ref()), networking),
            ("metadata.tenant", "Tenant", span(extras.tenant.as_ref()), provides),
            ("metadata.roleBinding", "RoleBinding", span(extras.role_binding.as_ref()), provides),
            ("metadata.serviceAccount", "ServiceAccount", span(extras.service_account.as_ref()), account),
            ("metadata.identity", "credential", span(extras.identity.as_ref()), consumes),
        ]);
    }
    for (field, object, span, (used, help)) in written {
        if let (Some(span), false) = (span, used) {
            let message = format!("`{field}` has no effect: the {role}'s stream has no {object}");
            context.push(Code::UnusedSetting, span, message, help);
        }
    }
}

fn span<T>(written: Option<&Located<T>>) -> Option<Span> {
    written.map(|written| written.span)
}
