//! What is said of a cluster or of the fleet, where each source has it, and by which rule two places contradict each other.

use crate::diagnostic::{Code, Span};
use crate::peering::cluster::Cluster;
use serde_json::Value;

/// Declares the kinds of what is said: the code of a contradiction, what it is called, why it matters with the way out.
macro_rules! kinds {
    ($( $kind:ident: $code:ident, $word:literal, $help:literal; )*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind {
            $( $kind, )*
        }

        impl Kind {
            /// The code of a contradiction, what it is called, why it matters and the way out.
            const fn row(self) -> (Code, &'static str, &'static str) {
                match self {
                    $( Self::$kind => (Code::$code, $word, $help), )*
                }
            }
        }
    };
}

kinds! {
    PeeringName: DuplicatePeering, "peering",
        "give each peering its own `metadata.name`: Applications are named after it";
    // liqo pkg/tenantNamespace/namespaceManager.go and pkg/utils/getters/k8sGetters.go stop at two
    Pair: DuplicatePeering, "peering",
        "a cluster has one tenant namespace, one Configuration and one gateway for each other cluster: write \
         everything in one document, the other direction under `reverse`";
    TenantNamespace: NamespaceTaken, "tenant namespace",
        "each peering of a cluster needs its own, found by the other cluster's ID: set `tenantNamespace`";
    // liqo internal-network/configuration-controller/firewall.go, external-network/route/k8s.go
    Configuration: DuplicateName, "Configuration",
        "Liqo names nftables tables and routes after it: set `names.configuration`";
    // liqo pkg/liqo-controller-manager/networking/utils/internalfabric.go: later versions look for one of this name in
    // the gateway's own namespace only
    Gateway: DuplicateName, "gateway",
        "before Liqo 1.0.2 its InternalFabric has the same name: set `names.gateway`, or set `liqoVersion: \"1.1\"` or \
         later if both clusters have it";
    // liqo pkg/webhooks/tenant/validate.go
    Tenant: DuplicateName, "Tenant",
        "Liqo's webhook refuses a second one on the cluster: set `names.tenant`";
    // liqo pkg/webhooks/resourceslice/validate.go
    Slice: DuplicateName, "ResourceSlice",
        "Liqo's webhook refuses a second one on the cluster: give it another `name`";
    // liqo pkg/webhooks/virtualnode/virtualnode.go
    Node: DuplicateName, "virtual node",
        "it becomes a Node, and Liqo's webhook refuses a second one of that name: give the slice or the virtual \
         node another `name`";
    NodePort: PortTaken, "node port",
        "a node opens it once: give each gateway server of a cluster its own `nodePort`";
    LoadBalancer: PortTaken, "gateway at",
        "each gateway server has its own Service: give it another `loadBalancerIP` or another `port`";
    // liqo pkg/webhooks/namespaceoffloading/nsoff.go: its name is always `offloading`
    Offloading: NamespaceTaken, "offloaded namespace",
        "a namespace has one NamespaceOffloading: write it in one peering, with `clusters: all` or a `clusterSelector`";
    // liqo namespacemap-controller/enforcement.go: one that Liqo has not made for this peering is not taken
    Remote: NamespaceTaken, "namespace for offloaded pods",
        "Liqo creates it for the pods of one peering: set another `namespaceMappingStrategy` or \
         `remoteNamespaceName`";
    // liqo authentication/keys.go, VerifyNonce: the signature is over it, and over nothing else
    Nonce: DuplicateName, "nonce",
        "a signature over it counts at each provider that has it: leave this one out and run \
         `argocd-peering authenticate consumer`, which makes another one";
    PodCidrs: Disagreement, "podCIDRs", "a cluster has the same networks in each of its peerings";
    ExternalCidr: Disagreement, "externalCIDR", "a cluster has the same networks in each of its peerings";
    LiqoVersion: Disagreement, "liqoVersion",
        "peered clusters run the same minor version of Liqo: write the same everywhere";
    // Liqo's own objects and its templates are there (liqo pkg/consts, LiqoNamespace)
    LiqoNamespace: Disagreement, "liqoNamespace",
        "a cluster has one Liqo, in one namespace: write the same in each of its peerings, beside its `clusterID` or for \
         both clusters";
    ArgoCluster: Disagreement, "argocdCluster", "Argo CD knows a cluster by one name";
    ClusterOfArgo: Disagreement, "clusterID",
        "one cluster of Argo CD has one Liqo cluster ID; where each cluster has its own Argo CD, leave \
         `argocdCluster` out";
}

