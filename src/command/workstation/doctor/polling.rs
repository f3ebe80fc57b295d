//! Checks whether Argo CD refreshes the Applications, and has synced the branch's newest commit.

use super::hub::{Hub, Live};
use super::reading::Reading;
use crate::argocd::sync::SKIP_RECONCILE;
use crate::custody::normal_repo;
use crate::diagnostic::readable;
use crate::object::live::{Check, Finding, Object, error, warning};
use crate::state::cluster::Snapshot;
use crate::state::git::Checkout;
use serde_json::Value;
use std::time::Duration;
use x509_cert::der::DateTime;

/// The defaults of the settings (argo-cd `docs/operator-manual/argocd-cm.yaml`).
const USUAL: [(&str, Duration); 2] = [
    ("/data/timeout.reconciliation", Duration::from_secs(120)),
    (
        "/data/timeout.reconciliation.jitter",
        Duration::from_secs(60),
    ),
];

fn usual() -> Duration {
    USUAL.iter().map(|(_, usual)| *usual).sum()
}

/// The extra time of a refresh, which takes a while and waits in a queue if there are many Applications.
const SLACK: Duration = Duration::from_secs(60);

/// The interval of refreshes and its jitter; `None` if their text is not understood.
pub(super) fn settings(live: &Snapshot) -> Option<[Duration; 2]> {
    let settings = live.named("ConfigMap", "argocd-cm");
    let read = |(place, usual)| {
        settings
            .and_then(|it| it.string(place))
            .map_or(Some(usual), duration)
    };
    let [timeout, jitter] = USUAL.map(read);
    Some([timeout?, jitter?])
}

/// The longest time between two refreshes of an Application; `None` if Argo CD waits only for webhooks (argo-cd
/// `cmd/argocd-application-controller/commands/argocd_application_controller.go`, appResyncPeriod).
fn period([timeout, jitter]: [Duration; 2]) -> Option<Duration> {
    (!timeout.is_zero()).then(|| timeout.saturating_add(jitter))
}

/// Go's units in seconds. A unit comes before its own prefixes that are units.
#[rustfmt::skip] // a table
const UNITS: [(&str, f64); 8] = [
    ("h", 3600.0), ("ms", 1e-3), ("m", 60.0), ("s", 1.0), ("us", 1e-6), ("µs", 1e-6), ("μs", 1e-6), ("ns", 1e-9),
];

/// A duration as Argo CD reads it: in whole days, or in Go's form, `1.5h` (argo-cd `util/env/env.go`, ParseDurationFromEnv; argoproj/pkg
/// `time/time.go`; Go `time.ParseDuration`). Argo CD replaces a negative duration by its default.
fn duration(text: &str) -> Option<Duration> {
    let days = text
        .strip_suffix('d')
        .filter(|it| it.bytes().all(|it| it.is_ascii_digit()));
    if let Some(days) = days {
        return days
            .parse::<u64>()
            .ok()?
            .checked_mul(24 * 60 * 60)
            .map(Duration::from_secs);
    }
    // Go reads this one number without a unit
    let (mut rest, mut all) = (if text == "0" { "0s" } else { text }, None);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        let (unit, seconds) = UNITS.iter().find(|(unit, _)| after.starts_with(unit))?;
        let part = Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()?;
        all = Some(all.unwrap_or(Duration::ZERO).checked_add(part)?);
        rest = after.strip_prefix(unit)?;
    }
    all
}

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

/// Whether Kubernetes reports that no pod of the controller is ready. The controller is a `StatefulSet` or a Deployment (argo-cd
/// `manifests/base`).
fn is_down(live: &Snapshot) -> bool {
    let mut controllers = ["StatefulSet", "Deployment"]
        .into_iter()
        .flat_map(|kind| component(live, kind, "application-controller"))
        .peekable();
    controllers.peek().is_some()
        && !controllers.any(|it| it.at("/status/readyReplicas").and_then(Value::as_u64) > Some(0))
}

