//! Many peerings at once: what must be unique on a cluster, and what must be the same everywhere.
//!
//! A single document cannot know these things; Liqo's webhooks and controllers find them out one by one, on the
//! clusters (each rule below names where).

use crate::diagnostic::{Code, Span};
use crate::document::{Cluster as Written, Document};
use crate::peering::Peering;
use crate::peering::endpoint::Service;
use crate::peering::name::ClusterId;
use crate::peering::role::Role;
use std::collections::BTreeMap;

/// A valid peering with the document it was made from.
pub struct Member {
    /// Which of the given sources it is.
    pub source: usize,
    /// As written: where things stand.
    pub document: Document,
    /// As meant.
    pub peering: Peering,
}

/// Two places that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// Where the later one stands.
    pub place: Place,
    /// Where the first one stands.
    pub first: Place,
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub help: &'static str,
    /// The rule.
    pub code: Code,
}

/// A place in one of the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which of the given sources.
    pub source: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// Something said of a cluster, or of the fleet.
struct Fact {
    /// Of which cluster; none: of the fleet.
    cluster: Option<ClusterId>,
    kind: Kind,
    value: String,
    place: Place,
}

/// What is said, and by which rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    PeeringName,
    TenantNamespace,
    Configuration,
    Gateway,
    Tenant,
    Slice,
    NodePort,
    Offloading,
    Cidrs,
    LiqoVersion,
    ArgoCluster,
    ClusterOfArgo,
}

impl Kind {
    /// Whether one value may stand once only; else all must be the same.
    const fn unique(self) -> bool {
        !matches!(self, Self::Cidrs | Self::LiqoVersion | Self::ArgoCluster | Self::ClusterOfArgo)
    }

    /// What it is called, and why it matters.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::PeeringName => {
                ("peering", "give each peering its own `metadata.name`: Applications are named after it")
            }
            Self::TenantNamespace => (
                "tenant namespace",
                "each peering of a cluster needs its own, found by the other cluster's ID (liqo pkg/tenantNamespace)",
            ),
            Self::Configuration => {
                ("Configuration", "Liqo names nftables tables and routes after it: set `names.configuration`")
            }
            Self::Gateway => {
                ("gateway", "before Liqo 1.0.2 its InternalFabric has the same name: set `names.gateway`")
            }
            Self::Tenant => {
                ("Tenant", "Liqo's webhook refuses a second one on the cluster: set `names.tenant`")
            }
            Self::Slice => (
                "ResourceSlice or virtual node",
                "Liqo's webhook refuses a second one on the cluster, and it becomes a Node's name: give it another `name`",
            ),
            Self::NodePort => (
                "node port",
                "a node opens it once: give each gateway server of a cluster its own `nodePort`",
            ),
            Self::Offloading => (
                "offloaded namespace",
                "a namespace has one NamespaceOffloading: say it in one peering, with `clusters: all` or a `clusterSelector`",
            ),
            Self::Cidrs => {
                ("networks", "a cluster has the same podCIDRs and externalCIDR in each of its peerings")
            }
            Self::LiqoVersion => {
                ("liqoVersion", "peered clusters run the same minor version of Liqo: say the same everywhere")
            }
            Self::ArgoCluster => ("argocdCluster", "Argo CD knows a cluster by one name"),
            Self::ClusterOfArgo => ("clusterID", "one cluster of Argo CD has one Liqo cluster ID"),
        }
    }
}

/// Everything that contradicts something before it, in the order of the sources.
#[must_use]
pub fn conflicts(members: &[Member]) -> Vec<Conflict> {
    let mut first: BTreeMap<(Option<ClusterId>, Kind, String), (String, Place)> = BTreeMap::new();
    let mut conflicts = Vec::new();
    for fact in members.iter().flat_map(facts) {
        let (unique, (what, help)) = (fact.kind.unique(), fact.kind.words());
        // what must be unique is looked up by its value, what must agree by its owner
        let key = match (fact.kind, &fact.cluster) {
            (Kind::ClusterOfArgo, _) => (None, fact.kind, fact.value.clone()),
            _ if unique => (fact.cluster.clone(), fact.kind, fact.value.clone()),
            _ => (fact.cluster.clone(), fact.kind, String::new()),
        };
        let said = match (fact.kind, &fact.cluster) {
            (Kind::ClusterOfArgo, Some(cluster)) => cluster.to_string(),
            _ => fact.value.clone(),
        };
        match first.get(&key) {
            None => {
                first.insert(key, (said, fact.place));
            }
            Some((before, place)) if unique || *before != said => {
                let cluster =
                    fact.cluster.as_ref().map_or_else(String::new, |cluster| format!("`{cluster}`"));
                let message = match fact.kind {
                    _ if unique && cluster.is_empty() => format!("there is another {what} `{said}`"),
                    _ if unique => format!("there is another {what} `{said}` on cluster {cluster}"),
                    Kind::ClusterOfArgo => {
                        format!(
                            "Argo CD's cluster `{}` has {what} `{said}` here, and `{before}` elsewhere",
                            fact.value
                        )
                    }
                    _ => format!("cluster {cluster} has {what} `{said}` here, and `{before}` elsewhere"),
                };
                let code = if unique { Code::Duplicate } else { Code::Disagreement };
                conflicts.push(Conflict { place: fact.place, first: *place, message, help, code });
            }
            Some(_) => {}
        }
    }
    conflicts.sort();
    conflicts
}

