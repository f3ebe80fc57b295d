//! Reads the clusters of a peering: once, or again until nothing is wrong. Anyone with access to a cluster can write what it answers.

use super::findings::Findings;
use super::{ClusterWorld, Doctor, controller};
use crate::command::workstation::kubeconfig_report::now;
use crate::command::{Result, Streams};
use crate::diagnostic::{Severity, shown_name};
use crate::judge::comparison::planned;
use crate::object::live::{Object, Scope};
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::{Material, Peering, Role, Sides};
use crate::state::cluster::liqo::{CLUSTER_ID_RESOURCE, cluster_id_maps};
use crate::state::cluster::{Budget, Extent, Kubectl, Snapshot, resource, whole_field, workload};
use crate::stream::kinds::all_resources;
use std::time::{Duration, Instant};

/// What was read of a peering's clusters and of their Argo CD, as far as they were requested.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The time of the reading, since 1970.
    pub(super) at: Duration,
    pub(super) clusters: Sides<Option<Snapshot>>,
    pub(super) argocd: Option<Snapshot>,
    /// Whether the user waits for a commit of theirs to be synced.
    pub(super) waits: bool,
    /// Whether this was read from a record, which has less than a cluster.
    pub(super) is_recorded: bool,
}

impl Reading {
    pub(super) const fn side(&self, role: Role) -> Option<&Snapshot> {
        self.clusters.side(role).as_ref()
    }

    /// Why a cluster was not read.
    pub(super) const fn not_named(&self) -> &'static str {
        if self.is_recorded {
            "the record does not have it"
        } else {
            "its context is not named"
        }
    }

    pub(super) fn clusters(&self) -> impl Iterator<Item = (Role, &Snapshot)> {
        Role::BOTH
            .into_iter()
            .filter_map(|role| Some((role, self.side(role)?)))
    }
}

/// Whether Liqo is not installed on the cluster. If it may not be read, it is not known to be missing.
pub(super) fn is_not_liqo(live: &Snapshot) -> bool {
    live.of_kind("ConfigMap").next().is_none() && live.refusal(CLUSTER_ID_RESOURCE).is_none()
}

/// Reads each cluster once; `shows` names the contexts, and with `--verbose` the commands.
///
/// # Errors
/// When a cluster gives no answer.
pub(super) fn of_clusters(
    arguments: &Doctor,
    peering: &Peering,
    shows: bool,
    streams: &mut Streams<'_>,
) -> Result<Reading> {
    let budget = Budget::default();
    let mut reading = Reading {
        at: now(),
        waits: arguments.wait.is_some(),
        ..Reading::default()
    };
    let (consumer, provider) = (&arguments.consumer_context, &arguments.provider_context);
    for (role, context) in [(Role::Consumer, consumer), (Role::Provider, provider)] {
        if let Some(context) = context {
            let mut kubectl = kubectl(role.word(), context, (arguments, shows), &budget, streams)?;
            *reading.clusters.of_mut(role) = Some(of_cluster(&mut kubectl, peering, role)?);
        }
    }
    if let Some(context) = &arguments.argocd_context {
        let mut kubectl = kubectl("Argo CD", context, (arguments, shows), &budget, streams)?;
        let mut live = Snapshot::default();
        let scope = ["-n", arguments.argocd_namespace.as_str()];
        live.take(&mut kubectl, &OF_ARGO_CD, &scope, read_of_argo_cd)?;
        live.refused.retain(|it| it.resource != "statefulsets.apps");
        let one = [&scope[..], &["--ignore-not-found"]].concat();
        live.take(&mut kubectl, &[controller::SETTINGS], &one, read_of_argo_cd)?;
        if controller::not_ready(&live).is_some() {
            live.take(&mut kubectl, &["pods"], &scope, workload)?;
        }
        reading.argocd = Some(live);
    }
    Ok(reading)
}

fn kubectl<'k>(
    what: &str,
    context: &'k str,
    (arguments, shows): (&Doctor, bool),
    budget: &'k Budget,
    streams: &'k mut Streams<'_>,
) -> Result<Kubectl<'k>> {
    if shows {
        streams.note(&format!("{what}: {}", shown_name(context)));
    }
    let kubectl = Kubectl::new(context, &arguments.folder, budget, streams)?;
    Ok(kubectl.with_echo(shows && arguments.verbose))
}

