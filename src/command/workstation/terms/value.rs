//! What a value of a term says of one peering.

use crate::custody::{Term, name_and_side};
use crate::peering::values::{ClusterId, Role, Sides};

/// A value as the entry of a peering has it, if it is for this peering: with the cluster's ID in the place of a role, and without
/// the peering before a folder.
pub(super) fn own(term: Term, value: &str, peering: &Sides<ClusterId>) -> Option<String> {
    match (term, name_and_side(value), bound_path(value)) {
        (Term::Paths, _, Some(([consumer, provider], folder))) => {
            let is_own = peering.consumer.as_str() == consumer && peering.provider.as_str() == provider;
            is_own.then(|| folder.to_owned())
        }
        (term, (name, Some(side)), _) if term.has_sides() => {
            let named = Role::BOTH.into_iter().map(|role| peering.of(role)).find(|id| id.as_str() == side);
            let cluster = Role::find(side).map(|role| peering.of(role)).or(named)?;
            Some(format!("{name}={cluster}"))
        }
        _ => Some(value.to_owned()),
    }
}

/// The values of an entry that has IDs for its sides, as far as they are for this peering.
pub(super) fn kept(term: Term, values: &[String], peering: &Sides<ClusterId>) -> Vec<String> {
    let is_own = |value: &&String| {
        let side = name_and_side(value).1.filter(|_| term.has_sides());
        side.is_none_or(|side| Role::BOTH.into_iter().any(|role| peering.of(role).as_str() == side))
    };
    values.iter().filter(is_own).cloned().collect()
}

/// `ID,ID=FOLDER`: the clusters of a peering, and its folder.
pub(super) fn bound_path(value: &str) -> Option<([&str; 2], &str)> {
    let (peering, folder) = value.split_once('=')?;
    let (consumer, provider) = peering.split_once(',')?;
    let are_ids = [consumer, provider].iter().all(|id| id.parse::<ClusterId>().is_ok());
    are_ids.then_some(([consumer, provider], folder))
}
