//! `list`: a line for each peering of a fleet, and when its credentials and certificates end.

mod ends;
mod table;

use super::documents::peerings_at;
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::forms::Format;
use crate::command::workstation::flags::{IdentityFlag, PeeringPaths};
use crate::diagnostic::secrecy::printed;
use crate::report;
use clap::Args;
pub(super) use ends::not_after;
use ends::{End, ends};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
pub(in crate::command) use table::Table;
use table::{Row, text};

pub(crate) const LIST_EXAMPLE: &str = "Examples:
  argocd-peering list peerings
  argocd-peering list peerings --expires-within 30d
  argocd-peering list peerings --ages --from origin/main

One line a peering. With --identity-file or --expires-within each sealed file is opened, to say when its credential and its certificates end; nothing \
secret is printed. What cannot be read or opened is an error, and then there is no table. docs/howto/monitor.md has a job for \
each night.

Exit codes: 0 done, 1 something ends within that time, or a document or a sealed file cannot be used, 2 usage, 3 the \
environment (I/O).";

/// `list`
#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    pub peerings: PeeringPaths,
    /// What opens them
    #[command(flatten)]
    pub identity: IdentityFlag,
    /// End with exit code 1 if something ends within this time: days or weeks, such as 30d or 6w
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub expires_within: Option<Duration>,
    /// Since when each side has its key: the document's `keyRotated`
    #[arg(long)]
    pub ages: bool,
    /// A table for people, or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

pub(super) fn time(text: &str) -> Result<Duration, &'static str> {
    const RULE: &str = "a number of days or weeks is needed, such as 30d or 6w";
    let (number, unit) = match (text.strip_suffix('d'), text.strip_suffix('w')) {
        (Some(number), _) => (number, 1),
        (_, Some(number)) => (number, 7),
        _ => return Err(RULE),
    };
    let number = number.parse::<u16>().map_err(|_| RULE)?;
    Ok(Duration::from_secs(u64::from(number) * unit * 24 * 60 * 60))
}

pub(crate) fn list(arguments: &List, streams: &mut Streams<'_>) -> Result<(), Error> {
    let read = peerings_at(&arguments.peerings)?;
    let opens = arguments.identity.identity_file.is_some() || arguments.expires_within.is_some();
    let identities = opens.then(|| arguments.identity.identities()).transpose()?;
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    for described in &read {
        match ends(described, identities.as_ref()) {
            Ok(ends) => rows.push(Row::new(described, ends)),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(Error::of_peerings(errors, read.len()));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let soon = arguments.expires_within.map(|within| ending(&rows, now + within));
    streams.print(&match arguments.format {
        Format::Json => report::json(&Table { peerings: rows })?,
        Format::Text => printed(&text(&rows, arguments.ages)),
    })?;
    let Some(soon) = soon.filter(|soon| *soon > 0) else { return Ok(()) };
    streams.note(&match soon {
        1 => "1 credential or certificate ends within that time".to_owned(),
        _ => format!("{soon} credentials and certificates end within that time"),
    });
    // they are in the table
    Err(Error::reported(soon, read.len()))
}

/// How many credentials and certificates end before this time. What does not say when it ends is not among them.
fn ending(rows: &[Row], until: Duration) -> usize {
    let ends = rows.iter().flat_map(Row::ends).filter_map(End::at);
    ends.filter(|end| *end <= until).count()
}
