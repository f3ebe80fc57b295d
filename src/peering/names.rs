//! The names that Liqo, `liqoctl` and this program give to objects, each in one place.

use super::values::{ClusterId, Namespace, PublicKey, SliceName};
use crate::object::PLACEHOLDER;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The label of an object that names the other cluster (liqo `pkg/consts/replication.go`, `namespace_mapping.go`).
pub(crate) const REMOTE_CLUSTER_ID: &str = "liqo.io/remote-cluster-id";

/// The label of a Secret or a PublicKey that a gateway uses (liqo `pkg/consts`).
pub(crate) const GATEWAY_RESOURCE: &str = "networking.liqo.io/gateway-resource";

/// The label of a credential's Secret, with the purpose of the credential (liqo `pkg/consts`).
pub(crate) const IDENTITY_TYPE: &str = "liqo.io/identity-type";

/// The label of a nonce's Secret (liqo `pkg/consts/authentication.go`).
pub(crate) const NONCE_LABEL: &str = "liqo.io/nonce";

/// The Secret of a nonce, with the name that `liqoctl` gives it (liqo `authentication/forge/nonce.go`).
pub(crate) const NONCE: &str = "liqo-nonce";

/// The label of a tenant Namespace (liqo `pkg/consts`).
pub(crate) const TENANT_NAMESPACE: &str = "liqo.io/tenant-namespace";

/// The annotation of a credential's Secret with the namespace of the other cluster (liqo `pkg/consts`).
pub(crate) const REMOTE_TENANT_NAMESPACE: &str = "liqo.io/remote-tenant-namespace";

/// The annotation of a slice that decides whether Liqo makes a virtual node for it (liqo `pkg/consts`).
pub(crate) const CREATE_VIRTUAL_NODE: &str = "liqo.io/create-virtual-node";

/// The label of a virtual node with its slice (liqo `pkg/consts`).
pub(crate) const SLICE_NAME: &str = "liqo.io/resourceslice-name";

/// The labels of an object that Liqo copies to another cluster: the cluster's ID, and that it is copied (liqo `pkg/consts/replication.go`).
pub(crate) const REMOTE_ID: &str = "liqo.io/remoteID";
pub(crate) const REPLICATION: &str = "liqo.io/replication";

/// The label of a copy with the cluster that it is from (liqo `pkg/consts/replication.go`).
pub(crate) const ORIGIN_ID: &str = "liqo.io/originID";

/// The label of a copy (liqo `pkg/consts/replication.go`).
pub(crate) const REPLICATED: &str = "liqo.io/replicated";

/// The label of a namespace whose pods Liqo's webhook changes (liqo `pkg/consts/namespace_mapping.go`).
pub(crate) const SCHEDULING_ENABLED: &str = "liqo.io/scheduling-enabled";

/// The labels and the taint of a virtual node (liqo `pkg/consts/namespace_mapping.go`, `storage.go`, `webhook.go`).
pub(crate) const NODE_TYPE: (&str, &str) = ("liqo.io/type", "virtual-node");
pub(crate) const STORAGE_AVAILABLE: &str = "storage.liqo.io/available";
pub(crate) const VIRTUAL_NODE_TAINT: &str = "virtual-node.liqo.io/not-allowed";

/// The label of the objects that a gateway creates, with the gateway's namespace (liqo `pkg/consts/externalnetwork.go`).
pub(crate) const GATEWAY_NAMESPACE: &str = "networking.liqo.io/gateway-namespace";

/// The label of a gateway's pods (liqo `deployments/liqo/templates/_helpers.tpl`, `liqo.selectorTemplate`).
pub(crate) const GATEWAY_POD: (&str, &str) = ("networking.liqo.io/component", "gateway");

/// The label of Liqo's own networks (liqo `pkg/consts/ipam.go`).
pub(crate) const NETWORK_TYPE: &str = "ipam.liqo.io/network-type";

/// The namespace for another cluster's objects (liqo `pkg/tenantNamespace/utils.go`).
pub(crate) fn tenant_namespace(peer: impl std::fmt::Display) -> String {
    format!("{TENANT_NAMESPACE_PREFIX}{peer}")
}

/// The beginning of a tenant namespace's name; the other cluster's ID follows.
pub(crate) const TENANT_NAMESPACE_PREFIX: &str = "liqo-tenant-";

