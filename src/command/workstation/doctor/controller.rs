//! Argo CD's own workloads, and whether its application controller runs.

use crate::diagnostic::Severity;
use crate::object::live::{Check, Finding, Object, finding};
use crate::state::cluster::Snapshot;
use serde_json::Value;
use std::time::Duration;
use x509_cert::der::DateTime;

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

/// The application controller, if none of its pods is ready. It is a `StatefulSet` or a Deployment (argo-cd `manifests/base`); where neither
/// is read, it runs elsewhere.
pub(super) fn not_ready(live: &Snapshot) -> Option<&Object> {
    let controllers: Vec<_> = ["StatefulSet", "Deployment"]
        .into_iter()
        .flat_map(|kind| component(live, kind, "application-controller"))
        .collect();
    let is_ready = |it: &&Object| it.at("/status/readyReplicas").and_then(Value::as_u64) > Some(0);
    let first = controllers.first()?;
    (!controllers.iter().any(is_ready)).then_some(first)
}

/// The finding that the controller does not run. While one of its pods starts, it is a note: an update of Argo CD or of a node is no fault.
pub(super) fn is_down(live: &Snapshot, now: Duration) -> Option<Finding> {
    let controller = not_ready(live)?;
    let own = format!("{}-", controller.name());
    let mut pods = live.of_kind("Pod").filter(|it| it.name().starts_with(&own));
    let message = "Argo CD's application controller has no pod that is ready";
    let level = if pods.any(|pod| is_starting(pod, now)) {
        Severity::Note
    } else if live.refusal("pods").is_some() {
        Severity::Warning
    } else {
        Severity::Error
    };
    let help = if level == Severity::Note {
        "one starts: run doctor again in five minutes"
    } else {
        "`kubectl -n argocd get pods`: until it runs, no commit is synced, and the Applications show the state of before"
    };
    Some(finding(level, Check::ArgoCdDown, message, help).at(controller))
}

/// The time within which a pod that starts is ready.
const START: Duration = Duration::from_secs(5 * 60);

/// Whether a pod became unready within this time and no container of it fails (Kubernetes `core/v1`, PodStatus).
fn is_starting(pod: &Object, now: Duration) -> bool {
    let mut conditions = pod.list("/status/conditions").iter();
    let ready = conditions.find(|it| it.get("type").is_some_and(|kind| kind == "Ready"));
    let since = ready.and_then(|it| it.get("lastTransitionTime")?.as_str()?.parse().ok());
    let mut waiting = pod
        .list("/status/containerStatuses")
        .iter()
        .filter_map(|it| it.pointer("/state/waiting/reason")?.as_str());
    since.is_some_and(|it: DateTime| now.saturating_sub(it.unix_duration()) < START)
        && waiting.all(|it| matches!(it, "ContainerCreating" | "PodInitializing"))
}
