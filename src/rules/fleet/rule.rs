//! What is said of a cluster or of the fleet, and by which rule two places contradict each other.

use crate::diagnostic::Code;

/// What is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    PeeringName,
    Pair,
    TenantNamespace,
    Configuration,
    Gateway,
    Tenant,
    Slice,
    Node,
    NodePort,
    LoadBalancer,
    Offloading,
    Remote,
    PodCidrs,
    ExternalCidr,
    LiqoVersion,
    ArgoCluster,
    ClusterOfArgo,
}

impl Kind {
    /// One value may stand once only; or all must be the same.
    pub(super) const fn code(self) -> Code {
        match self {
            Self::PodCidrs
            | Self::ExternalCidr
            | Self::LiqoVersion
            | Self::ArgoCluster
            | Self::ClusterOfArgo => Code::Disagreement,
            Self::PeeringName | Self::Pair => Code::DuplicatePeering,
            Self::TenantNamespace | Self::Offloading | Self::Remote => Code::NamespaceTaken,
            Self::Configuration | Self::Gateway | Self::Tenant | Self::Slice | Self::Node => {
                Code::DuplicateName
            }
            Self::NodePort | Self::LoadBalancer => Code::PortTaken,
        }
    }

    /// Whether two documents of the same two clusters break this rule of necessity. [`Self::Pair`] then says it once.
    pub(super) const fn follows_from_pair(self) -> bool {
        matches!(
            self,
            Self::TenantNamespace
                | Self::Configuration
                | Self::Gateway
                | Self::Tenant
                | Self::Slice
                | Self::Node
                | Self::NodePort
                | Self::LoadBalancer
                | Self::Offloading
                | Self::Remote
        )
    }

    /// Whether it is a namespace of its cluster. A name can be one of them only.
    pub(super) const fn is_namespace(self) -> bool {
        matches!(self, Self::TenantNamespace | Self::Offloading | Self::Remote)
    }

    /// What it is called.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::PeeringName | Self::Pair => "peering",
            Self::TenantNamespace => "tenant namespace",
            Self::Configuration => "Configuration",
            Self::Gateway => "gateway",
            Self::Tenant => "Tenant",
            Self::Slice => "ResourceSlice",
            Self::Node => "virtual node",
            Self::NodePort => "node port",
            Self::LoadBalancer => "gateway at",
            Self::Offloading => "offloaded namespace",
            Self::Remote => "namespace for offloaded pods",
            Self::PodCidrs => "podCIDRs",
            Self::ExternalCidr => "externalCIDR",
            Self::LiqoVersion => "liqoVersion",
            Self::ArgoCluster => "argocdCluster",
            Self::ClusterOfArgo => "clusterID",
        }
    }

    /// Why it matters, and the way out.
    pub(super) const fn help(self) -> &'static str {
        match self {
            Self::PeeringName => "give each peering its own `metadata.name`: Applications are named after it",
            // liqo pkg/tenantNamespace/namespaceManager.go and pkg/utils/getters/k8sGetters.go stop at two
            Self::Pair => {
                "a cluster has one tenant namespace, one Configuration and one gateway for each other cluster: say \
                 everything in one document, the other direction under `reverse`"
            }
            Self::TenantNamespace => {
                "each peering of a cluster needs its own, found by the other cluster's ID: set `tenantNamespace`"
            }
            // liqo internal-network/configuration-controller/firewall.go, external-network/route/k8s.go
            Self::Configuration => {
                "Liqo names nftables tables and routes after it: set `names.configuration`"
            }
            // liqo pkg/liqo-controller-manager/networking/utils/internalfabric.go: later versions look for one of this name in
            // the gateway's own namespace only
            Self::Gateway => {
                "before Liqo 1.0.2 its InternalFabric has the same name: set `names.gateway`, or say `liqoVersion: \"1.1\"` or \
                 later if both clusters have it"
            }
            // liqo pkg/webhooks/tenant/validate.go
            Self::Tenant => "Liqo's webhook refuses a second one on the cluster: set `names.tenant`",
            // liqo pkg/webhooks/resourceslice/validate.go
            Self::Slice => "Liqo's webhook refuses a second one on the cluster: give it another `name`",
            // liqo pkg/webhooks/virtualnode/virtualnode.go
            Self::Node => {
                "it becomes a Node, and Liqo's webhook refuses a second one of that name: give the slice or the virtual \
                 node another `name`"
            }
            Self::NodePort => {
                "a node opens it once: give each gateway server of a cluster its own `nodePort`"
            }
            Self::LoadBalancer => {
                "each gateway server is a Service of its own: give it another `loadBalancerIP` or another `port`"
            }
            // liqo pkg/webhooks/namespaceoffloading/nsoff.go: its name is always `offloading`
            Self::Offloading => {
                "a namespace has one NamespaceOffloading: say it in one peering, with `clusters: all` or a `clusterSelector`"
            }
            // liqo namespacemap-controller/enforcement.go: one that Liqo has not made for this peering is not taken
            Self::Remote => {
                "Liqo makes it for the pods of one peering: say another `namespaceMappingStrategy` or \
                 `remoteNamespaceName`"
            }
            Self::PodCidrs | Self::ExternalCidr => "a cluster has the same networks in each of its peerings",
            Self::LiqoVersion => {
                "peered clusters run the same minor version of Liqo: say the same everywhere"
            }
            Self::ArgoCluster => "Argo CD knows a cluster by one name",
            Self::ClusterOfArgo => {
                "one cluster of Argo CD has one Liqo cluster ID; where each cluster has an Argo CD of its own, leave \
                 `argocdCluster` out"
            }
        }
    }
}
