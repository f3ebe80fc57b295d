//! What one peering says of its clusters, and where.

use super::fact::{CLUSTER_FACTS, Kind};
use crate::diagnostic::Span;
use crate::document::Located;
use crate::peering::delivery::Delivery;
use crate::peering::networking::Networking;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{ClusterId, LiqoVersion};
use crate::peering::{Peering, Role, State};
use std::fmt;

/// Something said of a cluster, or of the fleet.
pub(super) struct Fact {
    /// Of which cluster; none: of the fleet.
    pub(super) cluster: Option<ClusterId>,
    pub(super) kind: Kind,
    pub(super) value: String,
    pub(super) span: Span,
}

/// Everything that one peering says. If it is wrong, nothing that follows from a value that may be missing.
pub(super) fn facts(peering: &Peering, wrong: bool) -> Vec<Fact> {
    let mut facts = Facts { peering, wrong, found: Vec::new() };
    let (pair, place) = (Pair::of(peering).to_string(), peering.clusters.provider.id.span);
    facts.push(None, Kind::PeeringName, peering.name.as_str(), peering.name.span);
    facts.push(None, Kind::Pair, &pair, place);
    for role in Role::BOTH {
        if gives(peering, role) {
            facts.push(Some(role), Kind::Pair, &pair, place);
        }
        facts.cluster(role);
        if let Some(networking) = &peering.networking {
            facts.networking(role, networking);
        }
        // a drained peering has released them already, so another one may have them
        if peering.state == State::Active {
            facts.offloading(role);
        }
    }
    facts.found
}

/// Whether a document has what a role's stream needs. Where two organisations have a seed each, their documents are halves of
/// one peering, and each gives the stream of one role.
fn gives(peering: &Peering, role: Role) -> bool {
    let has_key = |role: Role| {
        let is_external = matches!(peering.clusters.of(role).delivery, Delivery::External);
        let networking = peering.networking.as_ref();
        is_external || networking.is_none_or(|it| matches!(it.keys.of(role), KeySource::Seed(..)))
    };
    has_key(role) || !Role::BOTH.into_iter().any(has_key)
}

/// The clusters of a peering.
#[derive(PartialEq, Eq)]
pub(super) struct Pair {
    consumer: ClusterId,
    provider: ClusterId,
}

impl Pair {
    pub(super) fn of(peering: &Peering) -> Self {
        let id = |role| peering.clusters.of(role).id.value.clone();
        Self { consumer: id(Role::Consumer), provider: id(Role::Provider) }
    }

    /// Whether these are the same two clusters, whichever of them consumes.
    pub(super) fn has_clusters_of(&self, other: &Self) -> bool {
        self == other || (self.consumer == other.provider && self.provider == other.consumer)
    }
}

/// Its two clusters in their order, whichever of them consumes.
impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut clusters = [self.consumer.as_str(), self.provider.as_str()];
        clusters.sort_unstable();
        f.write_str(&clusters.join("` and `"))
    }
}

struct Facts<'p> {
    peering: &'p Peering,
    wrong: bool,
    found: Vec<Fact>,
}

impl Facts<'_> {
    fn push(&mut self, cluster: Option<Role>, kind: Kind, value: &str, span: Span) {
        // what follows from an ID has the ID's place; perhaps another value is written and could not be read
        let is_id = |role| self.peering.clusters.of(role).id.span == span;
        if self.wrong && kind != Kind::Pair && Role::BOTH.into_iter().any(is_id) {
            return;
        }
        let cluster = cluster.map(|role| self.peering.clusters.of(role).id.value.clone());
        self.found.push(Fact { cluster, kind, value: value.to_owned(), span });
    }

    fn of<T: ToString>(&mut self, role: Role, kind: Kind, value: &Located<T>) {
        self.push(Some(role), kind, &value.value.to_string(), value.span);
    }

    /// What a cluster is, whatever it is used for.
    fn cluster(&mut self, role: Role) {
        let cluster = self.peering.clusters.of(role);
        self.of(role, Kind::TenantNamespace, &cluster.tenant_namespace);
        self.of(role, Kind::ArgoCluster, &cluster.argocd_cluster);
        self.push(Some(role), Kind::ClusterOfArgo, &cluster.argocd_cluster, cluster.id.span);
        self.push(Some(role), Kind::LiqoNamespace, cluster.liqo_namespace.as_str(), cluster.id.span);
        if let Some(version) = &self.peering.liqo_version {
            self.of(role, Kind::LiqoVersion, version);
        }
        for fact in &CLUSTER_FACTS {
            if let Some((texts, span)) = fact.sorted(cluster) {
                self.push(Some(role), fact.kind, &texts.join(", "), span);
            }
        }
        let own = self.peering.directions.of(role).authentication.as_ref();
        if let Some(handshake) = own.and_then(|it| it.credential.handshake()) {
            self.of(role, Kind::Nonce, &handshake.keys().nonce);
        }
        // a Tenant is where the other cluster is let in
        if self.peering.directions.of(role.peer()).authentication.is_some() {
            self.of(role, Kind::Tenant, &cluster.names.tenant);
        }
    }

    fn networking(&mut self, role: Role, networking: &Networking) {
        let names = &self.peering.clusters.of(role).names;
        self.of(role, Kind::Configuration, &names.configuration);
        // from Liqo 1.1 on, the InternalFabric of a gateway is named after the other cluster
        if self.peering.lowest_liqo() < LiqoVersion::V1_1 {
            self.of(role, Kind::Gateway, &names.gateway);
        }
        let server = &networking.server;
        if server.location != role {
            return;
        }
        if let Some(port) = &server.endpoint.node_port {
            self.push(Some(role), Kind::NodePort, &port.get().to_string(), port.span);
        }
        if let Some(ip) = &server.endpoint.load_balancer_ip {
            let address = format!("{}:{}", ip.value, server.endpoint.port.get());
            self.push(Some(role), Kind::LoadBalancer, &address, ip.span);
        }
    }

    /// What a cluster uses of the other one: slices, virtual nodes and namespaces are on the cluster that uses.
    fn offloading(&mut self, role: Role) {
        let Some(offloading) = crate::rules::offloading(self.peering, role) else { return };
        for slice in &offloading.slices {
            self.of(role, Kind::Slice, &slice.name);
            // it becomes a virtual node of its own name, unless a custom one is written
            if slice.written.create_virtual_node {
                self.of(role, Kind::Node, &slice.name);
            }
        }
        for node in &offloading.virtual_nodes {
            self.of(role, Kind::Node, &node.name);
        }
        for namespace in &offloading.namespaces {
            self.of(role, Kind::Offloading, &namespace.name);
        }
        for namespace in &offloading.namespaces {
            self.of(role.peer(), Kind::Remote, &namespace.remote_name);
        }
    }
}
