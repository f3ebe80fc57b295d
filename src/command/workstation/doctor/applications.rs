//! Checks the Applications of a peering's folder, and their Argo CD.

use super::hub::{Hub, LiveApplication};
use super::reading::Reading;
use super::{ClusterWorld, controller, deletion, in_a_command, quoted};
use crate::diagnostic::{Diagnostic, readable};
use crate::judge::applications::{
    destination_faults, harms, own_faults, role_of, same_cluster, stream_faults,
};
use crate::object::live::{Check, Finding, Object, error, note, one_line, warning};
use crate::peering::{Peering, Role, State};
use crate::state::git::Checkout;
use serde_json::Value;
use std::path::Path;

pub(super) fn check_applications(world: &ClusterWorld<'_>) -> Vec<Finding> {
    let (peering, reading) = (world.peering, world.reading);
    let Some(hub) = &world.hub else {
        return Vec::new();
    };
    let mut findings: Vec<_> = controller::is_too_old(hub.live).into_iter().collect();
    findings.extend(controller::is_down(hub.live, reading.at));
    let mut roles = hub
        .applications
        .iter()
        .filter_map(|it| role_of(&it.application));
    if roles.any(|role| peering.waits_for_peer(role)) {
        findings.extend(controller::lacks_health_check(hub.live));
    }
    findings.extend(
        Role::BOTH
            .into_iter()
            .flat_map(|role| of_role(peering, hub, role)),
    );
    let mut before: Option<&LiveApplication<'_>> = None;
    for it in &hub.applications {
        // another source of the same Application, which has the same state
        match before
            .replace(it)
            .filter(|before| std::ptr::eq(before.object, it.object))
        {
            Some(before) => {
                let known = own_faults(&before.application);
                let new = own_faults(&it.application)
                    .into_iter()
                    .filter(|it| !known.contains(it));
                findings.extend(of_faults(it, new));
            }
            None => findings.extend(of_application(it, world, hub)),
        }
    }
    if let [one, other] = hub.applications.as_slice() {
        findings.extend(of_faults(
            one,
            same_cluster(&one.application, &other.application),
        ));
    }
    findings
}

/// The Application of a role, and whether it is the only one.
fn of_role(peering: &Peering, hub: &Hub<'_>, role: Role) -> Vec<Finding> {
    let of_role = hub
        .applications
        .iter()
        .filter(|it| role_of(&it.application) == Some(role));
    match of_role.collect::<Vec<_>>().as_slice() {
        [] if hub.is_unknown(role) => {
            let message =
                format!("it is not known which Application is this folder's, of the role `{role}`");
            let help = "run doctor in a checkout that has the Application's `repoURL` as a remote";
            vec![note(Check::Applications, message, help)]
        }
        [] => {
            let message = format!("no Application has this folder and the role `{role}`");
            let help = "create it as in argocd-app/README.md, unless another Argo CD has it";
            vec![warning(Check::Applications, message, help)]
        }
        [one] => {
            let cluster = peering.clusters[role].argocd_cluster.as_str();
            let faults = destination_faults(&one.application, cluster, role).into_iter();
            of_faults(
                one,
                faults.chain(stream_faults(&one.application, peering, role)),
            )
        }
        [one, .., other] => {
            let message = format!("{} has the role `{role}` too", other.object);
            let help = "both own the same objects: change the role of one, or delete it without its resources";
            vec![error(Check::Applications, message, help).mark(one.object)]
        }
    }
}

