//! The authentication module of one direction.

use super::Context;
use super::namespaces::tenant_namespace;
use crate::diagnostic::{Code, Rule};
use crate::document::authentication::{
    Authentication as Written, Credential as WrittenCredential, Subject as WrittenSubject,
};
use crate::document::decode::Located;
use crate::peering::authentication::{
    Authentication, Credential, Identity, Subject, SubjectKind, TenantCondition,
};
use crate::peering::name::{Namespace, ObjectName, SUBDOMAIN_MAX, SubjectName, fits};
use crate::peering::role::Role;

pub(super) fn authentication(context: &mut Context<'_>, written: &Written, provider: Role) -> Authentication {
    let subject = &written.subject;
    match subject.kind {
        SubjectKind::ServiceAccount => {
            account(context, &subject.name);
            taken_account(context, &subject.name, provider);
            comes_with_a_token(context, written);
        }
        SubjectKind::Group => {
            no_accounts_group(context, &subject.name);
            taken_group(context, &subject.name, provider);
        }
        SubjectKind::User => another_namespaces_account(context, &subject.name, provider),
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

/// The name of a ServiceAccount that the stream makes, and of its token's Secret.
fn account(context: &mut Context<'_>, name: &Located<SubjectName>) {
    let text = name.value.as_str();
    let token = format!("its token is in the Secret `{text}-token`");
    let length = text.len() + "-token".len();
    if let Err(rule) = text.parse::<ObjectName>() {
        let diagnostic = rule.at(name.span);
        context.problems.push(diagnostic.label("a ServiceAccount's name is an object's name"));
    } else if let Err(rule) = fits("a ServiceAccount", text, &token, length, SUBDOMAIN_MAX) {
        context.problems.push(rule.at(name.span));
    }
}

/// How Kubernetes calls a ServiceAccount that comes with its token (`k8s.io/apiserver`
/// `pkg/authentication/serviceaccount/util.go`).
const ACCOUNT: &str = "system:serviceaccount:";

/// To RBAC a ServiceAccount of another namespace is a User as any other; one of the tenant namespace is made by the stream.
fn another_namespaces_account(context: &mut Context<'_>, name: &Located<SubjectName>, provider: Role) {
    let Some(account) = name.value.as_str().strip_prefix(ACCOUNT) else { return };
    let namespace = match account.split_once(':') {
        Some((namespace, name)) if name.parse::<ObjectName>().is_ok() => namespace.parse::<Namespace>().ok(),
        _ => None,
    };
    let (message, help) = match namespace {
        None => (
            "this is nearly the user name of a ServiceAccount",
            "it is `system:serviceaccount:<namespace>:<name>`",
        ),
        Some(namespace) if namespace.as_str() == tenant_namespace(context, provider).0 => (
            "this is the user name of a ServiceAccount of the tenant namespace, and its `kind` is not",
            "say `kind: ServiceAccount` and the name alone; the stream then makes it together with its token",
        ),
        Some(_) => return,
    };
    context.push(Code::Subject, name.span, message, help);
}

fn no_accounts_group(context: &mut Context<'_>, name: &Located<SubjectName>) {
    if name.value.as_str().starts_with(ACCOUNT) {
        let message = "this is the user name of a ServiceAccount, and its `kind` is not";
        let help = "say `kind: User` for one of another namespace; the group of a namespace's ServiceAccounts is \
                    `system:serviceaccounts:<namespace>`";
        context.push(Code::Subject, name.span, message, help);
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
        context.push(Code::ServiceAccountTaken, name.span, message, help);
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
