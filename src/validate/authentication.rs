//! The authentication module of one direction.

use super::Context;
use crate::diagnostic::Code;
use crate::document::authentication::{Authentication as Written, Credential as WrittenCredential};
use crate::peering::authentication::{
    Authentication, Credential, Identity, Subject, SubjectKind, TenantCondition,
};
use crate::peering::name::ObjectName;

pub(super) fn authentication(context: &mut Context<'_>, written: &Written) -> Authentication {
    let subject = &written.subject;
    if subject.kind == SubjectKind::ServiceAccount
        && let Err(rule) = subject.name.value.as_str().parse::<ObjectName>()
    {
        context
            .problems
            .push(rule.at(subject.name.span).label("a ServiceAccount's name is an object's name"));
    }
    if subject.kind != SubjectKind::ServiceAccount
        && subject.name.value.as_str().starts_with("system:serviceaccount:")
    {
        let help =
            "say `kind: ServiceAccount` and the name alone; the stream then makes it together with its token";
        context.push(
            Code::Subject,
            subject.name.span,
            "this is the user name of a ServiceAccount, and its `kind` is not",
            help,
        );
    }
    Authentication {
        subject: Subject { kind: subject.kind, name: subject.name.value.clone() },
        credential: match &written.credential {
            WrittenCredential::Kubeconfig(sealed) => Credential::Kubeconfig(sealed.file.clone()),
            WrittenCredential::Identity(identity) => Credential::Identity(Identity {
                api_server: identity.api_server.clone(),
                ca: identity.ca.clone(),
                signed_crt: identity.signed_crt.clone(),
            }),
            WrittenCredential::ExistingSecret => Credential::ExistingSecret,
            WrittenCredential::Pending => Credential::Pending,
        },
        condition: written.tenant_condition.unwrap_or(TenantCondition::Active),
        proxy_url: written.proxy_url.clone(),
    }
}
