//! Checks the Applications of a peering's folder, and their Argo CD.

use super::hub::{Hub, LiveApplication};
use super::snapshots::Snapshots;
use super::{controller, deletion, name_in_command, quoted};
use crate::diagnostic::{Diagnostic, readable};
use crate::judge::applications::{
    destination_faults, harms, own_faults, same_cluster, stream_faults,
};
use crate::object::live::{Check, Finding, Object, error, note, one_line, text_at, warning};
use crate::peering::{Peering, Role, State};
use crate::state::git::Checkout;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

pub(super) fn check_applications(
    peering: &Peering,
    snapshots: &Snapshots,
    hub: &Hub<'_>,
) -> Vec<Finding> {
    let mut findings: Vec<_> = controller::check_release(hub.live).into_iter().collect();
    findings.extend(controller::check_controller(hub.live, snapshots.time));
    for role in Role::BOTH {
        if peering.waits_for_peer(role) && hub.of_role(role).next().is_some() {
            findings.extend(controller::check_health_pack(hub.live));
        }
        findings.extend(check_role(peering, hub, role));
    }
    for it in &hub.applications {
        findings.extend(check_application(it, peering, snapshots, &hub.folder));
    }
    if let [one, other] = hub.applications.as_slice() {
        let faults = same_cluster(&one.application, &other.application);
        findings.extend(faults_of(one, faults));
    }
    // two sources of one Application have the same state, and two roles the same Argo CD
    let mut known = BTreeSet::new();
    findings.retain(|it| known.insert((it.code, it.object.clone(), it.message.clone())));
    findings
}

/// The Application of a role, and whether it is the only one.
fn check_role(peering: &Peering, hub: &Hub<'_>, role: Role) -> Vec<Finding> {
    let finding = match hub.of_role(role).collect::<Vec<_>>().as_slice() {
        [] if hub.is_unknown(role) => note(
            Check::Applications,
            format!("the Application of the role `{role}` is not known"),
            "run doctor in a checkout with the Application's `repoURL` as remote",
        ),
        [] => warning(
            Check::Applications,
            format!("no Application has this folder and the role `{role}`"),
            "create it as in argocd-app/README.md, unless another Argo CD has it",
        ),
        [one] => {
            let cluster = peering.clusters[role].argocd_cluster.as_str();
            let mut faults = destination_faults(&one.application, cluster, role);
            faults.extend(stream_faults(&one.application, peering, role));
            return faults_of(one, faults);
        }
        [one, .., other] => {
            let message = format!("{} has the role `{role}` too", other.object);
            let help =
                "both own the same objects: change one's role, or delete one without its resources";
            error(Check::Applications, message, help).mark(one.object)
        }
    };
    vec![finding]
}

/// The findings of one Application: its state, its settings, and whether Argo CD has synced the newest commit.
fn check_application(
    it: &LiveApplication<'_>,
    peering: &Peering,
    snapshots: &Snapshots,
    folder: &Path,
) -> Vec<Finding> {
    let (object, application) = (it.object, &it.application);
    let mut findings = check_state(object);
    // `argocd app delete` sets the finalizer itself, and Argo CD no longer syncs what is being deleted
    if object.find("/metadata/deletionTimestamp").is_none() {
        for fault in harms(&application.sync, peering.state == State::Drained) {
            findings.push(fault_finding(object, Check::SyncOptions, fault));
        }
    }
    findings.extend(faults_of(it, own_faults(application)));
    findings.extend(deletion::deletion_finding(object, snapshots.time));
    if snapshots.waits && !application.sync.is_skipped() {
        findings.extend(check_commit(object, folder));
    }
    findings.into_iter().map(|it| it.mark(object)).collect()
}

/// With `--wait`: Argo CD has not synced the folder's newest commit of the checkout. After a rotation nothing else shows this: the objects
/// on the clusters fit together, and the new keys are sealed.
fn check_commit(object: &Object, folder: &Path) -> Option<Finding> {
    let synced = object.text("/status/sync/revision");
    if synced.len() != 40 || !synced.as_bytes().iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let checkout = Checkout::open(folder)?;
    let newest = checkout.newer(synced, "HEAD")?;
    if !checkout.differs(synced, "HEAD") {
        return None;
    }
    let [at, newest] = [synced, &newest].map(|it| readable(it.get(..8).unwrap_or_default()));
    let message = format!("it is at commit {at}, and this checkout has {newest}");
    let help = "push and merge the commit; without automated sync, run `argocd app sync`";
    Some(error(Check::Sync, message, help))
}

/// A fault that `validate` also reports for a file.
fn fault_finding(object: &Object, check: Check, fault: Diagnostic) -> Finding {
    let finding = Finding::new(fault.level, check, fault.message);
    finding.help(fault.help).mark(object)
}

fn faults_of(
    live: &LiveApplication<'_>,
    faults: impl IntoIterator<Item = Diagnostic>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for fault in faults {
        findings.push(fault_finding(live.object, Check::Applications, fault));
    }
    findings
}