fn of_cluster(kubectl: &mut Kubectl<'_>, peering: &Peering, role: Role) -> Result<Snapshot> {
    let mut live = Snapshot::default();
    let own = peering.clusters[role].liqo_namespace.as_str();
    live.take(
        kubectl,
        &[CLUSTER_ID_RESOURCE],
        &["-n", own, "--ignore-not-found"],
        whole_field,
    )?;
    // a user who may read only one namespace gets no other ConfigMap
    if is_not_liqo(&live)
        && let Ok([elsewhere]) = cluster_id_maps(kubectl).as_deref()
    {
        live.objects.push(elsewhere.clone());
    }
    if is_not_liqo(&live) {
        return Ok(live);
    }
    let found = live
        .of_kind("ConfigMap")
        .next()
        .map_or(own, Object::namespace)
        .to_owned();
    live.take(
        kubectl,
        &all_resources(&[Scope::OfLiqo]),
        &["-n", &found],
        workload,
    )?;
    live.take(
        kubectl,
        &all_resources(&[Scope::Everywhere]),
        &["-A"],
        whole_field,
    )?;
    let of_peer = format!("{REMOTE_CLUSTER_ID}={}", &*peering.clusters[role.peer()].id);
    live.take(
        kubectl,
        &all_resources(&[Scope::ByPeer]),
        &["-l", &of_peer],
        read_of_node,
    )?;
    let tenant = ["-n", peering.clusters[role].tenant_namespace.as_str()];
    let plan = planned(peering, role, &Material::public(peering, role))?;
    let mut of_stream = all_resources(&[Scope::InTenantNamespace, Scope::InPlaceOfSecret]);
    of_stream.retain(|it| {
        plan.iter()
            .any(|planned| resource(planned.kind()) == Some(it))
    });
    if !of_stream.is_empty() {
        live.take(kubectl, &of_stream, &tenant, whole_field)?;
    }
    live.take(
        kubectl,
        &all_resources(&[Scope::WithoutData]),
        &tenant,
        whole_field,
    )?;
    let lets_in = peering.authentication(role.peer());
    if lets_in.is_some_and(|it| it.credential.handshake().is_some()) {
        let of_tenants = "--field-selector=involvedObject.kind=Tenant";
        live.take(
            kubectl,
            &["events"],
            &[&tenant[..], &[of_tenants]].concat(),
            whole_field,
        )?;
    }
    if peering.networking.is_some() {
        live.take(
            kubectl,
            &all_resources(&[Scope::AroundGateway]),
            &tenant,
            workload,
        )?;
    }
    Ok(live)
}

/// The fields that are read of a Node, which also lists the images that it has.
fn read_of_node(path: &[&str]) -> Extent {
    match path {
        ["status", field, ..] if *field != "conditions" => Extent::Skipped,
        _ => whole_field(path),
    }
}

/// The resources that are read of an Argo CD.
const OF_ARGO_CD: [&str; 3] = [
    "applications.argoproj.io",
    "deployments.apps",
    "statefulsets.apps",
];

/// The fields that are read of an Application. It can also have Helm's values, the manifests of `argocd app sync --local` in its
/// `operation`, and its whole history (argo-cd `pkg/apis/application/v1alpha1/types.go`).
fn read_of_argo_cd(path: &[&str]) -> Extent {
    const SPEC: [&str; 9] = [
        "project",
        "replicas",
        "source",
        "sources",
        "sourceHydrator",
        "destination",
        "syncPolicy",
        "ignoreDifferences",
        "template",
    ];
    const STATUS: [&str; 5] = [
        "sync",
        "health",
        "operationState",
        "conditions",
        "readyReplicas",
    ];
    const SOURCE: [&str; 4] = ["path", "plugin", "repoURL", "targetRevision"];
    let is_read = match path {
        [field] => matches!(
            *field,
            "apiVersion" | "kind" | "metadata" | "spec" | "status" | "data"
        ),
        ["data", key] => controller::HEALTH.contains(key),
        ["metadata", "annotations", key] => key.starts_with("argocd.argoproj.io/"),
        ["spec", field] => SPEC.contains(field),
        ["spec", "source" | "sources", field] | ["spec", "sourceHydrator", "drySource", field] => {
            SOURCE.contains(field)
        }
        ["status", "sync" | "health", field, ..] => matches!(*field, "status" | "revision"),
        ["status", "operationState", field, ..] => matches!(*field, "phase" | "message"),
        ["status", field, ..] => STATUS.contains(field),
        // of the repo-server the image is read, and not the environment
        ["spec", "template", ..] => return workload(path),
        _ => return whole_field(path),
    };
    if is_read {
        Extent::Value
    } else {
        Extent::Skipped
    }
}

/// The pause between two readings. A reading of both clusters makes about fifteen requests.
const PAUSE: Duration = Duration::from_secs(5);

/// Without `--wait`, the result of one reading. With it, that of the last one: nothing is wrong, or there is an error that time does not
/// fix, or the time is over. The last reading is saved.
///
/// # Errors
/// When a cluster gives no answer, or a record cannot be written.
pub(super) fn read_until_healthy(
    arguments: &Doctor,
    peering: &Peering,
    streams: &mut Streams<'_>,
) -> Result<Findings> {
    let start = Instant::now();
    let most = arguments.wait.unwrap_or_default();
    let mut before = Vec::new();
    loop {
        // the later readings run the same commands, so they are not shown again
        let reading = of_clusters(arguments, peering, before.is_empty(), streams)?;
        let looked = ClusterWorld::from_folder(peering, &reading, &arguments.folder)?;
        let findings = looked.judge();
        let left = most.saturating_sub(start.elapsed());
        if findings.count(Severity::Error) == 0 || findings.needs_manual_fix() || left.is_zero() {
            arguments
                .save
                .as_ref()
                .map_or(Ok(()), |record| looked.save(record))?;
            return Ok(findings);
        }
        let waiting = findings.failed();
        if waiting != before {
            streams.note(&format!(
                "{:>4} s: not yet: {}",
                start.elapsed().as_secs(),
                waiting.join(", ")
            ));
            before = waiting;
        }
        std::thread::sleep(PAUSE.min(left));
    }
}
