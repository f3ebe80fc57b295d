//! A sealed file as its owner sees it: of any kind, on any terms. For a person's own run.

use super::Error;
use super::age::Attempts;
use super::identities::{Identities, recipients};
use super::payload::{Payload, PayloadKind};
use super::sealed_files::{own_files, sealed_files_of};
use super::terms::{ANY, Term, TermsEntry};
use crate::input::file::{self, Links, ReadProblem, named};
use crate::peering::Peering;
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{FileName, Role, Sides};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The largest size that is read, over all kinds of sealed files.
const LARGEST: u64 = PayloadKind::Kubeconfig.cap();

/// What is in a sealed file, and how many can open it.
pub struct Opened {
    /// The secret and its terms.
    pub payload: Payload,
    /// How many recipients the file has.
    pub recipients: usize,
    /// The file as it was read.
    pub(crate) sealed: Vec<u8>,
    /// The line of the identity file that was not tried.
    pub not_tried: Option<String>,
}

/// A person with an identity, who compares many sealed files. The rights are those of [`Opened::load`].
pub(crate) struct Owner {
    identities: Identities,
    tries: RefCell<Attempts>,
}

/// What is known of a file that was sealed again.
pub(crate) struct Replaced {
    /// Whether its terms allow a use that they did not allow before.
    pub(crate) allows_more: bool,
    /// How many recipients it had, and has.
    pub(crate) recipients: [usize; 2],
}

/// How many stanzas are tried in a run. A peering whose seed and kubeconfig changed, each for one recipient, takes twenty: each of six
/// objects compares the seeds, one compares the kubeconfigs, and the terms of each are compared with both old files. What is not tried is
/// not known.
const TRIES: usize = 40_000;

impl Owner {
    pub(crate) fn from_file(identity_file: &Path) -> Result<Self, Error> {
        let identities = Identities::load(identity_file)?;
        Ok(Self {
            identities,
            tries: RefCell::new(Attempts::new(TRIES)),
        })
    }

    /// Whether two sealed files hold the same secret, and the server of the new one if it is a kubeconfig; `None` if the identity does not
    /// open both.
    pub(crate) fn compare(&self, old: &[u8], new: &[u8]) -> Option<(bool, Option<String>)> {
        let (old, new) = (self.open(old)?, self.open(new)?);
        let kubeconfig = Kubeconfig::parse(&new.secret).ok();
        let server = kubeconfig.map(|it| it.server().to_owned());
        Some((old.has_secret_of(&new), server))
    }

    /// This file compared with the old files with the same secret, or with the old file of its name if none has the secret. `None` if no
    /// identity opens them.
    pub(crate) fn replaced(
        &self,
        before: &BTreeMap<String, Vec<u8>>,
        name: &str,
        after: &[u8],
    ) -> Option<Replaced> {
        let number = recipients(after).ok()?;
        let after = self.open(after)?;
        let (mut kept, mut of_name) = (Vec::new(), Vec::new());
        for (old_name, sealed) in before {
            match self.open(sealed) {
                Some(old) if old.has_secret_of(&after) => kept.push((sealed, old)),
                Some(old) if old_name == name => of_name.push((sealed, old)),
                _ => {}
            }
        }
        let (mut allows_more, mut numbers) = (true, Vec::new());
        for (sealed, old) in if kept.is_empty() { of_name } else { kept } {
            allows_more &= is_wider(&old, &after);
            numbers.push(recipients(sealed).ok()?);
        }
        let old = numbers
            .into_iter()
            .max_by_key(|old| (*old == number, *old))?;
        Some(Replaced {
            allows_more,
            recipients: [old, number],
        })
    }

    fn open(&self, sealed: &[u8]) -> Option<Payload> {
        let opened = self.identities.open(sealed, &mut self.tries.borrow_mut());
        Payload::parse(&opened.ok()?).ok()
    }
}

