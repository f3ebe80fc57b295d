//! The RoleBinding: what the other cluster may do here.

use super::Authentication;
use super::subject::SubjectKind;
use super::tenant::TenantCondition;
use crate::object::{Kind, Manifest, Object, Wave};
use crate::peering::side::Side;
use serde::Serialize;

static KIND: Kind =
    Kind { name: "RoleBinding", wave: Wave::Rights, template: include_str!("role_binding.yaml.j2") };

/// None for a drained Tenant: Liqo deletes its binding, and Argo CD would create it again (liqo `tenant_controller.go`).
pub(super) fn manifest(side: &Side<'_>, authentication: &Authentication) -> Option<Manifest> {
    #[derive(Serialize)]
    struct Spec<'s> {
        kind: SubjectKind,
        name: &'s str,
        /// Of a ServiceAccount.
        namespace: Option<&'s str>,
    }
    if authentication.condition == TenantCondition::Drained {
        return None;
    }
    let subject = &authentication.subject;
    let account = subject.kind == SubjectKind::ServiceAccount;
    let spec = Spec {
        kind: subject.kind,
        name: subject.name.as_str(),
        namespace: account.then_some(side.own.tenant_namespace.as_str()),
    };
    let meta = side.object(&*side.own.names.role_binding).sync(KIND.wave, side.confirm());
    Some(Object::manifest(&KIND, side.extra(meta, side.own.metadata.role_binding.as_deref()), &spec))
}