/// The findings of one Application: its state, its settings, and whether Argo CD has synced the newest commit.
fn of_application(
    it: &LiveApplication<'_>,
    world: &ClusterWorld<'_>,
    hub: &Hub<'_>,
) -> Vec<Finding> {
    let sync = &it.application.sync;
    // `argocd app delete` sets the finalizer itself, and Argo CD no longer syncs what is being deleted
    let is_deleted = it.object.find("/metadata/deletionTimestamp").is_some();
    let is_drained = world.peering.state == State::Drained;
    let harms = harms(sync, is_drained).into_iter().filter(|_| !is_deleted);
    let harms = harms.map(|fault| of_fault(it.object, Check::SyncOptions, fault));
    let not_synced =
        newest_not_synced(it.object, &hub.folder, world.reading).filter(|_| !sync.is_skipped());
    let state = state(it.object)
        .into_iter()
        .map(|finding| finding.mark(it.object));
    let faults = of_faults(it, own_faults(&it.application));
    let waiting = deletion::waiting(it.object, world.reading.at);
    state
        .chain(harms)
        .chain(faults)
        .chain(waiting)
        .chain(not_synced)
        .collect()
}

/// With `--wait`: Argo CD has not synced the folder's newest commit of the checkout. After a rotation nothing else shows this: the objects
/// on the clusters fit together, and the new keys are sealed.
fn newest_not_synced(object: &Object, folder: &Path, reading: &Reading) -> Option<Finding> {
    let synced = object.text("/status/sync/revision");
    let is_commit = synced.len() == 40 && synced.bytes().all(|it| it.is_ascii_hexdigit());
    let checkout = Checkout::open(folder).filter(|_| reading.waits && is_commit)?;
    let newest = checkout
        .newer(synced, "HEAD")
        .filter(|_| checkout.differs(synced, "HEAD"))?;
    let [at, newest] =
        [synced, &newest].map(|commit| readable(commit.get(..8).unwrap_or_default()));
    let message =
        format!("it is at the commit {at}, and this checkout has {newest} for this folder");
    let help = "push the commit, and have it merged; then `argocd app sync`, if the Application has no automated sync";
    Some(error(Check::Sync, message, help).mark(object))
}

/// A fault that `validate` also reports for a file.
fn of_fault(object: &Object, check: Check, fault: Diagnostic) -> Finding {
    let finding = Finding::new(fault.level, check, fault.message);
    finding.help(fault.help).mark(object)
}

fn of_faults(
    live: &LiveApplication<'_>,
    faults: impl IntoIterator<Item = Diagnostic>,
) -> Vec<Finding> {
    faults
        .into_iter()
        .map(|fault| of_fault(live.object, Check::Applications, fault))
        .collect()
}

/// The state of an Application (argo-cd `pkg/apis/application/v1alpha1/types.go`, ApplicationStatus).
fn state(object: &Object) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (sync, health) = (
        object.text("/status/sync/status"),
        object.text("/status/health/status"),
    );
    match sync {
        "Synced" => {}
        // the Application is new, or this Argo CD does not watch its namespace
        "" => {
            let help = "a new Application has no status for some seconds; if it stays so, look whether the application controller runs, and whether it watches this namespace";
            findings.push(warning(
                Check::Sync,
                "Argo CD has not looked at it yet",
                help,
            ));
        }
        _ => {
            let message = format!("its state is {}", quoted(sync));
            findings.push(warning(Check::Sync, message, "`argocd app diff` shows why"));
        }
    }
    if !matches!(health, "Healthy" | "") {
        let help = "`argocd app get` shows of which object";
        findings.push(warning(
            Check::Health,
            format!("its health is {}", quoted(health)),
            help,
        ));
    }
    findings.extend(operation(object));
    findings.extend(
        object
            .list("/status/conditions")
            .iter()
            .filter_map(|it| condition(object, it)),
    );
    findings
}

