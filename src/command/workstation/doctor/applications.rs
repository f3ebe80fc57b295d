//! The Applications of a peering's folder, and their Argo CD.

use super::cluster::{minor, tag};
use super::finding::Finding;
use super::live::{Object, said};
use super::{deletion, quoted};
use crate::peering::{Peering, Role, State};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The plugin's name in plugin.yaml.
const PLUGIN: &str = "argocd-peering";

/// The oldest Argo CD that reports an Application's project to a plugin (argo-cd `reposerver/repository/repository.go`).
const OLDEST: (u32, u32) = (3, 0);

/// An Application of the folder, and the role that it asks for.
struct Application<'o> {
    object: &'o Object,
    role: Option<Role>,
}

pub(super) fn check(peering: &Peering, folder: &Path, objects: &[Object], now: Duration) -> Vec<Finding> {
    let mut findings: Vec<_> = version(objects).into_iter().collect();
    let of_kind = objects.iter().filter(|object| object.kind() == "Application");
    let applications: Vec<_> = of_kind.filter_map(|object| Application::of_folder(object, folder)).collect();
    for role in Role::BOTH {
        let of_role: Vec<_> = applications.iter().filter(|it| it.role == Some(role)).collect();
        findings.extend(match of_role.as_slice() {
            [] => Some(
                Finding::warning("applications", format!("no Application has this folder and the role `{role}`"))
                    .help("create it as in argocd-app/README.md, unless another Argo CD has it"),
            ),
            [one] => {
                let cluster = &*peering.clusters.of(role).argocd_cluster;
                let name = one.object.text("/spec/destination/name");
                let message = format!("its destination is {}, and the document's `argocdCluster` is `{cluster}`", quoted(name));
                // a server's URL may be the same cluster
                (!name.is_empty() && name != cluster).then(|| {
                    Finding::error("applications", message)
                        .at(one.object)
                        .help(format!("correct the destination, the role, or `spec.{role}.argocdCluster`"))
                })
            }
            [one, .., other] => Some(
                Finding::error("applications", format!("{} has the role `{role}` too", other.object))
                    .at(one.object)
                    .help("both would own the same objects: change the role of one, or delete it without its resources"),
            ),
        });
    }
    for application in &applications {
        findings.extend(one(application, peering).into_iter().map(|it| it.at(application.object)));
        findings.extend(deletion::waiting(application.object, now));
    }
    if let [one, other] = applications.as_slice() {
        let same = one.object.0.pointer("/spec/destination") == other.object.0.pointer("/spec/destination");
        findings.extend(same.then(|| {
            Finding::error("applications", format!("{} has the same destination", other.object))
                .at(one.object)
                .help("each role has its own cluster")
        }));
    }
    findings
}

impl<'o> Application<'o> {
    /// With a source of this plugin whose path is the folder's end.
    fn of_folder(object: &'o Object, folder: &Path) -> Option<Self> {
        let sources = object.0.pointer("/spec/source").into_iter().chain(object.list("/spec/sources"));
        let source = sources.map(|it| Object(it.clone())).find(|source| {
            let name = source.text("/plugin/name");
            // Argo CD calls a plugin with a version `<name>-<version>`
            (name == PLUGIN || name.starts_with("argocd-peering-")) && leads_to(source.text("/path"), folder)
        })?;
        let has_name = |item: &&Value, name: &str| item.get("name").is_some_and(|it| it == name);
        let parameter = source.list("/plugin/parameters").iter().find(|it| has_name(it, "role"));
        let variable = source.list("/plugin/env").iter().find(|it| has_name(it, "ROLE"));
        let word = parameter.and_then(|it| it.get("string")).or(variable.and_then(|it| it.get("value")));
        Some(Self { object, role: word.and_then(Value::as_str).and_then(Role::find) })
    }
}

/// Whether a path in a repository can be the one of this folder.
fn leads_to(path: &str, folder: &Path) -> bool {
    match path.trim_start_matches("./") {
        "" | "." => folder.join(".git").exists(),
        path => folder.ends_with(path),
    }
}

