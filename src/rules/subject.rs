//! The subject that the provider authorises: it must be the consumer alone, and the consumer's credential must authenticate as it.

use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::document::Located;
use crate::peering::authentication::credential::Credential;
use crate::peering::authentication::{Authentication, Subject, SubjectKind};
use crate::peering::delivery::Delivery;
use crate::peering::values::{Namespace, ObjectName, SUBDOMAIN_MAX, SubjectName, fits};
use crate::peering::{Peering, Role, names};

pub(super) fn check_subject(peering: &Peering, problems: &mut Problems) {
    for user in Role::BOTH {
        let Some(authentication) = peering.authentication(user) else {
            continue;
        };
        let subject = &authentication.subject;
        match subject.kind {
            SubjectKind::ServiceAccount => {
                account(&subject.name, problems);
                taken_account(peering, &subject.name, user.peer(), problems);
                identity_of_service_account(authentication, problems);
            }
            SubjectKind::Group => {
                account_in_group(&subject.name, problems);
                taken_group(peering, &subject.name, user, problems);
            }
            SubjectKind::User => {
                another_namespaces_account(peering, &subject.name, user.peer(), problems);
            }
        }
        shared_subject(subject, problems);
        subject_of_handshake(peering, authentication, user, problems);
    }
}

/// The certificate of a handshake is for the user with the consumer's cluster ID (liqo `authentication/csr.go`, CheckCSRForControlPlane),
/// so no other subject can get the rights.
fn subject_of_handshake(
    peering: &Peering,
    authentication: &Authentication,
    user: Role,
    problems: &mut Problems,
) {
    let (id, subject) = (&peering.clusters[user].id, &authentication.subject);
    let is_id = subject.kind == SubjectKind::User && subject.name.as_str() == id.as_str();
    if !is_id && authentication.credential.is_of_cluster_id() {
        let message =
            format!("with `keysExchange` the credential authenticates as the user `{id}`");
        let help = "remove `subject`";
        problems.refuse(Code::Subject, subject.name.span, message, help);
    }
    let Some(handshake) = authentication.credential.handshake() else {
        return;
    };
    let csr = &handshake.keys().csr;
    if csr.user != id.as_str() {
        let message = format!(
            "this request is for the user {}, and Liqo signs one for `{id}` only",
            quoted(&csr.user)
        );
        let help = "sign again on the cluster of this ID: `argocd-peering authenticate consumer FOLDER --from-context …`";
        let rule = Rule::new(Code::KeysExchange, message).help(help);
        problems.push(
            rule.mark(csr.span)
                .also(id.span, "the user is the cluster's ID"),
        );
    }
    // its controller owns the Secret, which Kubernetes deletes with the SealedSecret or ExternalSecret before Liqo could take it over
    if let (Some(kubeconfig), true) = (
        handshake.kubeconfig(),
        peering.clusters[user].delivery != Delivery::Secret,
    ) {
        let message = "Liqo cannot take over a Secret that another controller owns";
        let help = format!(
            "use `keysExchange` for new peerings of this cluster, or keep `kubeconfig` alone: its `delivery` is not `{}`",
            Delivery::Secret
        );
        problems.refuse(Code::KeysExchange, kubeconfig.file.span, message, help);
    }
}

/// The name of a ServiceAccount that the stream creates must be valid, and the name of its token's Secret too.
fn account(name: &Located<SubjectName>, problems: &mut Problems) {
    let text = name.as_str();
    let secret = names::token_secret(text);
    let made = format_args!("its token is in the Secret `{secret}`");
    if let Err(rule) = text.parse::<ObjectName>() {
        problems.push(
            rule.mark(name.span)
                .label("the name alone: this ServiceAccount is made in the tenant namespace"),
        );
    } else if let Err(rule) = fits("a ServiceAccount", text, made, secret.len(), SUBDOMAIN_MAX) {
        problems.push(rule.mark(name.span));
    }
}

/// The prefix of the user name with which a ServiceAccount's token authenticates (`k8s.io/apiserver`
/// `pkg/authentication/serviceaccount/util.go`).
const ACCOUNT: &str = "system:serviceaccount:";

