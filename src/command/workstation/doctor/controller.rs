//! Argo CD's own workloads, and whether its application controller runs.

use crate::object::live::{Check, Finding, Object, error};
use crate::state::cluster::Snapshot;
use serde_json::Value;

/// The workloads of a component of Argo CD, found by its label, or by the end of its name in the chart and the manifests.
pub(super) fn component<'l>(
    live: &'l Snapshot,
    kind: &'l str,
    part: &'l str,
) -> impl Iterator<Item = &'l Object> {
    live.of_kind(kind).filter(move |it| {
        it.label("app.kubernetes.io/component") == Some(part)
            || it
                .name()
                .strip_suffix(part)
                .is_some_and(|it| it.ends_with("argocd-"))
    })
}

/// The finding that no pod of the application controller is ready. The controller is a `StatefulSet` or a Deployment (argo-cd
/// `manifests/base`); where neither is read, it runs elsewhere.
pub(super) fn is_down(live: &Snapshot) -> Option<Finding> {
    let controllers: Vec<_> = ["StatefulSet", "Deployment"]
        .into_iter()
        .flat_map(|kind| component(live, kind, "application-controller"))
        .collect();
    let is_ready = |it: &&Object| it.at("/status/readyReplicas").and_then(Value::as_u64) > Some(0);
    let first = controllers.first()?;
    let message = "Argo CD's application controller has no pod that is ready";
    let help = "`kubectl -n argocd get pods`: until it runs, no commit is synced, and the Applications show the state of before";
    (!controllers.iter().any(is_ready)).then(|| error(Check::ArgoCdDown, message, help).at(first))
}
