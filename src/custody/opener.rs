//! Opens the sealed files of one folder for one caller. It also predicts, before a push, what Argo CD will report of a place in a
//! repository, and whether a file's terms allow it.

use super::Error;
use super::age::Attempts;
use super::authorise::{Denied, Facts, Use, authorise, denied};
use super::identities::{Identities, IdentityProblem};
use super::keys::Seed;
use super::payload::{Payload, PayloadKind, PayloadProblem};
use super::policy::Policy;
use super::sealed_secret::Certificate;
use super::terms::{Certificates, Entry, Term, TermSubject, Terms};
use crate::argocd::caller::Caller;
use crate::diagnostic::shown_name;
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;
use crate::peering::delivery::Delivery;
use crate::peering::values::{ClusterId, FileName, Role};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// Opens sealed files where their terms and the operator's policy allow this caller and this pair of clusters.
pub(super) struct Opener<'r> {
    pub(super) folder: &'r Folder,
    pub(super) identities: Option<Identities>,
    pub(super) tries: Attempts,
    /// The operator's policy. Without a policy, the terms alone decide.
    pub(super) policy: Option<Policy>,
    pub(super) caller: &'r Caller,
    pub(super) peering: &'r Peering,
    /// The side whose stream is generated; `None` where only public keys are printed.
    pub(super) role: Option<Role>,
    /// What the stream gives; nothing where only public keys are printed.
    pub(super) asked: Use<'r>,
    /// In a person's run, the files that were opened.
    pub(super) files: Vec<OpenedFile>,
    /// For each opened file, a line with its terms and the caller.
    pub(super) audit: BTreeMap<String, String>,
}

/// A seed, and the certificates that are sealed with it.
pub(super) struct SealedSeed<'f> {
    pub(super) file: &'f FileName,
    pub(super) seed: Seed,
    pub(super) certificates: Certificates,
}

impl Opener<'_> {
    /// Opens a sealed seed. `delivery` is that of the stream's keys; `None` if only public keys are printed.
    pub(super) fn seed<'f>(
        &mut self,
        file: &'f FileName,
        delivery: Option<Delivery>,
    ) -> Result<SealedSeed<'f>, Error> {
        let payload = self.open(file, PayloadKind::Seed, delivery)?;
        let seed = payload.seed().map_err(Error::of_payload(file))?;
        let certificates = payload
            .terms
            .map(|terms| terms.certificates().clone())
            .unwrap_or_default();
        Ok(SealedSeed {
            file,
            seed,
            certificates,
        })
    }

    /// The credential that a stream shows, with the proxy that the document names. If the credential is sealed to a certificate, its own
    /// file must have that certificate too. Otherwise anyone with push access could replace the seed's file with one that has their
    /// certificate, and read the credential in the Application.
    pub(super) fn credential(
        &mut self,
        file: &FileName,
        delivery: Delivery,
        sealed_to: Option<(&ClusterId, &Certificate)>,
        proxy: Option<&str>,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let payload = self.open(file, PayloadKind::Kubeconfig, Some(delivery))?;
        if let Some((cluster, certificate)) = sealed_to
            && payload
                .terms
                .as_ref()
                .is_none_or(|terms| terms.certificates().get(cluster) != Some(certificate))
        {
            return Err(Error::CertificateMissing {
                name: file.to_string(),
                cluster: cluster.clone(),
            });
        }
        let kubeconfig = Kubeconfig::parse(&payload.secret)
            .and_then(|it| it.with_proxy(proxy))
            .map_err(|problem| Error::Kubeconfig {
                name: file.to_string(),
                problem,
            })?;
        Ok(kubeconfig.text()?)
    }

    pub(super) fn open(
        &mut self,
        name: &FileName,
        kind: PayloadKind,
        delivery: Option<Delivery>,
    ) -> Result<Payload, Error> {
        let sealed = self
            .folder
            .read_bytes(name.as_str(), kind.cap())
            .map_err(|problem| Error::SealedFile {
                name: name.to_string(),
                kind,
                problem,
            })?;
        let identities = self.identities.as_ref().ok_or(IdentityProblem::NotGiven)?;
        let wrap = Error::of_payload(name);
        let plaintext = identities.open(&sealed, &mut self.tries).map_err(&wrap)?;
        let payload =
            Payload::parse(&plaintext).map_err(|problem| wrap(self.problem_for_caller(problem)))?;
        let unbound = match &payload.terms {
            Some(terms) => {
                authorise(
                    terms,
                    self.policy.as_ref(),
                    &self.use_of(delivery),
                    self.caller,
                )
                .map_err(|denied| self.refusal(denied, name, delivery, terms))?;
                String::new()
            }
            None if *self.caller == Caller::Local => format!(
                ": it has no terms, so Argo CD will refuse it: seal it with `argocd-peering {}`",
                kind.command()
            ),
            None => return Err(wrap(PayloadProblem::Unbound(kind))),
        };
        if let (Caller::Local, Some(terms)) = (self.caller, &payload.terms) {
            let (name, terms) = (name.to_string(), terms.clone());
            self.files.push(OpenedFile {
                name,
                terms,
                delivery,
            });
        }
        // only after authorisation: a caller who is denied does not learn what kind the file holds
        let payload = payload.of_kind(kind).map_err(&wrap)?;
        let line = format!("opened {} for {}", shown_name(name.as_str()), self.caller);
        let short = shortened(line, AUDIT_MAX) + &unbound;
        self.audit.insert(name.to_string(), short);
        Ok(payload)
    }

    /// The use of one file. Where Secrets are made is only about a file whose secret is in one.
    fn use_of(&self, delivery: Option<Delivery>) -> Use<'_> {
        let mut asked = self.asked.clone();
        asked.delivery = delivery;
        if delivery.is_none() {
            asked.gifts.namespaces.clear();
        }
        asked
    }

    /// The error for a denied caller. Argo CD's callers do not get the reason.
    fn refusal(
        &self,
        denied: Denied,
        name: &FileName,
        delivery: Option<Delivery>,
        terms: &Terms,
    ) -> Error {
        let asked = self.use_of(delivery);
        if let (Denied::Other { term } | Denied::Absent { term }, Some(side)) = (denied, self.role)
        {
            let name = name.to_string();
            match (term, term.subject(), self.caller) {
                // the label is in the document, so whoever asks knows it
                (Term::LabelDomains, ..) => {
                    let mut entries = terms.entries().iter();
                    let key = entries.find_map(|entry| asked.unlisted(entry, term));
                    return Error::label(side, &key.unwrap_or_default(), Some(name));
                }
                (_, TermSubject::Document { .. }, Caller::Local) => {
                    return Error::Destination {
                        name,
                        side,
                        term,
                        asked: asked.reported(term, None),
                        allowed: allowed_by(terms.entries(), term),
                    };
                }
                _ => {}
            }
        }
        let sealed_for =
            (*self.caller == Caller::Local).then(|| allowed_by(terms.entries(), Term::Clusters));
        Error::Denied {
            name: name.to_string(),
            asked: self.asked.request(self.caller),
            sealed_for,
        }
    }

    /// The error for a payload whose terms cannot be read. Argo CD's callers get less detail, since they can be anyone.
    fn problem_for_caller(&self, problem: PayloadProblem) -> PayloadProblem {
        match problem {
            PayloadProblem::Version(_) if *self.caller != Caller::Local => {
                PayloadProblem::Malformed
            }
            problem => problem,
        }
    }
}

