//! The authentication module of one direction: how one cluster is let into the other.

pub mod credential;
pub mod resource_quota;
pub mod role_binding;
pub mod service_account;
pub mod tenant;

use super::context::Context;
use super::side::Side;
use super::values::{ProxyUrl, Role, SubjectName};
use crate::diagnostic::Code;
use crate::document::{Located, records, words};
use crate::object::Manifest;
use credential::{Credential, keys_exchange};
use std::ops::Deref;
use tenant::TenantCondition;

records! {
    /// How one cluster is let into the other.
    AuthenticationSpec {
        /// Who the provider's `RoleBinding` names. Not needed with `keysExchange`: then it is the user of the consumer's `clusterID`.
        ours "subject" => subject: optional Subject;
        /// The consumer's credential, or `pending`.
        ours "credential" => credential: required Located<Credential>,
            missing "set `keysExchange`, `kubeconfig`, `identity` or `existingSecret`, or for now `credential: pending`";
        /// `Cordoned`: the consumer stays and gets nothing new. `Drained`: the provider expels it. Default: `Active`.
        "tenantCondition" => condition: default TenantCondition = TenantCondition::Active;
        /// The proxy through which the consumer reaches the provider's API server. The connection of a sealed kubeconfig uses it too.
        "proxyURL" => proxy_url: optional ProxyUrl;
    }
}

/// The authentication module of one direction, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authentication {
    /// The subject of the provider's `RoleBinding`.
    pub subject: Subject,
    /// The rest, as it is written.
    written: AuthenticationSpec,
}

impl Deref for Authentication {
    type Target = AuthenticationSpec;

    fn deref(&self) -> &AuthenticationSpec {
        &self.written
    }
}

/// The user of a handshake's certificate is the cluster's ID (liqo `authentication/csr.go`, CommonNameControlPlaneCSR).
pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &AuthenticationSpec,
    user: Role,
) -> Option<Authentication> {
    let (id, credential) = (&context.cluster(user).id, &written.credential);
    if written.subject.is_none() && !credential.is_of_cluster_id() {
        let message = "the field `subject` is missing";
        let help = "the credential's user: `subject: { kind: User, name: … }`";
        context.add(Code::MissingField, credential.span, message, help);
    }
    let of_handshake = Subject {
        kind: SubjectKind::User,
        name: Located::new(id.as_str().parse().ok()?, id.span),
    };
    Some(Authentication {
        subject: written.subject.clone().unwrap_or(of_handshake),
        written: written.clone(),
    })
}

/// The objects that authorise the other cluster.
pub(super) fn manifests(side: &Side<'_>, authentication: &Authentication) -> Vec<Manifest> {
    let mut manifests = service_account::manifests(side, &authentication.subject);
    manifests.extend(role_binding::manifest(side, authentication));
    if let Some(handshake) = authentication.credential.handshake() {
        manifests.push(keys_exchange::nonce(side, handshake.keys.nonce.as_str()));
    }
    manifests.push(tenant::manifest(side, authentication));
    manifests
}

/// The object that a handshake adds on the side that signs, before the other side has begun.
pub(super) fn awaited(side: &Side<'_>, authentication: &Authentication) -> Option<Manifest> {
    match *authentication.credential {
        Credential::PendingHandshake => Some(keys_exchange::nonce(side, "")),
        _ => None,
    }
}

records! {
    /// The user, group or ServiceAccount that the credential authenticates as.
    Subject {
        /// What the credential authenticates as. A `ServiceAccount` is made by the provider's stream.
        "kind" => kind: required SubjectKind, missing "set `User`, `Group` or `ServiceAccount`";
        /// As the provider reads it; ServiceAccount: without `system:serviceaccount:NAMESPACE:`.
        "name" => name: required Located<SubjectName>;
    }
}

words! {
    /// The kinds of RBAC subjects.
    SubjectKind {
        /// A client certificate's common name, an OIDC user.
        User = "User",
        /// A client certificate's organisation, an OIDC group.
        Group = "Group",
        /// A service account of the tenant namespace, which the stream makes together with a token.
        ServiceAccount = "ServiceAccount",
    }
}