/// For each side of each peering, the files that only another Argo CD opens. Where each cluster has its own Argo CD, an identity does not
/// open the files of the other cluster, and such a file is not a problem (docs/custody.md, An Argo CD in each cluster). `read` gives a file
/// of the peering with this index.
pub(crate) fn files_of_others<'p, B: AsRef<[u8]>>(
    identities: &Identities,
    peerings: &[&'p Peering],
    read: impl Fn(usize, &FileName, PayloadKind) -> Option<B>,
) -> Vec<Sides<Vec<&'p FileName>>> {
    let mut own = BTreeSet::new();
    for (index, peering) in peerings.iter().enumerate() {
        for role in Role::BOTH {
            for (file, kind) in own_files(peering, role) {
                if let Some(bytes) = read(index, file, kind)
                    && identities.opens(bytes.as_ref())
                {
                    own.insert(&peering.clusters[role].id.value);
                    break;
                }
            }
        }
    }
    let mut all = Vec::new();
    for (index, peering) in peerings.iter().enumerate() {
        let is_for_others = |file: &FileName, kind| {
            let sealed = read(index, file, kind);
            matches!(sealed, Some(bytes) if identities.is_for_others(bytes.as_ref()))
        };
        all.push(Sides::make(|role| {
            if own.is_empty() || own.contains(&peering.clusters[role].id.value) {
                Vec::new()
            } else {
                other_owner(peering, role, is_for_others)
            }
        }));
    }
    all
}

/// The files of a side whose cluster has another Argo CD, in a peering with a seed for each side. Empty if one of them is not known to be
/// for others, or if the other side needs it too.
fn other_owner(
    peering: &Peering,
    role: Role,
    is_for_others: impl Fn(&FileName, PayloadKind) -> bool,
) -> Vec<&FileName> {
    // only with a seed for each side can each side have its own Argo CD
    for role in Role::BOTH {
        let Some(KeySource::Seed(_, Some(_))) = peering.key_source(role) else {
            return Vec::new();
        };
    }
    let mut files = Vec::new();
    for (file, kind) in own_files(peering, role) {
        let is_shared = sealed_files_of(peering, role.peer()).any(|it| it == file);
        if is_shared || !is_for_others(file, kind) {
            return Vec::new();
        }
        files.push(file);
    }
    files
}

/// Whether a file's terms allow a use that the other file's terms do not allow.
fn is_wider(before: &Payload, after: &Payload) -> bool {
    let [before, after] = [before, after].map(|it| it.terms.clone().unwrap_or_default());
    let is_new = |entry: &TermsEntry| !before.entries().iter().any(|old| covers(old, entry));
    let (old, mut new) = (before.certificates(), after.certificates().iter());
    after.entries().iter().any(is_new) || new.any(|(cluster, it)| old.get(cluster) != Some(it))
}

/// Whether the old entry allows everything that the new one allows.
fn covers(old: &TermsEntry, new: &TermsEntry) -> bool {
    old.clusters == new.clusters && Term::lists().all(|term| covers_term(old, new, term))
}

/// As [`covers`], for one term. An absent term allows nothing, or anything.
fn covers_term(old: &TermsEntry, new: &TermsEntry, term: Term) -> bool {
    let has_any = old.values(term).iter().any(|value| value == ANY);
    match (old.listed(term), new.listed(term)) {
        (None, None) => true,
        (None, Some(_)) => !term.denies_if_absent(),
        (Some(_), None) => term.denies_if_absent() || has_any,
        (Some(old), Some(new)) => has_any || new.iter().all(|value| old.contains(value)),
    }
}

impl Opened {
    /// Opens a sealed file for its owner. No caller is authorised: anyone who has the identity could use `age` itself.
    pub(crate) fn load(path: &Path, identities: &Identities) -> Result<Self, Error> {
        Self::open(path, file::load(path, LARGEST, Links::Refuse), identities)
    }

    /// Opens one of many files. The file and the identities are already read.
    pub(crate) fn open(
        path: &Path,
        sealed: Result<Vec<u8>, ReadProblem>,
        identities: &Identities,
    ) -> Result<Self, Error> {
        let sealed = sealed.map_err(named(path))?;
        let name = path.display();
        let wrap = Error::of_payload(&name);
        let plaintext = identities.open(&sealed, &mut Attempts::default());
        let payload = Payload::parse(&plaintext.map_err(&wrap)?).map_err(&wrap)?;
        let recipients = recipients(&sealed).unwrap_or_default();
        Ok(Self {
            payload,
            recipients,
            sealed,
            not_tried: identities.not_tried(),
        })
    }
}

impl Payload {
    fn has_secret_of(&self, other: &Self) -> bool {
        *self.secret == *other.secret
    }

    /// The kind of the file. For a bare secret it is found by its content.
    pub(crate) fn kind_by_content(&self) -> Option<PayloadKind> {
        let mut kinds = PayloadKind::ALL.into_iter();
        self.kind
            .or_else(|| kinds.find(|kind| kind.problem(&self.secret).is_none()))
    }
}
