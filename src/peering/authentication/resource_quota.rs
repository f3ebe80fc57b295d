//! The ResourceQuota that counts what the other cluster uses here. It is a hook: Argo CD makes it when the Application is deleted, and deletes
//! nothing else before its health check, which the health packs have, reports that the other cluster has released everything (argo-cd
//! `controller/hook.go`, executeHooks; from 3.3 on). Otherwise finalizers at the consumer wait forever for what is gone here.
//!
//! It also lets Kubernetes create no other ResourceQuota in the Namespace. Argo CD makes the hook again if its cache does not have it yet, or
//! if it belongs to another Application, and executeHooks takes "already exists" for a hook that is done. With this limit the answer is
//! "forbidden", and Argo CD tries again. The limit holds once kube-controller-manager has written the status (`k8s.io/apiserver`
//! `pkg/admission/plugin/resourcequota/controller.go`, CheckRequest). Until then Argo CD can go on: a race, within the first second.

use crate::object::live::Impact::{Harmless, Protection};
use crate::object::live::{
    Check, Effect, Finding, LiveHalf, Object, Scope, StatusContext, effect, note, one_line,
};
use crate::object::{HOOK, Kind, Manifest, kind};
use crate::peering::names;
use crate::peering::side::Side;
use serde_json::Value;

pub(crate) static KIND: Kind = kind!("ResourceQuota", Hook, "resource_quota", LIVE);

pub(in crate::peering) fn manifest(side: &Side<'_>) -> Manifest {
    // without a deletion policy, Argo CD deletes a hook when it is done
    let meta = side.object_meta(names::RESOURCE_QUOTA);
    side.manifest(&KIND, meta.annotation(HOOK, "PreDelete"), None, ())
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    scope: Scope::InTenantNamespace,
    label: Some((names::REMOTE_CLUSTER_ID, None)),
    effects: &[EFFECTS],
    status,
    ..LiveHalf::new(&["ResourceQuota"], "resourcequotas")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // argo-cd controller/hook.go, executeHooks
    effect(&["+"], Harmless, "Only the Application's deletion makes it. Allow ResourceQuota in the AppProject, and install a health pack."),
    effect(&["-, drained"], Harmless, "The drain left nothing."),
    effect(&["-", "metadata.annotations[argocd.argoproj.io/hook]"], Protection, "Argo CD deletes the Application without waiting for the other cluster."),
    effect(&["spec.hard[count/resourceslices.authentication.liqo.io]", "spec.hard[count/namespacemaps.offloading.liqo.io]", "spec.hard.resourcequotas"], Harmless, "Hooks never change."),
];

/// What is still used, while the Application's deletion waits for it (`k8s.io/api` `core/v1`, ResourceQuotaStatus).
fn status(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let used = object.find("/status/used").and_then(Value::as_object);
    let mut left = Vec::new();
    for (name, count) in used.into_iter().flatten() {
        let count = count.as_str().unwrap_or("0");
        if name.starts_with("count/") && count != "0" {
            left.push(one_line(&format!("{count} × {name}")));
        }
    }
    if left.is_empty() {
        return Vec::new();
    }
    let message = format!("the other cluster still uses {}", left.join(", "));
    let help = "delete and confirm the other Application (docs/teardown.md)";
    vec![note(Check::Deletion, message, help)]
}