/// The finding that Argo CD no longer refreshes an Application, so that its state is old. A controller that Kubernetes does not know, or
/// that runs elsewhere, still refreshes it; so neither sign is enough, unless the last refresh is long ago.
pub(super) fn unseen(
    Live {
        object,
        application,
        ..
    }: &Live<'_>,
    live: &Snapshot,
    reading: &Reading,
) -> Option<Finding> {
    let last = object.text("/status/reconciledAt");
    let ago = reading
        .at
        .checked_sub(last.parse::<DateTime>().ok()?.unix_duration())?;
    let (period, is_down) = (period(settings(live)?), is_down(live));
    let minutes = ago.as_secs() / 60;
    if application.sync.is_skipped() {
        let message = format!(
            "its annotation `{SKIP_RECONCILE}` is true, so Argo CD does not look at it: the last look was {minutes} minutes ago"
        );
        let is_long = ago > period.unwrap_or_else(usual).saturating_add(SLACK);
        return is_long
            .then(|| warning(Check::ArgoCdDown, message, "remove the annotation").at(object));
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

/// The commit that Argo CD compared.
fn commit(object: &Object) -> Option<&str> {
    let revision = object.text("/status/sync/revision");
    (revision.len() == 40 && revision.bytes().all(|it| it.is_ascii_hexdigit())).then_some(revision)
}

/// With `--wait`: Argo CD has not synced the folder's newest commit of the checkout. After a rotation nothing else shows this: the objects
/// on the clusters fit together, and the new keys are sealed.
pub(super) fn not_yet(
    Live { object, folder, .. }: &Live<'_>,
    reading: &Reading,
) -> Option<Finding> {
    let synced = commit(object)?;
    let checkout = Checkout::of(folder).filter(|_| reading.waits)?;
    let (newest, _) = checkout
        .newer(synced, "HEAD")
        .filter(|_| checkout.differs(synced, "HEAD"))?;
    let [at, newest] =
        [synced, &newest].map(|commit| readable(commit.get(..8).unwrap_or_default()));
    let message =
        format!("it is at the commit {at}, and this checkout has {newest} for this folder");
    let help = "push the commit, and have it merged; then `argocd app sync`, if the Application has no automated sync";
    Some(error(Check::Sync, message, help).at(object))
}

/// The branch has a newer commit of this folder than the one that Argo CD compared. Argo CD has had time to see it, or it waits for
/// something: its state may be `Synced`.
pub(super) fn old_commit(it: &Live<'_>, hub: &Hub<'_>, reading: &Reading) -> Option<Finding> {
    let Live {
        object,
        application,
        folder,
    } = it;
    let synced = commit(object)?;
    let (url, revision) = (
        application.source.repo_url.as_deref()?,
        application.source.target_revision.as_deref()?,
    );
    let checkout = Checkout::of(folder)?;
    let (remote, _) = hub
        .remotes
        .iter()
        .find(|(_, it)| normal_repo(it) == normal_repo(url))?;
    let branch = revision.strip_prefix("refs/heads/").unwrap_or(revision);
    if !branch
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
        || branch.contains("..")
    {
        return None;
    }
    let (newest, time) = checkout.newer(synced, &format!("refs/remotes/{remote}/{branch}"))?;
    let ago = reading.at.checked_sub(time)?;
    let period = period(settings(hub.live)?).unwrap_or_else(usual);
    if ago <= period.saturating_add(SLACK) {
        return None;
    }
    let [at, newest] =
        [synced, &newest].map(|commit| readable(commit.get(..8).unwrap_or_default()));
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
    fn a_duration_is_argo_cds() {
        #[rustfmt::skip] // a table
        let read = [
            ("120s", 120), ("3m", 180), ("1h30m", 5400), ("0", 0), ("0s", 0), ("1d", 86_400), ("1.5h", 5400),
            (".5h", 1800), ("1.h", 3600), ("5000ms", 5), ("1m0.5s500ms", 61),
        ];
        for (text, expected) in read {
            assert_eq!(
                duration(text),
                Some(Duration::from_secs(expected)),
                "{text}"
            );
        }
        #[rustfmt::skip] // a table
        let refused = [
            "", "1", "h", ".", "+", "d", "1.5d", "1d1h", "1w", "-1s", "+1s", "s1", "hs", "1e3s", "infs", "1.2.3s",
            "99999999999999999999h", "99999999999999999999d", "3 m",
        ];
        for text in refused {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
