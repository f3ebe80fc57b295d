//! Reads the clusters of a peering. Anyone with access to a cluster can write what it answers.

use super::{Doctor, controller};
use crate::command::workstation::kubeconfig_report::now;
use crate::command::{Result, Streams};
use crate::diagnostic::shown_name;
use crate::judge::comparison::planned;
use crate::object::live::{Object, Scope};
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::{Material, Peering, Role, Sides};
use crate::state::cluster::liqo::{CLUSTER_ID_RESOURCE, cluster_id_maps};
use crate::state::cluster::{Budget, Extent, Kubectl, Snapshot, resource, whole_field, workload};
use crate::stream::kinds::all_resources;
use std::collections::BTreeSet;
use std::time::Duration;

/// What was read of a peering's clusters and of their Argo CD, as far as they were requested.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    /// When the clusters were read, since 1970.
    pub(super) time: Duration,
    pub(super) clusters: Sides<Option<Snapshot>>,
    pub(super) argocd: Option<Snapshot>,
    /// Whether the user waits for a commit of theirs to be synced.
    pub(super) waits: bool,
    /// Whether this was read from a record, which has less than a cluster.
    pub(super) is_recorded: bool,
}

impl Snapshots {
    pub(super) const fn of_role(&self, role: Role) -> Option<&Snapshot> {
        self.clusters.side(role).as_ref()
    }

    /// Why a cluster was not read.
    pub(super) const fn why_absent(&self) -> &'static str {
        if self.is_recorded {
            "the record does not have it"
        } else {
            "its context is not named"
        }
    }
}

/// Whether Liqo is not installed on the cluster. If it may not be read, it is not known to be missing.
pub(super) fn lacks_liqo(live: &Snapshot) -> bool {
    live.of_kind("ConfigMap").next().is_none() && live.refusal(CLUSTER_ID_RESOURCE).is_none()
}

/// Reads each cluster once; `shows` names the contexts, and with `--verbose` the commands.
///
/// # Errors
/// When a cluster gives no answer.
pub(super) fn read_clusters(
    arguments: &Doctor,
    peering: &Peering,
    shows: bool,
    streams: &mut Streams<'_>,
) -> Result<Snapshots> {
    let budget = Budget::default();
    let mut snapshots = Snapshots {
        time: now(),
        waits: arguments.wait.is_some(),
        ..Snapshots::default()
    };
    let Sides { consumer, provider } = &mut snapshots.clusters;
    for (role, context, live) in [
        (Some(Role::Consumer), &arguments.consumer_context, consumer),
        (Some(Role::Provider), &arguments.provider_context, provider),
        (None, &arguments.argocd_context, &mut snapshots.argocd),
    ] {
        let Some(context) = context else {
            continue;
        };
        if shows {
            let name = role.map_or("Argo CD", Role::word);
            streams.note(&format!("{name}: {}", shown_name(context)));
        }
        let kubectl = Kubectl::new(context, &arguments.folder, &budget, streams)?;
        let mut kubectl = kubectl.with_echo(shows && arguments.verbose);
        *live = Some(match role {
            Some(role) => read_cluster(&mut kubectl, peering, role)?,
            None => read_hub(&mut kubectl, &arguments.argocd_namespace)?,
        });
    }
    Ok(snapshots)
}

fn read_hub(kubectl: &mut Kubectl<'_>, namespace: &str) -> Result<Snapshot> {
    let mut live = Snapshot::default();
    let scope = ["-n", namespace];
    live.take(kubectl, &OF_ARGO_CD, &scope, argo_cd_fields)?;
    live.refused.retain(|it| it.resource != "statefulsets.apps");
    let one = ["-n", namespace, "--ignore-not-found"];
    live.take(kubectl, &[controller::SETTINGS], &one, argo_cd_fields)?;
    if controller::stopped_controller(&live).is_some() {
        live.take(kubectl, &["pods"], &scope, workload)?;
    }
    Ok(live)
}

