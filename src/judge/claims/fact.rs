//! The facts of a cluster or of a fleet, where each source has them, and the rule by which two places contradict each other; and the facts
//! of one peering.

use crate::diagnostic::{Code, Rule, Span, table};
use crate::document::Located;
use crate::peering::cluster::Cluster;
use crate::peering::delivery::Delivery;
use crate::peering::networking::Networking;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{ClusterId, LiqoVersion};
use crate::peering::{Peering, Role, State};
use serde_json::Value;
use std::fmt;

table! {
    /// A kind of fact: the code of a contradiction, the noun, and the help. The page of the code says why it matters.
    pub enum FactKind: (Code, &'static str, &'static str) {
        PeeringName = (Code::DuplicatePeering, "peering",
            "give each peering its own `metadata.name`");
        // liqo pkg/tenantNamespace/namespaceManager.go and pkg/utils/getters/k8sGetters.go stop at two
        Pair = (Code::DuplicatePeering, "peering",
            "write both directions in one document, with `reverse`; for other clusters: \
             `argocd-peering init FOLDER --like FOLDER`");
        TenantNamespace = (Code::NamespaceTaken, "tenant namespace",
            "set another `tenantNamespace`");
        // liqo internal-network/configuration-controller/firewall.go, external-network/route/k8s.go
        Configuration = (Code::DuplicateName, "Configuration", "set another `names.configuration`");
        // liqo pkg/liqo-controller-manager/networking/utils/internalfabric.go: later versions look for one of this name in
        // the gateway's own namespace only
        Gateway = (Code::DuplicateName, "gateway",
            "InternalFabrics share it: set `names.gateway`, or `liqoVersion: \"1.1\"` if both clusters \
             have it");
        // liqo pkg/webhooks/tenant/validate.go
        Tenant = (Code::DuplicateName, "Tenant", "set another `names.tenant`");
        // liqo pkg/webhooks/resourceslice/validate.go
        Slice = (Code::DuplicateName, "ResourceSlice", "give the slice another `name`");
        // liqo pkg/webhooks/virtualnode/virtualnode.go
        Node = (Code::DuplicateName, "virtual node",
            "give the slice or virtual node another `name`");
        NodePort = (Code::PortTaken, "node port",
            "give each gateway server its own `nodePort`");
        LoadBalancer = (Code::PortTaken, "gateway at",
            "give each gateway server its own `loadBalancerIP` or `port`");
        // liqo pkg/webhooks/namespaceoffloading/nsoff.go: its name is always `offloading`
        Offloading = (Code::NamespaceTaken, "offloaded namespace",
            "offload it in one peering only, with `clusters: all` or a `clusterSelector`");
        // liqo namespacemap-controller/enforcement.go: a namespace that Liqo has not created for this peering is not accepted
        Remote = (Code::NamespaceTaken, "namespace for offloaded pods",
            "set another `namespaceMappingStrategy` or `remoteNamespaceName`");
        // liqo authentication/keys.go, VerifyNonce: the signature is over it, and over nothing else
        Nonce = (Code::DuplicateName, "nonce",
            "its signature counts at every provider: run `argocd-peering authenticate consumer \
             --nonce NEW`");
        PodCidrs = (Code::Disagreement, "podCIDRs", SAME_NETWORKS);
        ExternalCidr = (Code::Disagreement, "externalCIDR", SAME_NETWORKS);
        LiqoVersion = (Code::Disagreement, "liqoVersion",
            "write the same minor version of Liqo everywhere");
        // the namespace has Liqo's own objects and templates (liqo pkg/consts, LiqoNamespace)
        LiqoNamespace = (Code::Disagreement, "liqoNamespace",
            "a cluster has one Liqo: write its namespace in each peering");
        ArgoCluster = (Code::Disagreement, "argocdCluster",
            "Argo CD knows a cluster by one name");
        ClusterOfArgo = (Code::Disagreement, "clusterID",
            "correct one; with two Argo CDs, leave out `argocdCluster`");
    }
}

const SAME_NETWORKS: &str = "write the same networks in each peering of a cluster";

impl FactKind {
    /// The code. With [`Code::Disagreement`] all values must be equal; otherwise a value may exist only once.
    pub(super) const fn code(self) -> Code {
        self.row().0
    }

    /// The noun in messages.
    pub(super) const fn word(self) -> &'static str {
        self.row().1
    }

    /// The rule that a contradiction breaks.
    pub(super) fn contradiction(self, message: String) -> Rule {
        let (code, _, help) = self.row();
        Rule::new(code, message).help(help)
    }

    /// Whether all values must be equal.
    pub(super) fn must_agree(self) -> bool {
        self.code() == Code::Disagreement
    }

    /// Whether two documents for the same two clusters always break this rule. [`Self::Pair`] then reports it once.
    pub(super) fn follows_from_pair(self) -> bool {
        !self.must_agree() && self.code() != Code::DuplicatePeering
    }

    /// Whether it is a namespace of the cluster. A name can have only one of these purposes.
    pub(super) fn is_namespace(self) -> bool {
        self.code() == Code::NamespaceTaken
    }
}

