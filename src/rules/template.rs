//! References to templates: what is left out is that of Liqo's own.

use super::Context;
use crate::document::networking::TemplateRef;
use crate::document::scalar::Text;
use crate::peering::networking::Template;

/// Liqo's own template of a place, and the API that templates there have (liqo `apis/networking/v1beta1`,
/// `apis/offloading/v1beta1`).
pub(super) struct Usual {
    api_version: &'static str,
    kind: &'static str,
    /// Where the stream has a reference in any case.
    name: Option<&'static str>,
}

pub(super) const SERVER: Usual = Usual {
    api_version: "networking.liqo.io/v1beta1",
    kind: "WgGatewayServerTemplate",
    name: Some("wireguard-server"),
};

pub(super) const CLIENT: Usual = Usual {
    api_version: "networking.liqo.io/v1beta1",
    kind: "WgGatewayClientTemplate",
    name: Some("wireguard-client"),
};

pub(super) const VIRTUAL_KUBELET: Usual =
    Usual { api_version: "offloading.liqo.io/v1beta1", kind: "VkOptionsTemplate", name: None };

pub(super) fn reference(
    context: &Context<'_>,
    written: Option<&TemplateRef>,
    usual: &Usual,
) -> Option<Template> {
    let text = |field: fn(&TemplateRef) -> &Option<Text>| Some(field(written?).as_ref()?.0.clone());
    let api_version = written.and_then(|it| Some(it.api_version.as_ref()?.0.clone()));
    let kind = written.and_then(|it| Some(it.kind.as_ref()?.0.clone()));
    let namespace = written.and_then(|it| it.namespace.clone());
    Some(Template {
        api_version: api_version.unwrap_or_else(|| usual.api_version.to_owned()),
        kind: kind.unwrap_or_else(|| usual.kind.to_owned()),
        name: written.map(|it| it.name.clone()).or_else(|| usual.name?.parse().ok())?,
        namespace: namespace.or_else(|| context.liqo_namespace.clone())?,
        uid: text(|it| &it.uid),
        resource_version: text(|it| &it.resource_version),
        field_path: text(|it| &it.field_path),
    })
}
