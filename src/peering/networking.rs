//! The tunnel between the two clusters.

use super::cidr::Cidr;
use super::endpoint::{Address, Mtu, Port, Service};
use super::name::{FileName, Namespace, ObjectName};
use super::role::{Role, Sides};

/// The networking module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Networking {
    /// The seed of both gateways' keys.
    pub seed: FileName,
    /// Each side's own networks.
    pub networks: Sides<Networks>,
    /// The same on both sides.
    pub mtu: Mtu,
    /// The gateway that listens.
    pub server: Server,
    /// The gateway that dials; nothing while its server's address is not known.
    pub client: Option<Client>,
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
}

/// The gateway that dials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// At least one; Liqo's template uses the first.
    pub addresses: Vec<Address>,
    /// The port there.
    pub port: Port,
    /// The template it is made from.
    pub template: Template,
}

/// A gateway template of Liqo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its name.
    pub name: ObjectName,
    /// Where it is.
    pub namespace: Namespace,
}
