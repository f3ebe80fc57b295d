//! The PublicKey: the other gateway's key (liqo `apis/networking/v1beta1/publickey_types.go`).

pub(crate) mod live;

use crate::object::{Kind, Manifest, PLACEHOLDER, Templated, Wave, fields, kind};
use crate::peering::names;
use crate::peering::side::{Side, with};
use crate::peering::values::PublicKey;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub(crate) static KIND: Kind = kind!("PublicKey", Wave::Material, "public_key.yaml.j2", live::LIVE);

pub(super) fn manifest(side: &Side<'_>, key: Option<PublicKey>) -> Manifest {
    let meta =
        side.object(&*side.own.names.public_key).label(names::GATEWAY_RESOURCE, "true").sync(KIND.wave, None);
    // without the common metadata: until Liqo 1.2 each change of its metadata interrupts the tunnel (liqo issue 3090)
    let meta = with(meta, &[side.own.metadata.public_key.as_deref()]);
    let public_key = key.map_or_else(|| STANDARD.encode(PLACEHOLDER), |key| key.to_string());
    Templated::manifest(KIND, meta, fields! { public_key: public_key })
}
