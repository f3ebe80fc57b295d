//! Opens the sealed files of one folder for one caller. It also predicts, before a push, what Argo CD will report of a place in a
//! repository, and whether a file's terms allow it.

use super::Error;
use super::age::Attempts;
use super::authorise::{CallerFacts, Denied, PlannedCaller, Use, authorise, first_denied};
use super::identities::{Identities, IdentityProblem};
use super::keys::Seed;
use super::payload::{Payload, PayloadKind, PayloadProblem};
use super::policy::Policy;
use super::request::Request;
use super::sealed_secret::{Certificate, Sealer};
use super::terms::{Term, TermSubject, Terms, TermsEntry};
use crate::argocd::caller::Caller;
use crate::diagnostic::{cut, shown_name};
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;
use crate::peering::delivery::Delivery;
use crate::peering::values::{ClusterId, FileName, Role};
use crate::peering::{Material, Peering};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// Opens sealed files where their terms and the operator's policy allow this caller and this pair of clusters.
pub(super) struct Opener<'r> {
    request: &'r Request<'r>,
    identities: Option<Identities>,
    tries: Attempts,
    /// The operator's policy. Without a policy, the terms alone decide.
    policy: Option<Policy>,
    pub(super) peering: &'r Peering,
    /// The side whose stream is generated; `None` where only public keys are printed.
    role: Option<Role>,
    /// What the stream gives; nothing where only public keys are printed.
    asked: Use<'r>,
    /// In a person's run, the files that were opened.
    files: Vec<OpenedFile>,
    /// For each opened file, a line with its terms and the caller.
    pub(super) audit: BTreeMap<String, String>,
}

/// The material from the sealed files for one side's stream.
#[derive(Default)]
pub(crate) struct OpenedSide {
    pub(crate) material: Material,
    /// Given where the side's delivery is `SealedSecret`.
    pub(crate) sealer: Option<Sealer>,
    /// In a person's run, the files that were opened.
    pub(crate) files: Vec<OpenedFile>,
    /// For each opened file, a line with its terms.
    pub(crate) audit: Vec<String>,
}

/// A seed, with its file and its terms.
pub(super) struct SealedSeed<'f> {
    pub(super) file: &'f FileName,
    pub(super) seed: Seed,
    terms: Option<Terms>,
}

impl SealedSeed<'_> {
    /// The sealer for a cluster's controller, with the certificate from the seed's own file.
    pub(super) fn sealer(self, cluster: &ClusterId) -> Result<Sealer, Error> {
        match certificate_for(self.terms.as_ref(), cluster) {
            Some(certificate) => Ok(Sealer::new(self.seed, certificate.clone())),
            None => Err(Error::certificate_missing(self.file, cluster)),
        }
    }
}

fn certificate_for<'t>(terms: Option<&'t Terms>, cluster: &ClusterId) -> Option<&'t Certificate> {
    terms?.certificates().get(cluster)
}

impl<'r> Opener<'r> {
    /// Opens nothing yet, so it needs no identity.
    pub(super) fn new(
        request: &'r Request<'r>,
        peering: &'r Peering,
        role: Option<Role>,
        asked: Use<'r>,
        policy: Option<Policy>,
    ) -> Self {
        Self {
            request,
            identities: None,
            tries: Attempts::default(),
            policy,
            peering,
            role,
            asked,
            files: Vec::new(),
            audit: BTreeMap::new(),
        }
    }

    /// The material, with all that was opened for it.
    pub(super) fn finish(self, material: Material, sealer: Option<Sealer>) -> OpenedSide {
        OpenedSide {
            material,
            sealer,
            files: self.files,
            audit: self.audit.into_values().collect(),
        }
    }

