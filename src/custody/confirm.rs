//! CONFIRM and SEAL: for which recipients and on which terms a secret is about to be sealed.
//!
//! Recipients are public, and anyone with push access writes the files of a checkout: the list of recipients, terms, certificates. So
//! nothing is sealed blindly: a secret is sealed only with a [`Confirmed`], and only [`Proposal::confirm`] makes one.

use super::Error;
use super::age::{self, Recipient};
use super::identities::recipients as recipients_of;
use super::payload::{PayloadJson, PayloadKind};
use super::terms::{Terms, TermsJson};
use crate::diagnostic::{Bug, quoted, readable};
use crate::input::file::shown_path_in_ascii;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use zeroize::Zeroizing;

/// The person who sees what is proposed, and answers.
pub(crate) trait Person {
    fn note(&mut self, line: &str);

    /// The line that is typed after a question, if there is a terminal.
    fn answer(&mut self, question: &str) -> Option<String>;
}

/// A recipient, and the place that names it, ready to be shown.
#[derive(Debug, Clone)]
pub(crate) struct NamedRecipient {
    pub(crate) recipient: Recipient,
    pub(crate) place: String,
}

/// Where terms are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A flag sets each of them.
    Flags,
    /// Some are from a sealed file, peering.yaml, a cluster, or the Git checkout.
    Elsewhere,
}

/// A file that is to be sealed, and who will be able to open it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proposed<'p> {
    pub(crate) file: &'p Path,
    pub(crate) terms: &'p Terms,
    pub(crate) recipients: &'p [NamedRecipient],
}

/// What is to be sealed, for whom.
#[derive(Debug)]
pub(crate) struct Proposal<'p> {
    pub(crate) files: &'p [Proposed<'p>],
    pub(crate) terms: Origin,
    /// The files of a checkout that name recipients or are certificates.
    pub(crate) of_checkouts: &'p [PathBuf],
    /// The actions at a cluster that come before the sealing, one for each line.
    pub(crate) at_cluster: &'p [String],
    /// The digest of the terms and recipients that the person saw before.
    pub(crate) expect: Option<&'p str>,
}

/// The terms of one file and its recipients, which a person has chosen by flags or has seen and confirmed.
#[derive(Debug)]
pub(crate) struct Confirmed {
    terms: Terms,
    recipients: Rc<[Recipient]>,
}

impl Confirmed {
    pub(crate) const fn terms(&self) -> &Terms {
        &self.terms
    }
}

/// Why nothing may be sealed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unconfirmed {
    /// There is no terminal to ask at, and no digest was given.
    #[error("the terms and recipients above are unconfirmed: nothing was sealed")]
    Unasked,
    /// The digest is that of other terms or recipients.
    #[error("{0} does not match these terms and recipients: nothing was sealed")]
    OtherDigest(String),
    /// The answer is not `yes`.
    #[error("Not confirmed. Nothing was sealed.")]
    Declined,
}

impl Proposal<'_> {
    /// Shows everything, and returns what may be sealed, in the order of the files. If not all of it comes from flags, a person confirms
    /// it: with its digest, or with `yes` at a terminal.
    pub(crate) fn confirm(&self, person: &mut impl Person) -> Result<Vec<Confirmed>, Unconfirmed> {
        self.show(person);
        let digest = digest_of(self.files, self.at_cluster);
        let is_of_flags = self.terms == Origin::Flags && self.of_checkouts.is_empty();
        let (is_certain, question) = match self.at_cluster {
            [] => (is_of_flags, TO_SEAL),
            _ => (false, TO_ISSUE),
        };
        let answer = match self.expect {
            Some(expected) if expected == digest => Ok(()),
            Some(other) => Err(Unconfirmed::OtherDigest(shown_digest(other))),
            None if is_certain => Ok(()),
            None => match typed_yes(person, question) {
                Some(true) => Ok(()),
                Some(false) => return Err(Unconfirmed::Declined),
                None => Err(Unconfirmed::Unasked),
            },
        };
        if answer.is_err() {
            person.note(&format!("to confirm them: --expect {}", readable(&digest)));
        }
        answer?;
        let mut confirmed = Vec::new();
        for file in self.files {
            let recipients = file.recipients.iter();
            confirmed.push(Confirmed {
                terms: file.terms.clone(),
                recipients: recipients.map(|named| named.recipient.clone()).collect(),
            });
        }
        Ok(confirmed)
    }

    fn show(&self, person: &mut impl Person) {
        for line in self.at_cluster {
            person.note(line);
        }
        let common = common_recipients(self.files);
        show_terms(self.files, person);
        for Proposed {
            file,
            terms,
            recipients,
        } in self.files
        {
            let name = shown_path_in_ascii(file);
            if !terms.allow_argo_cd() {
                person.note(&format!(
                    "note: Argo CD will not open {name}: that needs --project, --repo and --path"
                ));
            }
            if common.is_none() {
                show_recipients(&format!("recipients of {name}:"), recipients, person);
            }
        }
        if let (Some(_), Some(first)) = (common, self.files.first()) {
            show_recipients("recipients:", first.recipients, person);
        }
        for file in self.of_checkouts {
            let name = shown_path_in_ascii(file);
            person.note(&format!(
                "note: {name} is in a Git checkout: anyone with push access can change it"
            ));
        }
    }
}