/// What one peering says.
fn facts(member: &Member) -> Vec<Fact> {
    let mut facts = Facts { member, facts: Vec::new() };
    let (peering, spec) = (&member.peering, &member.document.spec);
    let name = &member.document.metadata.name;
    facts.push(None, Kind::PeeringName, name.value.as_str(), name.span);
    for role in Role::BOTH {
        let written = facts.written(role);
        let (cluster, id) = (peering.clusters.of(role), written.cluster_id.span);
        let names = written.names.as_ref();
        let own = Some(role);
        let tenant_span = written.tenant_namespace.as_ref().map_or(id, |it| it.span);
        facts.push(own, Kind::TenantNamespace, cluster.tenant_namespace.as_str(), tenant_span);
        let argo = written.argocd_cluster.as_ref().map_or(cluster.id.as_str(), |it| it.as_str());
        facts.push(own, Kind::ArgoCluster, argo, id);
        facts.push(own, Kind::ClusterOfArgo, argo, id);
        if let Some(version) = spec.liqo_version {
            facts.push(own, Kind::LiqoVersion, &version.to_string(), id);
        }
        if let Some(networking) = &peering.networking {
            let networks = networking.networks.of(role);
            let pods: Vec<String> = networks.pods.iter().map(ToString::to_string).collect();
            let span = written.pod_cidrs.as_ref().map_or(id, |it| it.span);
            facts.push(own, Kind::Cidrs, &format!("{} and {}", pods.join(", "), networks.external), span);
            let span = names.and_then(|it| it.configuration.as_ref()).map_or(id, |it| it.span);
            facts.push(own, Kind::Configuration, cluster.names.configuration.as_str(), span);
            let span = names.and_then(|it| it.gateway.as_ref()).map_or(id, |it| it.span);
            facts.push(own, Kind::Gateway, cluster.names.gateway.as_str(), span);
            if let (true, Service::NodePort(Some(port))) =
                (networking.server.location == role, networking.server.service)
            {
                let written =
                    spec.networking.as_ref().and_then(|it| it.value.gateway_server.endpoint.node_port);
                facts.push(own, Kind::NodePort, &port.get().to_string(), written.map_or(id, |it| it.span));
            }
        }
        if peering.directions.of(role.peer()).authentication.is_some() {
            let span = names.and_then(|it| it.tenant.as_ref()).map_or(id, |it| it.span);
            facts.push(own, Kind::Tenant, cluster.names.tenant.as_str(), span);
        }
        facts.offloading(role);
    }
    facts.facts
}

struct Facts<'m> {
    member: &'m Member,
    facts: Vec<Fact>,
}

impl<'m> Facts<'m> {
    const fn written(&self, role: Role) -> &'m Written {
        match role {
            Role::Consumer => &self.member.document.spec.consumer,
            Role::Provider => &self.member.document.spec.provider,
        }
    }

    fn push(&mut self, cluster: Option<Role>, kind: Kind, value: &str, span: Span) {
        let cluster = cluster.map(|role| self.member.peering.clusters.of(role).id.clone());
        let place = Place { source: self.member.source, start: span.start, end: span.end };
        self.facts.push(Fact { cluster, kind, value: value.to_owned(), place });
    }

    /// What a cluster uses of the other one: slices, virtual nodes and namespaces are on the cluster that uses.
    fn offloading(&mut self, role: Role) {
        let spec = &self.member.document.spec;
        let written = match role {
            Role::Consumer => spec.offloading.as_ref(),
            Role::Provider => spec.reverse.as_ref().and_then(|it| it.offloading.as_ref()),
        };
        let Some((written, meant)) = written.zip(self.member.peering.directions.of(role).offloading.as_ref())
        else {
            return;
        };
        let slices = written.value.slices.iter().flatten().map(|it| it.name.as_ref().map(|it| it.span));
        for (slice, span) in meant.slices.iter().zip(slices) {
            self.push(Some(role), Kind::Slice, slice.name.as_str(), span.unwrap_or(written.span));
        }
        for node in &meant.virtual_nodes {
            // a virtual node of a slice's own name is the slice's
            if !meant.slices.iter().any(|slice| slice.name == node.name) {
                self.push(Some(role), Kind::Slice, node.name.as_str(), written.span);
            }
        }
        for namespace in written.value.namespaces.iter().flatten() {
            self.push(Some(role), Kind::Offloading, namespace.name.value.as_str(), namespace.name.span);
        }
    }
}
