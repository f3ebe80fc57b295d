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
use crate::peering::{Peering, Role, Sides};
use crate::report;
use crate::report::Format;
use crate::state::repo::ValidDocument;
use clap::Args;
pub(super) use ends::not_after;
use ends::{End, ends};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// List peerings: clusters, gateways, keys, ends of credentials
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering list peerings
  argocd-peering list peerings --expires-within 30d

One line a peering. With --identity-file or --expires-within each sealed file is opened, to say when its credential and its certificates end; nothing \
secret is printed. What cannot be read or opened is an error, and then there is no table; a \
file that is sealed for another cluster's Argo CD is `not opened`. docs/howto/monitor.md has a job for \
each night.

Exit codes: 0 done, 1 something ends within that time, or a document or a sealed file cannot be used, 2 usage, 3 the \
environment (I/O).")]
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
    for (described, of_others) in read.iter().zip(of_others(&read, identities.as_ref())) {
        match ends(described, identities.as_ref(), &of_others) {
            Ok(ends) => rows.push(Row::new(described, ends, &of_others)),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(WorkstationError::of_peerings(errors, read.len()));
    }
    let soon = arguments
        .expires_within
        .map(|within| ending(&rows, now() + within));
    let table = match arguments.format {
        Format::Json => report::json(&Table { peerings: rows })?,
        Format::Text => printed(&text(&rows)),
    };
    if soon.is_none() {
        return streams.deliver(&table);
    }
    // the exit code is an answer too
    streams.print(&table)?;
    let Some(soon) = soon.filter(|soon| *soon > 0) else {
        return Ok(());
    };
    streams.note(&match soon {
        1 => "1 credential or certificate ends within that time".to_owned(),
        _ => format!("{soon} credentials and certificates end within that time"),
    });
    // the ends are in the table
    Err(WorkstationError::reported(soon, read.len()))
}

/// The files of each peering that another Argo CD opens.
fn of_others<'r>(
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
    all.into_iter()
        .map(|Sides { consumer, provider }| [consumer, provider].concat())
        .collect()
}

/// How many credentials and certificates end before this time. Those without a known end do not count.
fn ending(rows: &[Row], until: Duration) -> usize {
    let ends = rows
        .iter()
        .flat_map(|row| &row.ends)
        .filter_map(|end| end.at);
    ends.filter(|end| *end <= until).count()
}

/// What `list --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Table {
    /// In the order of their paths.
    peerings: Vec<Row>,
}

/// A peering.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Peering")]
struct Row {
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
    /// Sealed files that are for another cluster's Argo CD, and that the identity does not open.
    #[serde(skip_serializing_if = "Vec::is_empty", default = "Vec::<Shown>::new")]
    not_opened: Vec<Shown>,
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
        let dialled = networking.dialled();
        let port = dialled
            .and_then(|(_, port)| port)
            .or_else(|| server.answers_at());
        Self {
            location: server.location.word(),
            address: dialled.map(|(address, _)| address.to_string()),
            port: port.map(Port::get),
        }
    }

    fn text(&self) -> String {
        let address = self.address.as_deref().unwrap_or("pending");
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        let address = if address.contains(':') {
            format!("[{address}]")
        } else {
            address.to_owned()
        };
        format!("{} {address}{port}", self.location)
    }
}

impl Row {
    fn new(
        ValidDocument { path, peering, .. }: &ValidDocument,
        ends: Vec<End>,
        of_others: &[&FileName],
    ) -> Self {
        Self {
            file: path.display().to_string().into(),
            name: peering.name.to_string(),
            consumer: Cluster::new(peering, Role::Consumer),
            provider: Cluster::new(peering, Role::Provider),
            state: peering.state.word(),
            liqo_version: peering.lowest_liqo().to_string(),
            gateway: peering.networking.as_ref().map(Gateway::new),
            ends,
            not_opened: of_others
                .iter()
                .map(|file| file.to_string().into())
                .collect(),
        }
    }

    fn cells(&self) -> [String; COLUMNS] {
        let Self {
            name,
            consumer,
            provider,
            ..
        } = self;
        let not_opened = self
            .not_opened
            .iter()
            .map(|file| format!("{} not opened", file.as_str()));
        let ends: Vec<String> = self.ends.iter().map(End::text).chain(not_opened).collect();
        [
            name.clone(),
            format!("{} → {}", consumer.id, provider.id),
            self.state.to_owned(),
            self.liqo_version.clone(),
            self.gateway
                .as_ref()
                .map_or_else(|| "none".to_owned(), Gateway::text),
            format!("{}, {}", consumer.generation, provider.generation),
            format!("{}/{}", consumer.delivery, provider.delivery),
            ends.join(", "),
        ]
    }
}

impl Cluster {
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
const ENDS: &str = "ENDS";
const HEADINGS: [&str; COLUMNS] = [
    "NAME",
    "CONSUMER → PROVIDER",
    "STATE",
    "LIQO",
    "GATEWAY",
    "KEY GENERATIONS",
    "DELIVERY",
    ENDS,
];

/// A table in the format of kubectl. The last column is left out if it is empty.
fn text(rows: &[Row]) -> String {
    let has_ends = rows
        .iter()
        .any(|row| !row.ends.is_empty() || !row.not_opened.is_empty());
    columns(HEADINGS, rows.iter().map(Row::cells), |heading| {
        has_ends || heading != ENDS
    })
}

/// The columns with these headings, each as wide as its widest cell.
pub(super) fn columns<const N: usize>(
    headings: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    is_shown: impl Fn(&str) -> bool,
) -> String {
    let lines: Vec<[String; N]> = std::iter::once(headings.map(ToOwned::to_owned))
        .chain(rows)
        .collect();
    let mut widths = [0; N];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for line in &lines {
        let cells = line
            .iter()
            .zip(widths)
            .zip(headings)
            .filter(|(_, heading)| is_shown(heading));
        let cells: Vec<String> = cells
            .map(|((cell, width), _)| format!("{cell:width$}"))
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
