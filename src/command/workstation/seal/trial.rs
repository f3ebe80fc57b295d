//! Whether a new credential can do what Liqo's control plane does with it, and no more: asked with the credential itself.

use super::provider::Provider;
use crate::command::error::Unissued;
use crate::command::{Result, Streams};
use crate::diagnostic::shown_name;
use crate::state::ProgramProblem;
use crate::state::cluster::Context;
use crate::state::program::Ended;

/// What the ClusterRole `liqo-remote-controlplane` allows in the tenant namespace (liqo
/// `deployments/liqo/files/liqo-remote-controlplane-ClusterRole.yaml`).
const NEEDED: [&str; 3] = [
    "resourceslices.authentication.liqo.io",
    "renews.authentication.liqo.io",
    "namespacemaps.offloading.liqo.io",
];

/// What nobody needs for a peering, and what whoever has it can have the cluster with: a verb, a resource, and where.
const TELLING: [[&str; 3]; 5] = [
    ["get", "secrets", "--all-namespaces"],
    ["get", "secrets", "--namespace=kube-system"],
    ["create", "pods", "--namespace=kube-system"],
    ["create", "clusterrolebindings.rbac.authorization.k8s.io", "--all-namespaces"],
    ["impersonate", "users", "--all-namespaces"],
];

/// Tries a kubeconfig, in the tenant namespace if that is known, and in the one of its account.
pub(super) fn try_out(
    provider: &Provider<'_>,
    kubeconfig: &str,
    user: &str,
    [namespace, of_account]: [Option<&str>; 2],
    streams: &mut Streams<'_>,
) -> Result {
    let mut may = |words: [&str; 3]| is_allowed(provider, kubeconfig, words, streams);
    let scope = |namespace: &str| format!("--namespace={namespace}");
    let in_namespace = namespace.map(scope);
    let of_account = of_account.filter(|it| namespace != Some(it)).map(scope);
    let own_secrets = in_namespace.iter().chain(&of_account).map(|scope| ["get", "secrets", scope.as_str()]);
    let mut more = Vec::new();
    for words in TELLING.into_iter().chain(own_secrets) {
        if may(words)? {
            more.push(format!("`{}`", shown_name(&words.join(" "))));
        }
    }
    if !more.is_empty() {
        let (user, may) = (user.to_owned(), more.join(", "));
        return Err(provider.refused(Unissued::TooPowerful { user, may }));
    }
    let Some(scope) = &in_namespace else { return Ok(()) };
    let mut missing = Vec::new();
    for resource in NEEDED {
        if !may(["create", resource, scope])? {
            missing.push(resource);
        }
    }
    let namespace = namespace.map(shown_name).unwrap_or_default();
    streams.note(&match missing.as_slice() {
        [] => format!("tried: the credential may write Liqo's objects in {namespace}, and nothing more was found"),
        all if all.len() == NEEDED.len() => format!("note: the credential works, and has no rights in {namespace} yet: the provider's sync gives them, with the RoleBinding"),
        some => format!("warning: the credential may not create {} in {namespace}: look at the provider's RoleBinding, and at the ClusterRole `liqo-remote-controlplane`", some.join(", ")),
    });
    Ok(())
}

/// Kubectl's `yes` or `no`. It fails for a `no`, and for an error.
fn is_allowed(
    provider: &Provider<'_>,
    kubeconfig: &str,
    words: [&str; 3],
    streams: &mut Streams<'_>,
) -> Result<bool> {
    let context = provider.context();
    let arguments = [&["auth", "can-i"], &words[..]].concat();
    streams.note(&format!("+ {}", Context::line_with(&arguments)));
    let ended = context.end_with(kubeconfig, &arguments);
    let Ended { output, errors, status } = ended.map_err(|problem| context.failed(problem))?;
    match String::from_utf8_lossy(&output).split_whitespace().next() {
        Some("yes") if status.success() => Ok(true),
        Some("no") => Ok(false),
        _ if errors.trim().is_empty() => Err(context.failed(ProgramProblem::Unexpected("yes or no")).into()),
        _ => Err(context.failed(ProgramProblem::Failed(errors)).into()),
    }
}
