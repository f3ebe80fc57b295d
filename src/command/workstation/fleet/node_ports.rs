//! The node ports of a fleet's gateways.

use crate::command::Result;
use crate::diagnostic::{Code, Problems, Source, Span, quoted};
use crate::fleet::{Edge, Ports, refused};
use crate::input::file::shown_path;
use crate::input::folder::DOCUMENT;
use crate::peering::Peering;
use crate::peering::networking::gateway_server::ServiceType;
use crate::state::repo::Described;
use std::collections::BTreeSet;
use std::path::Path;

/// The node port of each edge: from fleet.yaml, otherwise from the document, otherwise a free one of the cluster. A port that a document
/// has is never given to another gateway, even if fleet.yaml does not have that peering.
///
/// # Errors
/// If two gateways of a cluster have the same port: neither is changed. Or if no port is free.
pub(super) fn node_ports(
    source: &Source,
    root: &Path,
    edges: &[Edge<'_>],
    found: &[Option<&Described>],
    read: &[Described],
) -> Result<Vec<Option<u16>>> {
    let (mut ports, mut problems) = (Ports::default(), Problems::default());
    let of_fleet: BTreeSet<&Path> = found.iter().flatten().map(|it| it.path.as_path()).collect();
    for other in read
        .iter()
        .filter(|it| !of_fleet.contains(it.path.as_path()))
    {
        if let Some((cluster, port)) = listening(&other.peering) {
            // two documents that fleet.yaml does not have may share a port
            let _ = ports.take(cluster, port, &shown_path(&other.path));
        }
    }
    let mut of_edges = Vec::new();
    for (edge, found) in edges.iter().zip(found) {
        let document = found.map_or_else(
            || edge.folder(root).join(DOCUMENT),
            |found| found.path.clone(),
        );
        let document = shown_path(&document);
        let port = port_of(edge, *found);
        if let Some((port, span)) = port
            && let Err(other) = ports.take(edge.server().id(), port, &document)
        {
            let cluster = quoted(edge.server().id());
            let message = format!(
                "the node port {port} of {cluster} has two gateways: {other} and {document}"
            );
            let help = "one that exists is not moved: set another `nodePort` at the entry of one of them, or in its document";
            problems.refuse(Code::PortTaken, span, message, help);
        }
        of_edges.push((document, port.map(|(port, _)| port)));
    }
    let mut all = Vec::new();
    for (edge, (document, port)) in edges.iter().zip(of_edges) {
        let is_free = edge.gateway.service_type == ServiceType::NodePort && port.is_none();
        let port = if is_free {
            ports.free(edge.server().id(), &document)
        } else {
            port
        };
        if is_free && port.is_none() {
            let message = format!("{} has no node port left", quoted(edge.server().id()));
            let help = "its gateways can be of the type LoadBalancer";
            problems.refuse(Code::PortTaken, edge.span, message, help);
        }
        all.push(port);
    }
    if problems.is_empty() {
        Ok(all)
    } else {
        Err(refused(source, problems).into())
    }
}

/// The port that an edge already has, and its place in fleet.yaml.
fn port_of(edge: &Edge<'_>, found: Option<&Described>) -> Option<(u16, Span)> {
    if edge.gateway.service_type != ServiceType::NodePort {
        return None;
    }
    if let Some(port) = edge.says.node_port {
        return Some((port.get(), port.span));
    }
    let (cluster, port) = listening(&found?.peering)?;
    (cluster == edge.server().id()).then_some((port, edge.span))
}

/// The cluster and the node port of the gateway server.
fn listening(peering: &Peering) -> Option<(&str, u16)> {
    let server = &peering.networking.as_ref()?.server;
    let cluster = peering.clusters.of(server.location).id.as_str();
    Some((cluster, server.endpoint.node_port.as_ref()?.value.get()))
}