fn read_cluster(kubectl: &mut Kubectl<'_>, peering: &Peering, role: Role) -> Result<Snapshot> {
    let mut live = Snapshot::default();
    let own = peering.clusters[role].liqo_namespace.as_str();
    let scope = ["-n", own, "--ignore-not-found"];
    live.take(kubectl, &[CLUSTER_ID_RESOURCE], &scope, whole_field)?;
    // a user who may read only one namespace gets no other ConfigMap
    if lacks_liqo(&live)
        && let Ok([elsewhere]) = cluster_id_maps(kubectl).as_deref()
    {
        live.objects.push(elsewhere.clone());
    }
    if lacks_liqo(&live) {
        return Ok(live);
    }
    let map = live.of_kind("ConfigMap").next();
    let namespace = map.map_or(own, Object::namespace).to_owned();
    let mut take = |resources: &[&str], scope: &[&str], fields| match resources {
        [] => Ok(()),
        _ => live.take(kubectl, resources, scope, fields),
    };
    let tenant = ["-n", peering.clusters[role].tenant_namespace.as_str()];
    let label = format!("{REMOTE_CLUSTER_ID}={}", &*peering.clusters[role.peer()].id);
    let of_liqo = ["-n", &namespace];
    take(&all_resources(&[Scope::OfLiqo]), &of_liqo, workload)?;
    take(&all_resources(&[Scope::Everywhere]), &["-A"], whole_field)?;
    let by_peer = ["-l", &label];
    take(&all_resources(&[Scope::ByPeer]), &by_peer, node_fields)?;
    let plan = planned(peering, role, &Material::public(peering, role))?;
    let mut of_stream = all_resources(&[Scope::InTenantNamespace, Scope::InPlaceOfSecret]);
    let planned: BTreeSet<_> = plan.iter().map(|it| resource(it.kind())).collect();
    of_stream.retain(|it| planned.contains(&Some(*it)));
    take(&of_stream, &tenant, whole_field)?;
    take(&all_resources(&[Scope::WithoutData]), &tenant, whole_field)?;
    if let Some(user) = peering.authentication(role.peer())
        && user.credential.handshake().is_some()
    {
        let [flag, namespace] = tenant;
        let selector = "--field-selector=involvedObject.kind=Tenant";
        take(&["events"], &[flag, namespace, selector], whole_field)?;
    }
    if peering.networking.is_some() {
        take(&all_resources(&[Scope::AroundGateway]), &tenant, workload)?;
    }
    Ok(live)
}

/// The fields that are read of a Node, which also lists the images that it has.
fn node_fields(path: &[&str]) -> Extent {
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
fn argo_cd_fields(path: &[&str]) -> Extent {
    let is_read = match path {
        ["apiVersion" | "kind" | "metadata" | "spec" | "status" | "data"]
        | [
            "spec",
            "project" | "replicas" | "source" | "sources" | "sourceHydrator" | "destination"
            | "syncPolicy" | "ignoreDifferences" | "template",
        ] => true,
        ["data", key] => controller::HEALTH.contains(key),
        ["metadata", "annotations", key] => key.starts_with("argocd.argoproj.io/"),
        ["spec", "source" | "sources", field] | ["spec", "sourceHydrator", "drySource", field] => {
            // of a type beside the plugin, such as Helm with its values, only that it is there
            if !matches!(*field, "path" | "plugin" | "repoURL" | "targetRevision") {
                return Extent::Presence;
            }
            true
        }
        ["status", "sync" | "health", field, ..] => matches!(*field, "status" | "revision"),
        ["status", "operationState", field, ..] => matches!(*field, "phase" | "message"),
        ["status", field, ..] => matches!(
            *field,
            "sync" | "health" | "operationState" | "conditions" | "readyReplicas"
        ),
        [_] | ["spec", _] => false,
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
