//! The Secrets and Identities of a tenant namespace: those of the stream, and those that Liqo creates there. Two with
//! the same name would be one object, with the content that was written last.

use super::unique;
use crate::diagnostic::{Code, Problems, Span};
use crate::document::Located;
use crate::peering::authentication::SubjectKind;
use crate::peering::authentication::credential::{Credential, CredentialObject};
use crate::peering::values::{SUBDOMAIN_MAX, SliceName, fits};
use crate::peering::{Peering, Role, names};

pub(super) fn check_secrets(peering: &Peering, role: Role, problems: &mut Problems) {
    let credential = credential(peering, role);
    let own = own_secrets(peering, role, credential.as_ref());
    unique(own.iter(), "Secret", problems);
    let identity = match &credential {
        Some(object) if object.is_identity => Some(object.name.as_str()),
        _ => None,
    };
    for (name, what, owner) in made_by_liqo(peering, role, identity) {
        if let Some(own) = own.iter().find(|own| own.value == name) {
            let what = format!("{what} `{owner}`");
            made_already(problems, own.span, "Secret", &name, &what);
        }
    }
    if let Some(name) = identity {
        check_identity(peering, role, name, problems);
    }
}

/// The names of the Secrets in a side's stream, except of a key Secret that is named after its key.
fn own_secrets(
    peering: &Peering,
    role: Role,
    credential: Option<&Located<CredentialObject>>,
) -> Vec<Located<String>> {
    let mut secrets = Vec::new();
    if let Some(name) = &peering.clusters[role].names.key_secret {
        secrets.push(Located::new(name.to_string(), name.span));
    }
    if let Some(secret) = credential
        && !secret.is_identity
    {
        secrets.push(Located::new(secret.name.clone(), secret.span));
    }
    if let Some(lets_in) = peering.authentication(role.peer()) {
        let name = &lets_in.subject.name;
        if lets_in.subject.kind == SubjectKind::ServiceAccount {
            secrets.push(Located::new(names::token_secret(name.as_str()), name.span));
        }
        if let Some(handshake) = lets_in.credential.handshake() {
            let place = handshake.keys.csr.span;
            secrets.push(Located::new(names::NONCE.to_owned(), place));
        }
    }
    secrets
}

/// The object of a side's credential, with its name.
fn credential(peering: &Peering, role: Role) -> Option<Located<CredentialObject>> {
    let written = peering.clusters[role].names.identity.as_ref();
    let credential = &peering.authentication(role)?.credential;
    credential.object(written, &peering.clusters[role.peer()].id)
}

/// The Secrets that Liqo creates there: the name, the content, and the object that has it.
fn made_by_liqo<'p>(
    peering: &'p Peering,
    role: Role,
    identity: Option<&'p str>,
) -> Vec<(String, &'static str, &'p str)> {
    let mut made = Vec::new();
    if let Some(name) = identity {
        let what = "the credential of the Identity";
        made.push((names::identity_kubeconfig(name), what, name));
    }
    for slice in slices(peering, role) {
        let what = "the credential of the slice";
        made.push((names::slice_kubeconfig(slice), what, slice.as_str()));
    }
    for slice in slices(peering, role.peer()) {
        let what = "the certificate for the other cluster's slice";
        made.push((names::slice_certificate(slice), what, slice.as_str()));
    }
    made
}

/// The Identity's name must not be one that Liqo uses: Liqo creates another Identity for each slice, and a Secret for
/// each Identity.
fn check_identity(peering: &Peering, role: Role, name: &str, problems: &mut Problems) {
    let Some(written) = &peering.clusters[role].names.identity else {
        return;
    };
    let handshake = peering.credential(role).and_then(Credential::handshake);
    if handshake.is_some() && !written.as_str().starts_with(names::IDENTITY_KUBECONFIG) {
        let beginning = names::IDENTITY_KUBECONFIG;
        let message = format!("Liqo names an Identity's Secret `{beginning}…`");
        let help = "use this beginning, or remove the field";
        problems.add(Code::InvalidName, written.span, message, help);
    }
    let secret = names::identity_kubeconfig(name);
    let built = format_args!("Liqo makes the Secret `{secret}` for it");
    if let Err(rule) = fits("an Identity", name, built, secret.len(), SUBDOMAIN_MAX) {
        problems.push(rule.mark(written.span));
    }
    for slice in slices(peering, role) {
        if name == names::slice_identity(slice) {
            let what = format!("that of the slice `{slice}`");
            made_already(problems, written.span, "Identity", name, &what);
        }
    }
}

fn made_already(problems: &mut Problems, span: Span, kind: &str, name: &str, what: &str) {
    let message = format!("Liqo makes the {kind} `{name}`, {what}, and would overwrite this");
    problems.add(Code::DuplicateName, span, message, "use another name here");
}

/// The slices that a side asks for.
fn slices(peering: &Peering, user: Role) -> impl Iterator<Item = &SliceName> {
    let slices = match peering.offloading(user) {
        Some(offloading) => offloading.slices.as_slice(),
        None => &[],
    };
    slices.iter().map(|slice| &slice.name.value)
}
