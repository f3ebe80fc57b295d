//! A generation that is raised without the seed: for a side whose key nothing but the seed and the generation decide.

use super::DocumentEdit;
use crate::diagnostic::reasons;
use crate::peering::Peering;
use crate::peering::delivery::Delivery;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{Role, Sides, State};

reasons! {
    /// Why a side's generation is not raised without more than the document.
    pub(crate) enum Obstacle {
        NoKeys
            error("the peering has no networking, so it has no keys")
            help "nothing has to be done";
        Drained
            error("the peering is drained")
            help "rotate when it is Active again";
        /// The key comes from elsewhere.
        Elsewhere
            error("its seed is not here")
            help "its organisation rotates it";
        /// In this document, or in the other organisation's.
        Written
            error("its public key is written in a document")
            help "`argocd-peering seed rotate` prints the new one, from the seed";
        External
            error("its delivery is External, and the new key must be in the store before the commit")
            help "`argocd-peering seed rotate` prints the steps";
        FixedSecret
            error("its key Secret has a fixed name, so someone restarts the gateway afterwards")
            help "`argocd-peering seed rotate` prints the steps";
        Last
            error("its `keyGeneration` is the largest possible")
            help "`argocd-peering seed rotate --new-seed`";
    }
}

/// The document's edit for a side's next generation.
///
/// # Errors
/// If a person has to do more than to commit the edit, or needs the seed.
pub(crate) fn raise(peering: &Peering, side: Role) -> Result<DocumentEdit, Obstacle> {
    let networking = peering.networking.as_ref().ok_or(Obstacle::NoKeys)?;
    let own = peering.clusters.of(side);
    match (networking.keys.of(side), networking.keys.of(side.peer())) {
        (KeySource::Elsewhere(_), _) => return Err(Obstacle::Elsewhere),
        // the other organisation has it in its own document
        (KeySource::Seed(..), KeySource::Elsewhere(_)) | (KeySource::Seed(_, Some(_)), _) => {
            return Err(Obstacle::Written);
        }
        (KeySource::Seed(_, None), KeySource::Seed(..)) => {}
    }
    if peering.state != State::Active {
        return Err(Obstacle::Drained);
    }
    if own.delivery == Delivery::External {
        return Err(Obstacle::External);
    }
    if own.names.key_secret.is_some() {
        return Err(Obstacle::FixedSecret);
    }
    let generation = own.generation.next().ok_or(Obstacle::Last)?;
    Ok(DocumentEdit { side, generation, keys: Sides::make(|_| None) })
}
