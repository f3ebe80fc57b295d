//! `list`: prints a line for each peering of a fleet, with the ends of its credentials and certificates.

mod ends;

use super::documents::peerings;
use super::flags::{IdentityFlag, PeeringPaths, days};
use super::kubeconfig_report::now;
use crate::command::error::workstation::WorkstationError;
use crate::command::{Result, Streams};
use crate::custody::{Identities, files_of_others};
use crate::diagnostic::{Shown, printed};
use crate::peering::networking::Networking;
use crate::peering::values::{FileName, Port};
use crate::peering::{Peering, Role};
use crate::report;
use crate::report::Format;
use crate::state::repo::ValidDocument;
use clap::Args;
pub(super) use ends::end_of_certificate;
use ends::{ListedEnd, ends};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// List peerings: clusters, gateways, keys, ends of credentials
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering list peerings
  argocd-peering list peerings --expires-within 30d

--identity-file and --expires-within open the sealed files. A file for another cluster's Argo CD is `not opened`. docs/howto/monitor.md has a nightly job.

Exit codes: 0 done, 1 something ends within that time or is unusable, 2 usage, 3 the environment.")]
pub struct List {
    #[command(flatten)]
    pub peerings: PeeringPaths,
    /// What opens them
    #[command(flatten)]
    pub identity: IdentityFlag,
    /// End with exit code 1 if something ends within this time: days or weeks, such as 30d or 6w
    #[arg(long, value_name = "TIME", value_parser = days)]
    pub expires_within: Option<Duration>,
    /// A table for people, or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

pub(crate) fn list(arguments: &List, streams: &mut Streams<'_>) -> Result {
    let read = peerings(&arguments.peerings.paths)?;
    let opens = arguments.identity.identity_file.is_some() || arguments.expires_within.is_some();
    let identities = opens.then(|| arguments.identity.identities()).transpose()?;
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    for (document, not_opened) in read
        .iter()
        .zip(files_not_opened(&read, identities.as_ref()))
    {
        match ends(document, identities.as_ref(), &not_opened) {
            Ok(ends) => rows.push(PeeringRow::new(document, ends, &not_opened)),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(WorkstationError::of_peerings(errors, read.len()));
    }
    let all = rows.iter().flat_map(|row| &row.ends);
    let ends: Vec<Duration> = all.filter_map(|end| end.at).collect();
    let table = match arguments.format {
        Format::Json => report::json(&Table { peerings: rows })?,
        Format::Text => printed(&table_text(&rows)),
    };
    let Some(within) = arguments.expires_within else {
        return streams.deliver(&table);
    };
    // the exit code is an answer too
    streams.print(&table)?;
    let until = now() + within;
    let soon = ends.into_iter().filter(|end| *end <= until).count();
    let what = match soon {
        0 => return Ok(()),
        1 => "1 credential or certificate ends".to_owned(),
        _ => format!("{soon} credentials and certificates end"),
    };
    streams.note(&format!("{what} within that time"));
    // the ends are in the table
    Err(WorkstationError::Reported.into())
}

/// The files of each peering that another Argo CD opens.
fn files_not_opened<'r>(
    read: &'r [ValidDocument],
    identities: Option<&Identities>,
) -> Vec<Vec<&'r FileName>> {
    let Some(identities) = identities else {
        return vec![Vec::new(); read.len()];
    };
    let peerings: Vec<_> = read.iter().map(|it| &it.peering).collect();
    let all = files_of_others(identities, &peerings, |index, file, _| {
        read.get(index)?.sealed.get(file.as_str())?.as_ref().ok()
    });
    let all = all.into_iter();
    all.map(|it| [it.consumer, it.provider].concat()).collect()
}

/// What `list --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Table {
    /// In the order of their paths.
    peerings: Vec<PeeringRow>,
}

