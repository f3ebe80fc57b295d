//! What a change does to the clusters: a table of objects and fields. Read in Liqo 1.2.0 (paths below its root, `LCM` is
//! `pkg/liqo-controller-manager`), and seen on two whole clusters where a time is given.

/// How much a change takes from who uses the clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Impact {
    None,
    /// Traffic between the clusters stops for a while, or for good.
    Traffic,
    /// It does not work by itself, or not as it reads.
    Attention,
    /// Pods with their volumes, or whole namespaces go.
    Data,
}

/// What a change does, in Markdown without anything from a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) impact: Impact,
    pub(super) words: &'static str,
}

impl Impact {
    /// Before the words.
    pub(super) const fn label(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Traffic => Some("Interrupts traffic"),
            Self::Attention => Some("Needs attention"),
            Self::Data => Some("Deletes data"),
        }
    }
}

/// Titles, the beginning of a path, and the effect; `+` is an object that is added, `-` one that is removed, and `=` comes before
/// the new value.
struct Entry(&'static [&'static str], &'static str, Effect);

const fn entry(
    titles: &'static [&'static str],
    path: &'static str,
    impact: Impact,
    words: &'static str,
) -> Entry {
    Entry(titles, path, Effect { impact, words })
}

use Impact::{Attention, Data, None as Harmless, Traffic};

const GATEWAYS: &[&str] = &["GatewayServer", "GatewayClient"];
const ACCOUNT: &[&str] = &["ServiceAccount", "Secret"];
const CREDENTIAL: &[&str] = &["credential", "Identity"];

