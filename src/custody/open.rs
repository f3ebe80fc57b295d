//! The material for one side's stream, from the folder's sealed files. Each file is opened only if nothing else gives
//! what is needed.

use super::Error;
use super::authorise::{Use, authorise_stream};
use super::identities::IdentityProblem;
use super::keys::{self, KeyPair, Seed};
use super::opener::{OpenedSide, Opener, SealedSeed};
use super::request::Request;
use super::sealed_files::named_files_of;
use super::sealed_secret::Sealer;
use crate::argocd::caller::Caller;
use crate::diagnostic::Bug;
use crate::input::file::ReadProblem;
use crate::peering::delivery::Delivery;
use crate::peering::networking::Networking;
use crate::peering::networking::keys::{KeySource, Keys, OwnKey};
use crate::peering::values::{FileName, Generation, PublicKey, Role, Sides};
use crate::peering::{Material, Peering};

impl Request<'_> {
    /// Opens what one side's stream needs, if the policy allows the stream.
    pub(crate) fn material(&self, peering: &Peering, role: Role) -> Result<OpenedSide, Error> {
        let asked = Use::of_side(peering, role)?;
        let policy = self.policy()?;
        // it is about what the stream does, so also about one that opens no file
        if let Some(policy) = &policy {
            authorise_stream(policy, &asked, self.caller)?;
        }
        let has_policy = policy.is_some() && *self.caller != Caller::Local;
        let label = asked.grants.all_labels().next().map(str::to_owned);
        let mut opener = Opener::new(self, peering, Some(role), asked, policy);
        let (material, sealer) = match peering.clusters[role].delivery {
            Delivery::External => (public_material(&mut opener, role)?, None),
            delivery => secrets(&mut opener, role, delivery)?,
        };
        // neither terms nor a policy have judged its labels
        if let Some(key) = label.filter(|_| !has_policy && opener.audit.is_empty()) {
            // a drained peering needs no file, and the terms of those that it names still count
            let files = named_files_of(peering, role);
            if files.is_empty() {
                return Err(Error::label(role, &key, None));
            }
            for (file, kind) in files {
                opener.open(file, kind, None)?;
            }
        }
        Ok(opener.finish(material, sealer))
    }

    /// Opens what one side's Secrets need if they are brought by hand or from a vault. It always counts as the delivery `External`,
    /// whatever the document has.
    pub(crate) fn exported(&self, peering: &Peering, role: Role) -> Result<OpenedSide, Error> {
        let asked = Use::of_side(peering, role)?;
        let mut opener = Opener::new(self, peering, Some(role), asked, self.policy()?);
        let (material, sealer) = secrets(&mut opener, role, Delivery::External)?;
        Ok(opener.finish(material, sealer))
    }

    /// Both sides' public keys, and the sides whose key is written but not verified. A written key needs no identity.
    /// If an identity opens its seed, the key must be the one that the seed gives.
    pub(crate) fn public_keys(
        &self,
        peering: &Peering,
        networking: &Networking,
    ) -> Result<(Sides<PublicKey>, Vec<Role>), Error> {
        let asked = Use::of_keys(peering);
        let mut opener = Opener::new(self, peering, None, asked, self.policy()?);
        let mut unverified = Vec::new();
        let keys =
            Sides::try_make(|role| known_key(&mut opener, networking, role, &mut unverified))?;
        refuse_one_key(networking, &keys)?;
        Ok((keys, unverified))
    }
}

/// What a side's Secrets hold, and what they are sealed with.
fn secrets(
    opener: &mut Opener<'_>,
    role: Role,
    delivery: Delivery,
) -> Result<(Material, Option<Sealer>), Error> {
    let peering = opener.peering;
    let credential = peering.sealed_kubeconfig(role);
    if peering.networking.is_none() && credential.is_none() {
        return Ok((Material::default(), None));
    }
    let seed = match own_seed_file(peering, role, delivery)? {
        Some(file) => Some(opener.seed(file, Some(delivery))?),
        None => None,
    };
    let keys = match (&peering.networking, &seed) {
        (Some(networking), Some(_)) => Some(side_keys(opener, networking, role, seed.as_ref())?),
        _ => None,
    };
    let sealer = match delivery {
        Delivery::Secret | Delivery::External => None,
        Delivery::SealedSecret => {
            let seed = seed.ok_or_else(no_seed)?;
            Some(seed.sealer(&peering.clusters[role].id.value)?)
        }
    };
    let sealed_to = sealer.as_ref().map(|sealer| &sealer.certificate);
    let credential = match credential {
        Some(kubeconfig) => Some(opener.credential(&kubeconfig.file, role, delivery, sealed_to)?),
        None => None,
    };
    Ok((Material { keys, credential }, sealer))
}

fn no_seed() -> Bug {
    Bug::new("a delivery without its seed")
}

