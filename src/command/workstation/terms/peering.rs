//! Whose a value of a flag is: a file for several peerings has an entry for each, and a value can be for one of them only.

use crate::command::error::Error;
use crate::command::workstation::flags::UseFlags;
use crate::custody::{ANY, ClusterPair, Term};
use crate::diagnostic::shown_name;
use crate::peering::values::{ClusterId, Role, Sides};

/// The peerings of `--clusters`: the consumer's ID and the provider's.
pub(super) fn peerings_of_flag(values: &[String]) -> Result<Vec<Sides<ClusterId>>, Error> {
    values.iter().map(|value| peering_of_value(value)).collect()
}

fn peering_of_value(value: &str) -> Result<Sides<ClusterId>, Error> {
    let wrong = |reason| Error::Flag { flag: Term::Clusters.flag(), reason };
    let id = |text: &str| text.trim().parse::<ClusterId>().map_err(|rule| wrong(rule.message));
    let (consumer, provider) = value.split_once(',').ok_or_else(|| wrong("two cluster IDs with a comma between them, such as `rome,milan`: the consumer's and the provider's".into()))?;
    let (consumer, provider) = (id(consumer)?, id(provider)?);
    if consumer == provider {
        return Err(wrong(format!("`{consumer}` is given twice; a peering has two clusters")));
    }
    Ok(Sides { consumer, provider })
}

pub(super) fn cluster_pair(Sides { consumer, provider }: &Sides<ClusterId>) -> ClusterPair {
    ClusterPair::new(consumer.clone(), provider.clone())
}

/// Refuses a value of a flag that is for none of these peerings, or not clearly for one.
pub(super) fn check_flags(uses: &UseFlags, peerings: &[Sides<ClusterId>]) -> Result<(), Error> {
    for term in Term::lists() {
        for value in uses.values(term) {
            check_value(term, value, peerings).map_err(|reason| Error::Flag { flag: term.flag(), reason })?;
        }
    }
    Ok(())
}

fn check_value(term: Term, value: &str, peerings: &[Sides<ClusterId>]) -> Result<(), String> {
    // what is shown in quotes as it is; files that were sealed with others keep their meaning
    if value.trim() != value || value.contains(';') || format!("{value:?}") != format!("\"{value}\"") {
        return Err(
            "it has a space at an end, `;`, a quote, `\\`, or a character that cannot be seen: remove it"
                .into(),
        );
    }
    let is_of_one = peerings.iter().any(|peering| value_of_peering(term, value, peering).is_some());
    if !peerings.is_empty() && !is_of_one {
        let ids: Vec<String> = peerings.iter().map(|it| format!("{},{}", it.consumer, it.provider)).collect();
        return Err(format!("`{}` names no cluster or peering of {}", shown_name(value), ids.join(" ")));
    }
    if term == Term::Paths && peerings.len() > 1 && value != ANY && peering_and_folder(value).is_none() {
        return Err("the file is for several peerings: write whose folder it is, such as `rome,milan=peerings/rome-milan`".into());
    }
    Ok(())
}

/// A flag's value as the entry of a peering has it, if it is for this peering: `a=consumer` becomes `a=rome`, and
/// `rome,milan=folder` becomes `folder`.
pub(super) fn value_of_peering(term: Term, value: &str, peering: &Sides<ClusterId>) -> Option<String> {
    if let (Term::Paths, Some(([consumer, provider], folder))) = (term, peering_and_folder(value)) {
        let is_own = peering.consumer.as_str() == consumer && peering.provider.as_str() == provider;
        return is_own.then(|| folder.to_owned());
    }
    let (name, Some(side)) = term.name_and_side(value) else { return Some(value.to_owned()) };
    let of_role = Role::find(side).map(|role| peering.of(role));
    let cluster = of_role.or_else(|| cluster_called(side, peering))?;
    Some(format!("{name}={cluster}"))
}

/// The values of an old entry that are for this peering. Their sides are IDs already, also where an ID is the word of a role.
pub(super) fn values_with_ids(term: Term, values: &[String], peering: &Sides<ClusterId>) -> Vec<String> {
    let is_own = |value: &&String| {
        let (_, side) = term.name_and_side(value);
        side.is_none_or(|side| cluster_called(side, peering).is_some())
    };
    values.iter().filter(is_own).cloned().collect()
}

fn cluster_called<'p>(id: &str, peering: &'p Sides<ClusterId>) -> Option<&'p ClusterId> {
    Role::BOTH.into_iter().map(|role| peering.of(role)).find(|cluster| cluster.as_str() == id)
}

/// `ID,ID=FOLDER`: the clusters of a peering, and its folder.
fn peering_and_folder(value: &str) -> Option<([&str; 2], &str)> {
    let (peering, folder) = value.split_once('=')?;
    let (consumer, provider) = peering.split_once(',')?;
    let are_ids = [consumer, provider].iter().all(|id| id.parse::<ClusterId>().is_ok());
    are_ids.then_some(([consumer, provider], folder))
}
