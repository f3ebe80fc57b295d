//! The RoleBinding: what the other cluster may do here.

pub(crate) mod live;

use super::tenant::TenantCondition;
use super::{Authentication, SubjectKind};
use crate::object::{Kind, Manifest, Wave, fields, kind};
use crate::peering::side::Side;
use crate::peering::values::ClusterId;

pub(crate) static KIND: Kind =
    kind!("RoleBinding", Wave::Rights, "role_binding.yaml.j2", live::LIVE).protected();

/// None for a drained Tenant: Liqo deletes its binding, and Argo CD would create it again (liqo `tenant_controller.go`).
pub(super) fn manifest(side: &Side<'_>, authentication: &Authentication) -> Option<Manifest> {
    if authentication.condition == TenantCondition::Drained {
        return None;
    }
    let subject = &authentication.subject;
    let account = subject.kind == SubjectKind::ServiceAccount;
    let namespace = account.then_some(&side.own.tenant_namespace);
    // while a kubeconfig is used until the provider has signed, both have the rights
    let is_liqos =
        |it: &&ClusterId| subject.kind == SubjectKind::User && subject.name.as_str() == it.as_str();
    let handshake = authentication.credential.handshake();
    let liqos = handshake.map(|_| &side.peer.id.value).filter(|it| !is_liqos(it));
    let spec = fields! { subject: subject, namespace: namespace, liqos: liqos };
    let meta = side.object(&*side.own.names.role_binding);
    Some(side.manifest(&KIND, meta, side.own.metadata.role_binding.as_deref(), spec))
}
