//! The subject that the provider authorises: it must be the consumer alone, and the consumer's credential must authenticate as it.

use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::document::Located;
use crate::peering::authentication::credential::Credential;
use crate::peering::authentication::{Authentication, Subject, SubjectKind};
use crate::peering::delivery::Delivery;
use crate::peering::values::{Namespace, ObjectName, SUBDOMAIN_MAX, SubjectName, fits};
use crate::peering::{Peering, Role, names};

pub(super) fn check_subject(peering: &Peering, user: Role, problems: &mut Problems) {
    let Some(authentication) = peering.authentication(user) else {
        return;
    };
    let subject = &authentication.subject;
    if let Some((message, help)) = wrong_subject(peering, subject, user) {
        problems.add(Code::Subject, subject.name.span, message, help);
    }
    if subject.kind == SubjectKind::ServiceAccount {
        check_account(authentication, &subject.name, problems);
    }
    check_handshake(peering, authentication, user, problems);
}

/// The certificate of a handshake is for the user with the consumer's cluster ID (liqo `authentication/csr.go`, CheckCSRForControlPlane),
/// so no other subject can get the rights.
fn check_handshake(
    peering: &Peering,
    authentication: &Authentication,
    user: Role,
    problems: &mut Problems,
) {
    let (id, subject) = (&peering.clusters[user].id, &authentication.subject);
    let is_id = subject.kind == SubjectKind::User && subject.name.as_str() == id.as_str();
    if !is_id && authentication.credential.is_of_cluster_id() {
        let message = format!("with `keysExchange` the credential's user is `{id}`");
        let help = "remove `subject`";
        problems.add(Code::Subject, subject.name.span, message, help);
    }
    let Some(handshake) = authentication.credential.handshake() else {
        return;
    };
    let csr = &handshake.keys.csr;
    if csr.user != id.as_str() {
        let written = quoted(&csr.user);
        let message = format!("the request's user is {written}: Liqo signs only `{id}`");
        let help = "write `keysExchange: pending` and sign on that cluster: `argocd-peering authenticate consumer`";
        let rule = Rule::new(Code::KeysExchange, message).help(help);
        let problem = rule.mark(csr.span);
        problems.push(problem.also(id.span, "the cluster's ID"));
    }
    // its controller owns the Secret, which Kubernetes deletes with the SealedSecret or ExternalSecret before Liqo could take it over
    if let Some(kubeconfig) = handshake.kubeconfig()
        && peering.clusters[user].delivery != Delivery::Secret
    {
        let message = "Liqo cannot take over a Secret that another controller owns";
        let help = "use `kubeconfig` alone: this cluster's `delivery` is not `Secret`";
        problems.add(Code::KeysExchange, kubeconfig.file.span, message, help);
    }
}

/// The name of a ServiceAccount that the stream creates must be valid, and the name of its token's Secret too. An `identity` cannot be a
/// ServiceAccount: a client certificate names a user and groups (`k8s.io/apiserver` `pkg/authentication/request/x509`), a ServiceAccount has
/// a token.
fn check_account(
    authentication: &Authentication,
    name: &Located<SubjectName>,
    problems: &mut Problems,
) {
    let text = name.as_str();
    let secret = names::token_secret(text);
    let made = format_args!("its token is in the Secret `{secret}`");
    if let Err(rule) = text.parse::<ObjectName>() {
        let label = "write the name alone, without a namespace";
        problems.push(rule.mark(name.span).label(label));
    } else if let Err(rule) = fits("a ServiceAccount", text, made, secret.len(), SUBDOMAIN_MAX) {
        problems.push(rule.mark(name.span));
    }
    if let Credential::Identity(_) = *authentication.credential {
        let message =
            format!("an `identity` certificate cannot authenticate as the ServiceAccount `{name}`");
        let help = "set `kind: User`, or use a kubeconfig with its token";
        problems.add(Code::Subject, name.span, message, help);
    }
}

/// The subjects that Kubernetes adds by itself (`k8s.io/apiserver` `pkg/authentication/user`): everyone who reaches the provider's API
/// server could act as the consumer.
const EVERYONE: [(SubjectKind, &str); 4] = [
    (SubjectKind::User, "system:anonymous"),
    (SubjectKind::Group, "system:unauthenticated"),
    (SubjectKind::Group, "system:authenticated"),
    (SubjectKind::Group, "system:serviceaccounts"),
];

const OWN_ACCOUNT: &str = "name another ServiceAccount, such as `rome-controlplane`";

/// What is wrong with a subject, and what to do.
fn wrong_subject(
    peering: &Peering,
    subject: &Subject,
    user: Role,
) -> Option<(String, &'static str)> {
    let (consumer, provider) = (&peering.clusters[user], &peering.clusters[user.peer()]);
    let name = subject.name.as_str();
    let account = name.strip_prefix(names::SERVICE_ACCOUNT);
    let is_gateways = peering.networking.is_some() && name == provider.names.gateway.as_str();
    if EVERYONE.contains(&(subject.kind, name)) {
        let message = format!("with `{name}`, others could act as the consumer");
        let help = "name the user or group of the consumer's credential";
        return Some((message, help));
    }
    match (subject.kind, account) {
        // Liqo binds the gateway's cluster-wide rights to an account with the gateway's name (liqo
        // `networking/external-network/utils/rbac.go`); the other cluster's token must not have them
        (SubjectKind::ServiceAccount, _) if is_gateways => {
            let message = format!("Liqo gives the ServiceAccount `{name}` the gateway's rights");
            Some((message, OWN_ACCOUNT))
        }
        (SubjectKind::ServiceAccount, _) if name == "default" => {
            let message = format!("every pod of the namespace uses the ServiceAccount `{name}`");
            Some((message, OWN_ACCOUNT))
        }
        (SubjectKind::Group, Some(_)) => {
            let message = "this is a ServiceAccount's user name, but `kind` is `Group`";
            let help = "set `kind: User`";
            Some((message.to_owned(), help))
        }
        // the certificates that Liqo signs for the consumer's slices are in that group. The rights of the virtual kubelet are bound to it on
        // the provider (liqo `pkg/tenantNamespace/bindings.go`), and a slice's certificate would get the rights of the control plane
        (SubjectKind::Group, None) if name == consumer.id.as_str() => {
            let message = format!("the {user}'s slices are in the group `{name}`, its `clusterID`");
            let help = "set `kind: User`, or give the certificate another organisation";
            Some((message, help))
        }
        (SubjectKind::User, Some(account)) => account_as_user(&provider.tenant_namespace, account),
        _ => None,
    }
}

/// The stream creates only a ServiceAccount of the tenant namespace. For RBAC, one of another namespace is a User like any other.
fn account_as_user(tenant: &Namespace, account: &str) -> Option<(String, &'static str)> {
    let (namespace, name) = account.split_once(':').unwrap_or_default();
    let (message, help) =
        if namespace.parse::<Namespace>().is_err() || name.parse::<ObjectName>().is_err() {
            (
                "this is not a ServiceAccount's full user name",
                "write `system:serviceaccount:<namespace>:<name>`",
            )
        } else if namespace == tenant.as_str() {
            (
                "this is a ServiceAccount of the tenant namespace, but `kind` is `User`",
                "set `kind: ServiceAccount`, and its name alone",
            )
        } else {
            return None;
        };
    Some((message.to_owned(), help))
}
