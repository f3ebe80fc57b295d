//! `ports`: lists the connections that must be open between the clusters of peerings, and inside each cluster: who dials whom, where, and
//! why.

use super::documents::peerings_at;
use super::list::columns;
use crate::command::workstation::flags::PeeringPaths;
use crate::command::{Result, Streams};
use crate::diagnostic::printed;
use crate::peering::authentication::Authentication;
use crate::peering::authentication::credential::Credential;
use crate::peering::networking::Networking;
use crate::peering::networking::gateway_server::ServiceType;
use crate::peering::values::Port;
use crate::peering::{Peering, Role};
use crate::report;
use crate::uri::Uri;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::net::Ipv4Addr;

/// List what must be open for peerings: who dials whom, and why
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering ports peerings/rome-milan
  argocd-peering ports peerings --format markdown > ticket.md

Each row is a connection; `FROM` is the side that opens it. A stateful firewall lets the answers through. Rows between \
clusters are for the firewall between the networks, rows inside a cluster for that of its nodes. The table is computed from the documents: an \
address that is in a sealed file, or that is not known yet, is named as such. What Argo CD needs to reach the clusters, and what any \
Liqo needs inside its own, is not in it. It prints no NetworkPolicy: one selects pods of its own cluster, and these rows are of nodes and \
of addresses that the network translates.

Exit codes: 0 done, 1 a document is wrong, 2 usage, 3 the environment (I/O).")]
pub struct Ports {
    #[command(flatten)]
    pub peerings: PeeringPaths,
    /// A table for people, Markdown for a ticket, or JSON for programs
    #[arg(long, value_enum, default_value_t = PortsFormat::Text)]
    pub format: PortsFormat,
}

/// How `ports` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum PortsFormat {
    /// For a terminal
    Text,
    /// For a ticket
    Markdown,
    /// docs/ports.schema.json
    Json,
}

/// What `ports --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::command) struct Open {
    /// Those between clusters in the order of the peerings, then those inside of clusters.
    flows: Vec<Flow>,
}

pub(crate) fn ports(arguments: &Ports, streams: &mut Streams<'_>) -> Result {
    let read = peerings_at(&arguments.peerings)?;
    let (inside, between): (Vec<Flow>, Vec<Flow>) = read
        .iter()
        .flat_map(|it| flows(&it.peering))
        .partition(Flow::is_inside);
    // several peerings of a cluster have the same connections
    let mut seen = BTreeSet::new();
    let inside = inside.into_iter().filter(|it| seen.insert(it.cells()));
    let open = Open {
        flows: between.into_iter().chain(inside).collect(),
    };
    streams.print(&match arguments.format {
        PortsFormat::Json => report::json(&open)?,
        PortsFormat::Markdown => printed(&markdown(&open.flows)),
        PortsFormat::Text => printed(&columns(
            HEADINGS,
            open.flows.iter().map(Flow::cells),
            |_| true,
        )),
    })
}

const HEADINGS: [&str; 6] = ["WHERE", "FROM", "TO", "ADDRESS", "PORT", "WHY"];

/// A table whose cells are in code, so that a document's words cannot be links, mentions or formatting.
fn markdown(flows: &[Flow]) -> String {
    let code = |cell: String| format!("`{}`", cell.replace('`', "").replace(['|', '\n'], " "));
    let head = format!(
        "| {} |\n|---|---|---|---|---|---|\n",
        HEADINGS.map(str::to_lowercase).join(" | ")
    );
    let rows = flows
        .iter()
        .map(|it| format!("| {} |\n", it.cells().map(code).join(" | ")));
    head + &rows.collect::<Vec<_>>().concat()
}

/// The port of Liqo's tunnels between the gateway and its cluster's nodes (liqo `deployments/liqo/values.yaml`, `networking.genevePort`).
pub(super) const GENEVE: u16 = 6091;

/// A connection, from the one that opens it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Flow {
    /// The name of the peering. Left out inside a cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    peering: Option<String>,
    from: End,
    to: End,
    /// Where it leads to, of the other end: empty if that is not known.
    addresses: Vec<String>,
    /// Left out if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    /// `UDP` or `TCP`
    protocol: &'static str,
    /// What it is for.
    why: &'static str,
    /// What is not known, and where it is; or what else must be known of the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// One end of a connection.
#[derive(Debug, Serialize, JsonSchema)]
struct End {
    /// The cluster's ID. Left out of a proxy that is in no cluster of the peering.
    #[serde(rename = "clusterID", skip_serializing_if = "Option::is_none")]
    cluster: Option<String>,
    what: &'static str,
}

impl Flow {
    pub(super) const fn is_inside(&self) -> bool {
        self.peering.is_none()
    }

    pub(super) fn cells(&self) -> [String; 6] {
        let [from, to] = [&self.from, &self.to].map(|it| {
            it.cluster.as_ref().map_or_else(
                || it.what.to_owned(),
                |cluster| format!("{cluster} {}", it.what),
            )
        });
        let port = self
            .port
            .map_or_else(|| "not known".to_owned(), |port| port.to_string());
        let why = self.note.as_ref().map_or_else(
            || self.why.to_owned(),
            |note| format!("{}: {note}", self.why),
        );
        [
            self.peering.clone().unwrap_or_else(|| "inside".to_owned()),
            from,
            to,
            if self.addresses.is_empty() {
                "not known".to_owned()
            } else {
                self.addresses.join(",")
            },
            format!("{port}/{}", self.protocol),
            why,
        ]
    }
}

