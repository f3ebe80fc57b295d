//! Objects that are being deleted, and what they wait for.

use super::live_side::LiveSide;
use crate::diagnostic::{Severity, quoted};
use crate::object::live::{Check, Finding, Object, finding, one_line};
use std::time::Duration;

/// The normal time of a deletion: draining a node and deleting remote namespaces take minutes.
const NORMAL: Duration = Duration::from_secs(10 * 60);

/// When a finalizer is removed. Liqo's sources, in the order of the rows (`OFFLOADING` is `pkg/liqo-controller-manager/offloading`):
/// `OFFLOADING/namespaceoffloading-controller/lifecycle.go:39`; `internal/crdReplicator/reflection/handler.go:97`, `:266`;
/// `internal/crdReplicator/crdReplicator-operator.go:107`; `OFFLOADING/virtualnode-controller/deletion-routine.go:107`;
/// `OFFLOADING/namespacemap-controller/enforcement.go:223`; `authentication/tenant-controller/tenant_controller.go:126`;
/// `core/foreigncluster-controller/apiserverchecker.go:36`.
fn removal_time(finalizer: &str) -> Option<&'static str> {
    Some(match finalizer {
        // argo-cd controller/hook.go, executeHooks
        "pre-delete-finalizer.argocd.argoproj.io" => "when the consumer's Application is gone",
        "namespaceoffloading-controller.liqo.io/finalizer" => {
            "when the provider's namespaces are gone: that needs the credential, RoleBinding and Tenant"
        }
        "crdreplicator.liqo.io/resource" => {
            "when the provider's copy is gone: that needs the credential, RoleBinding and Tenant"
        }
        "crdreplicator.liqo.io/operator" => {
            "when neither side has a slice or NamespaceMap; if the peering stays, remove this finalizer: the Secret comes back"
        }
        "virtualnode-controller.liqo.io/finalizer" => {
            "when its Node is drained: a PodDisruptionBudget or pod may hold it"
        }
        "namespacemap-controller.liqo.io/finalizer" => "when its namespaces are gone",
        "tenant.liqo.io/finalizer" => {
            "when Liqo has removed its ClusterRoleBinding: that needs Liqo's webhook and the namespace's labels"
        }
        "api-server-checker.liqo.io/finalizer" => "when Liqo no longer checks the other API server",
        "resources-finalizer.argocd.argoproj.io" => {
            "when its objects are deleted; with `protection: confirm`, after `argocd app confirm-deletion`"
        }
        "foregroundDeletion" => "when its own objects are gone",
        _ => return None,
    })
}

pub(super) fn check_deletion(side: &LiveSide<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for object in &side.live.objects {
        // a Pod is judged by what it serves, and each rollout deletes Pods; the Pod of a lost node stays until the node is back or deleted
        if object.kind() != "Pod" && side.is_ours(object) {
            findings.extend(deletion_finding(object, side.now));
        }
    }
    findings
}

/// An object that is being deleted, and what it waits for, if that is known.
pub(super) fn deletion_finding(object: &Object, now: Duration) -> Option<Finding> {
    let waited = now.saturating_sub(object.time("/metadata/deletionTimestamp")?);
    let finalizers = object.texts("/metadata/finalizers");
    let waits_for = if !finalizers.is_empty() {
        let names: Vec<String> = finalizers.iter().copied().map(quoted).collect();
        names.join(", ")
    } else if object.kind() == "Namespace" {
        // it waits for its objects, and its conditions say so (kubernetes `pkg/controller/namespace`)
        let mut conditions = object.conditions("/status/conditions");
        let (.., why) = conditions.find(|(_, status, why)| *status == "True" && !why.is_empty())?;
        why.trim_start_matches([':', ' ']).to_owned()
    } else {
        return None;
    };
    let minutes = waited.as_secs() / 60;
    let waits_for = one_line(&waits_for);
    let message = format!("its deletion has waited {minutes} minutes for {waits_for}");
    let mut help = String::new();
    for name in finalizers {
        // Argo CD adds a word to some of its own
        let domain = name.split('/').next().unwrap_or_default();
        for name in [domain, name] {
            if let Some(when) = removal_time(name) {
                help += &format!("`{name}` goes {when}; ");
                break;
            }
        }
    }
    help += "docs/teardown.md has more";
    let level = if waited > NORMAL {
        Severity::Error
    } else {
        Severity::Warning
    };
    Some(finding(level, Check::Deletion, message, help).mark(object))
}
