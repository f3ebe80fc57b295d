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
