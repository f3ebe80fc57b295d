//! Argo CD's own workloads, and whether its application controller runs.

use super::quoted;
use crate::diagnostic::Severity;
use crate::object::live::{Check, Finding, Object, finding, note, text_at, warning};
use crate::state::cluster::Snapshot;
use crate::state::cluster::liqo::tag;
use serde_json::Value;
use std::time::Duration;
use x509_cert::der::DateTime;

/// The workloads of a component of Argo CD, found by its label, or by the end of its name in the chart and the manifests.
fn components<'l>(
    live: &'l Snapshot,
    kind: &'l str,
    part: &'l str,
) -> impl Iterator<Item = &'l Object> {
    let name = format!("argocd-{part}");
    live.of_kind(kind).filter(move |object| {
        object.label("app.kubernetes.io/component") == Some(part) || object.name().ends_with(&name)
    })
}

/// The application controller, if none of its pods is ready. It is a `StatefulSet` or a Deployment (argo-cd `manifests/base`); where neither
/// is read, it runs elsewhere.
pub(super) fn stopped_controller(live: &Snapshot) -> Option<&Object> {
    let mut controllers = components(live, "StatefulSet", "application-controller")
        .chain(components(live, "Deployment", "application-controller"))
        .peekable();
    let first = *controllers.peek()?;
    let is_ready = |it: &Object| it.integer("/status/readyReplicas") > Some(0);
    (!controllers.any(is_ready)).then_some(first)
}

/// The finding that the controller does not run. While one of its pods starts, it is a note: an update of Argo CD or of a node is no fault.
pub(super) fn check_controller(live: &Snapshot, now: Duration) -> Option<Finding> {
    let controller = stopped_controller(live)?;
    let own = format!("{}-", controller.name());
    let mut pods = live.of_kind("Pod");
    let mut level = Severity::Error;
    let mut help = "`kubectl -n argocd get pods` shows why; until it runs, nothing is synced";
    if pods.any(|pod| pod.name().starts_with(&own) && is_starting(pod, now)) {
        level = Severity::Note;
        help = "one starts: run doctor again in five minutes";
    } else if live.refusal("pods").is_some() {
        level = Severity::Warning;
    }
    let message = "Argo CD's application controller has no ready pod";
    Some(finding(level, Check::ArgoCdDown, message, help).mark(controller))
}

/// The time within which a pod that starts is ready.
const START: Duration = Duration::from_secs(5 * 60);

/// Whether a pod became unready within this time and no container of it fails (Kubernetes `core/v1`, PodStatus).
fn is_starting(pod: &Object, now: Duration) -> bool {
    for container in pod.list("/status/containerStatuses") {
        let reason = container.pointer("/state/waiting/reason");
        let reason = reason.and_then(Value::as_str);
        if !matches!(reason, None | Some("ContainerCreating" | "PodInitializing")) {
            return false;
        }
    }
    for condition in pod.list("/status/conditions") {
        if text_at(condition, "type") == "Ready" {
            let since = text_at(condition, "lastTransitionTime").parse::<DateTime>();
            return since.is_ok_and(|it| now.saturating_sub(it.unix_duration()) < START);
        }
    }
    false
}

/// Argo CD's settings, which have the health packs.
pub(super) const SETTINGS: &str = "configmaps/argocd-cm";

/// The keys of the settings that can have a health check of ResourceQuotas (argo-cd `util/settings/settings.go`, GetResourceOverrides).
pub(super) const HEALTH: [&str; 2] = [
    "resource.customizations.health.ResourceQuota",
    "resource.customizations",
];

/// Argo CD's settings, if they are in the namespace that was read.
pub(super) fn settings(live: &Snapshot) -> Option<&Object> {
    live.named("ConfigMap", "argocd-cm")
}

/// The finding that Argo CD has no health check of the hook that waits for the other cluster: it then does not wait (argo-cd
/// `controller/hook.go`, executeHooks).
pub(super) fn check_health_pack(live: &Snapshot) -> Option<Finding> {
    let settings = settings(live)?;
    for key in HEALTH {
        if settings.text(&format!("/data/{key}")).contains("PreDelete") {
            return None;
        }
    }
    let message = "Argo CD has no health check of the ResourceQuota `in-use`";
    let help = "install a health pack, or delete the consumer's Application first";
    Some(warning(Check::HealthPack, message, help).mark(settings))
}

/// The first patch of each minor without the critical holes of October 2026 (argo-cd, the releases of these versions).
const MENDED: [[u32; 3]; 4] = [[3, 3, 15], [3, 4, 10], [3, 5, 4], NEWEST];
const NEWEST: [u32; 3] = [3, 6, 0];

/// The oldest minor that its own project still mends.
const OLDEST: [u32; 2] = [3, 4];

/// The finding that Argo CD has a hole by which others reach the plugin, or that nobody mends it any more. A warning, since the peering
/// works.
pub(super) fn check_release(live: &Snapshot) -> Option<Finding> {
    let deployment = components(live, "Deployment", "repo-server").next()?;
    let text = tag(deployment)?;
    let shown = quoted(text);
    let upgrade = "upgrade it to 3.4.10, 3.5.4, 3.6.0 or newer";
    let Some(version) = parse_version(text) else {
        let message = format!("Argo CD's version is unknown: its tag is {shown}");
        let help =
            "`argocd version` prints it; before 3.4.10, 3.5.4 and 3.6.0 it has critical holes";
        return Some(note(Check::ArgoCdVersion, message, help).mark(deployment));
    };
    let mended = MENDED.into_iter().find(|it| it[..2] == version[..2]);
    let (message, help) = if version < mended.unwrap_or(NEWEST) {
        let holes =
            "GHSA-9v9p-x54c-58gc, GHSA-fw5c-w8rc-j7fx, GHSA-m3vr-7329-44ww and GHSA-fmxq-cgp8-87wp";
        let harm = "a commit in any repository can run commands in the repo-server";
        (
            format!("Argo CD {shown} has the holes {holes}"),
            format!("{upgrade}: {harm}"),
        )
    } else if version[..] < OLDEST[..] {
        (
            format!("Argo CD {shown} gets no more fixes"),
            upgrade.into(),
        )
    } else {
        return None;
    };
    Some(warning(Check::ArgoCdVersion, message, help).mark(deployment))
}

/// The three numbers of a version such as `v3.6.0-rc2`.
fn parse_version(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.strip_prefix('v').unwrap_or(version).split('.');
    let mut numbers = [0; 3];
    for number in &mut numbers {
        let mut digits = parts.next()?.split(|c: char| !c.is_ascii_digit());
        *number = digits.next()?.parse().ok()?;
    }
    Some(numbers)
}