/// The longest line of the log: Argo CD refreshes each Application every few minutes.
const AUDIT_MAX: usize = 160;

fn shortened(line: String, most: usize) -> String {
    match line.char_indices().nth(most - 1) {
        Some((end, _)) if line.chars().count() > most => format!("{}…", &line[..end]),
        _ => line,
    }
}

/// The values that entries allow for a term, on one line.
fn allowed_by<'e>(entries: impl IntoIterator<Item = &'e Entry>, term: Term) -> String {
    entries
        .into_iter()
        .map(|entry| entry.line(term))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The facts that Argo CD will report, as far as they are known. An unknown fact is not judged.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    pub(crate) project: Option<String>,
    pub(crate) repo: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) revision: Option<String>,
}

/// A sealed file that a person's run opened.
pub(crate) struct OpenedFile {
    pub(crate) name: String,
    pub(super) terms: Terms,
    pub(super) delivery: Option<Delivery>,
}

/// The first term by which Argo CD will refuse a file, what it allows, and what Argo CD will report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) term: Term,
    pub(crate) allowed: String,
    pub(crate) reported: String,
}

impl OpenedFile {
    /// Why Argo CD will refuse the file for one side at a place, as far as that is known.
    pub(crate) fn refused_at(
        &self,
        place: &Place,
        peering: &Peering,
        role: Role,
    ) -> Option<Refusal> {
        let mut asked = Use::of_side(peering, role).ok()?;
        asked.delivery = self.delivery;
        if self.delivery.is_none() {
            asked.gifts.namespaces.clear();
        }
        let facts = Facts::known(place);
        let mut entries: Vec<&Entry> = self.terms.entries().iter().collect();
        for &term in Term::ALL {
            let before = entries.clone();
            entries.retain(|entry| denied(entry, term, &asked, Some(&facts)).is_none());
            if entries.is_empty() {
                let (allowed, reported) =
                    (allowed_by(before, term), asked.reported(term, Some(&facts)));
                return Some(Refusal {
                    term,
                    allowed,
                    reported,
                });
            }
        }
        None
    }
}
