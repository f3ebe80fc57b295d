//! The Tenant: the other cluster, on the side that authorises it (liqo `apis/authentication/v1beta1/tenant_types.go`).

use super::Authentication;
use crate::diagnostic::quoted;
use crate::document::words;
use crate::object::live::Impact::{Attention, Data, Harmless, Rights};
use crate::object::live::{
    Cardinality, Check, Effect, Finding, LOGS, LiveHalf, Object, StatusContext, effect, error, note,
};
use crate::object::{Grant, Kind, Manifest, fields, kind};
use crate::peering::delivery::REFUSED;
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

pub(crate) static KIND: Kind = kind!("Tenant", Access, "tenant", LIVE)
    .protected()
    .gives(Grant::Rights);

pub(super) fn manifest(side: &Side<'_>, authentication: &Authentication) -> Manifest {
    let (policy, keys, key) = match authentication.credential.handshake() {
        Some(handshake) => {
            let key = format!("key {}", handshake.keys.public_key.fingerprint());
            ("KeysExchange", Some(&handshake.keys), Some(key))
        }
        None => ("TolerateNoHandshake", None, None),
    };
    let spec =
        fields! { peer: side.peer.id, policy: policy, keys: keys, written: **authentication };
    let meta = side.object_meta(&*side.own.names.tenant);
    side.manifest(&KIND, meta, side.own.metadata.tenant.as_deref(), spec)
        .letting_in(key)
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    cardinality: Cardinality::InCluster("Tenants"),
    effects: &[EFFECTS],
    status,
    certificate: Some("/status/authParams/signedCRT"),
    ..LiveHalf::new(&["Tenant"], "tenants.authentication.liqo.io")
};

/// The effect of the removal of a Tenant or its RoleBinding.
pub(super) const LOSES_RIGHTS: &str =
    "The other cluster loses its rights: deletions of its objects here wait.";

pub(super) const LOSES_RIGHTS_DRAINED: &str =
    "The other cluster loses its rights; the drain left nothing.";

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // LCM/authentication/tenant-controller/tenant_controller.go:360-427; it was observed that `Active` does not bring it back
    effect(&["spec.tenantCondition=Drained"], Data, "Liqo expels the other cluster: its slices, offloaded namespaces and pods here go. `Active` does not bring them back."),
    effect(&["spec.tenantCondition=Cordoned"], Attention, "The other cluster gets nothing new, and keeps the rest."),
    effect(&["spec.tenantCondition"], Rights, "The other cluster is let in again; after `Drained`, its slices do not return."),
    // remoteresourceslice_controller.go:223
    effect(&["spec.proxyURL"], Rights, "New slices connect through this proxy, which can watch and stop them."),
    effect(&["spec.clusterID"], Attention, REFUSED),
    // tenant_controller.go:161-246
    effect(&["spec.authzPolicy=TolerateNoHandshake"], Attention, "Liqo makes no credential; the RoleBinding lets the other cluster in."),
    effect(&["spec.authzPolicy=KeysExchange"], Rights, "Liqo signs certificates for `publicKey`: who has its key acts as the other cluster's control plane."),
    effect(&["spec.publicKey", "spec.csr"], Rights, "**Another key for the other cluster's control plane**: compare its Secret `authentication-keys`. Liqo refuses it until Secret `liqo-remote-certificate` is deleted; the old certificate works on."),
    effect(&["spec.signature"], Attention, "Liqo signs only for the same key's signature over the nonce."),
    // pkg/webhooks/tenant/validate.go:71-159
    effect(&["+"], Rights, "Liqo lets the other cluster in, and refuses a second Tenant."),
    effect(&["-"], Attention, LOSES_RIGHTS),
    effect(&["-, drained"], Harmless, LOSES_RIGHTS_DRAINED),
];

/// (liqo `apis/authentication/v1beta1/tenant_types.go`, TenantStatus)
fn status(object: &Object, context: &StatusContext<'_>) -> Vec<Finding> {
    let namespace = object.text("/status/tenantNamespace");
    let condition = object.text("/spec/tenantCondition");
    let is_unsigned = object.text("/spec/authzPolicy") == "KeysExchange"
        && object.text("/status/authParams/signedCRT").is_empty();
    vec![if namespace.is_empty() {
        error(Check::Tenant, "Liqo has not accepted it", LOGS)
    } else if namespace != context.tenant_namespace {
        let namespace = quoted(namespace);
        let message = format!("Liqo has not accepted it: its namespace is {namespace}");
        error(Check::Tenant, message, LOGS)
    } else if is_unsigned {
        let message = "Liqo has not signed the other cluster's certificate";
        let help = "`kubectl describe tenant` shows why; annotate the Tenant for another try";
        error(Check::Tenant, message, help)
    } else if matches!(condition, "Cordoned" | "Drained") {
        let message = format!("it is `{condition}`");
        note(Check::Tenant, message, "the consumer gets nothing new")
    } else {
        return Vec::new();
    }]
}
