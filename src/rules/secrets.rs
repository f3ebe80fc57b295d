//! The Secrets and Identities of a tenant namespace: those of the stream, and those that Liqo creates there. Two with
//! the same name would be one object, with the content that was written last.

use super::unique;
use crate::diagnostic::{Code, Problems, Span};
use crate::document::Located;
use crate::peering::authentication::SubjectKind;
use crate::peering::authentication::credential::{Credential, CredentialObject};
use crate::peering::values::{SUBDOMAIN_MAX, SliceName, fits};
use crate::peering::{Peering, Role, names};
use std::borrow::Cow;

pub(super) fn check_secrets(peering: &Peering, problems: &mut Problems) {
    for role in Role::BOTH {
        let own = own_secrets(peering, role);
        unique(
            own.iter().map(|(name, span)| (name.as_str(), *span)),
            "Secret",
            problems,
        );
        for (name, what, whose) in made_by_liqo(peering, role) {
            if let Some((_, span)) = own.iter().find(|(own, _)| *own == name) {
                made_already(
                    problems,
                    *span,
                    "Secret",
                    &name,
                    &format!("{what} `{whose}`"),
                );
            }
        }
        identity(peering, role, problems);
    }
}

/// The names of the Secrets in a side's stream, except of a key Secret that is named after its key.
fn own_secrets(peering: &Peering, role: Role) -> Vec<(String, Span)> {
    let mut secrets = Vec::new();
    if let Some(name) = &peering.clusters[role].names.key_secret {
        secrets.push((name.to_string(), name.span));
    }
    if let Some(Located {
        value: CredentialObject::Secret(name),
        span,
    }) = credential(peering, role)
    {
        secrets.push((name, span));
    }
    let lets_in = peering.authentication(role.peer());
    if let Some(subject) = lets_in
        .map(|it| &it.subject)
        .filter(|it| it.kind == SubjectKind::ServiceAccount)
    {
        secrets.push((
            names::token_secret(subject.name.as_str()),
            subject.name.span,
        ));
    }
    if let Some(handshake) = lets_in.and_then(|it| it.credential.handshake()) {
        secrets.push((names::NONCE.to_owned(), handshake.keys().csr.span));
    }
    secrets
}

/// The object of a side's credential, with its name.
fn credential(peering: &Peering, role: Role) -> Option<Located<CredentialObject>> {
    let authentication = peering.authentication(role)?;
    let written = peering.clusters[role].names.identity.as_ref();
    authentication
        .credential
        .object(written, &peering.clusters[role.peer()].id)
}

/// The Secrets that Liqo creates there: the name, the content, and the object that it is for.
fn made_by_liqo(
    peering: &Peering,
    role: Role,
) -> impl Iterator<Item = (String, &'static str, Cow<'_, str>)> {
    let of_identity = credential(peering, role).and_then(|it| match it.value {
        CredentialObject::Identity(name) => Some((
            names::identity_kubeconfig(&name),
            "the credential of the Identity",
            name.into(),
        )),
        CredentialObject::Secret(_) => None,
    });
    let of_slices = slices(peering, role).map(|it| {
        (
            names::slice_kubeconfig(it),
            "the credential of the slice",
            it.as_str().into(),
        )
    });
    let certificates = slices(peering, role.peer()).map(|it| {
        let what = "the certificate for the other cluster's slice";
        (names::slice_certificate(it), what, it.as_str().into())
    });
    of_identity.into_iter().chain(of_slices).chain(certificates)
}

/// The Identity's name must not be one that Liqo uses: Liqo creates another Identity for each slice, and a Secret for
/// each Identity.
fn identity(peering: &Peering, role: Role, problems: &mut Problems) {
    let Some(CredentialObject::Identity(name)) = credential(peering, role).map(|it| it.value)
    else {
        return;
    };
    let Some(written) = &peering.clusters[role].names.identity else {
        return;
    };
    let handshake = peering.credential(role).and_then(Credential::handshake);
    if handshake.is_some() && !written.as_str().starts_with(names::IDENTITY_KUBECONFIG) {
        let message = format!(
            "Liqo names the Secret of an Identity `{}…`",
            names::IDENTITY_KUBECONFIG
        );
        let help =
            "with `keysExchange` this is the Secret's name: add the beginning, or remove the field";
        problems.refuse(Code::InvalidName, written.span, message, help);
    }
    let secret = names::identity_kubeconfig(&name);
    let built = format_args!("Liqo makes the Secret `{secret}` for it");
    if let Err(rule) = fits("an Identity", &name, built, secret.len(), SUBDOMAIN_MAX) {
        problems.push(rule.mark(written.span));
    }
    for slice in slices(peering, role) {
        if name == names::slice_identity(slice) {
            made_already(
                problems,
                written.span,
                "Identity",
                &name,
                &format!("that of the slice `{slice}`"),
            );
        }
    }
}

fn made_already(problems: &mut Problems, span: Span, kind: &str, name: &str, what: &str) {
    let message =
        format!("Liqo itself makes the {kind} `{name}`, {what}, and would overwrite this one");
    problems.refuse(Code::DuplicateName, span, message, "use another name here");
}

/// The slices that a side asks for.
fn slices(peering: &Peering, user: Role) -> impl Iterator<Item = &SliceName> {
    peering
        .offloading(user)
        .into_iter()
        .flat_map(|it| &it.slices)
        .map(|slice| &slice.name.value)
}
