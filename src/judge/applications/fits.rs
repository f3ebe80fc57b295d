//! Whether an Application matches the document that it leads to.

use super::application_rules::{
    ignored, ignores_a_kind, leaves_certificate, other_spelling, spelled,
};
use super::{Fault, Place};
use crate::argocd::application::{Application, OWN_CLUSTER, OWN_URL};
use crate::diagnostic::{quoted, shown_name};
use crate::peering::{Material, Peering, Role};
use crate::rules as of_document;
use crate::stream::{self, Plan};

/// The faults of the destination and of the stream. If two Applications are exchanged, `pairs` reports both once.
pub(super) fn fits(application: &Application, place: &Place, role: Role) -> Vec<Fault> {
    let expected = place.clusters.of(role);
    let is_exchanged = is_exchanged(application, place, role);
    let mut faults = if is_exchanged {
        Vec::new()
    } else {
        destinations(application, expected, role)
    };
    // the document is read again only in these cases
    let is_asked = application.source.is_hydrated
        || other_spelling(application).is_some()
        || place.source.text().contains("keysExchange")
        || ignores_a_kind(application);
    let peering = is_asked
        .then(|| of_document::read(&place.source).ok())
        .flatten();
    faults.extend(
        peering
            .into_iter()
            .flat_map(|peering| of_stream(application, &peering, role)),
    );
    faults
}

/// The faults of an Application for the stream that it renders, and of its path, if the stream needs a sealed file.
pub(crate) fn of_stream(application: &Application, peering: &Peering, role: Role) -> Vec<Fault> {
    let material = Material::public(peering, role);
    let Ok(plan) = stream::plan(peering, role, &material, None) else {
        return Vec::new();
    };
    let of_both = [
        spelled(application, peering, role),
        hydrated(application, &plan),
    ];
    let [own, other] =
        [role, role.peer()].map(|it| peering.clusters.of(it).argocd_cluster.as_str());
    // it is not known which of the two streams the Application applies
    if goes_to_other(application, own, other) {
        return of_both.into_iter().flatten().collect();
    }
    let renewed = peering
        .is_renewed(role)
        .then(|| leaves_certificate(application, &plan))
        .flatten();
    of_both
        .into_iter()
        .chain([renewed, ignored(application, &plan)])
        .flatten()
        .collect()
}

/// Whether the Application goes to the cluster of the other role.
pub(super) fn is_exchanged(application: &Application, place: &Place, role: Role) -> bool {
    goes_to_other(
        application,
        place.clusters.of(role),
        place.clusters.of(role.peer()),
    )
}

fn goes_to_other(application: &Application, own: &str, other: &str) -> bool {
    other != own && application.cluster().is_some_and(|it| it.value == other)
}

/// The help for an Argo CD in each cluster: how to name its own cluster (argo-cd `docs/operator-manual/declarative-setup.md`, Clusters).
pub(super) fn own_cluster(name: &str) -> String {
    format!(
        "where each cluster has its own Argo CD, give this one a cluster Secret with `server: {OWN_URL}` and `name: {name}`, and write that name here"
    )
}

/// The faults of the destination cluster. Of the URLs, only that of Argo CD's own cluster is known, and that cluster
/// can have another name too.
pub(crate) fn destinations(application: &Application, expected: &str, role: Role) -> Vec<Fault> {
    let (cluster, own) = (&application.source.cluster, application.cluster());
    let by_url = application.destination.is_none();
    let names = [
        (cluster.as_ref(), "parameter `cluster`", false),
        (own.as_ref(), "destination", by_url),
    ];
    names.into_iter().filter_map(|(name, what, by_url)| {
        let name = name.filter(|name| name.value != expected && !name.value.contains("{{"))?;
        let whose = if application.is_generated { format!("the {role}'s") } else { "its".to_owned() };
        let folder = application.source.path.as_ref().filter(|_| application.is_generated);
        let folder =
            folder.map(|it| format!("in the folder `{}` ", shown_name(&it.value))).unwrap_or_default();
        let expected = quoted(expected);
        let message = format!(
            "{folder}{whose} {what} is {}, and the {role} of the document is {expected}",
            quoted(name)
        );
        let help = if !by_url && name.value == OWN_CLUSTER {
            format!("correct it or the role; {}", own_cluster(expected.trim_matches('`')))
        } else if by_url {
            format!(
                "write `name: {}` in place of `server`, unless a cluster's Secret gives this URL that name",
                expected.trim_matches('`')
            )
        } else if application.is_generated {
            format!(
                "correct it or the folder's name, or write `argocdCluster: {}` into `spec.{role}`",
                shown_name(name)
            )
        } else {
            format!("correct it, the role, or `spec.{role}.argocdCluster` of the document")
        };
        Some(if by_url {
            Fault::note(message, &help, name.span)
        } else {
            Fault::error(message, &help, name.span)
        })
    }).collect()
}

/// The plugin prints no Secrets for the Source Hydrator, which would commit them.
fn hydrated(application: &Application, plan: &Plan) -> Option<Fault> {
    let message = "the Source Hydrator commits what the plugin prints, so the plugin refuses to print this side's Secrets for it";
    let help = "write a `source` in place of `sourceHydrator`, or choose a `delivery` without Secrets in clear";
    (application.source.is_hydrated && plan.shows_secrets())
        .then(|| Fault::error(message, help, application.source.plugin.span))
}