/// The values of a field, and its place.
pub(crate) type Texts = (Vec<String>, Span);

/// A fact of a cluster that other sources than documents have too. All sources must agree.
pub(crate) struct ClusterFact {
    pub(super) kind: FactKind,
    /// Whether its field is a list.
    pub(crate) is_list: bool,
    /// The value in a document.
    pub(crate) written: fn(&Cluster) -> Option<Texts>,
    /// The type of the Liqo Networks with this fact in the cluster.
    pub(crate) network_type: &'static str,
    /// The chart's default.
    pub(crate) usual: Option<&'static str>,
}

/// (liqo `deployments/liqo/values.yaml`, `deployments/liqo/templates/liqo-ipam-networks.yaml`)
#[rustfmt::skip] // a table
pub(crate) static CLUSTER_FACTS: [ClusterFact; 2] = [
    ClusterFact { kind: FactKind::PodCidrs, is_list: true, written: pods, network_type: "pod-cidr", usual: None },
    ClusterFact { kind: FactKind::ExternalCidr, is_list: false, written: external, network_type: "external-cidr", usual: Some("10.70.0.0/16") },
];

fn pods(cluster: &Cluster) -> Option<Texts> {
    let all = cluster.pod_cidrs.as_ref()?;
    Some((all.iter().map(ToString::to_string).collect(), all.span))
}

fn external(cluster: &Cluster) -> Option<Texts> {
    let one = cluster.external_cidr?;
    Some((vec![one.to_string()], one.span))
}

impl ClusterFact {
    /// Its field in a document.
    pub(crate) const fn field(&self) -> &'static str {
        self.kind.word()
    }

    /// Its value in a document.
    pub(crate) fn value(&self, texts: &[String]) -> Value {
        if self.is_list {
            texts.into()
        } else {
            texts.first().cloned().into()
        }
    }

    /// The values in a document, sorted: the order of several values has no meaning (Liqo 1.2).
    pub(crate) fn sorted(&self, cluster: &Cluster) -> Option<Texts> {
        let (mut texts, span) = (self.written)(cluster)?;
        texts.sort_unstable();
        Some((texts, span))
    }
}

/// A fact of a cluster, or of the fleet.
pub(super) struct PeeringFact {
    /// The cluster; `None` for the fleet.
    pub(super) cluster: Option<ClusterId>,
    pub(super) kind: FactKind,
    pub(super) value: String,
    pub(super) span: Span,
}

/// The facts of a peering.
pub(super) fn facts(peering: &Peering) -> Vec<PeeringFact> {
    let mut facts = FactList {
        peering,
        found: Vec::new(),
    };
    let name = &peering.name;
    facts.push(None, FactKind::PeeringName, name.as_str(), name.span);
    let pair = Pair::from_peering(peering).to_string();
    let place = peering.clusters.provider.id.span;
    facts.push(None, FactKind::Pair, &pair, place);
    for role in Role::BOTH {
        if has_stream(peering, role) {
            facts.push(Some(role), FactKind::Pair, &pair, place);
        }
        facts.cluster(role);
        if let Some(networking) = &peering.networking {
            facts.networking(role, networking);
        }
        // a drained peering has released these already, so another one may use them
        if peering.state == State::Active {
            facts.offloading(role);
        }
    }
    facts.found
}

/// Whether a document gives a role's stream. If two organisations have a seed each, their documents are halves of one peering, and each
/// gives the stream of one role.
fn has_stream(peering: &Peering, role: Role) -> bool {
    has_key(peering, role) || !Role::BOTH.into_iter().any(|role| has_key(peering, role))
}

fn has_key(peering: &Peering, role: Role) -> bool {
    let is_external = matches!(peering.clusters[role].delivery, Delivery::External);
    let networking = peering.networking.as_ref();
    is_external || networking.is_none_or(|it| matches!(&it.keys[role], KeySource::Seed(..)))
}

/// The clusters of a peering.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    consumer: ClusterId,
    provider: ClusterId,
}

impl Pair {
    pub(super) fn from_peering(peering: &Peering) -> Self {
        let [consumer, provider] = Role::BOTH.map(|role| peering.clusters[role].id.value.clone());
        Self { consumer, provider }
    }

    /// Whether these are the same two clusters, in either role.
    pub(super) fn has_clusters_of(&self, other: &Self) -> bool {
        self == other || (self.consumer == other.provider && self.provider == other.consumer)
    }
}

