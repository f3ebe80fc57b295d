//! The networking module: the tunnel between the two clusters.

pub mod configuration;
pub mod gateway_client;
pub mod gateway_server;
pub mod keys;
pub mod public_key;

use super::context::Context;
use super::side::Side;
use super::values::{Address, Mtu, Port, Sides};
use crate::document::{Located, PendingOr, records};
use crate::object::{Manifest, fields};
use configuration::Networks;
use gateway_client::{GatewayClient, GatewayClientSpec};
use gateway_server::{GatewayServer, GatewayServerSpec};
use keys::{KeySource, Keys};

records! {
    /// The tunnel between the two clusters.
    NetworkingSpec {
        /// The MTU of the tunnel, on both sides: that of the network between the clusters, less 60 over IPv4, and less 80 over
        /// IPv6. Default: 1340, `liqoctl`'s.
        "mtu" => mtu: optional Located<Mtu>;
        /// The gateway that listens.
        "gatewayServer" => server: required GatewayServerSpec, missing "one side listens: set its `endpoint`";
        /// The gateway that dials, or `pending`.
        "gatewayClient" => client: required Located<PendingOr<GatewayClientSpec>>,
            missing "the other side dials: set its `endpoint`, or for now `gatewayClient: pending`";
    }
}

/// The networking module, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Networking {
    /// The source of each side's key.
    pub keys: Sides<KeySource>,
    /// Each side's own networks.
    pub networks: Sides<Networks>,
    /// The MTU of both sides, if it is written.
    pub mtu: Option<Located<Mtu>>,
    /// The gateway that listens.
    pub server: GatewayServer,
    /// The gateway that dials; `None` while the server's address is not known.
    pub client: Option<GatewayClient>,
}

impl Networking {
    /// The MTU of both gateways.
    pub fn mtu(&self) -> Mtu {
        self.mtu.map_or(Mtu::LIQOCTL, |mtu| mtu.value)
    }

    /// The address that the client dials, and its port: Liqo's template uses the first address. `None` while it is not known.
    pub(crate) fn dialled(&self) -> Option<(&Address, Option<Port>)> {
        let endpoint = &self.client.as_ref()?.endpoint;
        let port = endpoint.port.map(|port| port.value);
        Some((endpoint.addresses.first()?, port))
    }
}

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &NetworkingSpec,
) -> Option<Networking> {
    let keys = Sides::make(|role| keys::resolve(context, role));
    let networks = Sides::make(|role| configuration::resolve(context, role));
    let server = gateway_server::resolve(context, &written.server);
    let client = match &written.client.value {
        PendingOr::Pending => Some(None),
        PendingOr::Known(client) => {
            gateway_client::resolve(context, client, &written.server, server.as_ref()).map(Some)
        }
    };
    Some(Networking {
        keys: keys.both_sides()?,
        networks: networks.both_sides()?,
        mtu: written.mtu,
        server: server?,
        client: client?,
    })
}

/// The objects of one side.
pub(super) fn manifests(side: &Side<'_>, networking: &Networking, keys: &Keys) -> Vec<Manifest> {
    let secret = keys::secret(side, keys);
    let name = secret.meta.name.clone();
    let mut manifests = vec![
        secret.into(),
        public_key::manifest(side, keys.peer),
        configuration::manifest(side, &networking.networks[side.role.peer()]),
    ];
    let mtu = networking.mtu();
    let (kind, spec) = match &networking.client {
        _ if networking.server.location == side.role => (
            &gateway_server::KIND,
            fields! { secret: name, mtu: mtu, written: networking.server },
        ),
        Some(client) => (
            &gateway_client::KIND,
            fields! { secret: name, mtu: mtu, written: client },
        ),
        None => return manifests,
    };
    let meta = side.object_meta(&*side.own.names.gateway);
    manifests.push(side.manifest(kind, meta, side.own.metadata.gateway.as_deref(), spec));
    manifests
}
