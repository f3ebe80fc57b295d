//! Whether an Application matches the document that it leads to.

use super::application_rules::{
    ignored_secret_data, leaves_certificate, other_spelling, path_not_in_terms_spelling,
};
use super::{PeeringApplication, error, note};
use crate::argocd::application::{Application, Ignored, OWN_CLUSTER, OWN_URL};
use crate::diagnostic::{Diagnostic, quoted, shown_name};
use crate::peering::{Material, Peering, Role};
use crate::stream::{self, Plan};

/// The faults of the destination and of the stream. If two Applications are exchanged, `pairs` reports both once.
pub(super) fn faults(it: &PeeringApplication<'_>) -> Vec<Diagnostic> {
    let (application, place, role) = (it.application, it.place, it.role);
    let mut faults = Vec::new();
    if !it.is_exchanged() {
        faults = destination_faults(application, place.cluster(role), role);
    }
    // the stream is planned only in these cases
    let is_needed = application.source.is_hydrated
        || other_spelling(application).is_some()
        || place.peering.is_renewed(role)
        || application.ignored.iter().any(Ignored::covers_secret_data);
    if is_needed {
        faults.extend(stream_faults(application, place.peering, role));
    }
    faults
}

/// The faults of an Application for the stream that it renders, and of its path, if the stream needs a sealed file.
pub(crate) fn stream_faults(
    application: &Application,
    peering: &Peering,
    role: Role,
) -> Vec<Diagnostic> {
    let material = Material::public(peering, role);
    let Ok(plan) = stream::plan(peering, role, &material, None) else {
        return Vec::new();
    };
    let mut faults = Vec::from_iter(path_not_in_terms_spelling(application, peering, role));
    faults.extend(hydrated(application, &plan));
    let [own, other] = [role, role.peer()].map(|it| peering.clusters[it].argocd_cluster.as_str());
    // otherwise it is not known which of the two streams the Application applies
    if !goes_to_other(application, own, other) {
        if peering.is_renewed(role) {
            faults.extend(leaves_certificate(application, &plan));
        }
        faults.extend(ignored_secret_data(application, &plan));
    }
    faults
}

impl PeeringApplication<'_> {
    /// Whether the Application goes to the cluster of the other role.
    pub(super) fn is_exchanged(&self) -> bool {
        let [own, other] = [self.role, self.role.peer()].map(|role| self.place.cluster(role));
        goes_to_other(self.application, own, other)
    }
}

fn goes_to_other(application: &Application, own: &str, other: &str) -> bool {
    other != own && goes_to(application, other)
}

/// Whether the Application goes to the cluster that Argo CD calls so.
pub(super) fn goes_to(application: &Application, name: &str) -> bool {
    application.cluster().is_some_and(|it| it.value == name)
}

/// The help for an Argo CD in each cluster: how to name its own cluster (argo-cd `docs/operator-manual/declarative-setup.md`, Clusters).
pub(super) fn own_cluster(name: &str) -> String {
    format!(
        "with an Argo CD in each cluster, name this one by a cluster Secret: `server: {OWN_URL}`, `name: {name}`"
    )
}

/// The faults of the destination cluster. Of the URLs, only that of Argo CD's own cluster is known, and that cluster
/// can have another name too.
pub(crate) fn destination_faults(
    application: &Application,
    expected: &str,
    role: Role,
) -> Vec<Diagnostic> {
    let parameter = application.source.cluster.as_ref();
    let mut own = application.cluster();
    if is_of_agent(application, expected) {
        own = None;
    }
    let by_url = application.destination.is_none();
    let names = [
        (parameter, "parameter `cluster`", false),
        (own.as_ref(), "destination", by_url),
    ];
    let mut faults = Vec::new();
    for (name, what, by_url) in names {
        let Some(name) = name else { continue };
        if name.value == expected {
            continue;
        }
        let folder = match &application.source.path {
            Some(path) if application.is_generated => {
                format!("in the folder `{}`, ", shown_name(path))
            }
            _ => String::new(),
        };
        let (shown, expected) = (quoted(name), shown_name(expected));
        let message =
            format!("{folder}the {what} is {shown}, and the document's {role} is `{expected}`");
        faults.push(if by_url {
            let help = format!(
                "write `name: {expected}` for `server`, unless a cluster Secret gives this URL that name"
            );
            note(message, &help, name.span)
        } else {
            let help = if name.value == OWN_CLUSTER {
                format!("correct it or the role; {}", own_cluster(&expected))
            } else {
                format!("correct it, the role, or the document's `spec.{role}.argocdCluster`")
            };
            error(message, &help, name.span)
        });
    }
    faults
}

/// Whether an Application is for the agent of a cluster: with argocd-agent, the namespace of an Application is the agent's name, and each
/// agent calls its cluster by [`OWN_URL`] (argocd-agent `docs/user-guide/applications.md`).
fn is_of_agent(application: &Application, cluster: &str) -> bool {
    let namespace = application.namespace.as_deref().map(String::as_str);
    application.destination.is_none() && namespace == Some(cluster)
}

/// The plugin prints no Secrets for the Source Hydrator, which would commit them.
fn hydrated(application: &Application, plan: &Plan) -> Option<Diagnostic> {
    if !application.source.is_hydrated || !plan.shows_secrets() {
        return None;
    }
    let message = "the Source Hydrator would commit this side's Secrets";
    let help = "use `source` instead of `sourceHydrator`, or a `delivery` without Secrets in clear";
    Some(error(message, help, application.source.plugin.span))
}
