//! The objects of a stream, as their templates see them: strings, numbers and lists.
//!
//! The only types that hand secrets to the templates; none of them has `Debug`.

use crate::peering::endpoint::Service;
use crate::peering::networking::{Client, Server};
use crate::peering::offloading::Mapping;
use serde::Serialize;
use zeroize::Zeroizing;

/// One object.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Resource {
    /// The namespace that belongs to the peering.
    TenantNamespace(TenantNamespace),
    /// The own gateway's keys.
    KeySecret(KeySecret),
    /// The other gateway's key.
    PublicKey(PublicKey),
    /// The other cluster's networks.
    Configuration(Configuration),
    /// The gateway that listens.
    GatewayServer(GatewayServer),
    /// The gateway that dials.
    GatewayClient(GatewayClient),
    /// What the consumer may do.
    RoleBinding(RoleBinding),
    /// The consumer, at the provider.
    Tenant(Tenant),
    /// The credential for the provider.
    IdentitySecret(IdentitySecret),
    /// What the consumer asks for.
    ResourceSlice(ResourceSlice),
    /// A namespace for workloads.
    WorkloadNamespace(WorkloadNamespace),
    /// A namespace's offloading.
    NamespaceOffloading(NamespaceOffloading),
}

impl Resource {
    /// Argo CD's sync wave: creation goes up, deletion comes down, and each wave waits for the one before.
    ///
    /// A gateway's Secret must be there before the gateway (Liqo finds a late one only by error back-off); the
    /// Tenant's webhook needs the labelled namespace; a slice is released only while the credential still
    /// stands, so it goes first on the way down.
    #[must_use]
    pub const fn wave(&self) -> u8 {
        match self {
            Self::TenantNamespace(_) => 0,
            Self::KeySecret(_) | Self::PublicKey(_) | Self::Configuration(_) => 1,
            Self::GatewayServer(_) | Self::GatewayClient(_) => 2,
            Self::RoleBinding(_) => 3,
            Self::Tenant(_) | Self::IdentitySecret(_) => 4,
            Self::ResourceSlice(_) => 5,
            Self::WorkloadNamespace(_) => 6,
            Self::NamespaceOffloading(_) => 7,
        }
    }
}

/// An object's name, its namespace, and the cluster on the other side of the peering.
#[derive(Serialize)]
pub struct Place {
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) peer: String,
}

/// See [`Resource::TenantNamespace`].
#[derive(Serialize)]
pub struct TenantNamespace {
    pub(crate) name: String,
    pub(crate) peer: String,
    pub(crate) protected: bool,
}

/// See [`Resource::KeySecret`].
#[derive(Serialize)]
pub struct KeySecret {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) private_key: Zeroizing<String>,
    pub(crate) public_key: String,
    pub(crate) immutable: bool,
}

/// See [`Resource::PublicKey`].
#[derive(Serialize)]
pub struct PublicKey {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) public_key: String,
}

/// See [`Resource::Configuration`].
#[derive(Serialize)]
pub struct Configuration {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) pods: Vec<String>,
    pub(crate) external: Vec<String>,
}

/// See [`Resource::GatewayServer`].
#[derive(Serialize)]
pub struct GatewayServer {
    #[serde(flatten)]
    place: Place,
    template: String,
    template_namespace: String,
    mtu: u16,
    port: u16,
    service_type: &'static str,
    node_port: Option<u16>,
    load_balancer_ip: Option<String>,
    secret: String,
}

impl GatewayServer {
    pub(super) fn new(place: Place, server: &Server, mtu: u16, secret: String) -> Self {
        let (node_port, load_balancer_ip) = match server.service {
            Service::ClusterIp => (None, None),
            Service::NodePort(port) => (port.map(super::super::peering::endpoint::NodePort::get), None),
            Service::LoadBalancer(ip) => (None, ip.map(|ip| ip.to_string())),
        };
        Self {
            place,
            template: server.template.name.to_string(),
            template_namespace: server.template.namespace.to_string(),
            mtu,
            port: server.port.get(),
            service_type: server.service.word(),
            node_port,
            load_balancer_ip,
            secret,
        }
    }
}

/// See [`Resource::GatewayClient`].
#[derive(Serialize)]
pub struct GatewayClient {
    #[serde(flatten)]
    place: Place,
    template: String,
    template_namespace: String,
    mtu: u16,
    addresses: Vec<String>,
    port: u16,
    secret: String,
}

impl GatewayClient {
    pub(super) fn new(place: Place, client: &Client, mtu: u16, secret: String) -> Self {
        Self {
            place,
            template: client.template.name.to_string(),
            template_namespace: client.template.namespace.to_string(),
            mtu,
            addresses: client.addresses.iter().map(ToString::to_string).collect(),
            port: client.port.get(),
            secret,
        }
    }
}

/// See [`Resource::RoleBinding`].
#[derive(Serialize)]
pub struct RoleBinding {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) subject: Subject,
    pub(crate) protected: bool,
}

/// An RBAC subject.
#[derive(Serialize)]
pub struct Subject {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
}

/// See [`Resource::Tenant`].
#[derive(Serialize)]
pub struct Tenant {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) condition: &'static str,
    pub(crate) protected: bool,
}

/// See [`Resource::IdentitySecret`].
#[derive(Serialize)]
pub struct IdentitySecret {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) remote_namespace: String,
    pub(crate) kubeconfig: Zeroizing<String>,
}

/// See [`Resource::ResourceSlice`].
#[derive(Serialize)]
pub struct ResourceSlice {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) class: String,
    pub(crate) resources: Vec<Amount>,
}

/// How much of one resource.
#[derive(Serialize)]
pub struct Amount {
    pub(crate) name: String,
    pub(crate) quantity: String,
}

/// See [`Resource::WorkloadNamespace`].
#[derive(Serialize)]
pub struct WorkloadNamespace {
    pub(crate) name: String,
    pub(crate) protected: bool,
}

/// See [`Resource::NamespaceOffloading`].
#[derive(Serialize)]
pub struct NamespaceOffloading {
    pub(crate) namespace: String,
    pub(crate) peer: String,
    pub(crate) this_peer: bool,
    pub(crate) pods: &'static str,
    #[serde(flatten)]
    pub(crate) mapping: Mapped,
}

/// Under which name a namespace exists at the provider.
#[derive(Serialize)]
pub struct Mapped {
    mapping: &'static str,
    remote_name: Option<String>,
}

impl Mapped {
    pub(super) fn new(mapping: &Mapping) -> Self {
        let remote_name = match mapping {
            Mapping::SelectedName(name) => Some(name.to_string()),
            Mapping::DefaultName | Mapping::EnforceSameName => None,
        };
        Self { mapping: mapping.word(), remote_name }
    }
}