/// The stream creates only a ServiceAccount of the tenant namespace. For RBAC, one of another namespace is a User like any other.
fn another_namespaces_account(
    peering: &Peering,
    name: &Located<SubjectName>,
    provider: Role,
    problems: &mut Problems,
) {
    let Some(account) = name.as_str().strip_prefix(ACCOUNT) else {
        return;
    };
    let namespace = match account.split_once(':') {
        Some((namespace, name)) if name.parse::<ObjectName>().is_ok() => {
            namespace.parse::<Namespace>().ok()
        }
        _ => None,
    };
    let (message, help) = match namespace {
        None => (
            "this is not a complete user name of a ServiceAccount",
            "it is `system:serviceaccount:<namespace>:<name>`",
        ),
        Some(namespace) if namespace == *peering.clusters[provider].tenant_namespace => (
            "this is the user name of a ServiceAccount of the tenant namespace, but `kind` is `User`",
            "set `kind: ServiceAccount` and only its name; the stream then makes it together with its token",
        ),
        Some(_) => return,
    };
    problems.refuse(Code::Subject, name.span, message, help);
}

fn account_in_group(name: &Located<SubjectName>, problems: &mut Problems) {
    if name.as_str().starts_with(ACCOUNT) {
        let message = "this is the user name of a ServiceAccount, but `kind` is `Group`";
        let help = "set `kind: User` for a ServiceAccount of another namespace; the group of a namespace's \
                    ServiceAccounts is `system:serviceaccounts:<namespace>`";
        problems.refuse(Code::Subject, name.span, message, help);
    }
}

/// An `identity` cannot be a ServiceAccount: a client certificate names a user and groups (`k8s.io/apiserver`
/// `pkg/authentication/request/x509`), a ServiceAccount has a token.
fn identity_of_service_account(authentication: &Authentication, problems: &mut Problems) {
    if let Credential::Identity(_) = *authentication.credential {
        let name = &authentication.subject.name;
        let message = format!(
            "the certificate of an `identity` cannot authenticate as the ServiceAccount `{}`",
            name.value
        );
        let help = "name the certificate's user with `kind: User`, or use a kubeconfig with the ServiceAccount's token";
        problems.refuse(Code::Subject, name.span, message, help);
    }
}

/// The subject must not be one that Kubernetes adds by itself (`k8s.io/apiserver` `pkg/authentication/user`): everyone
/// who reaches the provider's API server could act as the consumer.
fn shared_subject(subject: &Subject, problems: &mut Problems) {
    let name = &subject.name;
    let everyone = match subject.kind {
        SubjectKind::Group => [
            "system:unauthenticated",
            "system:authenticated",
            "system:serviceaccounts",
        ]
        .contains(&name.as_str()),
        SubjectKind::User => name.as_str() == "system:anonymous",
        SubjectKind::ServiceAccount => false,
    };
    if everyone {
        let message = format!(
            "`{}` is not the consumer alone: others could act as the consumer",
            name.value
        );
        let help = "name the user or the group of the consumer's credential, which no one else has";
        problems.refuse(Code::Subject, name.span, message, help);
    }
}

/// The ServiceAccount must not be the gateway's. Liqo creates one with the gateway's name in the same namespace and binds the gateway's
/// cluster-wide rights to it (liqo `networking/external-network/utils/rbac.go`); the other cluster's token must not have them. Every pod
/// has `default`.
fn taken_account(
    peering: &Peering,
    name: &Located<SubjectName>,
    provider: Role,
    problems: &mut Problems,
) {
    let account = name.as_str();
    let gateway = &peering.clusters[provider].names.gateway;
    let is_gateways = peering.networking.is_some() && account == gateway.as_str();
    if account == "default" || is_gateways {
        let message = if is_gateways {
            format!(
                "Liqo makes the ServiceAccount `{account}` for the gateway, with the gateway's rights"
            )
        } else {
            format!(
                "Kubernetes makes the ServiceAccount `{account}`, and every pod of the namespace uses it"
            )
        };
        let help = "give the other cluster its own ServiceAccount, for example `rome-controlplane`";
        problems.refuse(Code::Subject, name.span, message, help);
    }
}

/// The group must not have the consumer's ID: the certificates that Liqo signs for the consumer's slices are in that group. The rights of
/// the virtual kubelet are bound to it on the provider (liqo `pkg/tenantNamespace/bindings.go`), and a slice's certificate would get the
/// rights of the control plane.
fn taken_group(
    peering: &Peering,
    name: &Located<SubjectName>,
    user: Role,
    problems: &mut Problems,
) {
    let consumer = &peering.clusters[user].id;
    if name.as_str() == consumer.as_str() {
        let message = format!("the group `{}` is that of the {user}'s slices", name.value);
        let help = "give the credential's certificate another organisation, for example `liqo.io`, or bind the user: \
                    `kind: User`";
        let rule = Rule::new(Code::Subject, message).help(help);
        problems.push(
            rule.mark(name.span)
                .also(consumer.span, "Liqo names the slices' group after it"),
        );
    }
}