/// The two clusters in alphabetical order.
impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut clusters = [self.consumer.as_str(), self.provider.as_str()];
        clusters.sort_unstable();
        f.write_str(&clusters.join("` and `"))
    }
}

struct FactList<'p> {
    peering: &'p Peering,
    found: Vec<PeeringFact>,
}

impl FactList<'_> {
    fn push(&mut self, cluster: Option<Role>, kind: FactKind, value: &str, span: Span) {
        let cluster = cluster.map(|role| self.peering.clusters[role].id.value.clone());
        self.found.push(PeeringFact {
            cluster,
            kind,
            value: value.to_owned(),
            span,
        });
    }

    fn push_located<T: ToString>(&mut self, role: Role, kind: FactKind, value: &Located<T>) {
        self.push(Some(role), kind, &value.value.to_string(), value.span);
    }

    /// Adds the facts of a cluster that do not depend on its use.
    fn cluster(&mut self, role: Role) {
        let cluster = self.peering.clusters.side(role);
        self.push_located(role, FactKind::TenantNamespace, &cluster.tenant_namespace);
        self.push_located(role, FactKind::ArgoCluster, &cluster.argocd_cluster);
        let (argo, liqo) = (&*cluster.argocd_cluster, &cluster.liqo_namespace);
        self.push(Some(role), FactKind::ClusterOfArgo, argo, cluster.id.span);
        let id = cluster.id.span;
        self.push(Some(role), FactKind::LiqoNamespace, liqo.as_str(), id);
        if let Some(version) = &self.peering.liqo_version {
            self.push_located(role, FactKind::LiqoVersion, version);
        }
        for fact in &CLUSTER_FACTS {
            if let Some((texts, span)) = fact.sorted(cluster) {
                self.push(Some(role), fact.kind, &texts.join(", "), span);
            }
        }
        let uses = self.peering.authentication(role);
        if let Some(handshake) = uses.and_then(|it| it.credential.handshake()) {
            self.push_located(role, FactKind::Nonce, &handshake.keys.nonce);
        }
        // a Tenant is on the cluster that authorises the other one
        if self.peering.authentication(role.peer()).is_some() {
            self.push_located(role, FactKind::Tenant, &cluster.names.tenant);
        }
    }

    fn networking(&mut self, role: Role, networking: &Networking) {
        let names = &self.peering.clusters[role].names;
        self.push_located(role, FactKind::Configuration, &names.configuration);
        // from Liqo 1.1 on, the InternalFabric of a gateway is named after the other cluster
        if self.peering.lowest_liqo() < LiqoVersion::V1_1 {
            self.push_located(role, FactKind::Gateway, &names.gateway);
        }
        let server = &networking.server;
        if server.location != role {
            return;
        }
        if let Some(port) = &server.endpoint.node_port {
            let number = port.get().to_string();
            self.push(Some(role), FactKind::NodePort, &number, port.span);
        }
        if let Some(ip) = &server.endpoint.load_balancer_ip {
            let address = format!("{}:{}", ip.value, server.endpoint.port.get());
            self.push(Some(role), FactKind::LoadBalancer, &address, ip.span);
        }
    }

    /// Adds the facts of a cluster's offloading: slices, virtual nodes and namespaces are on the cluster that offloads.
    fn offloading(&mut self, role: Role) {
        let Some(offloading) = self.peering.offloading(role) else {
            return;
        };
        for slice in &offloading.slices {
            self.push_located(role, FactKind::Slice, &slice.name);
            // it becomes a virtual node with its own name, unless a custom one is written
            if slice.written.create_virtual_node {
                self.push_located(role, FactKind::Node, &slice.name);
            }
        }
        for node in &offloading.virtual_nodes {
            self.push_located(role, FactKind::Node, &node.name);
        }
        for namespace in &offloading.namespaces {
            self.push_located(role, FactKind::Offloading, &namespace.name);
            self.push_located(role.peer(), FactKind::Remote, &namespace.remote_name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FactKind;

    /// A fact that no document is asked for would contradict nothing.
    #[test]
    fn each_kind_of_fact_has_a_contradiction() {
        let cases = concat!(
            include_str!("../../../tests/spec/judge/claims/rules.txt"),
            include_str!("../../../tests/spec/custody/authenticate.cases"),
        );
        let mut found = cases.lines().collect::<Vec<_>>();
        found.retain(|line| line.starts_with("= ") || line.starts_with("fails "));
        for kind in FactKind::ALL {
            let (code, noun) = (kind.code().name(), format!(" {} ", kind.word()));
            let is_found = |line: &&str| line.contains(code) && line.contains(&noun);
            let has_case = found.iter().any(is_found);
            assert!(
                has_case,
                "tests/spec/judge/claims/rules.txt has no {kind:?}"
            );
        }
    }
}
