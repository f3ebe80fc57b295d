//! References to Liqo's templates of gateways and virtual kubelets.

use super::name::{Namespace, ObjectName};
use super::text::{ApiVersion, ObjectKind};
use crate::document::records;

records! {
    /// A gateway or virtual kubelet template. Of Kubernetes' `ObjectReference` it has the fields that Liqo reads.
    TemplateRef {
        /// Its API version. Default: that of Liqo's own templates for this field.
        "apiVersion" => api_version: optional ApiVersion;
        /// Its kind. Default: that of Liqo's own templates for this field, such as `WgGatewayServerTemplate`.
        "kind" => kind: optional ObjectKind;
        /// Its name.
        "name" => name: required ObjectName;
        /// Its namespace. Default: the namespace of Liqo.
        "namespace" => namespace: optional Namespace;
    }
}

/// Liqo's own template for a field, and its API (liqo `apis/networking/v1beta1`, `apis/offloading/v1beta1`).
pub(crate) struct Usual {
    pub(crate) api_version: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) name: &'static str,
}

impl Usual {
    /// The written reference, with Liqo's own template in place of what it leaves out.
    pub(crate) fn complete(&self, written: Option<&TemplateRef>, liqo: &Namespace) -> Option<TemplateRef> {
        let own = TemplateRef {
            api_version: self.api_version.parse().ok(),
            kind: self.kind.parse().ok(),
            name: self.name.parse().ok()?,
            namespace: Some(liqo.clone()),
        };
        let Some(written) = written.cloned() else { return Some(own) };
        Some(TemplateRef {
            api_version: written.api_version.or(own.api_version),
            kind: written.kind.or(own.kind),
            name: written.name,
            namespace: written.namespace.or(own.namespace),
        })
    }
}
