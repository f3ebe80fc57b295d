//! The Tenant: the other cluster, where it is let in (liqo `apis/authentication/v1beta1/tenant_types.go`).

pub(crate) mod live;

use super::Authentication;
use super::credential::keys_exchange::Handshake;
use crate::document::words;
use crate::object::{Kind, Manifest, Wave, fields, kind};
use crate::peering::side::Side;

words! {
    /// A Tenant's condition.
    TenantCondition {
        /// The consumer may use what it has and ask for more.
        Active = "Active",
        /// It may use what it has.
        Cordoned = "Cordoned",
        /// It loses what it has, and its rights.
        Drained = "Drained",
    }
}

pub(crate) static KIND: Kind = kind!("Tenant", Wave::Access, "tenant.yaml.j2", live::LIVE).protected();

pub(super) fn manifest(side: &Side<'_>, authentication: &Authentication) -> Manifest {
    let keys = authentication.credential.handshake().map(Handshake::keys);
    let policy = if keys.is_some() { "KeysExchange" } else { "TolerateNoHandshake" };
    let spec = fields! { peer: side.peer.id, policy: policy, keys: keys, written: **authentication };
    let meta = side.object(&*side.own.names.tenant);
    side.manifest(&KIND, meta, side.own.metadata.tenant.as_deref(), spec)
}
