//! The RoleBinding: the rights of the other cluster here.

use super::tenant::{LOSES_RIGHTS, LOSES_RIGHTS_DRAINED, TenantCondition};
use super::{Authentication, SubjectKind};
use crate::object::live::Impact::{Attention, Harmless, Rights};
use crate::object::live::{Effect, LiveHalf, Scope, effect};
use crate::object::{Grant, Kind, Manifest, fields, kind};
use crate::peering::delivery::REFUSED;
use crate::peering::side::Side;

pub(crate) static KIND: Kind = kind!("RoleBinding", Rights, "role_binding", LIVE)
    .protected()
    .gives(Grant::Rights);

/// The binding; `None` for a drained Tenant: Liqo deletes the binding, and Argo CD would create it again (liqo `tenant_controller.go`).
pub(super) fn manifest(side: &Side<'_>, authentication: &Authentication) -> Option<Manifest> {
    if authentication.condition == TenantCondition::Drained {
        return None;
    }
    let subject = &authentication.subject;
    let account = subject.kind == SubjectKind::ServiceAccount;
    let namespace = account.then_some(&side.own.tenant_namespace);
    // while a kubeconfig is used until the provider has signed, both users have the rights
    let (user, name) = (&side.peer.id.value, subject.name.as_str());
    let is_liqos = subject.kind == SubjectKind::User && name == user.as_str();
    let is_exchange = authentication.credential.handshake().is_some();
    let liqos = (is_exchange && !is_liqos).then_some(user);
    let spec = fields! { subject: subject, namespace: namespace, liqos: liqos };
    let meta = side.object_meta(&*side.own.names.role_binding);
    let extra = side.own.metadata.role_binding.as_deref();
    // the user of an exchange gets in by the key, and the Tenant has it
    let who = match namespace {
        _ if is_exchange && is_liqos => None,
        Some(namespace) => Some(format!("{} {}/{name}", subject.kind, namespace.value)),
        None => Some(format!("{} {name}", subject.kind)),
    };
    Some(side.manifest(&KIND, meta, extra, spec).letting_in(who))
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    scope: Scope::InTenantNamespace,
    effects: &[EFFECTS],
    ..LiveHalf::new(&["RoleBinding"], "rolebindings.rbac.authorization.k8s.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // Kubernetes RBAC; docs/teardown.md
    effect(&["subjects[0]"], Rights, "The rights of Liqo's control plane go to the new subject. Until the other cluster has its credential, Liqo copies nothing."),
    effect(&["subjects"], Rights, "Each listed subject gets the rights of Liqo's control plane in the tenant namespace."),
    effect(&["roleRef"], Attention, REFUSED),
    effect(&["+"], Rights, "The other cluster's Liqo may write slices into the tenant namespace."),
    effect(&["-"], Attention, LOSES_RIGHTS),
    effect(&["-, drained"], Harmless, LOSES_RIGHTS_DRAINED),
];
