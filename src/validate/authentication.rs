//! The authentication module of one direction.

use super::Context;
use crate::diagnostic::{Code, Rule};
use crate::document::authentication::{
    Authentication as Written, Credential as WrittenCredential, Subject as WrittenSubject,
};
use crate::document::decode::Located;
use crate::peering::authentication::{
    Authentication, Credential, Identity, Subject, SubjectKind, TenantCondition,
};
use crate::peering::name::{ObjectName, SUBDOMAIN_MAX, SubjectName, fits};
use crate::peering::role::Role;

pub(super) fn authentication(context: &mut Context<'_>, written: &Written, provider: Role) -> Authentication {
    let subject = &written.subject;
    let name = subject.name.value.as_str();
    if subject.kind == SubjectKind::ServiceAccount {
        let token = format!("its token is in the Secret `{name}-token`");
        if let Err(rule) = name.parse::<ObjectName>() {
            let diagnostic = rule.at(subject.name.span);
            context.problems.push(diagnostic.label("a ServiceAccount's name is an object's name"));
        } else if let Err(rule) =
            fits("a ServiceAccount", name, &token, name.len() + "-token".len(), SUBDOMAIN_MAX)
        {
            context.problems.push(rule.at(subject.name.span));
        }
    }
    if subject.kind != SubjectKind::ServiceAccount && name.starts_with("system:serviceaccount:") {
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
        SubjectKind::ServiceAccount => {
            taken_account(context, &subject.name, provider);
            comes_with_a_token(context, written);
        }
        SubjectKind::Group => taken_group(context, &subject.name, provider),
        SubjectKind::User => {}
    }
    not_everybody(context, subject);
    Authentication {
        subject: Subject { kind: subject.kind, name: subject.name.value.clone() },
        credential: match &written.credential {
            WrittenCredential::Kubeconfig(sealed) => Credential::Kubeconfig(sealed.file.value.clone()),
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

/// A client certificate names a user and groups (`k8s.io/apiserver` `pkg/authentication/request/x509`); a ServiceAccount
/// has a token.
fn comes_with_a_token(context: &mut Context<'_>, written: &Written) {
    if let WrittenCredential::Identity(_) = written.credential {
        let name = &written.subject.name;
        let message = format!(
            "nobody comes as the ServiceAccount `{}` with the certificate of an `identity`",
            name.value
        );
        let help =
            "name the certificate's user, `kind: User`, or give a kubeconfig with the ServiceAccount's token";
        context.push(Code::Subject, name.span, message, help);
    }
}

/// Whom Kubernetes counts there without being told (`k8s.io/apiserver` `pkg/authentication/user`): everybody who reaches
/// the provider's API server would act as the consumer.
fn not_everybody(context: &mut Context<'_>, subject: &WrittenSubject) {
    let name = &subject.name;
    let everybody = match subject.kind {
        SubjectKind::Group => ["system:unauthenticated", "system:authenticated", "system:serviceaccounts"]
            .contains(&name.value.as_str()),
        SubjectKind::User => name.value.as_str() == "system:anonymous",
        SubjectKind::ServiceAccount => false,
    };
    if everybody {
        let message = format!(
            "`{}` is not the consumer alone: everybody like it could act as the consumer",
            name.value
        );
        let help = "name the user, or the group, that the consumer's credential alone stands for";
        context.push(Code::Subject, name.span, message, help);
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
