//! What the sealed files of a folder give for one side, opened as seldom as can be.

use crate::argocd::caller::Caller;
use crate::argocd::environment::Environment;
use crate::command::error::{Error, FileProblem, IdentityProblem};
use crate::custody::keys::{self, KeyPair, PublicKey, Seed};
use crate::custody::{Identities, Kind, Opener, PayloadProblem, Policy, PolicyProblem, normal_path};
use crate::diagnostic::mask_file_name;
use crate::input::folder::{Folder, refuse_world_writable};
use crate::peering::Peering;
use crate::peering::name::FileName;
use crate::peering::networking::{KeySource, Networking};
use crate::peering::role::{Role, Sides};
use crate::stream::plan::{Keys, Material, OwnKey};
use crate::stream::render;
use std::path::{Path, PathBuf};

/// The sealed files of which a peering's streams are made.
pub(super) fn sealed_files(peering: &Peering) -> impl Iterator<Item = (&FileName, Kind)> {
    let seed = |role| match peering.networking.as_ref().map(|networking| networking.keys.of(role)) {
        Some(KeySource::Seed(file, _)) => Some((file, Kind::Seed)),
        _ => None,
    };
    let kubeconfig = |role| Some((peering.sealed_kubeconfig(role)?.0, Kind::Kubeconfig));
    Role::BOTH.into_iter().flat_map(move |role| [seed(role), kubeconfig(role)]).flatten()
}

/// A folder's sealed files, and who asks for them.
pub(super) struct Sealed<'r> {
    pub(super) folder: &'r Folder,
    pub(super) identity_file: Option<&'r Path>,
    pub(super) policy_file: Option<&'r Path>,
    pub(super) environment: &'r Environment,
    pub(super) caller: &'r Caller,
}

impl Sealed<'_> {
    /// What one side's stream needs, and one line for each file that was opened for it.
    pub(super) fn material(&self, peering: &Peering, role: Role) -> Result<(Material, Vec<String>), Error> {
        let kubeconfig = peering.sealed_kubeconfig(role);
        if peering.networking.is_none() && kubeconfig.is_none() {
            return Ok((Material::default(), Vec::new()));
        }
        self.refuse_hydration()?;
        let mut opener = self.opener(peering)?;
        let keys =
            peering.networking.as_ref().map(|it| side_keys(&mut opener, peering, it, role)).transpose()?;
        let kubeconfig = kubeconfig
            .map(|(file, proxy)| opener.kubeconfig(file, proxy).and_then(|it| render::kubeconfig(&it)))
            .transpose()?;
        Ok((Material { keys, kubeconfig }, opener.audit()))
    }

    /// Both sides' public keys, and the sides whose key is only known as it is written; with networking. A key that is
    /// written down needs no identity; with one that opens its seed, it must be what the seed gives.
    pub(super) fn public_keys(
        &self,
        peering: &Peering,
        networking: &Networking,
    ) -> Result<(Sides<PublicKey>, Vec<Role>), Error> {
        let mut opener = self.opener(peering)?;
        let mut unverified = Vec::new();
        let mut known = |role: Role| -> Result<PublicKey, Error> {
            let (file, written) = match networking.keys.of(role) {
                KeySource::Elsewhere(key) => return Ok(*key),
                KeySource::Seed(file, written) => (file, *written),
            };
            match (opener.seed(file), written) {
                (Ok(seed), written) => Ok(expected(role, pair(&seed, peering, role), written)?.public()),
                // nothing to open it with, or sealed by the other organisation for itself
                (Err(error), Some(key)) if is_sealed_for_others(&error) => {
                    unverified.push(role);
                    Ok(key)
                }
                (Err(error), _) => Err(error),
            }
        };
        let keys = Sides { consumer: known(Role::Consumer)?, provider: known(Role::Provider)? };
        refuse_one_key(networking, &keys)?;
        Ok((keys, unverified))
    }

    fn opener(&self, peering: &Peering) -> Result<Opener<'_>, Error> {
        let clusters = (&peering.clusters.consumer.id, &peering.clusters.provider.id);
        let opener = Opener::new(self.folder, self.identities()?, self.caller, clusters);
        Ok(opener.narrowed_by(self.policy()?))
    }

    /// The Source Hydrator runs plugins with an empty `KUBE_VERSION` and commits what they print
    /// (argo-cd `controller/hydrator_dependencies.go`).
    fn refuse_hydration(&self) -> Result<(), Error> {
        let version = self.environment.get("KUBE_VERSION").unwrap_or_default();
        if version.is_empty() && *self.caller != Caller::Local { Err(Error::Hydration) } else { Ok(()) }
    }

    fn identities(&self) -> Result<Option<Identities>, Error> {
        let Some(path) = self.identity_file else {
            return Ok(None);
        };
        if self.is_in_checkout(path) {
            return Err(IdentityProblem::Inside.into());
        }
        if *self.caller != Caller::Local {
            let name = || mask_file_name(path);
            refuse_world_writable(path).map_err(|problem| IdentityProblem::File { name: name(), problem })?;
        }
        Ok(Some(Identities::read(path)?))
    }

    fn policy(&self) -> Result<Option<Policy>, Error> {
        let Some(path) = self.policy_file else {
            return Ok(None);
        };
        if self.is_in_checkout(path) {
            return Err(PolicyProblem::Inside.into());
        }
        refuse_world_writable(path).map_err(PolicyProblem::File)?;
        Ok(Some(Policy::read(path)?))
    }

    /// Whether a file of the operator's stands where those can write who push to the repository. A person's own run has
    /// no checkout of others.
    fn is_in_checkout(&self, file: &Path) -> bool {
        match self.caller {
            Caller::Local => false,
            Caller::ArgoCd { path, .. } => is_inside(file, self.folder.path(), path.as_deref()),
        }
    }
}

