//! Names: of clusters, of objects, of labels, and which of them must differ or agree.

use super::Explanation;

pub(super) const CLUSTER_ID: Explanation = Explanation {
    code: "cluster-id",
    rule: "A cluster ID has at most 63 lower-case letters, digits and inner `-`, and something else than digits.",
    reason: "It is the value of a label on nearly every object, and Liqo's CRDs hold it to this pattern. Liqo's template engine \
             turns one that is all digits into a number, and the gateway's Deployment is then refused.",
    source: "liqo apis/core/v1beta1/foreigncluster_types.go; \
             pkg/liqo-controller-manager/networking/external-network/utils/template.go",
    example: "clusterID: Rome",
    fix: "clusterID: rome",
};

pub(super) const SAME_CLUSTER: Explanation = Explanation {
    code: "same-cluster",
    rule: "Consumer and provider are two clusters.",
    reason: "Liqo finds everything about a peer by that peer's ID, and a cluster is not its own peer. Both gateways would have \
             one key as well.",
    source: "liqo pkg/tenantNamespace/namespaceManager.go, which finds the tenant namespace by the label \
             `liqo.io/remote-cluster-id`",
    example: "\
provider:
  clusterID: rome",
    fix: "\
provider:
  clusterID: milan",
};

pub(super) const NAME: Explanation = Explanation {
    code: "name",
    rule: "A name is one that Kubernetes takes, and short enough for the names that Liqo makes of it.",
    reason: "A gateway's pods get the label `app.kubernetes.io/instance: liqo-<name>` of at most 63 characters; a ResourceSlice becomes a Node and the \
             certificate name `<name>-<12 digits>` of at most 64; an offloaded namespace becomes `<name>-<cluster ID>` at the \
             other cluster. Liqo's template engine turns an all-digit gateway or Secret into a number. Argo CD's Applications are called \
             `<metadata.name>-consumer` and `-provider`.",
    source: "k8s.io/apimachinery pkg/util/validation/validation.go; RFC 5280, appendix A (ub-common-name); liqo \
             pkg/liqo-controller-manager/authentication/csr.go, \
             pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go, \
             pkg/liqo-controller-manager/networking/external-network/utils/template.go, \
             deployments/liqo/templates/_helpers.tpl (liqo.selectorLabelsTemplate)",
    example: "\
- name: Demo
  clusters: thisPeer",
    fix: "\
- name: demo
  clusters: thisPeer",
};

pub(super) const LABEL: Explanation = Explanation {
    code: "label",
    rule: "A label or annotation of your own is one that Kubernetes takes, and that nobody else acts on or writes.",
    reason: "Liqo finds its objects by `liqo.io` labels and copies a slice's labels to the other cluster; Argo CD prunes by \
             its tracking label, orders by its annotations, takes Helm's hooks for its own and never deletes what Helm's \
             `resource-policy` keeps; pod admission lets privileged gateway pods in by labels of the tenant Namespace; and \
             Kubernetes itself writes `kubernetes.io/metadata.name` and what says whose token a Secret has. What the peering \
             needs of these, the plugin sets. Other keys of `kubernetes.io` and `helm.sh` are free, and so are links that \
             Argo CD shows (`link.argocd.argoproj.io/…`), `argocd.argoproj.io/managed-by`, `…/ignore-healthcheck` and \
             `…/ignore-resource-updates`. How safe the pods of an offloaded namespace have to be (`pod-security.kubernetes.io`) is \
             said in its `namespaceMetadata`. `commonMetadata` has 4096 bytes at most, for every object repeats them.",
    source: "k8s.io/apimachinery pkg/util/validation/validation.go; k8s.io/kubernetes pkg/apis/core/v1/defaults.go, \
             pkg/controller/serviceaccount/tokens_controller.go; liqo internal/crdReplicator/reflection/handler.go; argo-cd \
             util/argo/resource_tracking.go, gitops-engine/pkg/sync/hook/helm/hook.go, controller/appcontroller.go, docs/user-guide/annotations-and-labels.md; \
             argoproj-labs/argocd-operator docs/usage/deploy-to-different-namespaces.md",
    example: "labels: { liqo.io/replication: \"false\" }",
    fix: "labels: { example.org/replication: \"false\" }",
};

pub(super) const SUBJECT: Explanation = Explanation {
    code: "subject",
    rule: "The tenant namespace's ServiceAccount is `kind: ServiceAccount` and its name; a Group is not the consumer's ID, \
           and nobody is everybody.",
    reason: "The provider's stream then makes the ServiceAccount, its token and its RoleBinding in the tenant namespace. \
             Said as a User, RBAC would take the name, and nobody would make what is behind it. One of another namespace is \
             somebody else's, and is said as a User: `system:serviceaccount:<namespace>:<name>`. The group of the \
             consumer's ID is that of the certificates of its slices, to which Liqo binds the rights of the virtual \
             kubelet; the credential of the peering is another one. `system:authenticated` and the like are everybody \
             who reaches the provider's API server. An `identity` has a client certificate, and nobody comes as a \
             ServiceAccount with one.",
    source: "k8s.io/api rbac/v1 types.go (Subject); liqo docs/advanced/peering/peering-via-cr.md, \
             pkg/tenantNamespace/bindings.go; k8s.io/apiserver pkg/authentication/user/user.go, \
             pkg/authentication/request/x509/x509.go",
    example: "subject: { kind: User, name: \"system:serviceaccount:liqo-tenant-rome:rome\" }",
    fix: "subject: { kind: ServiceAccount, name: rome-controlplane }",
};

pub(super) const DUPLICATE: Explanation = Explanation {
    code: "duplicate",
    rule: "What shares a place has names of its own, in one document and among all peerings of a cluster.",
    reason: "Liqo's webhooks refuse a second ResourceSlice or Tenant of one name on a cluster, and a slice's name becomes a \
             Node's. A Configuration's name is part of nftables tables and routes on every node. A node opens a port \
             once, and a namespace has one NamespaceOffloading. Two clusters have one peering, also if each uses the \
             other: for each other cluster there is one tenant namespace, one Configuration and one gateway.",
    source: "liqo pkg/webhooks/resourceslice/validate.go, pkg/webhooks/tenant/validate.go, \
             pkg/webhooks/namespaceoffloading/nsoff.go, pkg/tenantNamespace/namespaceManager.go, \
             pkg/utils/getters/k8sGetters.go, \
             pkg/liqo-controller-manager/networking/internal-network/configuration-controller/firewall.go",
    example: "\
- name: demo
  clusters: thisPeer
- name: demo
  clusters: all",
    fix: "\
- name: demo
  clusters: all",
};

pub(super) const DISAGREEMENT: Explanation = Explanation {
    code: "disagreement",
    rule: "All peerings say the same of one cluster: its networks, its Liqo, its name in Argo CD.",
    reason: "Each peering tells another cluster these things. Where two differ one of them is wrong, and packets go to a network \
             that is not there. Only `validate` sees several peerings at once.",
    source: "liqo docs/advanced/peering/peering-via-cr.md: each cluster's networks are read on the cluster itself",
    example: "\
consumer:
  clusterID: rome
  podCIDRs: [10.52.0.0/16] # 10.42.0.0/16 in another peering of rome",
    fix: "\
consumer:
  clusterID: rome
  podCIDRs: [10.42.0.0/16]",
};
