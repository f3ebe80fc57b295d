//! The parts of a peering: amounts, versions, and what goes with what.

use super::Explanation;

pub(super) const QUANTITY: Explanation = Explanation {
    code: "quantity",
    rule: "An amount is a Kubernetes quantity such as \"20\", 500m or 128Gi; only cpu is divided, and cpu, memory and pods are \
           above zero.",
    reason: "The API server refuses anything else, and takes no part of a pod, of a GPU or of a byte. A Node without cpu, memory \
             or pods takes no pod; of anything else `0` means none, where the provider's Liqo would fill in its default. What is \
             right is written in Kubernetes' canonical form, since Liqo's controllers rewrite a slice's resources and Argo \
             CD would show a difference for ever.",
    source: "k8s.io/apimachinery pkg/api/resource/quantity.go; k8s.io/kubernetes pkg/apis/core/helper/helpers.go \
             (IsIntegerResourceName); liqo pkg/virtualKubelet/liqoNodeProvider/reconciler.go, \
             pkg/liqo-controller-manager/authentication/localresourceslice-controller/localresourceslice_controller.go",
    example: "- resources: { cpu: \"20\", memory: 128 GB, pods: 110 }",
    fix: "- resources: { cpu: \"20\", memory: 128G, pods: 110 }",
};

pub(super) const LIQO_VERSION: Explanation = Explanation {
    code: "liqo-version",
    rule: "`liqoVersion` is the lowest Liqo on either cluster, in quotes, 1.0 or later.",
    reason: "Only fields that both clusters' CRDs have are written. Liqo before 1.0 has other CRDs; a version that is newer than \
             this program counts as the newest it knows. A pre-release may lack what its release has: 1.2.0-rc.1 counts as 1.1.",
    source: "Semantic Versioning 2.0.0, section 11; liqo deployments/liqo/charts/liqo-crds of each release",
    example: "liqoVersion: \"0.10\"",
    fix: "liqoVersion: \"1.0\"",
};

pub(super) const NEWER_LIQO: Explanation = Explanation {
    code: "newer-liqo",
    rule: "What is said can be said to the CRDs of `liqoVersion`.",
    reason: "The API server drops a field that the CRD lacks, and Argo CD does not ask it to be strict: the sync succeeds, what was \
             said does nothing, and the Application is OutOfSync for ever. Liqo before 1.2 also passes over every pod network \
             but the first, without a word.",
    source: "argo-cd gitops-engine/pkg/utils/kube/resource_ops.go; docs/compatibility.md, where it was tried; liqo pull request \
             3294",
    example: "\
spec:
  seed: { file: peering.seed.age }
  consumer:
    clusterID: rome
    podCIDRs: [10.42.0.0/16, 10.44.0.0/16]",
    fix: "\
spec:
  liqoVersion: \"1.2\"
  seed: { file: peering.seed.age }
  consumer:
    clusterID: rome
    podCIDRs: [10.42.0.0/16, 10.44.0.0/16]",
};

pub(super) const ALTERNATIVES: Explanation = Explanation {
    code: "alternatives",
    rule: "Of several ways to give a credential exactly one is chosen, or `pending`.",
    reason: "Two credentials for one provider are two Secrets with the same labels, and Liqo's replicator then uses neither.",
    source: "liqo internal/crdReplicator/crdReplicator-operator.go",
    example: "\
credential:
  kubeconfig: { file: kubeconfig.age }
  existingSecret: {}",
    fix: "\
credential:
  kubeconfig: { file: kubeconfig.age }",
};

pub(super) const SELECTOR: Explanation = Explanation {
    code: "selector",
    rule: "A selector has a term, a term an expression, and an operator as many values as Kubernetes wants; so has a toleration.",
    reason: "No terms are every cluster to Liqo and no node to Kubernetes, and an empty term is nothing to both: what was meant \
             cannot be told. Liqo's CRDs do not check operators and values; the API server would refuse the pods then.",
    source: "k8s.io/kubernetes pkg/apis/core/validation/validation.go (ValidateNodeSelectorRequirement, ValidateTolerations); liqo \
             pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/clusterselector.go",
    example: "clusters: { clusterSelector: { nodeSelectorTerms: [] } }",
    fix: "clusters: all",
};
