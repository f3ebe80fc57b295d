//! MODEL: what a peering is.
//!
//! A value of [`Peering`] is one that both clusters' API servers take and Liqo's controllers can work with, as far as
//! that can be known from the document. Both streams are made from the same value, so ports, MTUs, networks,
//! namespaces and keys agree by construction.

pub mod agreement;
pub mod authentication;
pub mod cidr;
pub mod endpoint;
pub mod kubeconfig;
pub mod name;
pub mod networking;
pub mod offloading;
pub mod quantity;
pub mod role;
pub mod schema;
pub mod url;
pub mod version;

use crate::document::metadata::{Extra, ObjectExtras};
use authentication::{Authentication, Credential};
use endpoint::Generation;
use name::{
    ClusterId, ConfigurationName, FileName, GatewayName, Namespace, ObjectName, RoleBindingName, SecretName,
};
use networking::Networking;
use offloading::Offloading;
use role::{Role, Sides};
use url::ProxyUrl;

/// One peering of two clusters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peering {
    /// The two clusters; their IDs differ.
    pub clusters: Sides<Cluster>,
    /// The networking module, if there is one.
    pub networking: Option<Networking>,
    /// What each cluster uses of the other one, by the cluster that uses it. The consumer's is the peering itself, the
    /// provider's the reverse direction.
    pub directions: Sides<Direction>,
    /// Whether the peering is in use.
    pub state: State,
    /// Whether Argo CD asks before it deletes what the other side needs.
    pub protection: Protection,
    /// Labels and annotations of every object.
    pub common: Extra,
}

impl Peering {
    /// The sealed kubeconfig that a side's stream shows, and through which proxy it goes.
    #[must_use]
    pub fn sealed_kubeconfig(&self, role: Role) -> Option<(&FileName, Option<&str>)> {
        let uses = self.directions.of(role).authentication.as_ref()?;
        match &uses.credential {
            Credential::Kubeconfig(file) if self.state == State::Active => {
                Some((file, uses.proxy_url.as_ref().map(ProxyUrl::as_str)))
            }
            _ => None,
        }
    }
}

/// What one cluster uses of the other one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Direction {
    /// The authentication module, if there is one.
    pub authentication: Option<Authentication>,
    /// The offloading module, if there is one; then there is authentication.
    pub offloading: Option<Offloading>,
}

/// Whether a peering is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is.
    Active,
    /// The consumer lets go: no offloading, no slices, no credential. The provider keeps everything, so that
    /// Liqo can clean up there.
    Drained,
}

/// One of the two clusters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// Liqo's cluster ID.
    pub id: ClusterId,
    /// Where this cluster keeps what belongs to the other one.
    pub tenant_namespace: Namespace,
    /// How often its key was replaced.
    pub generation: Generation,
    /// The names of its objects.
    pub names: Names,
    /// Labels and annotations of single objects.
    pub extras: ObjectExtras,
}

/// The names of a cluster's objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// Of the gateway, server or client.
    pub gateway: GatewayName,
    /// Of the Configuration. Unique in the cluster: Liqo names nftables tables and routes after it.
    pub configuration: ConfigurationName,
    /// Of the Secret with the gateway's keys.
    pub key_secret: KeySecretName,
    /// Of the `PublicKey`. Never derived from the key: two of them would fight over the gateway.
    pub public_key: ObjectName,
    /// Of the Tenant. Unique in the cluster, by Liqo's webhook.
    pub tenant: ObjectName,
    /// Of the `RoleBinding`.
    pub role_binding: RoleBindingName,
    /// Of the Secret or the Identity with the credential, if it is not the conventional one.
    pub identity: Option<ObjectName>,
}

/// How the key Secret is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySecretName {
    /// After the public key; immutable. Another key is another Secret, so Liqo restarts the gateway by itself.
    AfterKey,
    /// Fixed; not immutable. After a change of the key somebody restarts the gateway.
    Fixed(SecretName),
}

/// Whether Argo CD asks before it deletes the Tenant, the `RoleBinding` and Namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// It asks.
    Confirm,
    /// It does not.
    None,
}
