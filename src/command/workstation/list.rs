//! `list`: a line for each peering of a fleet, and when its credentials and certificates end.

mod ends;
mod table;

use super::documents::peerings_at;
use crate::cli::{Format, List};
use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::Identities;
use crate::diagnostic::secrecy::printed;
use crate::report;
use ends::{End, ends};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
pub(in crate::command) use table::Table;
use table::{Row, text};

pub(super) fn list(arguments: &List, streams: &mut Streams<'_>) -> Result<(), Error> {
    let read = peerings_at(&arguments.peerings)?;
    let identities = arguments.identity_file.as_deref().map(Identities::read).transpose();
    let identities = identities.map_err(crate::custody::Error::from)?;
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
