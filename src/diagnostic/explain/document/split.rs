//! The codes that the codes `duplicate`, `name`, `requires`, `label` and `address` became.

use super::Explanation;

pub(super) const INVALID_NAME: Explanation = Explanation {
    code: "invalid-name",
    rule: "A name has the characters that Kubernetes accepts for an object of that kind.",
    reason: "The API server refuses any other name. Most names are lower-case letters, digits and `-`; an Application's is built from `metadata.name`.",
    source: "k8s.io/apimachinery pkg/util/validation/validation.go",
    example: "- name: Demo\n  clusters: thisPeer",
    fix: "- name: demo\n  clusters: thisPeer",
};

pub(super) const NAME_TOO_LONG: Explanation = Explanation {
    code: "name-too-long",
    rule: "A name leaves room for the longer names that Liqo and Kubernetes build from it.",
    reason: "An offloaded namespace becomes `<name>-<cluster ID>` at the other cluster, a gateway's pods have the label `app.kubernetes.io/instance: liqo-<name>`, and both have at most 63 characters. A ResourceSlice becomes the certificate name `<name>-<12 digits>` of at most 64.",
    source: "k8s.io/apimachinery pkg/util/validation/validation.go; RFC 5280, appendix A (ub-common-name); liqo pkg/liqo-controller-manager/authentication/csr.go",
    example: "- name: demo-demo-demo-demo-demo-demo-demo-demo-demo-demo-demo-demo",
    fix: "- name: demo",
};

pub(super) const NUMERIC_NAME: Explanation = Explanation {
    code: "numeric-name",
    rule: "A name that Liqo's templates use is not all digits.",
    reason: "Liqo's template engine turns a text of digits into a number, and the API server then refuses the object.",
    source: "liqo pkg/liqo-controller-manager/networking/external-network/utils/template.go",
    example: "names: { gateway: \"12\" }",
    fix: "names: { gateway: gateway-12 }",
};

pub(super) const INVALID_TEXT: Explanation = Explanation {
    code: "invalid-text",
    rule: "A free text is one line of 1 to 1024 bytes.",
    reason: "Kubernetes accepts nearly any text here. An empty one or one with control characters is a slip.",
    source: "k8s.io/kubernetes pkg/apis/core/validation/validation.go",
    example: "images: [{ names: [\"\"] }]",
    fix: "images: [{ names: [\"registry.example.org/app:1.0\"] }]",
};

pub(super) const UNKNOWN_RESOURCE: Explanation = Explanation {
    code: "unknown-resource",
    rule: "A resource is one that Kubernetes knows, or has a domain.",
    reason: "A pod can request only `cpu`, `memory`, `pods`, `ephemeral-storage`, huge pages and extended resources such as `nvidia.com/gpu`.",
    source: "k8s.io/kubernetes pkg/apis/core/validation/validation.go (validateContainerResourceName)",
    example: "- resources: { cpu: \"20\", memroy: 128Gi, pods: 110 }",
    fix: "- resources: { cpu: \"20\", memory: 128Gi, pods: 110 }",
};

pub(super) const INVALID_LABEL: Explanation = Explanation {
    code: "invalid-label",
    rule: "A key and a value of a label have the characters that Kubernetes accepts.",
    reason: "The API server refuses any other. An annotation's value can be any text.",
    source: "k8s.io/apimachinery pkg/util/validation/validation.go",
    example: "labels: { team: \"net & web\" }",
    fix: "labels: { team: net-and-web }",
};

pub(super) const RESERVED_LABEL: Explanation = Explanation {
    code: "reserved-label",
    rule: "A custom label or annotation is not one that Liqo, Argo CD or Kubernetes uses.",
    reason: "Liqo finds its objects by `liqo.io` labels, Argo CD prunes by its tracking label and orders by its annotations, and Kubernetes writes some labels itself.",
    source: "liqo internal/crdReplicator/reflection/handler.go; argo-cd util/argo/resource_tracking.go, gitops-engine/pkg/sync/hook/helm/hook.go, controller/appcontroller.go; k8s.io/kubernetes pkg/apis/core/v1/defaults.go",
    example: "labels: { liqo.io/replication: \"false\" }",
    fix: "labels: { example.org/replication: \"false\" }",
};

pub(super) const NODE_LABEL: Explanation = Explanation {
    code: "node-label",
    rule: "A virtual node keeps the values of the labels that Liqo sets on its Node.",
    reason: "Liqo finds the Node by them.",
    source: "liqo pkg/virtualKubelet/liqoNodeProvider/utils.go",
    example: "labels: { liqo.io/remote-cluster-id: turin, example.org/gpu: a100 }",
    fix: "labels: { example.org/gpu: a100 }",
};

