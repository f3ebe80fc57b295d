//! The authentication module of one direction: how one cluster is let into the other.

pub mod credential;
pub mod role_binding;
pub mod service_account;
pub mod tenant;

use super::side::Side;
use super::values::{ProxyUrl, SubjectName};
use crate::document::{Located, records, words};
use crate::object::Manifest;
use credential::Credential;
use tenant::TenantCondition;

records! {
    /// How one cluster is let into the other.
    AuthenticationSpec {
        /// Who the provider's `RoleBinding` names.
        ours "subject" => subject: required Subject,
            missing "the user that the credential authenticates as: `subject: { kind: User, name: … }`";
        /// The consumer's credential, or `pending`.
        ours "credential" => credential: required Credential,
            missing "set `kubeconfig`, `identity` or `existingSecret`, or `credential: pending` until there is one";
        /// `Cordoned`: the consumer stays and gets nothing new. `Drained`: the provider expels it. Default: `Active`.
        "tenantCondition" => condition: default TenantCondition = TenantCondition::Active;
        /// The proxy through which the consumer reaches the provider's API server. The connection of a sealed kubeconfig uses it too.
        "proxyURL" => proxy_url: optional ProxyUrl;
    }
}

/// The authentication module of one direction, complete: all of it is written.
pub type Authentication = AuthenticationSpec;

/// What lets the other cluster in.
pub(super) fn manifests(side: &Side<'_>, authentication: &Authentication) -> Vec<Manifest> {
    let mut manifests = service_account::manifests(side, &authentication.subject);
    manifests.extend(role_binding::manifest(side, authentication));
    manifests.push(tenant::manifest(side, authentication));
    manifests
}

records! {
    /// The user, group or ServiceAccount that the credential authenticates as.
    Subject {
        /// What the credential authenticates as. A `ServiceAccount` is made by the provider's stream.
        "kind" => kind: required SubjectKind, missing "a subject is a `User`, a `Group` or a `ServiceAccount`";
        /// As the provider reads it from the credential.
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
