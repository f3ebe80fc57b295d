//! Asks the clusters. Anyone with access to a cluster writes what it answers.

use super::reading::{Reading, is_not_liqo};
use super::{applications, events, polling};
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::workstation::doctor::Doctor;
use crate::command::workstation::kubeconfig_report::now;
use crate::diagnostic::shown_name;
use crate::judge::comparison::planned;
use crate::object::live::{Object, Scope};
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::{Material, Peering, Role};
use crate::state::cluster::liqo::{CLUSTER_ID_RESOURCE, all_cluster_id_maps};
use crate::state::cluster::{Budget, Kubectl, Read, Snapshot, resource, whole, workload};
use crate::stream::kinds::all_resources;

/// Asks each cluster once, and shows the commands or not.
///
/// # Errors
/// When a cluster gives no answer.
pub(super) fn of_clusters(
    arguments: &Doctor,
    peering: &Peering,
    shows: bool,
    streams: &mut Streams<'_>,
) -> Result<Reading, Error> {
    let budget = Budget::default();
    let mut reading = Reading { at: now(), ..Reading::default() };
    for role in Role::BOTH {
        let context = match role {
            Role::Consumer => &arguments.consumer_context,
            Role::Provider => &arguments.provider_context,
        };
        let Some(context) = context else { continue };
        if shows {
            streams.note(&format!("{role}: {}", shown_name(context)));
        }
        let kubectl = &mut Kubectl::new(context, &budget, streams)?.that_shows(shows);
        *reading.clusters.of_mut(role) = Some(of_cluster(kubectl, peering, role)?);
    }
    if let Some(context) = &arguments.argocd_context {
        if shows {
            streams.note(&format!("Argo CD: {}", shown_name(context)));
        }
        let mut live = Snapshot::default();
        let scope = ["-n", arguments.argocd_namespace.as_str()];
        let kubectl = &mut Kubectl::new(context, &budget, streams)?.that_shows(shows);
        live.read(kubectl, &applications::RESOURCES, &scope, applications::read)?;
        // without them, what is usual is taken
        live.read(
            kubectl,
            &[polling::SETTINGS],
            &[&scope[..], &["--ignore-not-found"]].concat(),
            applications::read,
        )?;
        live.refused.retain(|it| ![polling::SETTINGS, "statefulsets.apps"].contains(&it.resource.as_str()));
        reading.argocd = Some(live);
    }
    Ok(reading)
}

fn of_cluster(kubectl: &mut Kubectl<'_>, peering: &Peering, role: Role) -> Result<Snapshot, Error> {
    let mut live = Snapshot::default();
    let own = peering.clusters.of(role).liqo_namespace.as_str();
    live.read(kubectl, &[CLUSTER_ID_RESOURCE], &["-n", own, "--ignore-not-found"], whole)?;
    if is_not_liqo(&live)
        && let [elsewhere] = all_cluster_id_maps(kubectl).as_slice()
    {
        live.objects.push(elsewhere.clone());
    }
    if is_not_liqo(&live) {
        return Ok(live);
    }
    let found = live.of_kind("ConfigMap").next().map_or(own, Object::namespace).to_owned();
    live.read(kubectl, &all_resources(&[Scope::OfLiqo]), &["-n", &found], workload)?;
    live.read(kubectl, &all_resources(&[Scope::Everywhere]), &["-A"], whole)?;
    let of_peer = format!("{REMOTE_CLUSTER_ID}={}", &*peering.clusters.of(role.peer()).id);
    live.read(kubectl, &all_resources(&[Scope::ByPeer]), &["-l", &of_peer], read_of_node)?;
    let tenant = ["-n", peering.clusters.of(role).tenant_namespace.as_str()];
    let plan = planned(peering, role, &Material::public(peering, role))?;
    let mut of_stream = all_resources(&[Scope::InTenantNamespace, Scope::InPlaceOfSecret]);
    of_stream.retain(|it| plan.iter().any(|planned| resource(planned.kind()) == Some(it)));
    if !of_stream.is_empty() {
        live.read(kubectl, &of_stream, &tenant, whole)?;
    }
    live.read(kubectl, &all_resources(&[Scope::WithoutData]), &tenant, whole)?;
    let lets_in = peering.directions.of(role.peer()).authentication.as_ref();
    if lets_in.is_some_and(|it| it.credential.handshake().is_some()) {
        let [events, of_tenants] = events::EVENTS;
        live.read(kubectl, &[events], &[&tenant[..], &[of_tenants]].concat(), whole)?;
    }
    if peering.networking.is_some() {
        live.read(kubectl, &all_resources(&[Scope::AroundGateway]), &tenant, workload)?;
    }
    Ok(live)
}

/// What is read of a Node, which lists the images that it has.
fn read_of_node(path: &[&str]) -> Read {
    match path {
        ["status", field, ..] if *field != "conditions" => Read::Skipped,
        _ => whole(path),
    }
}