    /// Opens a sealed seed. `delivery` is that of the stream's keys; `None` if only public keys are printed.
    pub(super) fn seed<'f>(
        &mut self,
        file: &'f FileName,
        delivery: Option<Delivery>,
    ) -> Result<SealedSeed<'f>, Error> {
        let payload = self.open(file, PayloadKind::Seed, delivery)?;
        let seed = payload.seed().map_err(Error::of_payload(file))?;
        let terms = payload.terms;
        Ok(SealedSeed { file, seed, terms })
    }

    /// The credential that a stream shows, with the proxy that the document names. If the credential is sealed to a certificate, its own
    /// file must have that certificate too. Otherwise anyone with push access could replace the seed's file with one that has their
    /// certificate, and read the credential in the Application.
    pub(super) fn credential(
        &mut self,
        file: &FileName,
        role: Role,
        delivery: Delivery,
        sealed_to: Option<&Certificate>,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let payload = self.open(file, PayloadKind::Kubeconfig, Some(delivery))?;
        let cluster = &self.peering.clusters[role].id.value;
        let own = certificate_for(payload.terms.as_ref(), cluster);
        if sealed_to.is_some() && sealed_to != own {
            return Err(Error::certificate_missing(file, cluster));
        }
        let kubeconfig = Kubeconfig::parse(&payload.secret)
            .and_then(|kubeconfig| kubeconfig.with_proxy(self.peering.proxy(role)));
        match kubeconfig {
            Ok(kubeconfig) => Ok(kubeconfig.text()?),
            Err(problem) => Err(Error::Kubeconfig {
                name: file.to_string(),
                problem,
            }),
        }
    }

    pub(super) fn open(
        &mut self,
        name: &FileName,
        kind: PayloadKind,
        delivery: Option<Delivery>,
    ) -> Result<Payload, Error> {
        let Request { folder, caller, .. } = *self.request;
        if self.identities.is_none() {
            self.identities = self.request.identities()?;
        }
        let sealed = folder
            .read_bytes(name.as_str(), kind.cap())
            .map_err(|problem| Error::SealedFile {
                name: name.to_string(),
                kind,
                problem,
            })?;
        let identities = self.identities.as_ref().ok_or(IdentityProblem::NotGiven)?;
        let wrap = Error::of_payload(name);
        let plaintext = identities.open(&sealed, &mut self.tries).map_err(&wrap)?;
        let payload = match Payload::parse(&plaintext) {
            // Argo CD's callers get less detail, since they can be anyone
            Err(PayloadProblem::Version(_)) if *caller != Caller::Local => {
                return Err(wrap(PayloadProblem::Malformed));
            }
            parsed => parsed.map_err(&wrap)?,
        };
        let asked = self.asked.of_file(delivery);
        let unbound = match &payload.terms {
            Some(terms) => {
                if let Err(denied) = authorise(terms, self.policy.as_ref(), &asked, caller) {
                    return Err(self.refusal(denied, name, &asked, terms));
                }
                String::new()
            }
            None if *caller == Caller::Local => {
                ": Argo CD refuses it without terms: `argocd-peering reseal`".to_owned()
            }
            None => return Err(wrap(PayloadProblem::Unbound)),
        };
        if let (Caller::Local, Some(terms)) = (caller, &payload.terms) {
            self.files.push(OpenedFile {
                name: name.to_string(),
                terms: terms.clone(),
                delivery,
            });
        }
        // only after authorisation: a caller who is denied does not learn what kind the file holds
        let payload = payload.of_kind(kind).map_err(&wrap)?;
        let line = format!("opened {} for {caller}", shown_name(name.as_str()));
        self.audit
            .insert(name.to_string(), cut(&line, AUDIT_MAX - 1) + &unbound);
        Ok(payload)
    }

    /// The error for a denied caller. Argo CD's callers do not get the reason.
    fn refusal(&self, denied: Denied, name: &FileName, asked: &Use<'_>, terms: &Terms) -> Error {
        let (name, entries) = (name.to_string(), terms.entries());
        let is_local = *self.request.caller == Caller::Local;
        if let (Denied::Other { term } | Denied::Absent { term }, Some(side)) = (denied, self.role)
        {
            // the label is in the document, so whoever asks knows it
            if term == Term::LabelDomains {
                let key = entries.iter().find_map(|it| asked.unlisted(it, term));
                return Error::label(side, &key.unwrap_or_default(), Some(name));
            }
            if is_local && matches!(term.subject(), TermSubject::Document { .. }) {
                return Error::Destination {
                    name,
                    side,
                    term,
                    asked: asked.reported(term, None),
                    allowed: allowed_by(entries, term),
                };
            }
        }
        Error::Denied {
            name,
            asked: asked.request(self.request.caller),
            sealed_for: is_local.then(|| allowed_by(entries, Term::Clusters)),
        }
    }
}

/// The longest line of the log: Argo CD refreshes each Application every few minutes.
const AUDIT_MAX: usize = 160;

/// The values that entries allow for a term, on one line.
fn allowed_by<'e>(entries: impl IntoIterator<Item = &'e TermsEntry>, term: Term) -> String {
    let lines = entries.into_iter().map(|entry| entry.line(term));
    lines.collect::<Vec<_>>().join(" ")
}

/// A sealed file that a person's run opened.
pub(crate) struct OpenedFile {
    pub(crate) name: String,
    pub(super) terms: Terms,
    pub(super) delivery: Option<Delivery>,
}

/// The first term by which Argo CD will refuse a file, what it allows, and what Argo CD will report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TermRefusal {
    pub(crate) term: Term,
    pub(crate) allowed: String,
    pub(crate) reported: String,
}

impl OpenedFile {
    /// Why Argo CD will refuse the file for one side at a place, as far as that is known.
    pub(crate) fn refused_at(
        &self,
        place: &PlannedCaller,
        peering: &Peering,
        role: Role,
    ) -> Option<TermRefusal> {
        let asked = Use::of_side(peering, role).ok()?.of_file(self.delivery);
        let facts = CallerFacts::known(place);
        let (term, left) = first_denied(self.terms.entries(), &asked, Some(&facts), None)?;
        Some(TermRefusal {
            term,
            allowed: allowed_by(left, term),
            reported: asked.reported(term, Some(&facts)),
        })
    }
}
