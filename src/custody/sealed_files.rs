//! Which sealed files a peering has: those that its streams are built from, those of a side, and those that its document names.

use super::payload::PayloadKind;
use crate::document::Located;
use crate::peering::Peering;
use crate::peering::delivery::Delivery;
use crate::peering::networking::keys::KeySource;
use crate::peering::values::{FileName, Role};

/// The sealed files that a peering's streams are built from.
pub(crate) fn sealed_files(peering: &Peering) -> impl Iterator<Item = (&FileName, PayloadKind)> {
    let roles = Role::BOTH.into_iter();
    roles.flat_map(|role| own_files(peering, role))
}

/// The sealed files of one side.
pub(super) fn own_files(
    peering: &Peering,
    role: Role,
) -> impl Iterator<Item = (&FileName, PayloadKind)> {
    let seed = sealed_seed(peering, role).map(|file| (file, PayloadKind::Seed));
    let sealed = peering.sealed_kubeconfig(role);
    let sealed = sealed.filter(|_| peering.clusters[role].delivery != Delivery::External);
    let kubeconfig = sealed.map(|sealed| (&sealed.file.value, PayloadKind::Kubeconfig));
    seed.into_iter().chain(kubeconfig)
}

/// The sealed files that one side's stream may need.
pub(crate) fn sealed_files_of(peering: &Peering, role: Role) -> impl Iterator<Item = &FileName> {
    let of_peer = match peering.key_source(role.peer()) {
        Some(KeySource::Seed(file, None)) => Some(file),
        _ => None,
    };
    let own = own_files(peering, role).map(|(file, _)| file);
    own.chain(of_peer)
}

/// The sealed files that the document names, including those that no stream needs: `keys export` opens them.
pub(crate) fn named_files(
    peering: &Peering,
) -> impl Iterator<Item = (&Located<FileName>, PayloadKind)> {
    let seeds = Role::BOTH
        .into_iter()
        .filter_map(|role| peering.seed_of(role));
    let seeds = seeds.map(|file| (file, PayloadKind::Seed));
    let sealed = Role::BOTH.map(|role| peering.sealed_kubeconfig(role));
    let sealed = sealed.into_iter().flatten();
    seeds.chain(sealed.map(|sealed| (&sealed.file, PayloadKind::Kubeconfig)))
}

/// The sealed files that the document names for one side, also while it is drained and needs none.
pub(super) fn named_files_of(peering: &Peering, role: Role) -> Vec<(&FileName, PayloadKind)> {
    let authentication = peering.authentication(role);
    let credential = authentication.and_then(|it| it.credential.sealed_kubeconfig());
    let seed = peering.seed_of(role);
    let seed = seed.map(|file| (&file.value, PayloadKind::Seed));
    let credential = credential.map(|it| (&it.file.value, PayloadKind::Kubeconfig));
    seed.into_iter().chain(credential).collect()
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
