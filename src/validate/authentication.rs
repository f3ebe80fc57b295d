//! The authentication module of one direction.

use super::Context;
use crate::diagnostic::{Code, Rule};
use crate::document::authentication::{Authentication as Written, Credential as WrittenCredential};
use crate::document::decode::Located;
use crate::peering::authentication::{
    Authentication, Credential, Identity, Subject, SubjectKind, TenantCondition,
};
use crate::peering::name::{ObjectName, SubjectName};
use crate::peering::role::Role;

pub(super) fn authentication(context: &mut Context<'_>, written: &Written, provider: Role) -> Authentication {
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
    match subject.kind {
        SubjectKind::ServiceAccount => taken_account(context, &subject.name, provider),
        SubjectKind::Group => taken_group(context, &subject.name, provider),
        SubjectKind::User => {}
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

/// Liqo makes a ServiceAccount of the gateway's name in the same namespace and binds the gateway's cluster-wide
/// rights to it (liqo `networking/external-network/utils/rbac.go`); the other cluster's token must not have them.
/// `default` is every pod's.
fn taken_account(context: &mut Context<'_>, name: &Located<SubjectName>, provider: Role) {
    let written = context.cluster(provider).names.as_ref().and_then(|names| names.gateway.as_ref());
    let default = context.cluster(provider.peer()).cluster_id.value.as_str();
    let gateway = written.map_or(default, |gateway| gateway.value.as_str());
    let account = name.value.as_str();
    if account == "default" || (context.spec.networking.is_some() && account == gateway) {
        let message = format!("the ServiceAccount `{account}` is there already, with rights of its own");
        let help = "give the other cluster one of its own, for example `rome-controlplane`";
        context.push(Code::Duplicate, name.span, message, help);
    }
}

/// The group of the consumer's ID is that of the certificates which Liqo signs for its slices: the rights of the virtual
/// kubelet are bound to it on the provider (liqo `pkg/tenantNamespace/bindings.go`), and a slice's certificate would get
/// those of the control plane.
fn taken_group(context: &mut Context<'_>, name: &Located<SubjectName>, provider: Role) {
    let consumer = &context.cluster(provider.peer()).cluster_id;
    if name.value.as_str() == consumer.value.as_str() {
        let message = format!("the group `{}` is that of the {}'s slices", name.value, provider.peer());
        let help = "give the credential's certificate another organisation, for example `liqo.io`, or bind the user: `kind: User`";
        let rule = Rule::new(Code::Subject, message).help(help);
        context.problems.push(rule.at(name.span).and(consumer.span, "Liqo names the slices' group after it"));
    }
}
