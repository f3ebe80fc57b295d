//! The authentication module of one direction: how one cluster is let into the other.

pub mod credential;
pub mod role_binding;
pub mod service_account;
pub mod subject;
pub mod tenant;

use super::side::Side;
use super::values::ProxyUrl;
use crate::document::records;
use crate::object::Manifest;
use credential::Credential;
use subject::Subject;
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
