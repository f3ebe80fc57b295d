//! The Secrets and Identities of a tenant namespace: those of the stream, and those that Liqo makes beside them.

use super::Context;
use super::offloading::unique;
use crate::diagnostic::{Code, Span};
use crate::document::authentication::Credential;
use crate::document::decode::Located;
use crate::peering::authentication::SubjectKind;
use crate::peering::name::{ObjectName, SUBDOMAIN_MAX, fits};
use crate::peering::role::Role;

/// They stand in one namespace: two of one name would be one to Kubernetes, with the content of whoever wrote last.
pub(super) fn secrets(context: &mut Context<'_>) {
    for role in Role::BOTH {
        let own = own(context, role);
        unique(context, own.iter().map(|(name, span)| (name.as_str(), *span)), "Secret");
        for (name, what) in made_by_liqo(context, role) {
            if let Some((_, span)) = own.iter().find(|(own, _)| *own == name) {
                made_already(context, *span, "Secret", &name, &what);
            }
        }
        identity(context, role);
    }
}

/// The Secrets of a side's stream, less a key Secret that is named after its key.
fn own(context: &Context<'_>, role: Role) -> Vec<(String, Span)> {
    let names = context.cluster(role).names.as_ref();
    let mut secrets = Vec::new();
    if let Some(name) = names.and_then(|names| names.key_secret.as_ref()) {
        secrets.push((name.value.to_string(), name.span));
    }
    if let Some(Credential::Kubeconfig(_)) = credential(context, role) {
        let peer = &context.cluster(role.peer()).cluster_id;
        secrets.push(match identity_name(context, role) {
            Some(name) => (name.value.to_string(), name.span),
            None => (format!("kubeconfig-controlplane-{}", peer.value), peer.span),
        });
    }
    if let Some(lets_in) = context.authentication(role.peer())
        && lets_in.subject.kind == SubjectKind::ServiceAccount
    {
        let name = &lets_in.subject.name;
        secrets.push((format!("{}-token", name.value), name.span));
    }
    secrets
}

/// The Secrets that Liqo makes there, and what is in them.
fn made_by_liqo(context: &Context<'_>, role: Role) -> Vec<(String, String)> {
    let mut secrets = Vec::new();
    if let Some(Credential::Identity(_)) = credential(context, role) {
        let peer = &context.cluster(role.peer()).cluster_id.value;
        let identity = identity_name(context, role)
            .map_or_else(|| format!("controlplane-{peer}"), |it| it.value.to_string());
        // liqo `authentication/forge/kubeconfig.go`
        secrets
            .push((format!("kubeconfig-{identity}"), format!("the credential of the Identity `{identity}`")));
    }
    for slice in slices(context, role) {
        let name = format!("kubeconfig-resourceslice-{slice}");
        secrets.push((name, format!("the credential of the slice `{slice}`")));
    }
    for slice in slices(context, role.peer()) {
        // liqo `pkg/identityManager/certificateIdentityProvider.go`
        let name = format!("liqo-remote-certificate-{slice}");
        secrets.push((name, format!("the certificate for the other cluster's slice `{slice}`")));
    }
    secrets
}

/// Liqo's own Identity is one of these names: of each slice it makes another one, and of each one a Secret.
fn identity(context: &mut Context<'_>, role: Role) {
    let Some(Credential::Identity(_)) = credential(context, role) else { return };
    let Some(name) = identity_name(context, role) else { return };
    let text = name.value.as_str();
    let secret = format!("Liqo makes the Secret `kubeconfig-{text}` of it");
    if let Err(rule) = fits("an Identity", text, &secret, "kubeconfig-".len() + text.len(), SUBDOMAIN_MAX) {
        context.problems.push(rule.at(name.span));
    }
    for slice in slices(context, role) {
        // liqo `authentication/forge/identity.go`
        if text == format!("resourceslice-{slice}") {
            made_already(context, name.span, "Identity", text, &format!("that of the slice `{slice}`"));
        }
    }
}

fn made_already(context: &mut Context<'_>, span: Span, kind: &str, name: &str, what: &str) {
    let message = format!("Liqo itself makes the {kind} `{name}`, {what}, and would write into this one");
    context.push(Code::SecretTaken, span, message, "use another name here");
}

/// The names of the slices that a side asks for: a slice is named after the cluster that gives the resources.
fn slices(context: &Context<'_>, consumer: Role) -> Vec<String> {
    let provider = context.cluster(consumer.peer()).cluster_id.value.as_str();
    let written = context.offloading(consumer).and_then(|it| it.value.slices.as_deref()).unwrap_or_default();
    let name = |name: Option<&str>| name.unwrap_or(provider).to_owned();
    written.iter().map(|slice| name(slice.name.as_ref().map(|it| it.value.as_str()))).collect()
}

fn credential<'d>(context: &Context<'d>, role: Role) -> Option<&'d Credential> {
    context.authentication(role).map(|authentication| &authentication.credential)
}

fn identity_name<'d>(context: &Context<'d>, role: Role) -> Option<&'d Located<ObjectName>> {
    context.cluster(role).names.as_ref().and_then(|names| names.identity.as_ref())
}