fn one(application: &Application<'_>, peering: &Peering) -> Vec<Finding> {
    let object = application.object;
    let mut findings = state(object);
    if application.role.is_none() {
        let finding =
            Finding::error("applications", "it has no parameter `role` that is `consumer` or `provider`");
        findings.push(finding.help("set `spec.source.plugin.parameters`"));
    }
    let flag = |place: &str| object.0.pointer(place).is_some_and(|it| it == true);
    if object.0.pointer("/spec/syncPolicy/automated").is_none_or(Value::is_null) {
        findings.push(Finding::note("prune", "it is synced by hand").help(
            "sync both sides after each commit, with prune: a key Secret that is left over stops its gateway",
        ));
    } else if !flag("/spec/syncPolicy/automated/prune") {
        findings.push(
            Finding::warning("prune", "it does not prune")
                .help("set `automated.prune`: after a rotation two key Secrets stop the gateway, and a drained peering drains only by pruning"),
        );
    }
    if flag("/spec/syncPolicy/automated/allowEmpty") {
        let finding =
            Finding::warning("prune", "`allowEmpty` is set: an empty stream would delete everything");
        findings.push(finding.help("remove it"));
    }
    for option in object.texts("/spec/syncPolicy/syncOptions") {
        let why = match option {
            "Replace=true" | "Force=true" => {
                "it takes Liqo's finalizers and status away, and Liqo's webhooks refuse it"
            }
            "SkipDryRunOnMissingResource=true" => "without Liqo's CRDs the sync would prune before it fails",
            "Prune=false" | "PruneLast=true" => {
                "after a rotation two key Secrets stop the gateway until the old one is pruned"
            }
            _ => continue,
        };
        findings.push(Finding::warning("prune", format!("`{option}` is set: {why}")).help("remove it"));
    }
    if peering.state == State::Drained && application.role == Some(Role::Consumer) {
        findings.push(Finding::note(
            "prune",
            "the document is `Drained`: docs/teardown.md says when the folder may go",
        ));
    }
    findings
}

/// (argo-cd `pkg/apis/application/v1alpha1/types.go`, ApplicationStatus)
fn state(object: &Object) -> Vec<Finding> {
    let mut findings = Vec::new();
    let sync = object.text("/status/sync/status");
    if sync != "Synced" {
        let sync = if sync.is_empty() { "not known yet" } else { sync };
        findings.push(
            Finding::warning("sync", format!("it is {}", quoted(sync))).help("`argocd app diff` shows why"),
        );
    }
    let health = object.text("/status/health/status");
    if !matches!(health, "Healthy" | "") {
        findings.push(
            Finding::warning("sync", format!("its health is {}", quoted(health)))
                .help("`argocd app get` shows of which object"),
        );
    }
    let (phase, message) =
        (object.text("/status/operationState/phase"), object.text("/status/operationState/message"));
    let what = format!("its last operation is {}: {}", quoted(phase), said(message));
    findings.extend(match phase {
        "Failed" | "Error" => Some(Finding::error("sync", what).help("fix what it reports, and sync again: Argo CD does not repeat a failed sync of one commit for ever")),
        "Running" => Some(Finding::note("sync", what)),
        _ => None,
    });
    let failed = object.list("/status/conditions").iter().filter_map(|condition| {
        let text = |key: &str| condition.get(key).and_then(Value::as_str).unwrap_or_default();
        let message = format!("{}: {}", quoted(text("type")), said(text("message")));
        text("type").ends_with("Error").then(|| {
            Finding::error("sync", message).help("`argocd app get --hard-refresh` asks the plugin again")
        })
    });
    findings.extend(failed);
    findings
}

fn version(objects: &[Object]) -> Option<Finding> {
    let is_repo_server = |object: &&Object| {
        object.kind() == "Deployment"
            && (object.label("app.kubernetes.io/component") == Some("repo-server")
                || object.name().ends_with("argocd-repo-server"))
    };
    let deployment = objects.iter().find(is_repo_server)?;
    let text = tag(deployment).unwrap_or_default();
    let version = minor(text)?;
    let message =
        format!("Argo CD is {}, and 3.0 is the oldest that reports its project to a plugin", quoted(text));
    (version < OLDEST).then(|| {
        Finding::error("argocd-version", message)
            .at(deployment)
            .help("upgrade it: until then no sealed file is opened")
    })
}