pub(super) const METADATA_TOO_LARGE: Explanation = Explanation {
    code: "metadata-too-large",
    rule: "`commonMetadata` has at most 4096 bytes, and one annotation at most 16 KiB.",
    reason: "Every object repeats `commonMetadata`, and Kubernetes allows 256 KiB of annotations on an object, of which Argo CD needs some.",
    source: "k8s.io/apimachinery pkg/api/validation/objectmeta.go",
    example: "annotations: { note: \"all work and no play …\" }",
    fix: "annotations: { note: https://wiki.example.org/peering }",
};

pub(super) const INVALID_ADDRESS: Explanation = Explanation {
    code: "invalid-address",
    rule: "A gateway's address is an IPv4 address or a domain name, without a port.",
    reason: "Liqo's gateways have IPv4 addresses only, and Liqo joins the address and the port itself.",
    source: "liqo deployments/liqo/templates/liqo-wireguard-gateway-client-template.yaml, pkg/gateway/tunnel/wireguard/dns.go",
    example: "endpoint: { addresses: [\"172.16.183.16:30742\"] }",
    fix: "endpoint: { addresses: [172.16.183.16], port: 30742 }",
};

pub(super) const INVALID_URL: Explanation = Explanation {
    code: "invalid-url",
    rule: "An API server's URL is `https`, a proxy's `http`, `https` or `socks5`.",
    reason: "The consumer presents a client certificate, which needs https, and client-go accepts these three protocols for a proxy.",
    source: "k8s.io/client-go tools/clientcmd/validation.go",
    example: "apiServer: 172.16.183.16:6443",
    fix: "apiServer: https://172.16.183.16:6443",
};

pub(super) const PASSWORD_IN_URL: Explanation = Explanation {
    code: "password-in-url",
    rule: "A URL has no user and no password in it.",
    reason: "peering.yaml is in Git, where everyone with read access would see them.",
    source: "RFC 3986, section 3.2.1",
    example: "proxyURL: http://rome:s3cret@proxy.example.org:3128",
    fix: "proxyURL: http://proxy.example.org:3128",
};

pub(super) const OWN_ADDRESS: Explanation = Explanation {
    code: "own-address",
    rule: "An address of the other cluster is not a loopback address.",
    reason: "The gateway and the controller run in pods. At `localhost` a pod reaches itself.",
    source: "RFC 6890; RFC 6761, section 6.3",
    example: "endpoint: { addresses: [127.0.0.1] }",
    fix: "endpoint: { addresses: [172.16.183.16] }",
};

pub(super) const DUPLICATE_NAME: Explanation = Explanation {
    code: "duplicate-name",
    rule: "Two objects of one kind on one cluster have different names.",
    reason: "Liqo's webhooks refuse a second ResourceSlice or Tenant of one name on a cluster, and a slice's name becomes a Node's. A Configuration's name is part of nftables tables and routes on every node.",
    source: "liqo pkg/webhooks/resourceslice/validate.go, pkg/webhooks/tenant/validate.go, pkg/liqo-controller-manager/networking/internal-network/configuration-controller/firewall.go",
    example: "- name: demo\n  clusters: thisPeer\n- name: demo\n  clusters: all",
    fix: "- name: demo\n  clusters: all",
};

pub(super) const DUPLICATE_PEERING: Explanation = Explanation {
    code: "duplicate-peering",
    rule: "Each peering has its own `metadata.name`, and two clusters have one peering.",
    reason: "Applications are named after the peering. For each other cluster a cluster has one tenant namespace, one Configuration and one gateway.",
    source: "liqo pkg/tenantNamespace/namespaceManager.go, pkg/utils/getters/k8sGetters.go",
    example: "name: rome-milan",
    fix: "name: rome-turin",
};

pub(super) const DUPLICATE_TAINT: Explanation = Explanation {
    code: "duplicate-taint",
    rule: "A Node has one taint of a key and an effect.",
    reason: "The API server refuses a second one, and Liqo adds one itself.",
    source: "k8s.io/kubernetes pkg/apis/core/validation/validation.go (validateNodeTaints)",
    example: "- { key: gpu, value: h100, effect: NoSchedule }",
    fix: "- { key: gpu, value: h100, effect: NoExecute }",
};

pub(super) const RESERVED_NAMESPACE: Explanation = Explanation {
    code: "reserved-namespace",
    rule: "A namespace of Kubernetes or of Liqo is not used for the peering.",
    reason: "A tenant namespace is created and deleted with the peering. The Secrets of an offloaded namespace are copied to the other cluster, and its pods need Liqo's webhook.",
    source: "k8s.io/kubernetes pkg/controlplane/controller/systemnamespaces; liqo docs/usage/reflection.md",
    example: "tenantNamespace: kube-system",
    fix: "tenantNamespace: liqo-tenant-milan",
};

pub(super) const NAMESPACE_TAKEN: Explanation = Explanation {
    code: "namespace-taken",
    rule: "A namespace has one use on a cluster.",
    reason: "A tenant namespace holds one peering's objects, a namespace has one NamespaceOffloading, and Liqo offloads only into a namespace that it created for this peering.",
    source: "liqo pkg/webhooks/namespaceoffloading/nsoff.go, pkg/liqo-controller-manager/offloading/namespacemap-controller/enforcement.go",
    example: "- name: liqo-tenant-milan",
    fix: "- name: demo",
};

