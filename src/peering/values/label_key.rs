//! Keys of labels and annotations that a user adds to objects: an allow-list. Controllers give rights, copy Secrets and admit pods by keys of
//! their own, and a list of such controllers cannot be complete.

use crate::diagnostic::{Code, Rule, quoted};

/// The domain of the labels of pod admission.
pub(crate) const POD_SECURITY: &str = "pod-security.kubernetes.io";

/// argocd-operator `controllers/argocd/custommapper.go`, `util.go` (setManagedNamespaces): the label names a namespace, and the Argo CD in
/// it gets all rights in the Namespaces with the label, also on OpenShift.
pub(crate) const MANAGED_BY: &str = "argocd.argoproj.io/managed-by";

/// Domains, including those below them, whose keys no user sets, and why.
#[rustfmt::skip] // a table
pub(crate) const TAKEN_DOMAINS: [(&str, &str); 3] = [
    ("liqo.io", "Liqo finds and steers its objects by it"),
    ("argocd.argoproj.io", "Argo CD orders, compares and deletes by it"),
    (POD_SECURITY, "the gateway's privileged pods need it"),
];

/// Single keys that no user sets: with another value the stream itself would not be applied, or not removed.
#[rustfmt::skip] // a table
pub(crate) const TAKEN: [(&str, &str); 10] = [
    // argo-cd util/argo/resource_tracking.go
    ("app.kubernetes.io/instance", "Argo CD tracks its objects by it"),
    // argo-cd gitops-engine/pkg/sync/hook/helm: Argo CD runs Helm's hooks as its own
    ("helm.sh/hook", HOOK),
    ("helm.sh/hook-delete-policy", HOOK),
    ("helm.sh/hook-weight", HOOK),
    // argo-cd controller/appcontroller.go (isKept), util/helm/helm.go
    ("helm.sh/resource-policy", "with `keep` Argo CD never deletes the object"),
    // k8s.io/kubectl pkg/util/apply.go
    ("kubectl.kubernetes.io/last-applied-configuration", "Argo CD and kubectl write it"),
    // k8s.io/kubernetes pkg/apis/core/v1/defaults.go (SetDefaults_Namespace)
    ("kubernetes.io/metadata.name", "the API server writes it"),
    // k8s.io/kubernetes pkg/controller/serviceaccount/tokens_controller.go
    ("kubernetes.io/service-account.name", "it says whose token a Secret gets"),
    ("kubernetes.io/service-account.uid", "Kubernetes deletes a Secret whose value is wrong"),
    // kustomize api/resource/factory.go (DropLocalNodes), which Flux's kustomize-controller runs
    ("config.kubernetes.io/local-config", "kustomize and Flux leave the object out"),
];

const HOOK: &str = "Argo CD makes the object a hook, recreated by each sync";

/// Keys below [`TAKEN_DOMAINS`] by which nothing is ordered, compared or deleted.
#[rustfmt::skip] // the reason of each
pub(crate) const FREE: [&str; 2] = [
    // argo-cd controller/health.go: the Application's health ignores the object
    "argocd.argoproj.io/ignore-healthcheck",
    // argo-cd controller/cache/cache.go
    "argocd.argoproj.io/ignore-resource-updates",
];

/// Domains whose keys are free. A domain of an example (RFC 2606) is no controller's.
/// Kubernetes' recommended labels only describe (kubernetes.io/docs/reference/labels-annotations-taints).
#[rustfmt::skip] // one line
const FREE_DOMAINS: [&str; 4] = ["app.kubernetes.io", "example.com", "example.net", "example.org"];

/// The domain of links that Argo CD shows (argo-cd `common/common.go`, `AnnotationKeyLinkPrefix`).
pub(crate) const LINKS: &str = "link.argocd.argoproj.io";

/// Keys without a domain by which a controller is known to act.
const KNOWN: [&str; 2] = [
    // istio pkg/kube/inject/inject.go: sidecars in all pods of the Namespace
    "istio-injection",
    // gatekeeper and AKS leave Namespaces with it out of their admission (azure docs, "AKS admissions enforcer")
    "control-plane",
];

/// Who may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyUse {
    /// Any document.
    Free,
    /// A document whose terms or policy list it, or its domain: a controller can act on it.
    Listed,
    /// Nobody, because of this effect.
    Taken(&'static str),
}

/// Who may set a key, on any object.
pub(crate) fn key_use(key: &str) -> KeyUse {
    let domain = domain(key);
    let mut below = TAKEN_DOMAINS.iter().filter(|it| is_subdomain(domain, it.0));
    let taken = TAKEN.iter().find(|it| it.0 == key);
    match taken.or(below.next()) {
        _ if key == MANAGED_BY || KNOWN.contains(&key) => KeyUse::Listed,
        _ if FREE.contains(&key) || domain == LINKS => KeyUse::Free,
        Some((_, why)) => KeyUse::Taken(why),
        None if domain.is_empty() || FREE_DOMAINS.contains(&domain) => KeyUse::Free,
        None => KeyUse::Listed,
    }
}

