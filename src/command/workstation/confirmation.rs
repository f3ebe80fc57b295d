//! The question before anything is sealed, at a terminal or answered by a digest.

use super::given_certificates::Given;
use super::receivers::Receivers;
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::workstation::flags::SealFlags;
use crate::custody::{Confirmed, Origin, Person, Proposal, Proposed, Terms, Unconfirmed};
use crate::diagnostic::Bug;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// What may be sealed, for one file, after what is done at a cluster.
pub(super) fn confirm_one(
    flags: &SealFlags,
    file: (&Path, &Terms),
    origin: (Origin, &[String]),
    certificates: &Given,
    streams: &mut Streams<'_>,
) -> Result<Confirmed, Error> {
    let mut confirmed = confirm(flags, &[file], origin, certificates, streams)?;
    confirmed.pop().ok_or_else(|| Bug::new("sealing: what was confirmed").into())
}

/// What may be sealed: for each of these files its terms, and all recipients of the flags.
pub(super) fn confirm(
    flags: &SealFlags,
    files: &[(&Path, &Terms)],
    (terms, at_cluster): (Origin, &[String]),
    certificates: &Given,
    streams: &mut Streams<'_>,
) -> Result<Vec<Confirmed>, Error> {
    let files: Vec<_> = files.iter().map(|&(file, terms)| (flags, file, terms)).collect();
    confirm_each(&files, (terms, at_cluster), &certificates.of_checkouts, streams)
}

/// What may be sealed: for each of these files its terms, and its own recipients.
pub(super) fn confirm_each(
    files: &[(&SealFlags, &Path, &Terms)],
    (terms, at_cluster): (Origin, &[String]),
    certificates: &[PathBuf],
    streams: &mut Streams<'_>,
) -> Result<Vec<Confirmed>, Error> {
    let receivers = files.iter().map(|(flags, ..)| Receivers::new(&flags.recipients));
    let receivers = receivers.collect::<Result<Vec<_>, _>>()?;
    let each = files.iter().zip(&receivers);
    let each = each.map(|(&(_, file, terms), it)| Proposed { file, terms, recipients: &it.named });
    let mut of_checkouts = Vec::new();
    for file in receivers.iter().flat_map(|it| &it.of_checkouts).chain(certificates) {
        if !of_checkouts.contains(file) {
            of_checkouts.push(file.clone());
        }
    }
    let proposal = Proposal {
        files: &each.collect::<Vec<_>>(),
        terms,
        of_checkouts: &of_checkouts,
        at_cluster,
        expect: files.first().and_then(|(flags, ..)| flags.expect.as_deref()),
    };
    proposal.confirm(streams).map_err(|problem| match problem {
        Unconfirmed::Declined => Error::Unconfirmed,
        problem => Error::flag("--expect", problem.to_string()),
    })
}

impl Person for Streams<'_> {
    fn note(&mut self, line: &str) {
        Streams::note(self, line);
    }

    fn answer(&mut self, question: &str) -> Option<String> {
        if !self.terminal || !std::io::stdin().is_terminal() {
            return None;
        }
        Streams::note(self, question);
        let mut answer = String::new();
        // an end of the input is an answer too
        let _ = std::io::stdin().read_line(&mut answer);
        Some(answer.trim_end().to_owned())
    }
}
