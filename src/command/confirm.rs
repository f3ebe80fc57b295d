//! Sealing on terms that a file brings along. Recipients are public, so anyone with push access can replace a sealed file by
//! one of their own on other terms, or add a recipient to a file of the repository. So a person sees both and confirms them.

use super::{Streams, flags};
use crate::cli::ResealFlags;
use crate::command::error::Error;
use crate::custody::{Recipient, Terms};
use crate::diagnostic::{readable, shown_name};
use std::io::IsTerminal as _;
use std::path::Path;

/// The terms of a sealed file, with those of the flags in their place, and the recipients, once a person has confirmed them.
pub(super) fn confirmed(
    flags: &ResealFlags,
    of_file: Terms,
    sealed_file: &Path,
    streams: &mut Streams<'_>,
) -> Result<(Terms, Vec<Recipient>), Error> {
    let terms = flags::terms(&flags.clusters, &flags.uses)?.or(of_file).map_err(|term| Error::Flag {
        flag: flags::flag(term),
        reason: format!(
            "the file allows any of the {term}, which is not inherited: set them, or set `*` again"
        ),
    })?;
    if terms.clusters.is_empty() {
        let reason = "the file has no terms yet: set the IDs of its two clusters".into();
        return Err(Error::Flag { flag: "--clusters", reason });
    }
    let terms = flags::with_certificates(terms, &flags.certificates)?;
    let recipients = flags::recipients(&flags.recipients)?;
    streams.note(&format!("terms: {terms}\nrecipients:"));
    for (recipient, place) in &recipients {
        streams.note(&format!("  {} ({})", readable(&recipient.to_string()), shown_name(place)));
    }
    for file in flags.recipients.recipients_files.iter().filter(|file| is_in_repository(file, sealed_file)) {
        let name = shown_name(&file.display().to_string());
        streams.note(&format!("note: {name} is in the repository: anyone with push access can change it"));
    }
    let recipients: Vec<Recipient> = recipients.into_iter().map(|(recipient, _)| recipient).collect();
    let digest = terms.digest(&recipients);
    let confirmed = match &flags.expect {
        Some(expected) => *expected == digest,
        None => streams.terminal && std::io::stdin().is_terminal() && typed_yes(streams),
    };
    if confirmed {
        return Ok((terms, recipients));
    }
    streams.note(&format!("to confirm them: --expect {}", readable(&digest)));
    let reason = "the terms and recipients above are not confirmed, so nothing was sealed".into();
    Err(Error::Flag { flag: "--expect", reason })
}

fn typed_yes(streams: &mut Streams<'_>) -> bool {
    streams.note("Type `yes` if a file with these terms and recipients is what you want:");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok() && answer.trim_end() == "yes"
}

/// Whether a file is in the repository of a sealed file, as far as its `.git` shows, else in the same folder.
fn is_in_repository(file: &Path, sealed_file: &Path) -> bool {
    let (Ok(file), Ok(sealed_file)) = (file.canonicalize(), sealed_file.canonicalize()) else {
        return false;
    };
    let root = sealed_file.ancestors().find(|folder| folder.join(".git").exists()).or(sealed_file.parent());
    root.is_some_and(|root| file.starts_with(root))
}