/// The name of a gateway. It is not only the other cluster's ID, as with `liqoctl`: Liqo runs the gateway under a ServiceAccount with this
/// name, and a virtual kubelet under one with its node's name, in the same namespace. With equal names they would share rights, and Liqo
/// would delete the account with the virtual node: the gateway is then unauthorized until its pod restarts (liqo
/// `external-network/utils/rbac.go`, `virtualnode-controller/virtualkubelet.go`; observed on whole clusters with 1.2.0).
pub(crate) fn gateway(peer: impl std::fmt::Display) -> String {
    format!("wg-{peer}")
}

/// The beginning of the name of a Secret with a gateway's keys.
pub(crate) const KEY_SECRET: &str = "gw-keys-";

/// The Secret with a gateway's keys, named after its public key. Another key is another Secret, so Liqo restarts the
/// gateway.
pub(crate) fn key_secret(key: Option<PublicKey>) -> String {
    match key {
        Some(key) => format!("{KEY_SECRET}{}", key.fingerprint()),
        None => format!("{KEY_SECRET}placeholder"),
    }
}

/// Whether a text of an object is the placeholder of a value that is not known without an identity.
pub(crate) fn is_placeholder(text: &str) -> bool {
    text == key_secret(None) || text == STANDARD.encode(PLACEHOLDER)
}

/// The `PublicKey`, with the name that Liqo's documentation uses on both sides (liqo `docs/advanced/peering/peering-via-cr.md`). `liqoctl`
/// names it after the other cluster (liqo `pkg/liqo-controller-manager/networking/forge/publickey.go`).
pub(crate) const PUBLIC_KEY: &str = "gw-publickey";

/// The RoleBinding, with the name that Liqo's own handshake gives it (liqo `pkg/tenantNamespace/bindings.go`).
pub(crate) const ROLE_BINDING: &str = "liqo-binding-liqo-remote-controlplane";

/// The ResourceQuota of a deletion. Argo CD shows the name while it waits.
pub(crate) const RESOURCE_QUOTA: &str = "in-use";

/// The Secret of the control plane's credential, with the name that Liqo gives it for `liqoctl`'s Identity.
pub(crate) fn control_plane_kubeconfig(peer: impl std::fmt::Display) -> String {
    identity_kubeconfig(&control_plane_identity(peer))
}

/// The Identity of the control plane, with the name that `liqoctl` gives it.
pub(crate) fn control_plane_identity(peer: impl std::fmt::Display) -> String {
    format!("controlplane-{peer}")
}

/// The Secret that Liqo makes for an Identity (liqo `authentication/forge/kubeconfig.go`).
pub(crate) fn identity_kubeconfig(identity: &str) -> String {
    format!("{IDENTITY_KUBECONFIG}{identity}")
}

/// The beginning of the name of an Identity's Secret.
pub(crate) const IDENTITY_KUBECONFIG: &str = "kubeconfig-";

/// The Identity that Liqo makes for a slice (liqo `authentication/forge/identity.go`).
pub(crate) fn slice_identity(slice: impl std::fmt::Display) -> String {
    format!("resourceslice-{slice}")
}

/// The Secret of a slice's credential.
pub(crate) fn slice_kubeconfig(slice: impl std::fmt::Display) -> String {
    identity_kubeconfig(&slice_identity(slice))
}

/// The Secret of the certificate for the other cluster's slice (liqo
/// `pkg/identityManager/certificateIdentityProvider.go`).
pub(crate) fn slice_certificate(slice: &SliceName) -> String {
    format!("liqo-remote-certificate-{slice}")
}

/// The beginning of the user name with which a ServiceAccount's token authenticates; its namespace, `:` and its name follow (kubernetes
/// `staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go`).
pub(crate) const SERVICE_ACCOUNT: &str = "system:serviceaccount:";

/// The Secret of a ServiceAccount's token.
pub(crate) fn token_secret(account: &str) -> String {
    format!("{account}-token")
}

/// The only name of a NamespaceOffloading that Liqo's webhook accepts (liqo `pkg/webhooks/namespaceoffloading/nsoff.go`).
pub(crate) const NAMESPACE_OFFLOADING: &str = "offloading";

/// The default name at the provider of an offloaded namespace (liqo `namespaceoffloading-controller/status.go`).
pub(crate) fn remote_namespace(namespace: &Namespace, consumer: &ClusterId) -> String {
    format!("{namespace}-{consumer}")
}
