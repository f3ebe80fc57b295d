//! `seed reseal`: the same secret for other recipients or on other terms.

use super::{Streams, confirm};
use crate::cli::SeedReseal;
use crate::command::error::Error;
use crate::custody::{self, Opened, PayloadProblem, seal, store};

pub(super) fn reseal(arguments: &SeedReseal, streams: &mut Streams<'_>) -> Result<(), Error> {
    let path = &arguments.file;
    let Opened { payload, recipients: recipients_before } = Opened::read(path, &arguments.identity_file)?;
    let kind = payload.kind_by_content().ok_or_else(|| custody::Error::Payload {
        name: path.display().to_string(),
        problem: PayloadProblem::Malformed,
    })?;
    let of_file = payload.terms.unwrap_or_default();
    let (terms, recipients) = confirm::confirmed(&arguments.seal, of_file, path, streams)?;
    let sealed = seal(kind, &payload.secret, &terms, &recipients, path)?;
    match &arguments.output {
        Some(output) => store::create(output, &sealed)?,
        None => store::replace(path, &sealed, false)?,
    }
    streams.note(&format!("it had {recipients_before} recipient(s) before"));
    streams.sealed(arguments.output.as_ref().unwrap_or(path), &terms, recipients.len());
    streams.note(
        "note: older versions of the file, in Git's history for instance, still open as before; only a new secret makes them useless",
    );
    Ok(())
}
