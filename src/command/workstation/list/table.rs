//! The lines of `list`, for people and for programs.

use super::ends::End;
use crate::diagnostic::secrecy::Shown;
use crate::peering::networking::Networking;
use crate::peering::values::Port;
use crate::peering::{Peering, Role};
use crate::state::repo::Described;
use schemars::JsonSchema;
use serde::Serialize;

/// What `list --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::command) struct Table {
    /// In the natural order of their paths.
    pub(super) peerings: Vec<Row>,
}

/// A peering.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Peering")]
pub(super) struct Row {
    /// The document, as it was named or found.
    file: Shown,
    /// `metadata.name`.
    name: String,
    /// The cluster that offloads.
    consumer: Cluster,
    /// The cluster that is used.
    provider: Cluster,
    /// `Active` or `Drained`.
    state: &'static str,
    /// The lowest Liqo on either cluster.
    liqo_version: String,
    /// The gateway that listens. Left out without `networking`.
    #[serde(skip_serializing_if = "Option::is_none")]
    gateway: Option<Gateway>,
    /// When credentials and certificates end. What is sealed is only here with an identity.
    ends: Vec<End>,
}

/// A side.
#[derive(Debug, Serialize, JsonSchema)]
struct Cluster {
    /// Its ID.
    #[serde(rename = "clusterID")]
    id: String,
    /// How its Secrets reach it.
    delivery: &'static str,
    /// The generation of its key.
    #[serde(rename = "keyGeneration")]
    generation: u32,
    /// The day since which it has that key: `2026-01-31`. Left out where the document does not have it.
    #[serde(rename = "keyRotated", skip_serializing_if = "Option::is_none")]
    since: Option<String>,
}

/// Where the other side's gateway dials.
#[derive(Debug, Serialize, JsonSchema)]
struct Gateway {
    /// `provider` or `consumer`.
    location: &'static str,
    /// Its first address. Left out while `gatewayClient` is `pending`.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// Its port. Left out where Kubernetes chooses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
}

impl Gateway {
    fn new(networking: &Networking) -> Self {
        let server = &networking.server;
        let dialled = networking.client.as_ref().map(|it| &it.endpoint);
        let address = dialled.and_then(|it| it.addresses.first()).map(ToString::to_string);
        let written = dialled.and_then(|it| it.port.as_ref()).map(|port| port.get());
        Self {
            location: server.location.word(),
            address,
            port: written.or_else(|| server.answers_at().map(Port::get)),
        }
    }

    fn text(&self) -> String {
        let address = self.address.as_deref().unwrap_or("pending");
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{} {address}{port}", self.location)
    }
}

impl Row {
    pub(super) fn new(Described { path, peering, .. }: &Described, ends: Vec<End>) -> Self {
        Self {
            file: path.display().to_string().into(),
            name: peering.name.to_string(),
            consumer: cluster(peering, Role::Consumer),
            provider: cluster(peering, Role::Provider),
            state: peering.state.word(),
            liqo_version: peering.lowest_liqo().to_string(),
            gateway: peering.networking.as_ref().map(Gateway::new),
            ends,
        }
    }

    pub(super) fn ends(&self) -> impl Iterator<Item = &End> {
        self.ends.iter()
    }

    fn cells(&self) -> [String; COLUMNS] {
        let Self { name, consumer, provider, .. } = self;
        let ends: Vec<String> = self.ends.iter().map(End::text).collect();
        [
            name.clone(),
            format!("{} → {}", consumer.id, provider.id),
            self.state.to_owned(),
            self.liqo_version.clone(),
            self.gateway.as_ref().map_or_else(|| "none".to_owned(), Gateway::text),
            format!("{}/{}", consumer.generation, provider.generation),
            format!("{}/{}", consumer.since(), provider.since()),
            format!("{}/{}", consumer.delivery, provider.delivery),
            ends.join(", "),
        ]
    }
}

impl Cluster {
    fn since(&self) -> &str {
        self.since.as_deref().unwrap_or("unknown")
    }
}

fn cluster(peering: &Peering, role: Role) -> Cluster {
    let cluster = peering.clusters.of(role);
    Cluster {
        id: cluster.id.to_string(),
        delivery: cluster.delivery.word(),
        generation: cluster.generation.get(),
        since: cluster.rotated.map(|day| day.to_string()),
    }
}

const COLUMNS: usize = 9;
const SINCE: &str = "KEYS SINCE";
const ENDS: &str = "ENDS";
const HEADINGS: [&str; COLUMNS] =
    ["NAME", "CONSUMER → PROVIDER", "STATE", "LIQO", "GATEWAY", "KEYS", SINCE, "DELIVERY", ENDS];

/// A table in the manner of kubectl: the last column is left out where it is empty, and that of the ages unless asked for.
pub(super) fn text(rows: &[Row], ages: bool) -> String {
    let mut lines = vec![HEADINGS.map(ToOwned::to_owned)];
    lines.extend(rows.iter().map(Row::cells));
    let mut widths = [0; HEADINGS.len()];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let has_ends = rows.iter().any(|row| !row.ends.is_empty());
    let is_shown = |heading: &str| (heading != ENDS || has_ends) && (heading != SINCE || ages);
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(widths).zip(HEADINGS).filter(|(_, heading)| is_shown(heading));
        let cells: Vec<String> = cells.map(|((cell, width), _)| format!("{cell:width$}")).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