impl Kind {
    /// One value may stand once only; or, with [`Code::Disagreement`], all must be the same.
    pub(super) const fn code(self) -> Code {
        self.row().0
    }

    /// What it is called.
    pub(super) const fn word(self) -> &'static str {
        self.row().1
    }

    /// Why it matters, and the way out.
    pub(super) const fn help(self) -> &'static str {
        self.row().2
    }

    /// Whether all must be the same.
    pub(super) fn must_agree(self) -> bool {
        self.code() == Code::Disagreement
    }

    /// Whether two documents of the same two clusters break this rule of necessity. [`Self::Pair`] then says it once.
    pub(super) fn follows_from_pair(self) -> bool {
        !self.must_agree() && self.code() != Code::DuplicatePeering
    }

    /// Whether it is a namespace of its cluster. A name can be one of them only.
    pub(super) fn is_namespace(self) -> bool {
        self.code() == Code::NamespaceTaken
    }
}

/// What a field has, and where.
pub(crate) type Texts = (Vec<String>, Span);

/// A fact of a cluster that more than documents have: fleet.yaml has it under the same name. All sources must agree.
pub(crate) struct ClusterFact {
    pub(super) kind: Kind,
    /// Whether its field is a list.
    pub(crate) is_list: bool,
    /// What a document has of a cluster.
    pub(crate) written: fn(&Cluster) -> Option<Texts>,
    /// The type of Liqo's own Networks that have it in the cluster.
    pub(crate) network_type: &'static str,
    /// Its keys in the values of Liqo's chart: the first that is set counts.
    pub(crate) helm: &'static [&'static str],
    /// What the chart has where they are not set.
    pub(crate) usual: Option<&'static str>,
}

/// (liqo `deployments/liqo/values.yaml`, `deployments/liqo/templates/liqo-ipam-networks.yaml`)
#[rustfmt::skip] // a table
pub(crate) static CLUSTER_FACTS: [ClusterFact; 2] = [
    ClusterFact { kind: Kind::PodCidrs, is_list: true, written: pods, network_type: "pod-cidr", helm: &["ipam.podCIDRs", "ipam.podCIDR"], usual: None },
    ClusterFact { kind: Kind::ExternalCidr, is_list: false, written: external, network_type: "external-cidr", helm: &["ipam.externalCIDR"], usual: Some("10.70.0.0/16") },
];

fn pods(cluster: &Cluster) -> Option<Texts> {
    cluster.pod_cidrs.as_ref().map(|all| (all.iter().map(ToString::to_string).collect(), all.span))
}

fn external(cluster: &Cluster) -> Option<Texts> {
    cluster.external_cidr.map(|one| (vec![one.to_string()], one.span))
}

impl ClusterFact {
    /// Its field in a document and in fleet.yaml.
    pub(crate) const fn field(&self) -> &'static str {
        self.kind.word()
    }

    /// Its value in a document.
    pub(crate) fn value(&self, texts: &[String]) -> Value {
        if self.is_list { texts.into() } else { texts.first().cloned().into() }
    }

    /// What a document has, in order, which means nothing where there are several (Liqo 1.2).
    pub(crate) fn sorted(&self, cluster: &Cluster) -> Option<Texts> {
        let (mut texts, span) = (self.written)(cluster)?;
        texts.sort_unstable();
        Some((texts, span))
    }
}
