//! The tunnel between the two clusters.

use super::cidr::Cidr;
use super::endpoint::{Address, Mtu, Port, Protocol, Service};
use super::name::{FileName, Namespace, ObjectName};
use super::role::{Role, Sides};
use crate::custody::keys::PublicKey;
use std::collections::BTreeMap;

/// The networking module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Networking {
    /// Where each side's key comes from.
    pub keys: Sides<KeySource>,
    /// Each side's own networks.
    pub networks: Sides<Networks>,
    /// The same on both sides.
    pub mtu: Mtu,
    /// The gateway that listens.
    pub server: Server,
    /// The gateway that dials; nothing while its server's address is not known.
    pub client: Option<Client>,
}

/// Where the key of a side comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// From a sealed seed; if the key is also written down, it must be that one.
    Seed(FileName, Option<PublicKey>),
    /// The seed is somewhere else; the public key is written down.
    Elsewhere(PublicKey),
}

/// A cluster's networks, as the cluster itself knows them. At least one for pods; none overlaps another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Networks {
    /// The pods'.
    pub pods: Vec<Cidr>,
    /// Liqo's external one.
    pub external: Cidr,
}

/// The gateway that listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// On which side.
    pub location: Role,
    /// The port it listens on.
    pub port: Port,
    /// How it is exposed.
    pub service: Service,
    /// The template it is made from.
    pub template: Template,
    /// Annotations of its Service.
    pub service_annotations: BTreeMap<String, String>,
    /// Labels of its Service.
    pub service_labels: BTreeMap<String, String>,
}

/// The gateway that dials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// At least one; Liqo's template uses the first.
    pub addresses: Vec<Address>,
    /// The port there.
    pub port: Port,
    /// The protocol.
    pub protocol: Protocol,
    /// The template it is made from.
    pub template: Template,
}

/// A gateway or virtual kubelet template, as Kubernetes refers to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its API's group and version.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: ObjectName,
    /// Where it is.
    pub namespace: Namespace,
    /// What Kubernetes lets a reference say as well, and Liqo does not look at.
    pub uid: Option<String>,
    /// The same.
    pub resource_version: Option<String>,
    /// The same.
    pub field_path: Option<String>,
}
