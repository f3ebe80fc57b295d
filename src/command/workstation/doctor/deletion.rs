//! Objects that are being deleted, and what they wait for.

use super::side::Side;
use crate::diagnostic::quoted;
use crate::object::live::{Check, Finding, Object, error, one_line, warning};
use std::time::Duration;
use x509_cert::der::DateTime;

/// The normal time of a deletion: draining a node and deleting remote namespaces take minutes.
const NORMAL: Duration = Duration::from_secs(10 * 60);

/// The owner of each finalizer, and when it is removed. Liqo's sources, in the order of the rows (`OFFLOADING` is
/// `pkg/liqo-controller-manager/offloading`): `OFFLOADING/namespaceoffloading-controller/lifecycle.go:39`;
/// `internal/crdReplicator/reflection/handler.go:97`, `:266`; `internal/crdReplicator/crdReplicator-operator.go:107`;
/// `OFFLOADING/virtualnode-controller/deletion-routine.go:107`; `OFFLOADING/namespacemap-controller/enforcement.go:223`;
/// `authentication/tenant-controller/tenant_controller.go:126`; `core/foreigncluster-controller/apiserverchecker.go:36`.
const RELEASED: [(&str, &str); 10] = [
    // argo-cd controller/hook.go, executeHooks
    (
        "pre-delete-finalizer.argocd.argoproj.io",
        "when the consumer's Application is gone",
    ),
    (
        "namespaceoffloading-controller.liqo.io/finalizer",
        "when the namespaces at the provider are gone: the provider must be reachable, and the credential, RoleBinding and Tenant must exist",
    ),
    (
        "crdreplicator.liqo.io/resource",
        "when the copy at the provider is gone: restore the credential, the RoleBinding and the Tenant if they are gone",
    ),
    (
        "crdreplicator.liqo.io/operator",
        "when no slice and no NamespaceMap is left on either side; if the peering is to stay, remove this finalizer, and the Secret is made again",
    ),
    (
        "virtualnode-controller.liqo.io/finalizer",
        "when its Node is drained: a PodDisruptionBudget or a pod may hold it",
    ),
    (
        "namespacemap-controller.liqo.io/finalizer",
        "when its namespaces are gone",
    ),
    (
        "tenant.liqo.io/finalizer",
        "when Liqo has removed its ClusterRoleBinding: Liqo's webhook must run, and the namespace must have its labels",
    ),
    (
        "api-server-checker.liqo.io/finalizer",
        "when Liqo has stopped checking the other cluster's API server",
    ),
    (
        "resources-finalizer.argocd.argoproj.io",
        "when Argo CD has deleted its objects; with `protection: confirm` it waits for `argocd app confirm-deletion`",
    ),
    (
        "foregroundDeletion",
        "when the objects that belong to it are gone: look at those",
    ),
];

pub(super) fn check_deletion(side: &Side<'_>) -> Vec<Finding> {
    // a Pod is judged by what it serves, and each rollout deletes Pods; the Pod of a lost node stays until the node is back or deleted
    let others = side
        .live
        .objects
        .iter()
        .filter(|object| object.kind() != "Pod");
    let ours = others.filter(|object| side.is_ours(object));
    ours.filter_map(|object| waiting(object, side.now))
        .collect()
}

/// An object that is being deleted, and what it waits for, if that is known.
pub(super) fn waiting(object: &Object, now: Duration) -> Option<Finding> {
    let since = object.text("/metadata/deletionTimestamp");
    let since_time = since.parse::<DateTime>().ok()?.unix_duration();
    let waited = now.saturating_sub(since_time);
    let finalizers = object.texts("/metadata/finalizers");
    let names: Vec<_> = finalizers.iter().map(|it| quoted(it)).collect();
    let waits_for = match names.as_slice() {
        // a Namespace waits for its objects, and its conditions say so (kubernetes `pkg/controller/namespace`)
        [] if object.kind() == "Namespace" => {
            let mut conditions = object.conditions("/status/conditions");
            let (.., why) =
                conditions.find(|(_, status, why)| *status == "True" && !why.is_empty())?;
            why.trim_start_matches([':', ' ']).to_owned()
        }
        [] => return None,
        names => names.join(", "),
    };
    let minutes = waited.as_secs() / 60;
    let message = format!(
        "it is being deleted for {minutes} minutes, and waits for {}",
        one_line(&waits_for)
    );
    let known = RELEASED
        .iter()
        .filter(|(name, _)| finalizers.iter().any(|it| it.starts_with(name)));
    let released: Vec<_> = known
        .map(|(name, when)| format!("`{name}` goes {when}"))
        .collect();
    let help = match released.as_slice() {
        [] => "docs/teardown.md has what frees it".to_owned(),
        released => format!("{}; docs/teardown.md has the rest", released.join("; ")),
    };
    let finding = if waited > NORMAL {
        error(Check::Deletion, message, help)
    } else {
        warning(Check::Deletion, message, help)
    };
    Some(finding.mark(object))
}
