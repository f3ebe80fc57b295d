//! Namespaces: the tenant namespaces, the offloaded ones, and those that Liqo creates for these in the other cluster.

use crate::diagnostic::{Code, Diagnostic, Problems, Rule};
use crate::peering::names::{GATEWAY_NAMESPACE, TENANT_NAMESPACE_PREFIX};
use crate::peering::offloading::namespace::Namespace;
use crate::peering::values::not_a_number;
use crate::peering::{Peering, Role};
use std::collections::BTreeMap;

/// The namespaces that every API server creates (`k8s.io/kubernetes/pkg/controlplane/controller/systemnamespaces`).
const KUBERNETES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// The usual namespaces of Argo CD, with the credentials of its clusters (argo-cd `docs/getting_started.md`; OpenShift GitOps).
const ARGO_CD: [&str; 2] = ["argocd", "openshift-gitops"];

/// The namespace that Liqo's chart is installed in (liqo `docs/installation/install.md`).
const LIQO: &str = "liqo";

/// The owner of a namespace that cannot be the peering's.
fn owner(peering: &Peering, role: Role, name: &str) -> Option<&'static str> {
    if KUBERNETES.contains(&name) {
        Some("a namespace of Kubernetes")
    } else if ARGO_CD.contains(&name) {
        Some("the namespace of Argo CD")
    } else {
        let own = peering.clusters[role].liqo_namespace.as_str();
        [own, LIQO].contains(&name).then_some("a namespace of Liqo")
    }
}

/// The owner of a namespace whose Secrets must not leave the cluster.
fn owner_of_secrets(peering: &Peering, user: Role, name: &str) -> Option<&'static str> {
    let is_liqos = Role::BOTH
        .iter()
        .any(|role| peering.clusters[*role].liqo_namespace.as_str() == name);
    if name.starts_with(TENANT_NAMESPACE_PREFIX) {
        Some("the tenant namespace of a peering")
    } else if name.starts_with("kube-") {
        Some("a namespace of Kubernetes")
    } else if is_liqos {
        Some("a namespace of Liqo")
    } else {
        owner(peering, user, name)
    }
}

/// The tenant namespace must not be anyone else's: the stream creates it, and removing the stream deletes it with everything in it.
pub(super) fn check_tenant_namespace(peering: &Peering, role: Role, problems: &mut Problems) {
    let cluster = &peering.clusters[role];
    let name = &cluster.tenant_namespace;
    // a controller of Liqo finds the tenant namespace by its name (liqo `pkg/tenantNamespace/utils.go`)
    let other = name.as_str().strip_prefix(TENANT_NAMESPACE_PREFIX);
    let peer = peering.clusters[role.peer()].id.as_str();
    let owner = match (owner(peering, role, name.as_str()), other) {
        (Some(owner), _) => Some(owner.to_owned()),
        (None, Some(id)) if id != peer => Some(format!("that of the peering with `{id}`")),
        (None, _) => None,
    };
    if let Some(owner) = owner {
        let message =
            format!("`{name}` is {owner}: a tenant namespace is deleted with its peering");
        let help = if cluster.written.tenant_namespace.is_none() {
            format!("set another one: `{role}.tenantNamespace`")
        } else {
            "remove `tenantNamespace`, or change it".to_owned()
        };
        problems.add(Code::ReservedNamespace, name.span, message, help);
    }
    // liqo `deployments/liqo/templates/_helpers.tpl` (liqo.selectorTemplate): the label is also under `selector` and
    // `matchLabels`, where the template engine does not keep the type string
    let what = "a tenant namespace's name with `networking`";
    if peering.networking.is_some()
        && let Err(rule) = not_a_number(what, name.as_str())
    {
        let label = format!("it becomes the label `{GATEWAY_NAMESPACE}: {name}`");
        problems.push(rule.mark(name.span).label(label));
    }
}

const ANOTHER_REMOTE_NAME: &str =
    "set `namespaceMappingStrategy: SelectedName` and an unused `remoteNamespaceName`";

