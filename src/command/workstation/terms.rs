//! The terms of a file that is sealed. Each value comes from the first that has one: a flag; the file that is sealed again; for a
//! new file its place, which is the peering.yaml beside it and the Git checkout.

mod checkout;
mod draft;
mod peering;

pub(super) use checkout::uses_at;

use super::certificates::Given;
use crate::command::error::Error;
use crate::command::workstation::flags::SealFlags;
use crate::custody::{Clusters, Entry, Origin, Term, Terms};
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::values::{ClusterId, Role, Sides};
use crate::rules;
use draft::Draft;
use peering::{check_flags, cluster_pair, peerings_of_flag};
use std::path::Path;

/// The terms of a new file, without certificates, and whether flags set all of them.
pub(super) fn terms_of_new_file(flags: &SealFlags, output: &Path) -> Result<(Terms, Origin), Error> {
    let folder = folder_of(output);
    let mut uses = flags.uses.clone();
    let mut peerings = peerings_of_flag(&flags.clusters)?;
    check_flags(&uses, &peerings)?; // a mistake in a flag comes before one in the folder
    if peerings.is_empty() {
        let peering = peering_in(folder)?;
        if uses.secret_namespaces.is_empty() {
            uses.secret_namespaces = secret_namespaces(&peering);
        }
        peerings.push(clusters_of(&peering));
    }
    let uses = uses_at(uses, folder)?;
    check_flags(&uses, &peerings)?;
    let flags_set = |term| uses.values(term).len() == flags.uses.values(term).len();
    let is_set = !flags.clusters.is_empty() && flags_set(Term::Repos) && flags_set(Term::Paths);
    let origin = if is_set { Origin::Flags } else { Origin::Elsewhere };
    let entries = peerings.into_iter().map(|peering| Draft::new_for(peering).entry(&uses));
    Ok((Terms::of(entries.collect::<Result<_, _>>()?), origin))
}

/// The terms of a file that is sealed again, and the flags' certificates.
pub(super) fn terms_of_old_file(
    flags: &SealFlags,
    old: &Terms,
    file: &Path,
    certificates: &mut Given,
) -> Result<Terms, Error> {
    let drafts = if flags.clusters.is_empty() {
        let beside = peering_in(folder_of(file)).ok();
        old.entries().iter().flat_map(|entry| drafts_of_old_entry(entry, beside.as_ref())).collect()
    } else {
        drafts_of_flag(flags, old)?
    };
    if drafts.is_empty() {
        let reason = "the file has no terms yet: set the IDs of its two clusters".into();
        return Err(Error::Flag { flag: Term::Clusters.flag(), reason });
    }
    let peerings: Vec<_> = drafts.iter().filter_map(|draft| draft.peering.clone()).collect();
    check_flags(&flags.uses, &peerings)?;
    let entries = drafts.iter().map(|draft| draft.entry(&flags.uses));
    certificates.of_old_file(Terms::of(entries.collect::<Result<_, _>>()?), old.certificates(), file)
}

/// What becomes of an entry that no flag names: one entry for each of its peerings. An entry in which either cluster may be the
/// consumer becomes one of the peering beside the file, if it is for that peering's clusters alone.
fn drafts_of_old_entry<'t>(old: &'t Entry, beside: Option<&Peering>) -> Vec<Draft<'t>> {
    match (&old.clusters, beside) {
        (Clusters::Peerings(peerings), _) => {
            peerings.iter().map(|peering| Draft::of_old(old, Some(peering.clone()))).collect()
        }
        (clusters, Some(beside)) if clusters.pairs() == [cluster_pair(&clusters_of(beside))] => {
            let draft = Draft::of_old(old, Some(clusters_of(beside)));
            vec![draft.with_default_namespaces(secret_namespaces(beside))]
        }
        _ => vec![Draft::of_old(old, None)],
    }
}

/// One entry for each peering of `--clusters`. It goes on with the file's entry for its clusters, or with the file's only entry.
fn drafts_of_flag<'t>(flags: &SealFlags, old: &'t Terms) -> Result<Vec<Draft<'t>>, Error> {
    let mut drafts = Vec::new();
    for peering in peerings_of_flag(&flags.clusters)? {
        let entry = match old.entries() {
            [only] => Some(only),
            entries => entries.iter().find(|entry| entry.clusters.pairs().contains(&cluster_pair(&peering))),
        };
        let Some(entry) = entry else {
            drafts.push(Draft::new_for(peering));
            continue;
        };
        if flags.uses.paths.is_empty() && mixes_folders(entry) {
            let reason = "the file allows several folders for several peerings: set which folder is whose, such as `rome,milan=peerings/rome-milan`";
            return Err(Error::Flag { flag: Term::Paths.flag(), reason: reason.into() });
        }
        drafts.push(Draft::of_old(entry, Some(peering)));
    }
    Ok(drafts)
}

fn mixes_folders(entry: &Entry) -> bool {
    entry.clusters.pairs().len() > 1 && entry.values(Term::Paths).len() > 1
}

fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or_else(|| Path::new(""))
}

/// The peering of the peering.yaml in a folder.
fn peering_in(folder: &Path) -> Result<Peering, Error> {
    let source = Folder::new(folder).read_document().map_err(|unread| Error::Flag {
        flag: Term::Clusters.flag(),
        reason: format!("there is no peering beside the sealed file, so set its two cluster IDs: {unread}"),
    })?;
    Ok(rules::read(&source)?)
}

fn clusters_of(peering: &Peering) -> Sides<ClusterId> {
    Sides::make(|role| peering.clusters.of(role).id.value.clone())
}

/// Both tenant namespaces, each on its side, as a flag has them: all Secrets of a peering are in them.
pub(super) fn secret_namespaces(peering: &Peering) -> Vec<String> {
    Role::BOTH.map(|role| format!("{}={role}", *peering.clusters.of(role).tenant_namespace)).into()
}
