//! The RoleBinding: the rights of the other cluster here.

use super::tenant::TenantCondition;
use super::{Authentication, SubjectKind};
use crate::object::live::Impact::{Attention, Harmless, Rights};
use crate::object::live::{Effect, LiveHalf, Scope, effect};
use crate::object::{Grant, Kind, Manifest, fields, kind};
use crate::peering::side::Side;
use crate::peering::values::ClusterId;

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
    let is_liqos =
        |it: &&ClusterId| subject.kind == SubjectKind::User && subject.name.as_str() == it.as_str();
    let handshake = authentication.credential.handshake();
    let liqos = handshake
        .map(|_| &side.peer.id.value)
        .filter(|it| !is_liqos(it));
    let spec = fields! { subject: subject, namespace: namespace, liqos: liqos };
    let meta = side.object_meta(&*side.own.names.role_binding);
    let extra = side.own.metadata.role_binding.as_deref();
    // the user of an exchange gets in by the key, and the Tenant has it
    let who = handshake.is_none_or(|_| liqos.is_some()).then(|| {
        let namespace = namespace.map_or_else(String::new, |it| format!("{}/", it.value));
        format!("{} {namespace}{}", subject.kind, subject.name.as_str())
    });
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
    effect(&["subjects[0]"], Rights, "The new subject gets the rights of Liqo's control plane, the old one loses them. Until the other cluster has the new credential, Liqo copies nothing."),
    effect(&["subjects"], Rights, "Each listed subject gets the rights of Liqo's control plane in the tenant namespace; a removed one loses them."),
    effect(&["roleRef"], Attention, "Kubernetes refuses the change: delete the RoleBinding, and Argo CD recreates it."),
    effect(&["+"], Rights, "The other cluster's Liqo may write slices into the tenant namespace."),
    effect(&["-"], Attention, "The other cluster's Liqo loses access: deletions of its objects here wait."),
    effect(&["-, drained"], Harmless, "The other cluster's Liqo loses access; the drain left nothing."),
];