/// The keys of one side's stream. The other side's seed is opened only if nothing else says its key; what the document
/// expects of a key that is derived must hold before anything is printed.
fn side_keys(
    opener: &mut Opener<'_>,
    peering: &Peering,
    networking: &Networking,
    role: Role,
) -> Result<Keys, Error> {
    let KeySource::Seed(own_file, own_expected) = networking.keys.of(role) else {
        return Err(Error::SeedElsewhere { side: role.word() });
    };
    let seed = opener.seed(own_file)?;
    let own = expected(role, pair(&seed, peering, role), *own_expected)?;
    let derived =
        |seed: &Seed, key| expected(role.peer(), pair(seed, peering, role.peer()), key).map(|it| it.public());
    let peer = match networking.keys.of(role.peer()) {
        KeySource::Elsewhere(key) => *key,
        KeySource::Seed(file, key) if file == own_file => derived(&seed, *key)?,
        KeySource::Seed(_, Some(key)) => *key,
        KeySource::Seed(file, None) => derived(&opener.seed(file)?, None)?,
    };
    if peer == own.public() {
        return Err(Error::OwnKey { side: role.peer().word() });
    }
    Ok(Keys { own: OwnKey::Pair(own), peer: Some(peer) })
}

/// A gateway that has its own key as its peer's never connects.
pub(super) fn refuse_one_key(networking: &Networking, keys: &Sides<PublicKey>) -> Result<(), Error> {
    if keys.consumer != keys.provider {
        return Ok(());
    }
    // the side whose key is only told here
    let is_told = |role: &Role| matches!(networking.keys.of(*role), KeySource::Elsewhere(_));
    let side = Role::BOTH.into_iter().find(is_told).unwrap_or(Role::Provider);
    Err(Error::OwnKey { side: side.word() })
}

fn is_sealed_for_others(error: &Error) -> bool {
    matches!(
        error,
        Error::Identity(IdentityProblem::NotGiven)
            | Error::Payload { problem: PayloadProblem::OtherRecipient, .. }
            | Error::SealedFile { problem: FileProblem::Missing, .. }
    )
}

/// The key pair that a seed gives one side.
pub(super) fn pair(seed: &Seed, peering: &Peering, role: Role) -> KeyPair {
    let (own, peer) = (peering.clusters.of(role), peering.clusters.of(role.peer()));
    keys::derive(seed, &own.id, &peer.id, own.generation)
}

/// What the document expects of a derived key must hold.
pub(super) fn expected(side: Role, derived: KeyPair, expected: Option<PublicKey>) -> Result<KeyPair, Error> {
    match expected {
        Some(expected) if expected != derived.public() => {
            Err(Error::UnexpectedKey { side: side.word(), derived: derived.public().to_string() })
        }
        _ => Ok(derived),
    }
}

/// Whether a file stands in the checkout that the folder belongs to. Argo CD says where in the checkout the folder is, so
/// the checkout's root is known.
fn is_inside(file: &Path, folder: &Path, source_path: Option<&str>) -> bool {
    let (Ok(file), Ok(folder)) = (file.canonicalize(), folder.canonicalize()) else {
        return false; // a file that is not there is reported when it is read
    };
    let inner = PathBuf::from(source_path.and_then(normal_path).unwrap_or_default());
    let depth = if inner.as_os_str() == "." { 0 } else { inner.components().count() };
    let root = folder.ancestors().nth(depth).filter(|_| folder.ends_with(&inner)).unwrap_or(&folder);
    file.starts_with(root)
}