/// The connections of a peering, in both directions.
pub(super) fn flows(peering: &Peering) -> Vec<Flow> {
    let networking = peering.networking.iter();
    let tunnel = networking.flat_map(|it| [tunnel(peering, it)].into_iter().chain(fabric(peering)));
    let servers = Role::BOTH
        .into_iter()
        .filter_map(|user| Some(api_server(peering, user, peering.authentication(user)?)));
    tunnel.chain(servers.flatten()).collect()
}

fn end(peering: &Peering, role: Role, what: &'static str) -> End {
    End {
        cluster: Some(peering.clusters.of(role).id.to_string()),
        what,
    }
}

/// The WireGuard connection. The client's gateway is a pod, so the packets have the address of its node, or of a NAT.
fn tunnel(peering: &Peering, networking: &Networking) -> Flow {
    let (server, client) = (
        &networking.server,
        networking.client.as_ref().map(|it| &it.endpoint),
    );
    let dialled = client
        .and_then(|it| it.port.as_ref())
        .map(|port| port.get());
    let listens = server.answers_at().map(Port::get);
    let note = match (dialled, listens) {
        (None, None) => {
            Some("`gatewayClient` is pending, and Kubernetes chooses the node port".to_owned())
        }
        (None, Some(_)) => Some("`gatewayClient` is pending".to_owned()),
        (Some(dialled), Some(port)) if dialled != port => Some(format!(
            "the server's Service has port {port}, to which something between them leads"
        )),
        _ => match server.endpoint.service_type.value {
            ServiceType::NodePort => None,
            ServiceType::LoadBalancer => {
                Some("the load balancer leads to the nodes of its cluster".to_owned())
            }
            ServiceType::ClusterIp => {
                Some("a Service inside its cluster, to which something leads".to_owned())
            }
        },
    };
    Flow {
        peering: Some(peering.name.to_string()),
        from: end(peering, server.location.peer(), "gateway"),
        to: end(peering, server.location, "gateway"),
        addresses: client.map_or_else(Vec::new, |it| {
            it.addresses.iter().map(ToString::to_string).collect()
        }),
        port: dialled.or(listens),
        protocol: client.map_or("UDP", |it| it.protocol.word()),
        why: "the tunnel",
        note,
    }
}

/// The connections between the gateway and the nodes, on each side.
fn fabric(peering: &Peering) -> impl Iterator<Item = Flow> {
    Role::BOTH.into_iter().map(|role| Flow {
        peering: None,
        from: end(peering, role, "nodes and gateway"),
        to: end(peering, role, "nodes and gateway"),
        addresses: vec!["its nodes".to_owned(), "its gateway pod".to_owned()],
        port: Some(GENEVE),
        protocol: "UDP",
        why: "Geneve from each node to the gateway, both ways",
        note: Some("another port, if `networking.genevePort` of its Liqo is set".to_owned()),
    })
}

/// The connection to the other cluster's API server from Liqo's controllers and virtual kubelets (liqo
/// `pkg/liqo-controller-manager/authentication`, `cmd/virtual-kubelet`), through the proxy if there is one.
fn api_server(peering: &Peering, user: Role, authentication: &Authentication) -> Vec<Flow> {
    let server = end(peering, user.peer(), "API server");
    let credential = &*authentication.credential;
    let (url, note) = match (credential.identity(), credential.sealed()) {
        (Some(identity), _) => {
            let url = identity.api_server.to_string();
            let note = through_tunnel(peering, &url);
            (Some(url), note)
        }
        (None, Some(sealed)) => (
            None,
            Some(format!(
                "it is the `server` of the kubeconfig in `{}`",
                sealed.file.value
            )),
        ),
        (None, None) => {
            let note = match credential {
                Credential::ExistingSecret => "it is the `server` of the kubeconfig in the Secret",
                Credential::KeysExchange(_) => "it is known when the provider has signed",
                _ => "the credential is pending",
            };
            (None, Some(note.to_owned()))
        }
    };
    let own = end(peering, user, "nodes");
    let hops = match authentication.proxy_url.as_ref().map(ToString::to_string) {
        None => vec![(own, server, url, note)],
        Some(proxy) => {
            let through = through_tunnel(peering, &proxy);
            let [to, from] = ["proxy"; 2].map(|what| End {
                cluster: None,
                what,
            });
            vec![(own, to, Some(proxy), through), (from, server, url, note)]
        }
    };
    let flows = hops.into_iter().map(|(from, to, url, note)| {
        let (address, port) = url.as_deref().map_or((None, None), dialled);
        Flow {
            peering: Some(peering.name.to_string()),
            from,
            to,
            addresses: address.into_iter().collect(),
            port,
            protocol: "TCP",
            why: "Liqo uses the other cluster",
            note,
        }
    });
    flows.collect()
}

/// A note for a URL that is reached through the tunnel: its address is in Liqo's external network (liqo
/// `docs/advanced/k8s-api-server-proxy.md`).
fn through_tunnel(peering: &Peering, url: &str) -> Option<String> {
    let address: Ipv4Addr = Uri::split(url).authority.host.parse().ok()?;
    let mut networks = Role::BOTH
        .into_iter()
        .filter_map(|role| peering.clusters.of(role).external_cidr.as_ref());
    let is_inside = networks.any(|it| it.value.holds(address));
    is_inside.then(|| "through the tunnel, so nothing more is open between the clusters".to_owned())
}

/// The host and the port of a URL (RFC 9110, section 4.2: the default ports).
fn dialled(url: &str) -> (Option<String>, Option<u16>) {
    let uri = Uri::split(url);
    let usual = match uri.scheme {
        Some("https") => Some(443),
        Some("http") => Some(80),
        // (RFC 1928)
        Some("socks5" | "socks5h") => Some(1080),
        _ => None,
    };
    let port = uri.authority.port.map_or(usual, |port| port.parse().ok());
    (Some(uri.authority.host.to_owned()), port)
}
