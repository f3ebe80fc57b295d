//! References to Liqo's templates of gateways and virtual kubelets.

use super::name::{Namespace, ObjectName};
use super::text::{ApiVersion, ObjectKind};
use crate::document::record;

record! {
    /// A gateway or virtual kubelet template. Of Kubernetes' `ObjectReference` it has the fields that Liqo reads.
    #[derive(serde::Serialize)]
    TemplateRef {
        /// Default: that of Liqo's own templates for this field.
        "apiVersion" => api_version: optional ApiVersion;
        /// Default: that of Liqo's own templates for this field, such as `WgGatewayServerTemplate`.
        "kind" => kind: optional ObjectKind;
        /// Its name.
        "name" => name: required ObjectName;
        /// Default: the namespace of Liqo.
        "namespace" => namespace: optional Namespace;
    }
}

/// Liqo's own template for a field, and its API (liqo `apis/networking/v1beta1`, `apis/offloading/v1beta1`).
pub(crate) struct Usual {
    pub(crate) api_version: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) name: &'static str,
}

/// A reference to a template, complete.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Template {
    /// Its API's group and version.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: Namespace,
}

impl Template {
    /// The written reference; what it leaves out, or all of it, is Liqo's own template's.
    pub(crate) fn new(written: Option<&TemplateRef>, usual: &Usual, liqo: &Namespace) -> Self {
        fn or<T: ToString>(written: Option<&T>, usual: &str) -> String {
            written.map_or_else(|| usual.to_owned(), T::to_string)
        }
        Self {
            api_version: or(written.and_then(|it| it.api_version.as_ref()), usual.api_version),
            kind: or(written.and_then(|it| it.kind.as_ref()), usual.kind),
            name: or(written.map(|it| &it.name), usual.name),
            namespace: written.and_then(|it| it.namespace.clone()).unwrap_or_else(|| liqo.clone()),
        }
    }
}