const TO_SEAL: &str = "Seal with these terms, for these recipients? Type `yes`:";
const AGAIN: &str = "Type the whole word, `yes`:";
const TO_ISSUE: &str =
    "Do this at the cluster, and seal with these terms, for these recipients? Type `yes`:";

/// Whether a person types `yes`; `None` without a terminal.
pub(crate) fn typed_yes(person: &mut impl Person, question: &str) -> Option<bool> {
    let mut answer = person.answer(question)?;
    // a `y` is neither the answer that was asked for nor a no, so the question is repeated
    if answer.eq_ignore_ascii_case("y") {
        answer = person.answer(AGAIN)?;
    }
    Some(answer == "yes")
}

/// Shows the terms, a row each: once those that all files share, and then those of each file.
fn show_terms(files: &[Proposed<'_>], person: &mut impl Person) {
    let tables: Vec<Vec<String>> = files.iter().map(|file| file.terms.rows()).collect();
    let mut common = Vec::new();
    if let [first, _, ..] = tables.as_slice() {
        common.extend(first);
        common.retain(|row| tables.iter().all(|table| table.contains(row)));
    }
    if !common.is_empty() {
        person.note(&format!("terms of all {} files:", files.len()));
        for row in &common {
            person.note(row);
        }
    }
    for (Proposed { file, .. }, table) in files.iter().zip(&tables) {
        let own: Vec<&String> = table.iter().filter(|row| !common.contains(row)).collect();
        let same = if own.is_empty() { " the same" } else { "" };
        person.note(&format!("terms of {}:{same}", shown_path_in_ascii(file)));
        for row in own {
            person.note(row);
        }
    }
}

fn show_recipients(title: &str, recipients: &[NamedRecipient], person: &mut impl Person) {
    person.note(title);
    for NamedRecipient { recipient, place } in recipients {
        let recipient = readable(&recipient.to_string());
        person.note(&format!("  {recipient} ({place})"));
    }
}

fn texts(Proposed { recipients, .. }: &Proposed<'_>) -> BTreeSet<String> {
    let recipients = recipients.iter();
    recipients.map(|it| it.recipient.to_string()).collect()
}

/// The recipients of each file, if they are the same for all files.
fn common_recipients(files: &[Proposed<'_>]) -> Option<BTreeSet<String>> {
    let first = texts(files.first()?);
    let mut files = files.iter();
    files.all(|file| texts(file) == first).then_some(first)
}

/// SHA-256, in hexadecimal, of the files' terms, of their recipients, and of the actions at a cluster.
fn digest_of(files: &[Proposed<'_>], at_cluster: &[String]) -> String {
    let terms: Vec<TermsJson> = files.iter().map(|it| it.terms.to_json()).collect();
    let each: Vec<BTreeSet<String>> = files.iter().map(texts).collect();
    // strings serialize
    let json = match (common_recipients(files), at_cluster) {
        (Some(all), []) => serde_json::to_vec(&(terms, all)),
        (Some(all), lines) => serde_json::to_vec(&(terms, all, lines)),
        (None, lines) => serde_json::to_vec(&(terms, each, lines)),
    };
    format!("sha256:{:x}", Sha256::digest(json.unwrap_or_default()))
}

/// A digest as it was written. A text in the form of a digest is public.
fn shown_digest(written: &str) -> String {
    let digits = written.strip_prefix("sha256:").unwrap_or_default();
    if digits.len() == 64 && digits.as_bytes().iter().all(u8::is_ascii_hexdigit) {
        readable(&format!("`{written}`"))
    } else {
        quoted(written)
    }
}

/// Seals a secret on confirmed terms. A file or a header that is larger than any run reads is an error, with `name` as the file.
pub(crate) fn seal(
    kind: PayloadKind,
    secret: &Zeroizing<String>,
    confirmed: &Confirmed,
    name: &Path,
) -> Result<Vec<u8>, Error> {
    let sealed = sealed(kind, secret, &confirmed.terms, &confirmed.recipients)?;
    let length = u64::try_from(sealed.len()).unwrap_or(u64::MAX);
    if length <= kind.cap() && recipients_of(&sealed).is_ok() {
        return Ok(sealed);
    }
    Err(Error::Sealing {
        name: name.display().to_string(),
        cap: kind.cap(),
    })
}

/// An armored age file.
pub(super) fn sealed(
    kind: PayloadKind,
    secret: &Zeroizing<String>,
    terms: &Terms,
    recipients: &[Recipient],
) -> Result<Vec<u8>, Error> {
    match serde_json::to_vec(&PayloadJson::new(kind, secret.clone(), terms)) {
        Ok(json) => age::seal(&Zeroizing::new(json), recipients),
        Err(_) => Err(Bug::new("sealing: the payload").into()),
    }
}