/// The first that fits counts.
#[rustfmt::skip] // a table
static EFFECTS: &[Entry] = &[
    // LCM/networking/external-network/wireguard/wggatewayserver_controller.go, ensureDeployment and ensureService; the template
    // deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml: `strategy: Recreate`
    entry(&["GatewayServer"], "spec.endpoint.port", Traffic, "The gateway restarts on another port, and its Service changes: the tunnel is down for 5 to 30 seconds, and until the client dials a port that changed with it."),
    // a taken node port: wggatewayserver_controller.go:326-333
    entry(&["GatewayServer"], "spec.endpoint.nodePort", Traffic, "The Service changes, the gateway does not restart: the tunnel is down until the client dials the new port. If another Service has the port, delete the gateway's Deployment after you have corrected it."),
    entry(&["GatewayServer"], "spec.endpoint", Traffic, "The Service changes, the gateway does not restart: the tunnel is down until the Service has its address and the client dials it."),
    entry(&["GatewayServer"], "spec.service", Harmless, "Liqo changes the gateway's Service; what a load balancer makes of it is its own. Liqo before 1.2 ignores it."),
    // the default template does not read it: deployments/liqo/templates/liqo-wireguard-gateway-client-template.yaml
    entry(&["GatewayClient"], "spec.endpoint.protocol", Harmless, "Liqo's own template always uses UDP; only a custom one reads it."),
    // the same, `--endpoint-address`, `--endpoint-port`
    entry(&["GatewayClient"], "spec.endpoint", Traffic, "The gateway restarts and dials the new address and port: the tunnel is down for 5 to 30 seconds, and until the server answers there."),
    entry(GATEWAYS, "spec.mtu", Traffic, "The gateway restarts: the tunnel is down for 5 to 30 seconds, and large packets can be lost until both clusters are synced."),
    // wggatewayserver_controller.go:433-447; 4 to 26 seconds were measured
    entry(GATEWAYS, "spec.secretRef", Traffic, "The gateway restarts with the Secret of its new key."),
    entry(GATEWAYS, "spec.", Traffic, "Liqo builds the gateway from another template; it restarts, and the tunnel is down for 5 to 30 seconds."),
    entry(GATEWAYS, "+", Harmless, "Liqo creates the gateway; the tunnel is up when both clusters have theirs."),
    entry(GATEWAYS, "-", Traffic, "Liqo deletes the gateway, and the tunnel with it."),
    // one gateway reads its key when it starts: pkg/gateway/tunnel/wireguard/keys.go; two Secrets: wireguard/utils.go:217-247
    entry(&["keys"], "data, name kept", Attention, "The Secret keeps its name, so the gateway keeps its old key until you restart it: `kubectl rollout restart deployment gw-NAME`. Both clusters have to change, and the tunnel is down in between."),
    entry(&["keys"], "data", Traffic, "Another key is another Secret. The tunnel is down from the first sync to the second and a restart of the gateway: seconds with a webhook, up to three minutes with polling. Without automated pruning it stays down until you prune the old Secret."),
    entry(&["keys"], "+", Harmless, "The gateway takes its key from it."),
    entry(&["keys"], "-", Attention, "Argo CD deletes the Secret. The running gateway keeps its key, and does not start again without another Secret in its place."),
    // pkg/gateway/tunnel/wireguard/device.go:33-75
    entry(&["PublicKey"], "spec.", Traffic, "The gateway takes the other one's new key at once: the tunnel is down until the other gateway has it too."),
    entry(&["PublicKey"], "metadata", Traffic, "Before Liqo 1.2 the server forgets its client at each change of this metadata, until the client speaks again (liqo issue 3090). From 1.2 on nothing happens."),
    entry(&["PublicKey"], "+", Harmless, "The gateway lets the other one in with this key."),
    entry(&["PublicKey"], "-", Attention, "The running gateway keeps the other one's key; after its next start there is no tunnel."),
    // LCM/networking/external-network/configuration/network.go:75-116; before 1.2 only created, and `cidr` is immutable
    entry(&["Configuration"], "spec.", Traffic, "Liqo replaces the other cluster's Networks and the routes to them, and may remap them to other addresses: connections to its pods break, the tunnel stays up. Liqo before 1.2 ignores the change: delete the Configuration, and Argo CD creates it anew."),
    entry(&["Configuration"], "+", Harmless, "Liqo routes the other cluster's networks, remapped where they overlap."),
    entry(&["Configuration"], "-", Traffic, "Liqo removes the other cluster's Networks and the routes to them. That can take minutes."),
    // pkg/tenantNamespace/namespaceManager.go:186-190
    entry(&["tenant Namespace"], "+", Harmless, "What belongs to the other cluster lives in it. While there are two for one cluster, Liqo takes neither."),
    // deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml: `privileged: true`
    entry(&["tenant Namespace"], "metadata.labels[pod-security", Attention, "Gateways are privileged: Kubernetes starts them only as far as this label allows."),
    entry(&["tenant Namespace"], "-", Data, "The namespace goes with everything in it: gateway, keys, credential and all that Liqo has there."),
    // Kubernetes; argo-cd prunes what a stream does not have
    entry(&["Namespace"], "-", Data, "The namespace goes with its pods and volumes. To keep it, annotate it first: `argocd.argoproj.io/sync-options: Prune=false,Delete=false`."),
    entry(&["Namespace"], "+", Harmless, "Argo CD creates the namespace, or takes over one that exists."),
    // pkg/webhooks/pod: CREATE only
    entry(&["Namespace"], "metadata.labels[liqo.io/scheduling-enabled]", Harmless, "Liqo's webhook looks at pods that are created from now on; running ones stay."),
    // pkg/webhooks/namespaceoffloading/nsoff.go:59-107
    entry(&["NamespaceOffloading"], "spec.namespaceMappingStrategy", Attention, IMMUTABLE_OFFLOADING),
    entry(&["NamespaceOffloading"], "spec.remoteNamespaceName", Attention, IMMUTABLE_OFFLOADING),
    entry(&["NamespaceOffloading"], "spec.podOffloadingStrategy", Harmless, "It counts for pods that are created from now on; running ones stay where they are."),
    // namespaceoffloading-controller/clusterselector.go:53-74
    entry(&["NamespaceOffloading"], "spec.clusterSelector", Data, "A provider that is selected no longer loses its namespace, with the pods and volumes in it. One that is selected now gets it."),
    entry(&["NamespaceOffloading"], "+", Harmless, "Liqo creates the namespace at the providers that are selected. Pods that exist stay until they are recreated."),
    // namespaceoffloading-controller/lifecycle.go:27-53, docs/usage/stateful-applications.md:57
    entry(&["NamespaceOffloading"], "-", Data, "Liqo deletes the namespaces at the providers with everything in them, volumes included."),
    // LCM/quotacreator-controller/quotacreator_controller.go:88-108
    entry(&["ResourceSlice"], "spec.resources", Harmless, "The provider's quota and the size of the virtual node change; running pods stay."),
    entry(&["ResourceSlice"], "spec.class", Attention, "A class other than `default` is accepted by a controller of its own at the provider, not by Liqo."),
    // LCM/virtualnodecreator-controller/virtualnodecreator_controller.go:83-88
    entry(&["ResourceSlice"], "metadata.annotations[liqo.io/create-virtual-node]", Attention, "Liqo creates a virtual node for the slice, or leaves that to you. One that exists stays."),
    entry(&["ResourceSlice"], "spec.", Attention, "The slice is for another provider: delete it, and Argo CD creates it anew."),
    entry(&["ResourceSlice"], "+", Harmless, "Liqo asks the provider for these resources, and a virtual node appears when they are granted."),
    // LCM/offloading/virtualnode-controller/deletion-routine.go
    entry(&["ResourceSlice", "VirtualNode"], "-", Data, "The virtual node is drained and deleted, and its pods are evicted. With the last one of a provider, the namespaces there go too, volumes included."),
    // pkg/virtualKubelet/liqoNodeProvider/utils.go:135-193
    entry(&["VirtualNode"], "spec.labels", Harmless, "The Node's labels change. Where a `clusterSelector` does not match them any more, the namespace at the provider goes with all that is in it."),
    entry(&["VirtualNode"], "spec.taints", Harmless, "The Node's taints change; `NoExecute` evicts pods that do not tolerate it."),
    entry(&["VirtualNode"], "spec.resourceQuota", Harmless, "The size of the virtual node changes; running pods stay."),
    // LCM/offloading/virtualnode-controller/virtualkubelet.go:103-120, pkg/webhooks/virtualnode/mutate.go
    entry(&["VirtualNode"], "spec.", Harmless, "The virtual kubelet restarts with it; running pods stay."),
    entry(&["VirtualNode"], "+", Harmless, "A virtual kubelet starts, and its Node appears."),
    // internal/crdReplicator/crdReplicator-operator.go:139-159
    entry(CREDENTIAL, "+", Harmless, "Liqo copies this cluster's slices to the other one with it."),
    entry(CREDENTIAL, "-", Attention, "Liqo stops copying to the other cluster, once nothing of it is left on either side."),
    entry(CREDENTIAL, "metadata.annotations[liqo.io/remote-tenant-namespace]", Attention, "Liqo copies to another namespace of the other cluster; what is in the old one stays there."),
    entry(&["credential"], "data", Harmless, "Liqo connects again with what the Secret has then. The tunnel and running pods stay."),
    // LCM/authentication/identity-controller/identity_controller.go:99-131
    entry(&["Identity"], "spec.", Harmless, "Liqo writes the Secret of this Identity anew, and connects again with it. The tunnel and running pods stay."),
    // Kubernetes RBAC; docs/teardown.md
    entry(&["RoleBinding"], "subjects", Attention, "The old subject loses its rights at once. Until the other cluster's credential is the new one's, Liqo there copies nothing; the tunnel and running pods stay."),
    entry(&["RoleBinding"], "roleRef", Attention, "Kubernetes refuses to change it: delete the RoleBinding, and Argo CD creates it anew."),
    entry(&["RoleBinding"], "+", Harmless, "The other cluster's Liqo may write its slices into the tenant namespace."),
    entry(&["RoleBinding"], "-", Attention, "The other cluster's Liqo is let in no more. What it still has here, it cannot remove: its deletions wait."),
    // LCM/authentication/tenant-controller/tenant_controller.go:360-427; that `Active` does not bring it back was seen
    entry(&["Tenant"], "spec.tenantCondition=Drained", Data, "Liqo expels the other cluster: its slices here go, with the namespaces and pods that it offloaded. `Active` does not bring them back."),
    entry(&["Tenant"], "spec.tenantCondition=Cordoned", Attention, "The other cluster gets nothing new; what it has stays."),
    entry(&["Tenant"], "spec.tenantCondition", Attention, "The other cluster is let in again. After `Drained` its slices do not come back by themselves."),
    // remoteresourceslice_controller.go:223
    entry(&["Tenant"], "spec.proxyURL", Harmless, "Slices that are signed from now on go through the other proxy."),
    entry(&["Tenant"], "spec.clusterID", Attention, "Liqo refuses to change it: delete the Tenant, and Argo CD creates it anew."),
    // tenant_controller.go:161-246
    entry(&["Tenant"], "spec.authzPolicy", Attention, "Liqo makes no credential for the other cluster any more; it is let in by the RoleBinding."),
    // pkg/webhooks/tenant/validate.go:71-159
    entry(&["Tenant"], "+", Harmless, "Liqo lets the other cluster in. Its webhook refuses a second Tenant in the namespace."),
    entry(&["Tenant"], "-", Attention, "Liqo takes the other cluster's rights away. What it still has here, it cannot remove: its deletions wait."),
    // Kubernetes: a token is its ServiceAccount's, by UID
    entry(ACCOUNT, "-", Attention, "The token is gone for good, and with it the other cluster's credential: a new ServiceAccount has another one."),
    entry(ACCOUNT, "+", Harmless, "Kubernetes makes a token, which belongs into the other cluster's kubeconfig."),
    entry(&["ServiceAccount"], "automountServiceAccountToken", Harmless, "Pods with this account get no token."),
    entry(&["keys", "credential", "Secret"], "type", Attention, IMMUTABLE_SECRET),
    entry(&["keys", "credential", "Secret"], "immutable", Attention, IMMUTABLE_SECRET),
    entry(&["keys", "credential"], "spec.", Harmless, "The operator of this kind writes the Secret anew. If its values change, so does what Liqo takes from it; a gateway has to be restarted then."),
    entry(&[], "metadata.labels[liqo.io/", Attention, "Liqo finds its objects by this label."),
    entry(&[], "metadata.labels[networking.liqo.io/", Attention, "Liqo finds its objects by this label."),
    entry(&[], "metadata.annotations[argocd.argoproj.io/sync-options]", Harmless, "Argo CD goes by it, for example when it deletes the object."),
    entry(&[], "metadata.", Harmless, "Liqo does not go by it."),
];

const IMMUTABLE_OFFLOADING: &str = "Liqo's webhook refuses the change, and the sync fails. Delete the NamespaceOffloading, and Argo CD creates it anew: that deletes the namespaces at the providers with everything in them.";

const IMMUTABLE_SECRET: &str =
    "Kubernetes refuses the change: delete the Secret, and Argo CD creates it anew.";

static UNKNOWN: Effect = Effect {
    impact: Attention,
    words: "This program does not know what it does: see Liqo's documentation of the kind.",
};

/// What a change of a field does, or one of a whole object.
pub(super) fn of_change(title: &str, path: &str, to: Option<&str>) -> &'static Effect {
    let with_value = format!("{path}={}", to.unwrap_or_default());
    let fits = |Entry(titles, start, _): &&Entry| {
        (titles.is_empty() || titles.contains(&title)) && with_value.starts_with(start)
    };
    EFFECTS.iter().find(fits).map_or(&UNKNOWN, |Entry(_, _, effect)| effect)
}
