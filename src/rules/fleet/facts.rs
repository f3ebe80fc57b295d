//! What one peering says of its clusters, and where.

use super::rule::Kind;
use super::{Member, Place};
use crate::diagnostic::Span;
use crate::document::decode::Located;
use crate::document::offloading::Offloading as WrittenOffloading;
use crate::document::{Cluster as Written, Names};
use crate::peering::State;
use crate::peering::endpoint::Service;
use crate::peering::name::ClusterId;
use crate::peering::networking::Networking;
use crate::peering::role::Role;
use crate::peering::version::LiqoVersion;

/// Something said of a cluster, or of the fleet.
pub(super) struct Fact {
    /// Of which cluster; none: of the fleet.
    pub(super) cluster: Option<ClusterId>,
    pub(super) kind: Kind,
    pub(super) value: String,
    pub(super) place: Place,
}

/// Everything that one peering says.
pub(super) fn facts(member: &Member) -> Vec<Fact> {
    let mut facts = Facts { member, facts: Vec::new() };
    let spec = &member.document.spec;
    let name = &member.document.metadata.name;
    facts.push(None, Kind::PeeringName, name.value.as_str(), name.span);
    facts.push(None, Kind::Pair, &pair(member), spec.provider.cluster_id.span);
    for role in Role::BOTH {
        facts.cluster(role);
        if let Some(networking) = &member.peering.networking {
            facts.networking(role, networking);
        }
        // a drained peering has let go of them already, so another one may have them
        if member.peering.state == State::Active {
            facts.offloading(role);
        }
    }
    facts.facts
}

/// The two clusters, whichever of them consumes.
pub(super) fn pair(member: &Member) -> String {
    let mut pair = [Role::Consumer, Role::Provider].map(|role| member.peering.clusters.of(role).id.as_str());
    pair.sort_unstable();
    pair.join("` and `")
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

    /// Where a name is said, or the ID that it follows from: the peer's.
    fn named<T>(&self, role: Role, name: fn(&Names) -> &Option<Located<T>>) -> Span {
        let written = self.written(role).names.as_ref().and_then(|names| name(names).as_ref());
        written.map_or_else(|| self.written(role.peer()).cluster_id.span, |name| name.span)
    }

    /// What a cluster is, whatever it is used for.
    fn cluster(&mut self, role: Role) {
        let (written, own) = (self.written(role), Some(role));
        let (id, peer) = (written.cluster_id.span, self.written(role.peer()).cluster_id.span);
        let cluster = self.member.peering.clusters.of(role);
        let span = written.tenant_namespace.as_ref().map_or(peer, |it| it.span);
        self.push(own, Kind::TenantNamespace, cluster.tenant_namespace.as_str(), span);
        let argo = written.argocd_cluster.as_ref();
        let (name, span) = argo.map_or((cluster.id.as_str(), id), |it| (it.value.as_str(), it.span));
        self.push(own, Kind::ArgoCluster, name, span);
        self.push(own, Kind::ClusterOfArgo, name, id);
        if let Some(version) = &self.member.document.spec.liqo_version {
            self.push(own, Kind::LiqoVersion, &version.value.to_string(), version.span);
        }
        if let Some(cidrs) = &written.pod_cidrs {
            let mut pods: Vec<String> = cidrs.value.iter().map(|cidr| cidr.value.to_string()).collect();
            // the order means nothing where there are several (Liqo 1.2)
            pods.sort_unstable();
            self.push(own, Kind::PodCidrs, &pods.join(", "), cidrs.span);
        }
        if let Some(cidr) = &written.external_cidr {
            self.push(own, Kind::ExternalCidr, &cidr.value.to_string(), cidr.span);
        }
        // a Tenant stands where the other cluster is let in
        if self.member.peering.directions.of(role.peer()).authentication.is_some() {
            let span = self.named(role, |names| &names.tenant);
            self.push(own, Kind::Tenant, cluster.names.tenant.as_str(), span);
        }
    }

    fn networking(&mut self, role: Role, networking: &Networking) {
        let (own, names) = (Some(role), &self.member.peering.clusters.of(role).names);
        let span = self.named(role, |names| &names.configuration);
        self.push(own, Kind::Configuration, names.configuration.as_str(), span);
        // later, the InternalFabric of a gateway is called after the other cluster
        if self.member.document.spec.lowest_liqo() < LiqoVersion::V1_1 {
            let span = self.named(role, |names| &names.gateway);
            self.push(own, Kind::Gateway, names.gateway.as_str(), span);
        }
        let server = &networking.server;
        let written = self.member.document.spec.networking.as_ref();
        let Some(endpoint) = written.map(|it| &it.value.gateway_server.endpoint) else { return };
        if server.location != role {
            return;
        }
        match (server.service, &endpoint.node_port, &endpoint.load_balancer_ip) {
            (Service::NodePort(Some(port)), Some(written), _) => {
                self.push(own, Kind::NodePort, &port.get().to_string(), written.span);
            }
            (Service::LoadBalancer(Some(ip)), _, Some(written)) => {
                let address = format!("{ip}:{}", server.port.get());
                self.push(own, Kind::LoadBalancer, &address, written.span);
            }
            _ => {}
        }
    }

    /// What a cluster uses of the other one: slices, virtual nodes and namespaces are on the cluster that uses.
    fn offloading(&mut self, role: Role) {
        let spec = &self.member.document.spec;
        let written = match role {
            Role::Consumer => spec.offloading.as_ref(),
            Role::Provider => spec.reverse.as_ref().and_then(|it| it.offloading.as_ref()),
        };
        let Some(written) = written.map(|it| &it.value) else { return };
        self.nodes(role, written);
        for namespace in written.namespaces.iter().flatten() {
            self.push(Some(role), Kind::Offloading, namespace.name.value.as_str(), namespace.name.span);
        }
        let Some(meant) = self.member.peering.directions.of(role).offloading.as_ref() else { return };
        for (namespace, written) in meant.namespaces.iter().zip(written.namespaces.iter().flatten()) {
            let consumer = &self.member.peering.clusters.of(role).id;
            let span = written.remote_name.as_ref().map_or(written.name.span, |it| it.span);
            self.push(Some(role.peer()), Kind::Remote, &namespace.remote_name(consumer), span);
        }
    }

    /// A slice becomes a virtual node of its own name, unless that is said to be somebody else's work.
    fn nodes(&mut self, role: Role, written: &WrittenOffloading) {
        let peer = self.written(role.peer()).cluster_id.span;
        let Some(meant) = self.member.peering.directions.of(role).offloading.as_ref() else { return };
        for (slice, written) in meant.slices.iter().zip(written.slices.iter().flatten()) {
            let span = written.name.as_ref().map_or(peer, |it| it.span);
            self.push(Some(role), Kind::Slice, slice.name.as_str(), span);
            if slice.create_virtual_node {
                self.push(Some(role), Kind::Node, slice.name.as_str(), span);
            }
        }
        for (node, written) in meant.virtual_nodes.iter().zip(written.virtual_nodes.iter().flatten()) {
            let span = written.name.as_ref().map_or(written.slice.span, |it| it.span);
            self.push(Some(role), Kind::Node, node.name.as_str(), span);
        }
    }
}