/// The public keys, for a side whose Secrets are delivered in another way. A seed is opened only if the other side's key is not written.
fn public_material(opener: &mut Opener<'_>, role: Role) -> Result<Material, Error> {
    let keys = match &opener.peering.networking {
        Some(networking) => Some(side_keys(opener, networking, role, None)?),
        None => None,
    };
    Ok(Material {
        keys,
        credential: None,
    })
}

/// A side's public key. A side whose key is written but not verified is added to `unverified`.
fn known_key(
    opener: &mut Opener<'_>,
    networking: &Networking,
    role: Role,
    unverified: &mut Vec<Role>,
) -> Result<PublicKey, Error> {
    let (file, written) = match &networking.keys[role] {
        KeySource::Elsewhere(key) => return Ok(*key),
        KeySource::Seed(file, written) => (file, *written),
    };
    match (opener.seed(file, None), written) {
        (Ok(SealedSeed { seed, .. }), written) => {
            Ok(derive_expected(&seed, opener.peering, role, written)?.public())
        }
        // no identity opens the seed, or the other organisation sealed it for itself
        (Err(error), Some(key)) if is_sealed_for_others(&error) => {
            unverified.push(role);
            Ok(key)
        }
        (Err(error), _) => Err(error),
    }
}

/// The seed file that a side's Secrets need: for the side's key, or only to seal the Secrets.
fn own_seed_file(
    peering: &Peering,
    role: Role,
    delivery: Delivery,
) -> Result<Option<&FileName>, Error> {
    match (peering.key_source(role), delivery) {
        (Some(KeySource::Seed(file, _)), _) => Ok(Some(file)),
        (Some(KeySource::Elsewhere(_)), _) => Err(Error::SeedElsewhere { side: role }),
        (None, Delivery::SealedSecret) => {
            let seed = peering.seed_of(role).ok_or_else(no_seed)?;
            Ok(Some(&seed.value))
        }
        (None, Delivery::Secret | Delivery::External) => Ok(None),
    }
}

/// The keys of one side's stream: its own from its own seed, if that was opened. The other side's seed is opened only if nothing else gives
/// its key. A derived key must be the one that the document expects, before anything is printed.
fn side_keys(
    opener: &mut Opener<'_>,
    networking: &Networking,
    role: Role,
    own_seed: Option<&SealedSeed<'_>>,
) -> Result<Keys, Error> {
    let (peering, side) = (opener.peering, role.peer());
    let written = networking.keys[role].written();
    let own = match own_seed {
        Some(sealed) => derive_expected(&sealed.seed, peering, role, written)?.into(),
        None => OwnKey::Public(written),
    };
    let peer = match (&networking.keys[side], own_seed) {
        (KeySource::Seed(file, expected), Some(sealed)) if sealed.file == file => {
            derive_expected(&sealed.seed, peering, side, *expected)?.public()
        }
        (KeySource::Elsewhere(key) | KeySource::Seed(_, Some(key)), _) => *key,
        (KeySource::Seed(file, None), _) => {
            derive_expected(&opener.seed(file, None)?.seed, peering, side, None)?.public()
        }
    };
    if own.public() == Some(peer) {
        return Err(Error::OwnKey { side });
    }
    Ok(Keys {
        own,
        peer: Some(peer),
    })
}

/// Whether a file that was not opened can belong to the other organisation, or to another Argo CD.
pub(super) fn is_sealed_for_others(error: &Error) -> bool {
    match error {
        Error::Payload { problem, .. } => problem.is_for_others(),
        Error::Identity(IdentityProblem::NotGiven) => true,
        Error::SealedFile {
            problem: ReadProblem::Missing,
            ..
        } => true,
        _ => false,
    }
}

/// The key pair that a seed gives one side in its key generation; it must be the one that the document expects.
pub(super) fn derive_expected(
    seed: &Seed,
    peering: &Peering,
    side: Role,
    expected: Option<PublicKey>,
) -> Result<KeyPair, Error> {
    let pair = of_generation(seed, peering, side, peering.clusters[side].generation);
    match expected {
        Some(expected) if expected != pair.public() => Err(Error::UnexpectedKey {
            side,
            derived: pair.public().to_string(),
        }),
        _ => Ok(pair),
    }
}

/// The key pair that a seed gives one side in any key generation.
pub(super) fn of_generation(
    seed: &Seed,
    peering: &Peering,
    side: Role,
    generation: Generation,
) -> KeyPair {
    let (own, peer) = (&peering.clusters[side], &peering.clusters[side.peer()]);
    keys::derive(seed, &own.id, &peer.id, generation)
}

/// Refuses two equal keys: a gateway whose peer has the gateway's own key never connects.
pub(super) fn refuse_one_key(
    networking: &Networking,
    keys: &Sides<PublicKey>,
) -> Result<(), Error> {
    if keys.consumer != keys.provider {
        return Ok(());
    }
    // the side whose key is written, not derived
    let side = match networking.keys.consumer {
        KeySource::Elsewhere(_) => Role::Consumer,
        KeySource::Seed(..) => Role::Provider,
    };
    Err(Error::OwnKey { side })
}

#[cfg(test)]
mod tests;