/// The namespaces that a side offloads, and those that Liqo creates for them in the other cluster. They are checked for
/// any choice of virtual nodes: the document does not say which labels a node will have.
pub(super) fn check_offloaded(peering: &Peering, user: Role, problems: &mut Problems) {
    let mut seen: BTreeMap<&str, &Namespace> = BTreeMap::new();
    let Some(offloading) = peering.offloading(user) else {
        return;
    };
    for namespace in &offloading.namespaces {
        if let Some((code, message, help)) = unfit(peering, namespace, user) {
            problems.add(code, namespace.name.span, message, help);
            continue;
        }
        let (name, remote) = (&namespace.name, &namespace.remote_name);
        if let Some(problem) = remote_conflict(peering, namespace, user.peer()) {
            problems.push(problem);
        } else if let Some(first) = seen.get(remote.as_str())
            && first.name != *name
        {
            let other = &first.name;
            let message = format!(
                "`{other}` and `{name}` both become the other cluster's namespace `{remote}`"
            );
            let rule = Rule::new(Code::NamespaceTaken, message).help(ANOTHER_REMOTE_NAME);
            let problem = rule.mark(remote.span);
            problems.push(problem.also(first.remote_name.span, "the first"));
        }
        seen.entry(remote.as_str()).or_insert(namespace);
    }
}

/// Why a namespace cannot be offloaded, or cannot be created.
fn unfit(
    peering: &Peering,
    namespace: &Namespace,
    user: Role,
) -> Option<(Code, String, &'static str)> {
    const WORKLOADS: &str = "offload your workloads' namespaces";
    let name = namespace.name.as_str();
    if name == peering.clusters[user].tenant_namespace.as_str() {
        let message = format!("the tenant namespace `{name}` cannot be offloaded");
        return Some((Code::NamespaceTaken, message, WORKLOADS));
    }
    // Liqo's webhook handles every pod of an offloaded namespace (liqo `liqo-mutating-webhook.yaml`), including the
    // pods that the webhook itself needs, and the namespace's Secrets are reflected (liqo `docs/usage/reflection.md`)
    let owner = owner_of_secrets(peering, user, name)?;
    if name != "default" {
        let message =
            format!("`{name}` is {owner}: offloading would copy its Secrets to the other cluster");
        return Some((Code::ReservedNamespace, message, WORKLOADS));
    }
    if namespace.written.create {
        let message = format!("`{name}` is {owner} and exists: the stream cannot create it");
        return Some((Code::ReservedNamespace, message, "remove `create: true`"));
    }
    None
}

/// Liqo offloads only into namespaces that it has created itself (liqo `namespacemap-controller/enforcement.go`,
/// `createNamespace`).
fn remote_conflict(peering: &Peering, namespace: &Namespace, provider: Role) -> Option<Diagnostic> {
    let remote = namespace.remote_name.as_str();
    let tenant = &peering.clusters[provider].tenant_namespace;
    let (code, what, place) = if let Some(owner) = owner(peering, provider, remote) {
        (Code::ReservedNamespace, owner, None)
    } else if remote == tenant.as_str() {
        let place = (tenant.span, "it is named here");
        (Code::NamespaceTaken, "the tenant namespace", Some(place))
    } else {
        let mut offloaded = peering.offloading(provider)?.namespaces.iter();
        let other = offloaded.find(|it| it.name.as_str() == remote)?;
        let place = (other.name.span, "the other direction offloads it");
        (Code::NamespaceTaken, "one that it offloads", Some(place))
    };
    let message = format!(
        "`{}` becomes the other cluster's namespace `{remote}`, which is {what}",
        namespace.name.value
    );
    let rule = Rule::new(code, message).help(ANOTHER_REMOTE_NAME);
    let problem = rule.mark(namespace.remote_name.span);
    Some(match place {
        Some((span, label)) => problem.also(span, label),
        None => problem,
    })
}
