//! OPEN: sealed files, the terms inside them, and whether this caller fulfils them.
//!
//! A sealed file is an age file (age-encryption.org/v1, X25519 recipients) whose plaintext is JSON: the secret
//! together with the terms on which it may be used. Argo CD lets any Application of any project name any plugin, so
//! whoever copies a sealed file into a repository of their own would otherwise get it opened. They cannot
//! change the terms: both stand under one authenticated encryption, and nobody without the secret can make a
//! file that holds it on other terms.

mod authorise;
mod bind;
mod identity;
pub mod keys;
mod payload;
mod policy;
pub mod rotation;
pub mod store;

use crate::argocd::caller::Caller;
use crate::command::error::{Error, IdentityProblem};
use crate::custody::keys::Seed;
use crate::diagnostic::mask_names;
use crate::input::folder::Folder;
use crate::peering::authentication::credential::kubeconfig::Kubeconfig;
use crate::peering::values::name::{ClusterId, FileName};
use std::collections::BTreeMap;

pub use authorise::{Denied, authorise};
pub use bind::{Bind, Pair, Term, TermProblem, normal_path, normal_repo};
pub use identity::Identities;
pub use payload::{Kind, Payload, PayloadProblem, seal};
pub use policy::{Policy, PolicyProblem};

/// A seed file has one secret of 79 characters and its terms.
pub const SEED_CAP: u64 = 16 * 1024;

/// A kubeconfig has certificates.
pub const KUBECONFIG_CAP: u64 = 128 * 1024;

/// A sealed file as its owner sees it: of any kind, whatever its terms. For a person's own run.
pub struct Opened {
    /// What is inside.
    pub payload: Payload,
    /// How many can open it.
    pub recipients: usize,
}

/// Opens a sealed file for its owner. Nobody is authorised: whoever holds the identity could use `age` itself.
///
/// # Errors
/// When it does not open, or holds no payload.
pub fn open(sealed: &[u8], identities: &Identities) -> Result<Opened, PayloadProblem> {
    let plaintext = identities.open(sealed, KUBECONFIG_CAP)?;
    Ok(Opened { payload: Payload::parse(&plaintext)?, recipients: identity::recipients(sealed) })
}

/// Whether every run would open a sealed file of this kind, as far as its size goes.
#[must_use]
pub fn is_small_enough(sealed: &[u8], kind: Kind) -> bool {
    identity::is_small_enough(sealed, kind.cap())
}

/// Opens a folder's sealed files for one caller and one pair of clusters, each file at most once.
pub struct Opener<'r> {
    folder: &'r Folder,
    identities: Option<Identities>,
    policy: Option<Policy>,
    caller: &'r Caller,
    clusters: Pair,
    notes: BTreeMap<String, String>,
}

impl<'r> Opener<'r> {
    /// An opener. Nothing is read yet.
    #[must_use]
    pub fn new(
        folder: &'r Folder,
        identities: Option<Identities>,
        caller: &'r Caller,
        clusters: (&ClusterId, &ClusterId),
    ) -> Self {
        let clusters = Pair::new(clusters.0.clone(), clusters.1.clone());
        Self { folder, identities, policy: None, caller, clusters, notes: BTreeMap::new() }
    }

    /// The same with an operator's policy that must allow as well.
    #[must_use]
    pub fn narrowed_by(mut self, policy: Option<Policy>) -> Self {
        self.policy = policy;
        self
    }

    /// The seed in a sealed file.
    ///
    /// # Errors
    /// When the file is missing, does not open, holds something else, or its terms deny this caller.
    pub fn seed(&mut self, name: &FileName) -> Result<Seed, Error> {
        let payload = self.open(name, Kind::Seed)?;
        payload.secret.parse().map_err(|problem| Error::Payload {
            name: name.to_string(),
            problem: PayloadProblem::Seed(problem),
        })
    }

    /// The kubeconfig in a sealed file, through the proxy that the document names.
    ///
    /// # Errors
    /// As [`Self::seed`], and when it is one that Liqo could not use, or goes through another proxy.
    pub fn kubeconfig(&mut self, name: &FileName, proxy: Option<&str>) -> Result<Kubeconfig, Error> {
        let payload = self.open(name, Kind::Kubeconfig)?;
        Kubeconfig::parse(&payload.secret)
            .and_then(|kubeconfig| kubeconfig.through(proxy))
            .map_err(|problem| Error::Kubeconfig { name: name.to_string(), problem })
    }

    /// One line a file that was opened: which, on which terms, for whom. Never a secret.
    #[must_use]
    pub fn audit(&self) -> Vec<String> {
        self.notes.values().cloned().collect()
    }

    fn open(&mut self, name: &FileName, kind: Kind) -> Result<Payload, Error> {
        let sealed = self.folder.read(name.as_str(), kind.cap())?;
        let identities = self.identities.as_ref().ok_or(IdentityProblem::NotGiven)?;
        let wrap = |problem| Error::Payload { name: name.to_string(), problem };
        let plaintext = identities.open(&sealed, kind.cap()).map_err(wrap)?;
        let payload = Payload::parse(&plaintext).and_then(|it| it.of_kind(kind)).map_err(wrap)?;
        let terms = match &payload.bind {
            Some(bind) => {
                authorise(bind, self.policy.as_ref(), &self.clusters, self.caller)
                    .map_err(|denied| Error::Denied { name: name.to_string(), denied })?;
                bind.to_string()
            }
            None if *self.caller == Caller::Local => format!(
                "it has no terms, so Argo CD will refuse it: seal it with `argocd-peering {}`",
                kind.command()
            ),
            None => return Err(wrap(PayloadProblem::Unbound(kind))),
        };
        self.notes.insert(
            name.to_string(),
            format!("opened {} for {}: {terms}", mask_names(name.as_str()), self.caller),
        );
        Ok(payload)
    }
}
