//! Lists everyone who will be able to open a sealed file, and asks before it is sealed: at a terminal, or answered by a digest.

use super::given_certificates::GivenCertificates;
use super::terms_to_seal::{terms_of_new_file, terms_of_old_file};
use crate::command::error::workstation::WorkstationError;
use crate::command::workstation::flags::{RecipientFlags, SealFlags};
use crate::command::{Error, Result, Streams};
use crate::custody::{
    Confirmed, NamedRecipient, Origin, Payload, Person, Proposal, Proposed, Recipient, Terms,
    Unconfirmed,
};
use crate::diagnostic::Bug;
use crate::input::file::{
    FollowedPath, Links, ReadProblem, TextProblem, Unread, read_text, shown_path_in_ascii,
};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// A sealed file to write, before it is confirmed.
pub(super) struct NewFile<'f> {
    flags: &'f SealFlags,
    path: &'f Path,
    pub(super) terms: Terms,
    origin: Origin,
    certificates: GivenCertificates,
    /// The steps at a cluster before the file is sealed.
    at_cluster: Vec<String>,
}

impl<'f> NewFile<'f> {
    /// A new file; or one in the place of another, on the terms of that one where no flag sets others.
    pub(super) fn new(flags: &'f SealFlags, path: &'f Path, old: Option<&Payload>) -> Result<Self> {
        let (terms, origin, certificates) = if let Some(old) = old {
            let mut certificates = GivenCertificates::from_flags(&flags.certificates)?;
            let of_file = old.terms.clone().unwrap_or_default();
            let terms = terms_of_old_file(flags, &of_file, path, &mut certificates)?;
            certificates.check_used()?;
            (terms, Origin::Elsewhere, certificates)
        } else {
            let (terms, origin) = terms_of_new_file(flags, path)?;
            let certificates = GivenCertificates::from_flags(&flags.certificates)?;
            (certificates.of_new_file(terms)?, origin, certificates)
        };
        Ok(Self {
            flags,
            path,
            terms,
            origin,
            certificates,
            at_cluster: Vec::new(),
        })
    }

    /// What is sealed comes from a cluster, where this is done before.
    pub(super) fn with_steps(self, at_cluster: Vec<String>) -> Self {
        Self {
            at_cluster,
            origin: Origin::Elsewhere,
            ..self
        }
    }

    pub(super) fn confirm(&self, streams: &mut Streams<'_>) -> Result<Confirmed> {
        let file = (self.flags, self.path, &self.terms);
        let origin = (self.origin, self.at_cluster.as_slice());
        let certificates = &self.certificates.of_checkouts;
        let confirmed = confirm_each(&[file], origin, certificates, streams)?.pop();
        confirmed.ok_or_else(|| Bug::new("sealing: what was confirmed").into())
    }
}

/// Confirms the sealing of these files, each with its terms and its recipients.
pub(super) fn confirm_each(
    files: &[(&SealFlags, &Path, &Terms)],
    (terms, at_cluster): (Origin, &[String]),
    certificates: &[PathBuf],
    streams: &mut Streams<'_>,
) -> Result<Vec<Confirmed>> {
    let mut receivers = Vec::new();
    for (flags, ..) in files {
        receivers.push(Receivers::new(&flags.recipients)?);
    }
    let mut each = Vec::new();
    let mut of_checkouts = certificates.to_vec();
    for (&(_, file, terms), it) in files.iter().zip(&receivers) {
        let recipients = &it.named;
        each.push(Proposed {
            file,
            terms,
            recipients,
        });
        of_checkouts.extend_from_slice(&it.of_checkouts);
    }
    of_checkouts.sort();
    of_checkouts.dedup();
    let expect = files
        .first()
        .and_then(|(flags, ..)| flags.expect.as_deref());
    let proposal = Proposal {
        files: &each,
        terms,
        of_checkouts: &of_checkouts,
        at_cluster,
        expect,
    };
    proposal.confirm(streams).map_err(|problem| match problem {
        Unconfirmed::Declined => WorkstationError::Unconfirmed.into(),
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
        // the end of the input is an answer too
        let _ = std::io::stdin().read_line(&mut answer);
        Some(answer.trim_end().to_owned())
    }
}

/// The largest recipients file.
const CAP: u64 = 64 * 1024;

/// The recipients of a file, at least one.
pub(super) struct Receivers {
    pub(super) named: Vec<NamedRecipient>,
    /// The recipients files that are in a checkout.
    pub(super) of_checkouts: Vec<PathBuf>,
}

impl Receivers {
    pub(super) fn new(flags: &RecipientFlags) -> Result<Self> {
        let mut named = Vec::new();
        for text in &flags.recipients {
            let place = "--recipient".to_owned();
            let recipient = recipient(text.trim(), "--recipient", "")?;
            named.push(NamedRecipient { recipient, place });
        }
        for path in &flags.recipients_files {
            let text = read_text(path, CAP, Links::Follow).map_err(unread_recipients)?;
            for (index, line) in text.lines().enumerate() {
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    let place = format!("{}, line {}", shown_path_in_ascii(path), index + 1);
                    let recipient = recipient(line, "--recipients-file", &format!("{place}: "))?;
                    named.push(NamedRecipient { recipient, place });
                }
            }
        }
        if named.is_empty() {
            let reason = "the recipient is missing: give what `age-keygen -y identity.txt` prints, or a --recipients-file";
            return Err(Error::flag("--recipient", reason));
        }
        let mut of_checkouts = flags.recipients_files.clone();
        of_checkouts.retain(|list| FollowedPath::new(list).is_of_checkout());
        Ok(Self {
            named,
            of_checkouts,
        })
    }
}

/// The error for a recipients file that was not read. If it is missing, the error says how to write one.
fn unread_recipients(unread: Unread) -> Error {
    const MADE: &str = "write a recipient on each line; `age-keygen -y identity.txt` prints yours";
    if unread.problem == TextProblem::Read(ReadProblem::Missing) {
        return Error::flag("--recipients-file", format!("{unread}: {MADE}"));
    }
    unread.into()
}

/// The beginnings of texts that are not X25519 recipients, with what they are (C2SP `age.md`; age `cmd/age/parse.go`, parseRecipient).
const OTHER_KINDS: [(&str, &str); 5] = [
    ("AGE-SECRET-KEY-", "an identity, the secret half"),
    ("AGE-PLUGIN-", "an identity of an age plugin"),
    ("SSH-", "an SSH key"),
    ("AGE1PQ1", "a post-quantum recipient"),
    ("\u{feff}", "a byte order mark: save the file without it"),
];

fn recipient(text: &str, flag: &'static str, place: &str) -> Result<Recipient> {
    Recipient::parse(text)
        .ok_or_else(|| Error::flag(flag, format!("{place}this is {}", kind_of(text))))
}

/// Names what a text is that is not an X25519 recipient.
fn kind_of(text: &str) -> String {
    const EXPECTED: &str =
        "an age X25519 recipient, `age1` and 58 characters, as `age-keygen -y` prints it";
    let upper = text.to_ascii_uppercase();
    let is_commented = text
        .split_once(['#', ' ', ','])
        .is_some_and(|(first, _)| Recipient::parse(first.trim()).is_some());
    let mut kinds = OTHER_KINDS.iter();
    match kinds.find(|(prefix, _)| upper.starts_with(prefix)) {
        Some((_, what)) => format!("{what}, and not {EXPECTED}"),
        None if is_commented => {
            "a recipient with other text: repeat `--recipient` for each; a line has one, without a comment"
                .to_owned()
        }
        None => format!("not {EXPECTED}"),
    }
}
