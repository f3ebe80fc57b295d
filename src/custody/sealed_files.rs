//! Which sealed files a peering has: those that its streams are built from, those of a side, and those that its document names.

use super::payload::PayloadKind;
use crate::document::Located;
use crate::peering::Peering;
use crate::peering::delivery::Delivery;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{FileName, Role};

/// The sealed files that a peering's streams are built from.
pub(crate) fn sealed_files(peering: &Peering) -> impl Iterator<Item = (&FileName, PayloadKind)> {
    let mut files = own_files(peering, Role::Consumer);
    files.extend(own_files(peering, Role::Provider));
    files.into_iter()
}

/// The sealed files of one side.
pub(super) fn own_files(peering: &Peering, role: Role) -> Vec<(&FileName, PayloadKind)> {
    let mut files = Vec::new();
    if let Some(seed) = sealed_seed(peering, role) {
        files.push((seed, PayloadKind::Seed));
    }
    if let Some(sealed) = peering.sealed_kubeconfig(role)
        && peering.clusters[role].delivery != Delivery::External
    {
        files.push((&sealed.file.value, PayloadKind::Kubeconfig));
    }
    files
}

/// The sealed files that one side's stream may need.
pub(crate) fn sealed_files_of(peering: &Peering, role: Role) -> impl Iterator<Item = &FileName> {
    let of_peer = match peering.key_source(role.peer()) {
        Some(KeySource::Seed(file, None)) => Some(file),
        _ => None,
    };
    let own = own_files(peering, role).into_iter().map(|(file, _)| file);
    own.chain(of_peer)
}

/// The sealed files that the document names, including those that no stream needs: `keys export` opens them.
pub(crate) fn named_files(
    peering: &Peering,
) -> impl Iterator<Item = (&Located<FileName>, PayloadKind)> {
    let seeds = Role::BOTH.map(|role| Some((peering.seed_of(role)?, PayloadKind::Seed)));
    let sealed = Role::BOTH.map(|role| Some(&peering.sealed_kubeconfig(role)?.file));
    let sealed = sealed.map(|file| Some((file?, PayloadKind::Kubeconfig)));
    seeds.into_iter().chain(sealed).flatten()
}

/// The sealed files that the document names for one side, also while it is drained and needs none.
pub(super) fn named_files_of(peering: &Peering, role: Role) -> Vec<(&FileName, PayloadKind)> {
    let mut files = Vec::new();
    if let Some(seed) = peering.seed_of(role) {
        files.push((&seed.value, PayloadKind::Seed));
    }
    if let Some(authentication) = peering.authentication(role)
        && let Some(sealed) = authentication.credential.sealed_kubeconfig()
    {
        files.push((&sealed.file.value, PayloadKind::Kubeconfig));
    }
    files
}

fn sealed_seed(peering: &Peering, role: Role) -> Option<&FileName> {
    match (peering.key_source(role), peering.clusters[role].delivery) {
        (Some(KeySource::Elsewhere(_)), _)
        | (Some(KeySource::Seed(_, Some(_))), Delivery::External)
        | (None, Delivery::Secret | Delivery::External) => None,
        (Some(KeySource::Seed(file, _)), _) => Some(file),
        (None, Delivery::SealedSecret) => {
            peering.sealed_kubeconfig(role)?;
            Some(&peering.seed_of(role)?.value)
        }
    }
}