/// A condition that Argo CD reports on the Application (argo-cd `controller/state.go`, CompareAppState).
fn condition(object: &Object, condition: &Value) -> Option<Finding> {
    let [kind, what] = ["type", "message"].map(|key| {
        condition
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    });
    let plugin = of_plugin(what);
    let shown = with_short_commits(plugin.map_or(what, |(_, line)| line));
    let message = format!("{}: {}", quoted(kind), one_line(&shown));
    let (check, help) = match kind {
        "SharedResourceWarning" => (Check::OtherOwner, SHARED),
        "RepeatedResourceWarning" => (
            Check::Sync,
            "leave it in one source: Argo CD applies the last one alone",
        ),
        kind if kind.ends_with("Error") => {
            let help = match plugin {
                _ if what.contains(ATTEMPT) => sync_again(object),
                Some((code, _)) => format!(
                    "`argocd-peering explain {code}` has its page; `argocd app get --hard-refresh` asks the plugin again"
                ),
                None => "`argocd app get --hard-refresh` asks the plugin again".to_owned(),
            };
            return Some(error(Check::Sync, message, help));
        }
        _ => return None,
    };
    Some(warning(check, message, help))
}

/// The code and the first line of the plugin's own words in Argo CD's message (argo-cd `cmpserver/plugin/plugin.go`).
fn of_plugin(message: &str) -> Option<(&str, &str)> {
    let (before, rest) = message.split_once("error[")?;
    let (code, _) = rest.split_once(']')?;
    let is_code = code.bytes().all(|it| it.is_ascii_lowercase() || it == b'-');
    let line = message.get(before.len()..)?.lines().next()?;
    (is_code && before.contains("failed exit status")).then_some((code, line))
}

const SHARED: &str = "leave the object to one of them, and delete the other one without its resources: argocd app delete NAME --cascade=false";

/// The last sync, or the one that is running.
fn operation(object: &Object) -> Option<Finding> {
    let phase = object.text("/status/operationState/phase");
    let message = one_line(object.text("/status/operationState/message"));
    let what = format!("its last operation is {}: {message}", quoted(phase));
    match phase {
        // Argo CD does not sync when nothing differs, so the phase stays (argo-cd `controller/appcontroller.go`, autoSync)
        "Failed" | "Error" if object.text("/status/sync/status") == "Synced" => Some(note(
            Check::Sync,
            what,
            "nothing is to be done: what the repository has now is synced",
        )),
        "Failed" | "Error" => Some(error(Check::Sync, what, sync_again(object))),
        // (argo-cd `gitops-engine/pkg/sync/sync_context.go`)
        "Running" if message.contains("pruning confirmation of") => {
            let name = in_a_command(object.name(), "NAME");
            let help = format!(
                "to delete these, `argocd app confirm-deletion {name}`; to keep them, `argocd app terminate-op {name}`, revert the commit, and `argocd app sync {name}`"
            );
            Some(error(
                Check::Confirmation,
                format!("its sync waits for a person: {message}"),
                help,
            ))
        }
        "Running" => Some(note(Check::Sync, what, "`argocd app wait` follows it")),
        _ => None,
    }
}

/// The words before the commits of a sync that is not retried (argo-cd `controller/appcontroller.go`, autoSync).
const ATTEMPT: &str = "sync attempt to ";

/// Shortens commits as Git does: a full commit looks like a token, and would be masked.
fn with_short_commits(message: &str) -> String {
    let Some((before, rest)) = message.split_once(ATTEMPT) else {
        return message.to_owned();
    };
    let end = rest
        .find(|c: char| !c.is_ascii_hexdigit() && !"[] ".contains(c))
        .unwrap_or(rest.len());
    let (commits, rest) = rest.split_at(end);
    let commits = commits
        .split(' ')
        .map(|word| match word.trim_matches(['[', ']']) {
            commit if commit.len() == 40 => {
                word.replace(commit, commit.get(..8).unwrap_or_default())
            }
            _ => word.to_owned(),
        });
    format!(
        "{before}{ATTEMPT}{}{rest}",
        commits.collect::<Vec<_>>().join(" ")
    )
}

fn sync_again(object: &Object) -> String {
    let name = in_a_command(object.name(), "NAME");
    format!(
        "correct what it reports, then `argocd app sync {name}`: Argo CD does not try by itself again, and may not sync a commit that it read while that sync ran"
    )
}
