//! Whether Argo CD looks at the Applications, and has synced what the branch has.

use super::reading::Reading;
use crate::argocd::application::Application;
use crate::argocd::sync::SKIP_RECONCILE;
use crate::custody::normal_repo;
use crate::diagnostic::readable;
use crate::object::live::{Check, Finding, Object, error, warning};
use crate::state::cluster::Snapshot;
use crate::state::git::Checkout;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use x509_cert::der::DateTime;

/// Without the settings (argo-cd `docs/operator-manual/argocd-cm.yaml`).
const USUAL: [(&str, Duration); 2] = [
    ("/data/timeout.reconciliation", Duration::from_secs(120)),
    ("/data/timeout.reconciliation.jitter", Duration::from_secs(60)),
];

fn usual() -> Duration {
    USUAL.iter().map(|(_, usual)| *usual).sum()
}

/// A look takes a while, and the queue is long where there are many Applications.
const SLACK: Duration = Duration::from_secs(60);

/// The longest time between two looks at an Application; none if Argo CD waits for webhooks alone (argo-cd
/// `cmd/argocd-application-controller/commands/argocd_application_controller.go`, appResyncPeriod).
fn period(live: &Snapshot) -> Option<Duration> {
    let settings = live.named("ConfigMap", "argocd-cm");
    let [timeout, jitter] = USUAL
        .map(|(place, usual)| settings.and_then(|it| it.string(place)).and_then(duration).unwrap_or(usual));
    (!timeout.is_zero()).then(|| timeout.saturating_add(jitter))
}

/// As Go reads one (`time.ParseDuration`), to the second.
fn duration(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let (mut rest, mut seconds) = (text, 0_u64);
    while !rest.is_empty() {
        let (number, unit) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let of_unit = match unit.chars().next()? {
            'h' => 60 * 60,
            'm' if !unit.starts_with("ms") => 60,
            's' => 1,
            _ => return None,
        };
        seconds = number.parse::<u64>().ok()?.checked_mul(of_unit)?.checked_add(seconds)?;
        rest = unit.get(1..)?;
    }
    (!text.is_empty()).then(|| Duration::from_secs(seconds))
}

/// The workloads of a part of Argo CD: by its label, or by the name that the chart and the manifests end with.
pub(super) fn component<'l>(
    live: &'l Snapshot,
    kind: &'l str,
    part: &'l str,
) -> impl Iterator<Item = &'l Object> {
    live.of_kind(kind).filter(move |it| {
        it.label("app.kubernetes.io/component") == Some(part)
            || it.name().strip_suffix(part).is_some_and(|it| it.ends_with("argocd-"))
    })
}

/// Whether Kubernetes says that no pod of the controller is ready. It is a `StatefulSet`, or a Deployment (argo-cd `manifests/base`).
fn is_down(live: &Snapshot) -> bool {
    let mut controllers = ["StatefulSet", "Deployment"]
        .into_iter()
        .flat_map(|kind| component(live, kind, "application-controller"))
        .peekable();
    controllers.peek().is_some()
        && !controllers.any(|it| it.at("/status/readyReplicas").and_then(Value::as_u64) > Some(0))
}

/// Argo CD does not look at an Application any more: then its state is of before. A controller that Kubernetes does not know, or that
/// runs elsewhere, still looks; so neither of the two signs is enough, unless the last look is long ago.
pub(super) fn unseen(
    object: &Object,
    application: &Application,
    live: &Snapshot,
    reading: &Reading,
) -> Option<Finding> {
    let last = object.text("/status/reconciledAt");
    let ago = reading.at.checked_sub(last.parse::<DateTime>().ok()?.unix_duration())?;
    let (period, is_down) = (period(live), is_down(live));
    let minutes = ago.as_secs() / 60;
    if application.sync.is_skipped() {
        let message = format!(
            "its annotation `{SKIP_RECONCILE}` is true, so Argo CD does not look at it: the last look was {minutes} minutes ago"
        );
        let is_long = ago > period.unwrap_or_else(usual).saturating_add(SLACK);
        return is_long.then(|| warning(Check::ArgoCdDown, message, "remove the annotation").at(object));
    }
    let help = "`kubectl -n argocd get pods`: until its application controller runs, no commit is synced, and what this Application shows is of then";
    if is_down && ago > period.unwrap_or_else(usual).saturating_add(SLACK) {
        let message = format!(
            "Argo CD's application controller is not ready, and last looked at this {minutes} minutes ago"
        );
        return Some(error(Check::ArgoCdDown, message, help).at(object));
    }
    let period = period.filter(|period| ago > period.saturating_mul(3).saturating_add(SLACK))?;
    let message = format!(
        "Argo CD last looked at this {minutes} minutes ago, and its settings say every {} minutes",
        period.as_secs().div_ceil(60)
    );
    Some(warning(Check::ArgoCdDown, message, help).at(object))
}

/// The branch has a newer commit for this folder than the one that was compared. Argo CD has had the time to see it, or waits for
/// something: its state may be `Synced`.
pub(super) fn old_commit(
    object: &Object,
    application: &Application,
    folder: &Path,
    live: &Snapshot,
    reading: &Reading,
    remotes: &mut Option<Vec<(String, String)>>,
) -> Option<Finding> {
    let synced = object.text("/status/sync/revision");
    let is_commit = synced.len() == 40 && synced.bytes().all(|it| it.is_ascii_hexdigit());
    let (url, revision) =
        (application.source.repo_url.as_deref()?, application.source.target_revision.as_deref()?);
    let checkout = Checkout::of(folder).filter(|_| is_commit)?;
    // git is asked once, and not for each Application
    let remotes = remotes.get_or_insert_with(|| checkout.remotes().unwrap_or_default());
    let (remote, _) = remotes.iter().find(|(_, it)| normal_repo(it) == normal_repo(url))?;
    let branch = revision.strip_prefix("refs/heads/").unwrap_or(revision);
    if !branch.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c)) || branch.contains("..") {
        return None;
    }
    let (newest, time) = checkout.newer(synced, &format!("refs/remotes/{remote}/{branch}"))?;
    let ago = reading.at.checked_sub(time)?;
    let period = period(live).unwrap_or_else(usual);
    if ago <= period.saturating_add(SLACK) {
        return None;
    }
    let [at, newest] = [synced, &newest].map(|commit| readable(commit.get(..8).unwrap_or_default()));
    let minutes = ago.as_secs() / 60;
    let message = format!(
        "it is at the commit {at}, and the branch has {newest} for this folder here, {minutes} minutes old"
    );
    let help = "`argocd app get --refresh` has Argo CD look at the branch; if nothing changes, look whether its application controller runs";
    Some(warning(Check::Sync, message, help).at(object))
}

#[cfg(test)]
mod tests {
    use super::{Duration, duration};

    #[test]
    fn a_duration_is_gos() {
        for (text, expected) in [("120s", 120), ("3m", 180), ("1h30m", 5400), ("0", 0), ("0s", 0)] {
            assert_eq!(duration(text), Some(Duration::from_secs(expected)), "{text}");
        }
        for text in ["", "1", "h", "5ms", "1.5h", "-1s", "s1", "99999999999999999999h"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