/// A peering.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Peering")]
struct PeeringRow {
    /// The document, as it was named or found.
    file: Shown,
    /// `metadata.name`.
    name: String,
    /// The cluster that offloads.
    consumer: ClusterSummary,
    /// The cluster that is used.
    provider: ClusterSummary,
    /// `Active` or `Drained`.
    state: &'static str,
    /// The lowest Liqo on either cluster.
    liqo_version: String,
    /// The gateway that listens. Left out without `networking`.
    #[serde(skip_serializing_if = "Option::is_none")]
    gateway: Option<Gateway>,
    /// When credentials and certificates end. What is sealed is only here with an identity.
    ends: Vec<ListedEnd>,
    /// Sealed files that are for another cluster's Argo CD, and that the identity does not open.
    #[serde(skip_serializing_if = "Vec::is_empty", default = "Vec::<Shown>::new")]
    not_opened: Vec<Shown>,
}

/// A side.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Cluster")]
struct ClusterSummary {
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
        let dialled = networking.dialled();
        let port = dialled.and_then(|(_, port)| port);
        Self {
            location: server.location.word(),
            address: dialled.map(|(address, _)| address.to_string()),
            port: port.or_else(|| server.answers_at()).map(Port::get),
        }
    }

    fn text(&self) -> String {
        let address = match self.address.as_deref() {
            Some(address) if address.contains(':') => format!("[{address}]"),
            address => address.unwrap_or("pending").to_owned(),
        };
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{} {address}{port}", self.location)
    }
}

impl PeeringRow {
    fn new(document: &ValidDocument, ends: Vec<ListedEnd>, not_opened: &[&FileName]) -> Self {
        let peering = &document.peering;
        let not_opened = not_opened.iter().map(|file| file.to_string().into());
        Self {
            file: document.path.display().to_string().into(),
            name: peering.name.to_string(),
            consumer: ClusterSummary::new(peering, Role::Consumer),
            provider: ClusterSummary::new(peering, Role::Provider),
            state: peering.state.word(),
            liqo_version: peering.lowest_liqo().to_string(),
            gateway: peering.networking.as_ref().map(Gateway::new),
            ends,
            not_opened: not_opened.collect(),
        }
    }

    fn cells(&self) -> [String; COLUMNS] {
        let (consumer, provider) = (&self.consumer, &self.provider);
        let gateway = self.gateway.as_ref().map(Gateway::text);
        let mut ends: Vec<String> = self.ends.iter().map(ListedEnd::text).collect();
        for file in &self.not_opened {
            ends.push(format!("{} not opened", file.as_str()));
        }
        [
            self.name.clone(),
            format!("{} → {}", consumer.id, provider.id),
            self.state.to_owned(),
            self.liqo_version.clone(),
            gateway.unwrap_or_else(|| "none".to_owned()),
            format!("{}, {}", consumer.generation, provider.generation),
            format!("{}/{}", consumer.delivery, provider.delivery),
            ends.join(", "),
        ]
    }
}

impl ClusterSummary {
    fn new(peering: &Peering, role: Role) -> Self {
        let cluster = &peering.clusters[role];
        Self {
            id: cluster.id.to_string(),
            delivery: cluster.delivery.word(),
            generation: cluster.generation.get(),
            since: cluster.rotated.map(|day| day.to_string()),
        }
    }
}

const COLUMNS: usize = 8;

/// A table in the format of kubectl: each column as wide as its widest cell. The last column is left out if it is empty.
fn table_text(rows: &[PeeringRow]) -> String {
    let is_bare = |row: &PeeringRow| row.ends.is_empty() && row.not_opened.is_empty();
    let headings = [
        "NAME",
        "CONSUMER → PROVIDER",
        "STATE",
        "LIQO",
        "GATEWAY",
        "KEY GENERATIONS",
        "DELIVERY",
        if rows.iter().all(is_bare) { "" } else { "ENDS" },
    ];
    let mut lines = vec![headings.map(ToOwned::to_owned)];
    lines.extend(rows.iter().map(PeeringRow::cells));
    let mut widths = [0; COLUMNS];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for line in &lines {
        let mut row = String::new();
        for (cell, width) in line.iter().zip(widths) {
            row += &format!("{cell:width$}  ");
        }
        text += &format!("{}\n", row.trim_end());
    }
    text
}