pub(super) const SECRET_TAKEN: Explanation = Explanation {
    code: "secret-taken",
    rule: "A Secret or Identity does not have the name of one that Liqo creates.",
    reason: "Liqo would write into it, and one credential would replace another.",
    source: "liqo pkg/liqo-controller-manager/authentication/forge/kubeconfig.go, pkg/identityManager/certificateIdentityProvider.go",
    example: "names: { identity: kubeconfig-resourceslice-milan }",
    fix: "names: { identity: kubeconfig-milan }",
};

pub(super) const SERVICE_ACCOUNT_TAKEN: Explanation = Explanation {
    code: "service-account-taken",
    rule: "The consumer's ServiceAccount is neither the gateway's nor `default`.",
    reason: "Liqo creates a ServiceAccount of the gateway's name with cluster-wide rights, and every pod of the namespace uses `default`.",
    source: "liqo pkg/liqo-controller-manager/networking/external-network/utils/rbac.go",
    example: "subject: { kind: ServiceAccount, name: rome }",
    fix: "subject: { kind: ServiceAccount, name: rome-controlplane }",
};

pub(super) const VIRTUAL_NODE_TAKEN: Explanation = Explanation {
    code: "virtual-node-taken",
    rule: "A virtual node does not have the name of one that Liqo creates.",
    reason: "Liqo creates a virtual node of each slice's name, unless `createVirtualNode` is `false`.",
    source: "liqo pkg/liqo-controller-manager/offloading/virtualnodecreator-controller/virtualnodecreator_controller.go",
    example: "- resourceSlice: milan",
    fix: "- resourceSlice: milan\n  name: milan-custom",
};

pub(super) const PORT_TAKEN: Explanation = Explanation {
    code: "port-taken",
    rule: "A node port or a load balancer's address and port belong to one gateway.",
    reason: "A node opens a port once.",
    source: "Kubernetes kube-apiserver --service-node-port-range",
    example: "endpoint: { serviceType: NodePort, nodePort: 30742 }",
    fix: "endpoint: { serviceType: NodePort, nodePort: 30743 }",
};

pub(super) const SEALED_FILE_REUSED: Explanation = Explanation {
    code: "sealed-file-reused",
    rule: "A sealed file has one purpose.",
    reason: "A sealed file holds a seed or a kubeconfig, and a kubeconfig is for one API server.",
    source: "docs/custody.md",
    example: "seed: { file: kubeconfig.age }",
    fix: "seed: { file: peering.seed.age }",
};

pub(super) const UNUSED_SETTING: Explanation = Explanation {
    code: "unused-setting",
    rule: "A setting has an effect.",
    reason: "A name or a label for an object that the stream does not have does nothing, and hides a mistake.",
    source: "liqo apis/offloading/v1beta1/namespaceoffloading_types.go",
    example: "names: { tenant: milan }",
    fix: "names: { gateway: milan }",
};

pub(super) const MISSING_AUTHENTICATION: Explanation = Explanation {
    code: "missing-authentication",
    rule: "Offloading has authentication beside it.",
    reason: "The consumer asks the provider for resources with the credential of `authentication`.",
    source: "liqo docs/advanced/peering/peering-via-cr.md",
    example: "offloading:",
    fix: "authentication:\n  subject: { kind: User, name: rome }\n  credential: { kubeconfig: { file: kubeconfig.age } }\noffloading:",
};

pub(super) const UNKNOWN_SLICE: Explanation = Explanation {
    code: "unknown-slice",
    rule: "A virtual node names a ResourceSlice of the same document.",
    reason: "It uses the slice's credential.",
    source: "liqo apis/offloading/v1beta1/virtualnode_types.go",
    example: "- resourceSlice: turin",
    fix: "- resourceSlice: milan\n  name: milan-custom",
};

pub(super) const MISSING_RESOURCES: Explanation = Explanation {
    code: "missing-resources",
    rule: "A virtual node has `cpu`, `memory` and `pods`.",
    reason: "A custom virtual node's `hard` is all that its Node has. Without one of these no pod runs on it.",
    source: "liqo pkg/virtualKubelet/liqoNodeProvider/utils.go",
    example: "resourceQuota: { hard: { memory: 64Gi } }",
    fix: "resourceQuota: { hard: { cpu: \"10\", memory: 64Gi, pods: \"110\" } }",
};

pub(super) const EMPTY_LIST: Explanation = Explanation {
    code: "empty-list",
    rule: "A list that needs an entry is not empty.",
    reason: "Without an address the client dials nothing, without a pod network nothing is routed, and the API server refuses an image without a name.",
    source: "k8s.io/kubernetes pkg/apis/core/validation/validation.go",
    example: "endpoint: { addresses: [] }",
    fix: "endpoint: { addresses: [172.16.183.16] }",
};
