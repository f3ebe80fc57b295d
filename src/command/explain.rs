//! `explain`: what a code means.

use super::Streams;
use crate::cli::Explain;
use crate::command::error::Error;
use crate::diagnostic::explain;

pub(super) fn explain(arguments: &Explain, streams: &mut Streams<'_>) -> Result<(), Error> {
    let text = match &arguments.code {
        Some(code) => explain::find(code).map_err(|reason| Error::Flag { flag: "CODE", reason })?.text(),
        None => explain::list(),
    };
    streams.print(&text)
}
