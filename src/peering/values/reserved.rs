//! Labels and annotations that a user may not set: a controller acts on them, or writes them itself.

use crate::diagnostic::{Code, Rule, quoted};

/// The domain of the labels of pod admission.
pub(crate) const POD_SECURITY: &str = "pod-security.kubernetes.io";

/// argocd-operator `controllers/argocd/custommapper.go`, `util.go` (setManagedNamespaces): the label names a namespace, and the Argo CD in
/// it gets all rights in the Namespaces with the label, also on OpenShift. The document alone cannot allow it; the terms of a sealed file
/// must.
pub(crate) const MANAGED_BY: &str = "argocd.argoproj.io/managed-by";

/// Domains, including those below them, and the effect of their keys.
pub(crate) const DOMAINS: [(&str, &str); 21] = [
    ("liqo.io", "Liqo finds and steers its objects by it"),
    (
        "argocd.argoproj.io",
        "Argo CD orders, compares and deletes by it",
    ),
    (
        POD_SECURITY,
        "pod admission lets the gateway's privileged pods in by it",
    ),
    // whose a Namespace is: rancher pkg/controllers/managementuser/rbac/namespace_handler.go (ensurePRTBAddToNamespace)
    (
        "cattle.io",
        "Rancher gives the members of a project rights in the Namespace by it, on its Secrets too",
    ),
    // capsule pkg/api/meta/labels.go
    ("capsule.clastix.io", CAPSULE),
    ("projectcapsule.dev", CAPSULE),
    // hierarchical-namespaces api/v1alpha2/hierarchy_types.go, subnamespace_anchor.go
    (
        "hnc.x-k8s.io",
        "the hierarchical namespace controller copies rights and objects between Namespaces by it",
    ),
    // kubesphere pkg/controller/namespace/namespace_controller.go
    (
        "kubesphere.io",
        "KubeSphere gives the members of a workspace rights in the Namespace by it",
    ),
    // fluxcd/flux2 docs: `flux create tenant`; kustomize-controller, helm-controller
    (
        "toolkit.fluxcd.io",
        "Flux marks by it whose an object is, and how it applies and deletes it",
    ),
    // what is admitted: gatekeeper pkg/webhook/namespacelabel.go
    (
        "admission.gatekeeper.sh",
        "Gatekeeper applies no policy in a Namespace with it",
    ),
    // cluster-policy-controller pkg/psalabelsyncer
    (
        "security.openshift.io",
        "OpenShift goes by it when it sets the Namespace's pod security",
    ),
    // what is copied: kubernetes-replicator replicate/{secret,rolebinding,serviceaccount,service}
    (
        "replicator.v1.mittwald.de",
        "kubernetes-replicator copies Secrets, RoleBindings and accounts by it",
    ),
    // kubernetes-reflector README.md
    (
        "reflector.v1.k8s.emberstack.com",
        "Reflector copies Secrets to other Namespaces by it",
    ),
    // kubed (config-syncer) docs: `kubed.appscode.com/sync`
    (
        "kubed.appscode.com",
        "Config Syncer copies Secrets to other Namespaces and clusters by it",
    ),
    // secretgen-controller docs/secret-export.md
    (
        "secretgen.carvel.dev",
        "secretgen-controller copies Secrets between Namespaces by it",
    ),
    // sealed-secrets pkg/apis/sealedsecrets/v1alpha1
    (
        "sealedsecrets.bitnami.com",
        "the sealed-secrets controller goes by it: where a Secret may be opened, and whose it is",
    ),
    // external-secrets apis/externalsecrets: labels and annotations of its controllers
    (
        "external-secrets.io",
        "external-secrets marks by it what it manages",
    ),
    // rights of a ServiceAccount at a cloud: amazon-eks-pod-identity-webhook pkg/annotations.go
    ("eks.amazonaws.com", CLOUD),
    // cloud.google.com/kubernetes-engine/docs: workload identity
    ("iam.gke.io", CLOUD),
    // azure-workload-identity pkg/webhook/consts.go
    ("azure.workload.identity", CLOUD),
    // k8s.io/kubernetes cluster/addons/addon-manager/README.md
    (
        "addonmanager.kubernetes.io",
        "the addon manager deletes objects with it that are not in its own files",
    ),
];

const CAPSULE: &str = "Capsule gives the owners of a tenant all rights in the Namespace by it";
const CLOUD: &str = "a ServiceAccount gets rights at the cloud by it";

/// Keys of these domains that a user may set: nothing is ordered, compared or deleted by them.
pub(crate) const FREE: [&str; 3] = [
    MANAGED_BY,
    // argo-cd controller/health.go: the Application's health ignores the object
    "argocd.argoproj.io/ignore-healthcheck",
    // argo-cd controller/cache/cache.go
    "argocd.argoproj.io/ignore-resource-updates",
];

/// The domain of links that Argo CD shows (argo-cd `common/common.go`, `AnnotationKeyLinkPrefix`).
pub(crate) const LINKS: &str = "link.argocd.argoproj.io";