/// The state of an Application (argo-cd `pkg/apis/application/v1alpha1/types.go`, ApplicationStatus).
fn check_state(object: &Object) -> Vec<Finding> {
    let mut findings = Vec::new();
    let sync = object.text("/status/sync/status");
    let health = object.text("/status/health/status");
    // the Application is new, or this Argo CD does not watch its namespace
    if sync.is_empty() {
        let message = "Argo CD has not looked at it yet";
        let help = "check that the application controller watches this namespace";
        findings.push(warning(Check::Sync, message, help));
    } else if sync != "Synced" {
        let message = format!("its state is {}", quoted(sync));
        let help = match sync {
            "Unknown" => "its condition shows why",
            _ => "`argocd app diff` shows why",
        };
        findings.push(warning(Check::Sync, message, help));
    }
    if !matches!(health, "Healthy" | "") {
        let message = format!("its health is {}", quoted(health));
        let help = "`argocd app get` shows of which object";
        findings.push(warning(Check::Health, message, help));
    }
    findings.extend(check_operation(object));
    for condition in object.list("/status/conditions") {
        findings.extend(check_condition(object, condition));
    }
    findings
}

/// A condition that Argo CD reports on the Application (argo-cd `controller/state.go`, CompareAppState).
fn check_condition(object: &Object, condition: &Value) -> Option<Finding> {
    let kind = condition.get("type")?.as_str()?;
    let what = text_at(condition, "message");
    let plugin = error_of_plugin(what);
    let shown = shorten_commits(plugin.map_or(what, |(_, line)| line));
    let message = format!("{}: {}", quoted(kind), one_line(&shown));
    let refresh = "`argocd app get --hard-refresh` asks the plugin again";
    Some(match (kind, plugin) {
        ("SharedResourceWarning", _) => warning(
            Check::OtherOwner,
            message,
            "leave the object to one, and delete the other without its resources: `argocd app delete NAME --cascade=false`",
        ),
        ("RepeatedResourceWarning", _) => warning(
            Check::Sync,
            message,
            "leave it in one source: Argo CD applies only the last",
        ),
        // it stays when the deletion goes on (argo-cd `controller/appcontroller.go`, processAppOperationQueueItem)
        ("DeletionError", _) => warning(
            Check::Deletion,
            message,
            "the error can be old: docs/teardown.md",
        ),
        _ if !kind.ends_with("Error") => return None,
        _ if what.contains(ATTEMPT) => error(Check::Sync, message, sync_help(object)),
        (_, Some((code, _))) => {
            let help = format!("see `argocd-peering explain {code}`; {refresh}");
            error(Check::Sync, message, help)
        }
        _ => error(Check::Sync, message, refresh),
    })
}

/// The code and the first line of the plugin's own words in Argo CD's message (argo-cd `cmpserver/plugin/plugin.go`).
fn error_of_plugin(message: &str) -> Option<(&str, &str)> {
    let (before, rest) = message.split_once("error[")?;
    let (code, _) = rest.split_once(']')?;
    let is_code = code.bytes().all(|it| it.is_ascii_lowercase() || it == b'-');
    let line = message.get(before.len()..)?.lines().next()?;
    (is_code && before.contains("failed exit status")).then_some((code, line))
}

/// The last sync, or the one that is running.
fn check_operation(object: &Object) -> Option<Finding> {
    let phase = object.text("/status/operationState/phase");
    let message = one_line(object.text("/status/operationState/message"));
    let what = format!("its last operation is {}: {message}", quoted(phase));
    Some(match phase {
        // Argo CD does not sync when nothing differs, so the phase stays (argo-cd `controller/appcontroller.go`, autoSync)
        "Failed" | "Error" if object.text("/status/sync/status") == "Synced" => {
            let help = "do nothing: the newest state is synced";
            note(Check::Sync, what, help)
        }
        "Failed" | "Error" => error(Check::Sync, what, sync_help(object)),
        // (argo-cd `gitops-engine/pkg/sync/sync_context.go`)
        "Running" if message.contains("pruning confirmation of") => {
            let name = name_in_command(object.name(), "NAME");
            let what = format!("its sync waits for a person: {message}");
            let help = format!(
                "`argocd app confirm-deletion {name}` deletes them; to keep them, `argocd app terminate-op {name}`, revert the commit, `argocd app sync {name}`"
            );
            error(Check::Confirmation, what, help)
        }
        "Running" => note(Check::Sync, what, "`argocd app wait` follows it"),
        _ => return None,
    })
}

/// The words before the commits of a sync that is not retried (argo-cd `controller/appcontroller.go`, autoSync).
const ATTEMPT: &str = "sync attempt to ";

/// Shortens commits as Git does: a full commit looks like a token, and would be masked.
fn shorten_commits(message: &str) -> String {
    let Some((before, rest)) = message.split_once(ATTEMPT) else {
        return message.to_owned();
    };
    let end = rest.find(|c: char| !c.is_ascii_hexdigit() && !"[] ".contains(c));
    let (commits, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let mut commits = commits.to_owned();
    for commit in commits.clone().split(['[', ']', ' ']) {
        if commit.len() == 40 {
            commits = commits.replace(commit, commit.get(..8).unwrap_or_default());
        }
    }
    format!("{before}{ATTEMPT}{commits}{rest}")
}

fn sync_help(object: &Object) -> String {
    let name = name_in_command(object.name(), "NAME");
    format!("correct what it reports, then run `argocd app sync {name}`")
}
