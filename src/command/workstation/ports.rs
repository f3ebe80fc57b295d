//! `ports`: what must be open between the clusters of peerings, and inside each of them: who dials whom, where, and why.

mod flow;

use super::documents::peerings_at;
use super::list::columns;
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::workstation::flags::PeeringPaths;
use crate::diagnostic::secrecy::printed;
use crate::report;
use clap::Args;
use flow::{Flow, flows};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

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

pub(crate) fn ports(arguments: &Ports, streams: &mut Streams<'_>) -> Result<(), Error> {
    let read = peerings_at(&arguments.peerings)?;
    let (inside, between): (Vec<Flow>, Vec<Flow>) =
        read.iter().flat_map(|it| flows(&it.peering)).partition(Flow::is_inside);
    // several peerings of a cluster have the same
    let mut seen = BTreeSet::new();
    let inside = inside.into_iter().filter(|it| seen.insert(it.cells()));
    let open = Open { flows: between.into_iter().chain(inside).collect() };
    streams.print(&match arguments.format {
        PortsFormat::Json => report::json(&open)?,
        PortsFormat::Markdown => printed(&markdown(&open.flows)),
        PortsFormat::Text => printed(&columns(HEADINGS, open.flows.iter().map(Flow::cells), |_| true)),
    })
}

const HEADINGS: [&str; 6] = ["WHERE", "FROM", "TO", "ADDRESS", "PORT", "WHY"];

/// A table whose cells are in code: a document's words link, mention and format nothing.
fn markdown(flows: &[Flow]) -> String {
    let row = |cells: &[String; 6]| format!("| {} |\n", cells.join(" | "));
    let code = |cell: String| format!("`{}`", cell.replace('`', "").replace(['|', '\n'], " "));
    let rows: String = flows.iter().map(|it| row(&it.cells().map(code))).collect();
    row(&HEADINGS.map(str::to_lowercase)) + "|---|---|---|---|---|---|\n" + &rows
}
