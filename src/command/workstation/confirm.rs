//! Sealing on terms that no flag sets: they come from a sealed file or from peering.yaml, and anyone with push access can
//! have written those. Recipients are public, and can be added to a file of the repository. So a person sees both and
//! confirms them.

use super::flags::Receivers;
use super::git::Checkout;
use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::Terms;
use crate::diagnostic::{readable, shown_name};
use std::io::IsTerminal as _;
use std::path::Path;

/// Shows the terms of each file and who will be able to open all of them, and returns once a person has confirmed them: by
/// their digest, or with `yes` at a terminal.
pub(super) fn confirm(
    files: &[(&Path, &Terms)],
    receivers: &Receivers,
    expect: Option<&str>,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    for (file, terms) in files {
        let name = shown_name(&file.display().to_string());
        streams.note(&format!("terms of {name}: {terms}"));
    }
    streams.note("recipients:");
    for (recipient, place) in &receivers.named {
        streams.note(&format!("  {} ({})", readable(&recipient.to_string()), shown_name(place)));
    }
    let is_beside = |list: &&std::path::PathBuf| files.iter().any(|(file, _)| is_in_repository(list, file));
    for list in receivers.lists.iter().filter(is_beside) {
        let name = shown_name(&list.display().to_string());
        streams.note(&format!("note: {name} is in the repository: anyone with push access can change it"));
    }
    let terms: Vec<&Terms> = files.iter().map(|(_, terms)| *terms).collect();
    let digest = Terms::digest(&terms, &receivers.all());
    let confirmed = match expect {
        Some(expected) => *expected == digest,
        None => streams.terminal && std::io::stdin().is_terminal() && typed_yes(streams),
    };
    if confirmed {
        return Ok(());
    }
    streams.note(&format!("to confirm them: --expect {}", readable(&digest)));
    let reason = "the terms and recipients above are not confirmed, so nothing was sealed".into();
    Err(Error::Flag { flag: "--expect", reason })
}

fn typed_yes(streams: &mut Streams<'_>) -> bool {
    streams.note("Type `yes` if sealing on these terms for these recipients is what you want:");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok() && answer.trim_end() == "yes"
}

/// Whether a file is in the repository of a sealed file, as far as its `.git` shows, else in the same folder.
fn is_in_repository(file: &Path, sealed_file: &Path) -> bool {
    let folder = sealed_file.parent().unwrap_or_else(|| Path::new(""));
    let root = match Checkout::of(folder) {
        Some(checkout) => checkout.root().to_owned(),
        None => folder.canonicalize().unwrap_or_default(),
    };
    file.canonicalize().is_ok_and(|file| file.starts_with(root))
}