/// Single reserved keys. The rest of `kubernetes.io` and `helm.sh` is free: `helm.sh/chart`,
/// `app.kubernetes.io/part-of` and `kubernetes.io/description` only describe.
pub(crate) const KEYS: [(&str, &str); 17] = [
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
    (
        "kubectl.kubernetes.io/last-applied-configuration",
        "Argo CD's and kubectl's apply write it themselves",
    ),
    // k8s.io/kubernetes pkg/apis/core/v1/defaults.go (SetDefaults_Namespace)
    (
        "kubernetes.io/metadata.name",
        "the API server itself writes it on Namespaces",
    ),
    // k8s.io/kubernetes pkg/controller/serviceaccount/tokens_controller.go
    (
        "kubernetes.io/service-account.name",
        "it says whose token a Secret gets",
    ),
    (
        "kubernetes.io/service-account.uid",
        "Kubernetes writes it itself, and deletes the Secret of another one's token",
    ),
    // docs.openshift.com "Managing security context constraints"
    (
        "openshift.io/run-level",
        "OpenShift admits any pod, however privileged, into a Namespace with it",
    ),
    // openshift/apiserver-library-go pkg/securitycontextconstraints/sccmatching
    ("openshift.io/sa.scc.mcs", SCC),
    ("openshift.io/sa.scc.supplemental-groups", SCC),
    ("openshift.io/sa.scc.uid-range", SCC),
    // kustomize api/resource/factory.go (DropLocalNodes), which Flux's kustomize-controller runs
    (
        "config.kubernetes.io/local-config",
        "kustomize and Flux leave the object out, and delete it where it was",
    ),
    // openshift/api project/v1: ProjectRequester
    (
        "openshift.io/requester",
        "OpenShift writes there who asked for the project",
    ),
    // k8s.io/kubernetes pkg/serviceaccount/legacy.go
    (
        "kubernetes.io/legacy-token-invalid-since",
        "the API server refuses the token of such a Secret",
    ),
    (
        "kubernetes.io/legacy-token-last-used",
        "the API server itself writes it on a token's Secret",
    ),
];

const SCC: &str =
    "OpenShift gives the Namespace's pods their users, groups and SELinux level by it";

const HOOK: &str = "Argo CD makes the object a hook by it: it leaves its wave, and each sync deletes it and makes it anew";

/// Checks that a user may set a key.
///
/// # Errors
/// With the controller that acts on it.
pub(crate) fn free(key: &str) -> Result<(), Rule> {
    let domain = domain(key);
    if FREE.contains(&key) || domain == LINKS {
        return Ok(());
    }
    let why = DOMAINS
        .iter()
        .find(|(reserved, _)| is_of(domain, reserved))
        .or_else(|| KEYS.iter().find(|(reserved, _)| key == *reserved));
    why.map_or(Ok(()), |(_, why)| {
        Err(Rule::new(Code::ReservedLabel, format!("{} is not free: {why}", quoted(key))).help(
            "use a key of a domain of your own; what the peering needs is set, or has a field of its own; what an administrator needs is set at the cluster, where Argo CD leaves it alone",
        ))
    })
}

/// Checks that a user may set a key on a Namespace without gateways. There, pod security is the user's decision.
///
/// # Errors
/// With the controller that acts on it.
pub(crate) fn free_for_workloads(key: &str) -> Result<(), Rule> {
    if domain(key) == POD_SECURITY {
        Ok(())
    } else {
        free(key)
    }
}

/// Whether a domain is this one, or one below it.
fn is_of(domain: &str, reserved: &str) -> bool {
    domain
        .strip_suffix(reserved)
        .is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
}

fn domain(key: &str) -> &str {
    key.split_once('/')
        .map(|(domain, _)| domain)
        .unwrap_or_default()
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
            assert!(free(&key).is_err(), "{key}");
            assert!(
                free_for_workloads(&key).is_err() || key.starts_with("pod-security."),
                "{key}"
            );
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
            assert!(
                free(key).is_ok() && free_for_workloads(key).is_ok(),
                "{key}"
            );
        }
        for key in [
            "liqo.io/x",
            "networking.liqo.io/x",
            "argocd.argoproj.io/hook",
            "argocd.argoproj.io/secret-type",
            "a.link.argocd.argoproj.io/x",
            "helm.sh/hook",
            "field.cattle.io/projectId",
            "capsule.clastix.io/tenant",
            "team-a.tree.hnc.x-k8s.io/depth",
            "kustomize.toolkit.fluxcd.io/name",
            "replicator.v1.mittwald.de/replicate-to",
            "openshift.io/run-level",
            "config.kubernetes.io/local-config",
        ] {
            assert!(
                free(key).is_err() && free_for_workloads(key).is_err(),
                "{key}"
            );
        }
        let restricted = "pod-security.kubernetes.io/enforce";
        assert!(free(restricted).is_err() && free_for_workloads(restricted).is_ok());
    }
}
