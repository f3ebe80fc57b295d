//! Labels and annotations that are not the user's: somebody acts on them, or writes them himself.

use crate::diagnostic::{Code, Rule, quoted};

/// The domain of what pod admission goes by.
pub(crate) const POD_SECURITY: &str = "pod-security.kubernetes.io";

/// Domains, with those below them, and what their keys steer.
pub(crate) const DOMAINS: [(&str, &str); 3] = [
    ("liqo.io", "Liqo finds and steers its objects by it"),
    ("argocd.argoproj.io", "Argo CD orders, compares and deletes by it"),
    (POD_SECURITY, "pod admission lets the gateway's privileged pods in by it"),
];

/// Keys of these domains that are the user's all the same: nothing is ordered, compared or deleted by them.
pub(crate) const FREE: [&str; 3] = [
    // argocd-operator: its Argo CD gets its rights in the Namespaces with this label, on OpenShift for instance
    "argocd.argoproj.io/managed-by",
    // argo-cd controller/health.go: the Application's health leaves the object out
    "argocd.argoproj.io/ignore-healthcheck",
    // argo-cd controller/cache/cache.go
    "argocd.argoproj.io/ignore-resource-updates",
];

/// The domain of links that Argo CD shows (argo-cd `common/common.go`, `AnnotationKeyLinkPrefix`).
pub(crate) const LINKS: &str = "link.argocd.argoproj.io";

/// Single keys. The rest of `kubernetes.io` and `helm.sh` is free: `helm.sh/chart`, `app.kubernetes.io/part-of` and
/// `kubernetes.io/description` only describe.
pub(crate) const KEYS: [(&str, &str); 11] = [
    // argo-cd util/argo/resource_tracking.go
    (
        "app.kubernetes.io/instance",
        "Argo CD tracks its objects by it, and prunes what has another Application's name",
    ),
    // argo-cd gitops-engine/pkg/sync/hook/helm: Argo CD runs Helm's hooks as its own
    ("helm.sh/hook", HOOK),
    ("helm.sh/hook-delete-policy", HOOK),
    ("helm.sh/hook-weight", HOOK),
    // argo-cd controller/appcontroller.go (isKept), util/helm/helm.go
    (
        "helm.sh/resource-policy",
        "with `keep` Argo CD never deletes the object, and the peering cannot be taken down",
    ),
    // k8s.io/kubectl pkg/util/apply.go
    ("kubectl.kubernetes.io/last-applied-configuration", "Argo CD's and kubectl's apply write it themselves"),
    // k8s.io/kubernetes pkg/apis/core/v1/defaults.go (SetDefaults_Namespace)
    ("kubernetes.io/metadata.name", "the API server itself writes it on Namespaces"),
    // k8s.io/kubernetes pkg/controller/serviceaccount/tokens_controller.go
    ("kubernetes.io/service-account.name", "it says whose token a Secret gets"),
    (
        "kubernetes.io/service-account.uid",
        "Kubernetes writes it itself, and deletes the Secret of another one's token",
    ),
    // k8s.io/kubernetes pkg/serviceaccount/legacy.go
    ("kubernetes.io/legacy-token-invalid-since", "the API server refuses the token of such a Secret"),
    ("kubernetes.io/legacy-token-last-used", "the API server itself writes it on a token's Secret"),
];

const HOOK: &str =
    "Argo CD makes the object a hook by it: it leaves its wave, and each sync deletes it and makes it anew";

/// A key that is left to the user.
///
/// # Errors
/// With what acts on it.
pub(crate) fn free(key: &str) -> Result<(), Rule> {
    let domain = domain(key);
    if FREE.contains(&key) || domain == LINKS {
        return Ok(());
    }
    let below = |reserved: &str| {
        domain.strip_suffix(reserved).is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
    };
    let why = DOMAINS
        .iter()
        .find(|(reserved, _)| below(reserved))
        .or_else(|| KEYS.iter().find(|(reserved, _)| key == *reserved));
    why.map_or(Ok(()), |(_, why)| {
        Err(Rule::new(Code::ReservedLabel, format!("{} is not free: {why}", quoted(key))).help(
            "use a key of a domain of your own; what the peering needs is set, or has a field of its own",
        ))
    })
}

/// A key that is left to the user on a Namespace without gateways: how safe its pods have to be is for them to say.
///
/// # Errors
/// With what acts on it.
pub(crate) fn free_for_workloads(key: &str) -> Result<(), Rule> {
    if domain(key) == POD_SECURITY { Ok(()) } else { free(key) }
}

fn domain(key: &str) -> &str {
    key.split_once('/').map(|(domain, _)| domain).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{free, free_for_workloads};
    use crate::diagnostic::{Problems, Source};
    use crate::peering::{Material, Role, parse};
    use std::collections::BTreeSet;

    /// The keys that a stream has by itself. A second value for the same key would be a stream that no one can read.
    #[test]
    fn what_a_stream_has_itself_is_not_the_users() {
        let mut keys = BTreeSet::new();
        for text in [
            include_str!("../../../examples/quickstart/peering.yaml"),
            include_str!("../../../examples/service-account/peering.yaml"),
            include_str!("../../../examples/liqo-identity/peering.yaml"),
        ] {
            let source = Source::new("peering.yaml", text);
            let peering = parse(&source).expect("a document").resolve(&mut Problems::default());
            let peering = peering.expect("a peering");
            for role in Role::BOTH {
                let manifests = peering.manifests(role, &Material::public(&peering, role)).expect("no bug");
                for manifest in &manifests {
                    let meta = manifest.meta();
                    keys.extend(meta.labels.iter().chain(&meta.annotations).map(|(key, _)| key.clone()));
                }
            }
        }
        assert!(keys.len() > 12, "{keys:?}");
        for key in keys {
            assert!(free(&key).is_err(), "{key}");
            assert!(free_for_workloads(&key).is_err() || key.starts_with("pod-security."), "{key}");
        }
    }

    #[test]
    fn what_only_describes_is_free() {
        for key in [
            "app.kubernetes.io/managed-by",
            "app.kubernetes.io/part-of",
            "kubernetes.io/description",
            "helm.sh/chart",
            "meta.helm.sh/release-name",
            "example.org/helm.sh",
            "notliqo.io/x",
            "hook",
            "argocd.argoproj.io/managed-by",
            "argocd.argoproj.io/ignore-healthcheck",
            "link.argocd.argoproj.io/dashboard",
        ] {
            assert!(free(key).is_ok() && free_for_workloads(key).is_ok(), "{key}");
        }
        for key in [
            "liqo.io/x",
            "networking.liqo.io/x",
            "argocd.argoproj.io/hook",
            "argocd.argoproj.io/secret-type",
            "a.link.argocd.argoproj.io/x",
            "helm.sh/hook",
        ] {
            assert!(free(key).is_err() && free_for_workloads(key).is_err(), "{key}");
        }
        let restricted = "pod-security.kubernetes.io/enforce";
        assert!(free(restricted).is_err() && free_for_workloads(restricted).is_ok());
    }
}