/// Checks that a document may have a key at all.
///
/// # Errors
/// With the effect of a key that no document may have.
pub(crate) fn check_label_key(key: &str) -> Result<(), Rule> {
    match key_use(key) {
        KeyUse::Free | KeyUse::Listed => Ok(()),
        KeyUse::Taken(why) => {
            let message = format!("{} is not free: {why}", quoted(key));
            let rule = Rule::new(Code::ReservedLabel, message);
            Err(rule.help("use a key without a domain"))
        }
    }
}

/// As [`check_label_key`], on a Namespace without gateways. There, pod security is the user's decision.
///
/// # Errors
/// With the effect of a key that no document may have.
pub(crate) fn check_for_workloads(key: &str) -> Result<(), Rule> {
    if domain(key) == POD_SECURITY {
        Ok(())
    } else {
        check_label_key(key)
    }
}

/// Whether a key is free on the Namespaces of workloads.
pub(crate) fn is_free_for_workloads(key: &str) -> bool {
    domain(key) == POD_SECURITY || key_use(key) == KeyUse::Free
}

/// Whether a value of `labelDomains` allows a key: it is the key, its domain, or a domain above it.
pub(crate) fn is_allowed_by(key: &str, listed: &str) -> bool {
    key == listed || is_subdomain(domain(key), listed)
}

/// What `labelDomains` lists for a key: its domain, or the key itself where the domain has keys that nobody may set.
pub(crate) fn to_list(key: &str) -> &str {
    match domain(key) {
        "" | "argocd.argoproj.io" => key,
        domain => domain,
    }
}

/// Whether a domain is this one, or one below it.
fn is_subdomain(domain: &str, above: &str) -> bool {
    let sub = domain.strip_suffix(above);
    matches!(sub, Some(sub) if sub.is_empty() || sub.ends_with('.'))
}

fn domain(key: &str) -> &str {
    key.split_once('/').unwrap_or_default().0
}

#[cfg(test)]
mod tests {
    use super::{
        KeyUse, check_for_workloads, is_allowed_by, is_free_for_workloads, key_use, to_list,
    };
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
            let peering = parse(&source)
                .expect("a document")
                .resolve(&mut Problems::default());
            let peering = peering.expect("a peering");
            for role in Role::BOTH {
                let manifests = peering
                    .manifests(role, &Material::public(&peering, role))
                    .expect("no bug");
                for manifest in &manifests {
                    let meta = manifest.meta();
                    keys.extend(
                        meta.labels
                            .iter()
                            .chain(&meta.annotations)
                            .map(|(key, _)| key.clone()),
                    );
                }
            }
        }
        assert!(keys.len() > 12, "{keys:?}");
        for key in keys {
            assert!(matches!(key_use(&key), KeyUse::Taken(_)), "{key}");
            assert!(
                check_for_workloads(&key).is_err() || key.starts_with("pod-security."),
                "{key}"
            );
        }
    }

    #[test]
    fn a_key_is_free_or_listed_or_taken() {
        for key in [
            "app.kubernetes.io/managed-by",
            "app.kubernetes.io/part-of",
            "example.org/helm.sh",
            "team",
            "hook",
            "argocd.argoproj.io/ignore-healthcheck",
            "link.argocd.argoproj.io/dashboard",
        ] {
            assert_eq!(key_use(key), KeyUse::Free, "{key}");
            assert!(is_free_for_workloads(key), "{key}");
        }
        for key in [
            "argocd.argoproj.io/managed-by",
            "istio-injection",
            "control-plane",
            "kubernetes.io/description",
            "helm.sh/chart",
            "a.app.kubernetes.io/x",
            "a.example.org/x",
            "notliqo.io/x",
            "iam.amazonaws.com/permitted",
            "accurate.cybozu.com/template",
            "field.cattle.io/projectId",
            "capsule.clastix.io/tenant",
            "team-a.tree.hnc.x-k8s.io/depth",
            "replicator.v1.mittwald.de/replicate-to",
            "openshift.io/run-level",
        ] {
            assert_eq!(key_use(key), KeyUse::Listed, "{key}");
            assert!(!is_free_for_workloads(key), "{key}");
            assert!(is_allowed_by(key, to_list(key)), "{key}");
            assert!(is_allowed_by(key, key), "{key}");
        }
        for key in [
            "liqo.io/x",
            "networking.liqo.io/x",
            "argocd.argoproj.io/hook",
            "argocd.argoproj.io/secret-type",
            "a.link.argocd.argoproj.io/x",
            "app.kubernetes.io/instance",
            "helm.sh/hook",
            "config.kubernetes.io/local-config",
            "pod-security.kubernetes.io/enforce",
        ] {
            assert!(matches!(key_use(key), KeyUse::Taken(_)), "{key}");
        }
        assert!(is_free_for_workloads("pod-security.kubernetes.io/enforce"));
    }

    #[test]
    fn a_domain_allows_the_keys_below_it() {
        for (key, listed, is_allowed) in [
            ("a.org/x", "a.org", true),
            ("b.a.org/x", "a.org", true),
            ("nota.org/x", "a.org", false),
            ("a.org/x", "b.a.org", false),
            ("a.org/x", "a.org/x", true),
            ("a.org/y", "a.org/x", false),
            ("istio-injection", "istio-injection", true),
            ("istio-injection", "injection", false),
        ] {
            assert_eq!(is_allowed_by(key, listed), is_allowed, "{key} {listed}");
        }
    }
}
