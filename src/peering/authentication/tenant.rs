//! The Tenant: the other cluster, where it is let in (liqo `apis/authentication/v1beta1/tenant_types.go`).

use super::Authentication;
use crate::document::words;
use crate::object::{Kind, Manifest, Object, Wave};
use crate::peering::side::Side;
use crate::peering::values::ProxyUrl;
use serde::Serialize;

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

static KIND: Kind = Kind { name: "Tenant", wave: Wave::Access, template: include_str!("tenant.yaml.j2") };

pub(super) fn manifest(side: &Side<'_>, authentication: &Authentication) -> Manifest {
    #[derive(Serialize)]
    struct Spec<'s> {
        peer: &'s str,
        condition: TenantCondition,
        proxy_url: Option<&'s str>,
    }
    let meta = side.object(&*side.own.names.tenant).sync(KIND.wave, side.confirm());
    let spec = Spec {
        peer: side.peer.id.as_str(),
        condition: authentication.condition,
        proxy_url: authentication.proxy_url.as_ref().map(ProxyUrl::as_str),
    };
    Object::manifest(&KIND, side.extra(meta, side.own.metadata.tenant.as_deref()), &spec)
}
