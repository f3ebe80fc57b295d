//! The terms of a file to seal. Each value comes from the first source that has it: a flag, the old file, or, for a new file, the
//! peering.yaml beside it and the Git checkout.

use super::flags::{SealFlags, UseFlags, parse_flag};
use super::given_certificates::GivenCertificates;
use super::place::uses_at;
use crate::command::{Error, Result};
use crate::custody::{ANY, ClusterPair, EntryClusters, Origin, Term, Terms, TermsEntry};
use crate::diagnostic::shown_name;
use crate::input::file::folder_of;
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::values::{ClusterId, Role, Sides};
use crate::rules;
use std::path::Path;

/// The terms of a new file, without certificates, and whether flags set all of them.
pub(super) fn terms_of_new_file(flags: &SealFlags, output: &Path) -> Result<(Terms, Origin)> {
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
    let is_of_git = uses.repos != flags.uses.repos || uses.paths != flags.uses.paths;
    let origin = if flags.clusters.is_empty() || is_of_git {
        Origin::Elsewhere
    } else {
        Origin::Flags
    };
    let drafts = peerings.into_iter();
    let drafts: Vec<_> = drafts.map(|peering| Draft { peering, old: None }).collect();
    Ok((terms_of_drafts(&drafts, &uses)?, origin))
}

/// The terms of a file that is sealed again, and the flags' certificates.
pub(super) fn terms_of_old_file(
    flags: &SealFlags,
    old: &Terms,
    file: &Path,
    certificates: &mut GivenCertificates,
) -> Result<Terms> {
    let drafts = drafts(flags, old)?;
    if drafts.is_empty() {
        let reason = "the file has no terms: set its two cluster IDs";
        return Err(Error::flag(Term::Clusters.flag(), reason));
    }
    let peerings: Vec<_> = drafts.iter().map(|draft| draft.peering.clone()).collect();
    check_flags(&flags.uses, &peerings)?;
    let terms = terms_of_drafts(&drafts, &flags.uses)?;
    certificates.of_old_file(terms, old.certificates(), file)
}

fn terms_of_drafts(drafts: &[Draft<'_>], uses: &UseFlags) -> Result<Terms> {
    let entries = drafts.iter().map(|draft| draft.entry(uses));
    Ok(Terms::new(entries.collect::<Result<_>>()?))
}

/// One entry for each peering of `--clusters`, or of the file. Its values continue those of the file's entry for the same clusters, or of the
/// file's only entry.
fn drafts<'t>(flags: &SealFlags, old: &'t Terms) -> Result<Vec<Draft<'t>>> {
    let mut drafts = Vec::new();
    if flags.clusters.is_empty() {
        for entry in old.entries() {
            for peering in entry.clusters.peerings() {
                let (peering, old) = (peering.clone(), Some(entry));
                drafts.push(Draft { peering, old });
            }
        }
    }
    for peering in peerings_of_flag(&flags.clusters)? {
        let pair = ClusterPair::new(peering.consumer.clone(), peering.provider.clone());
        let mut entries = old.entries().iter();
        let old = match old.entries() {
            [only] => Some(only),
            _ => entries.find(|entry| entry.clusters.pairs().contains(&pair)),
        };
        if flags.uses.paths.is_empty() && old.is_some_and(mixes_folders) {
            return Err(Error::flag(Term::Paths.flag(), WHOSE_FOLDER));
        }
        drafts.push(Draft { peering, old });
    }
    Ok(drafts)
}

const WHOSE_FOLDER: &str = "the file is for several peerings: write whose folder, such as `rome,milan=peerings/rome-milan`";

fn mixes_folders(entry: &TermsEntry) -> bool {
    entry.clusters.peerings().len() > 1 && entry.values(Term::Paths).len() > 1
}

/// The peering of the peering.yaml in a folder.
fn peering_in(folder: &Path) -> Result<Peering> {
    match Folder::new(folder).read_document() {
        Ok(source) => Ok(rules::parse(&source)?),
        Err(unread) => {
            let reason = "no peering is beside the sealed file: set its two cluster IDs";
            let reason = format!("{reason}: {unread}");
            Err(Error::flag(Term::Clusters.flag(), reason))
        }
    }
}

pub(super) fn clusters_of(peering: &Peering) -> Sides<ClusterId> {
    Sides::make(|role| peering.clusters[role].id.value.clone())
}

/// Both tenant namespaces, each with its side, in the form of a flag: all Secrets of a peering are in them.
pub(super) fn secret_namespaces(peering: &Peering) -> Vec<String> {
    Role::BOTH
        .map(|role| format!("{}={role}", *peering.clusters[role].tenant_namespace))
        .into()
}

/// An entry to seal: its peering, and the file's old entry, the source of the values that no flag sets.
struct Draft<'t> {
    peering: Sides<ClusterId>,
    old: Option<&'t TermsEntry>,
}

impl Draft<'_> {
    fn entry(&self, flags: &UseFlags) -> Result<TermsEntry> {
        let clusters = EntryClusters::Peerings(vec![self.peering.clone()]);
        let mut entry = TermsEntry::new(clusters);
        for term in Term::lists() {
            let given = entry.set_given(term, &self.values(term, flags)?);
            entry = given.map_err(|problem| Error::flag(term.flag(), problem.to_string()))?;
        }
        Ok(entry)
    }

    /// The values of a term: those of its flag, or the old entry's.
    fn values(&self, term: Term, flags: &UseFlags) -> Result<Vec<String>> {
        let mut of_flag = Vec::new();
        for value in flags.values(term) {
            of_flag.extend(values_of_peering(term, value, &self.peering));
        }
        match self.old {
            Some(old) if of_flag.is_empty() => self.inherited_values(term, old),
            _ => Ok(of_flag),
        }
    }

    /// The values of the old entry. `*` is not inherited: anyone can make a file that allows any.
    fn inherited_values(&self, term: Term, old: &TermsEntry) -> Result<Vec<String>> {
        if old.allows_any(term) {
            let reason = "which is not inherited: set them, or `*` again";
            let reason = format!("the file allows any {term}, {reason}");
            return Err(Error::flag(term.flag(), reason));
        }
        Ok(values_with_ids(term, old.values(term), &self.peering))
    }
}

/// The peerings of `--clusters`, each with the consumer's ID and the provider's.
fn peerings_of_flag(values: &[String]) -> Result<Vec<Sides<ClusterId>>> {
    let flag = Term::Clusters.flag();
    let mut peerings = Vec::new();
    for value in values {
        let Some((consumer, provider)) = value.split_once(',') else {
            let reason = "write the consumer's and the provider's ID, such as `rome,milan`";
            return Err(Error::flag(flag, reason));
        };
        let consumer: ClusterId = parse_flag(flag, consumer.trim())?;
        let provider: ClusterId = parse_flag(flag, provider.trim())?;
        if consumer == provider {
            let reason = format!("`{consumer}` is given twice; name two clusters");
            return Err(Error::flag(flag, reason));
        }
        peerings.push(Sides { consumer, provider });
    }
    Ok(peerings)
}

/// Refuses a flag's value that belongs to none of these peerings, or not clearly to one.
fn check_flags(uses: &UseFlags, peerings: &[Sides<ClusterId>]) -> Result {
    for term in Term::lists() {
        for value in uses.values(term) {
            if let Err(reason) = check_value(term, value, peerings) {
                return Err(Error::flag(term.flag(), reason));
            }
        }
    }
    Ok(())
}

fn check_value(term: Term, value: &str, peerings: &[Sides<ClusterId>]) -> Result<(), String> {
    // only values that look the same in quotes are accepted; files that were sealed with others keep their meaning
    let is_plain = format!("{value:?}") == format!("\"{value}\"");
    if !is_plain || value.trim() != value || value.contains(';') {
        let reason = "remove a space at an end, `;`, quotes, `\\`, and invisible characters";
        return Err(reason.to_owned());
    }
    let is_strange = |peering| values_of_peering(term, value, peering).is_empty();
    if !peerings.is_empty() && peerings.iter().all(is_strange) {
        let ids = peerings.iter();
        let ids = ids.map(|it| format!("{},{}", it.consumer, it.provider));
        let (value, ids) = (shown_name(value), ids.collect::<Vec<_>>().join(" "));
        return Err(format!("`{value}` names no cluster or peering of {ids}"));
    }
    let needs_peering = term == Term::Paths && peerings.len() > 1 && value != ANY;
    if needs_peering && peering_and_folder(value).is_none() {
        return Err(WHOSE_FOLDER.to_owned());
    }
    Ok(())
}

/// A flag's value in the form of the peering's entry, if it is for this peering: `a=consumer` becomes `a=rome`, and
/// `rome,milan=folder` becomes `folder`. A project without a side is for both sides.
fn values_of_peering(term: Term, value: &str, peering: &Sides<ClusterId>) -> Vec<String> {
    if let (Term::Paths, Some(([consumer, provider], folder))) = (term, peering_and_folder(value)) {
        let is_own = peering.consumer.as_str() == consumer && peering.provider.as_str() == provider;
        return Vec::from_iter(is_own.then_some(folder.to_owned()));
    }
    let (name, side) = term.name_and_side(value);
    let roles = match side {
        Some(side) => Vec::from_iter(role_called(side, peering)),
        None if term == Term::Projects => Role::BOTH.to_vec(),
        None => return vec![name.to_owned()],
    };
    let on_side = |role| format!("{name}={}", &peering[role]);
    roles.into_iter().map(on_side).collect()
}

/// The side that a person names.
pub(super) fn role_called(side: &str, ids: &Sides<ClusterId>) -> Option<Role> {
    Role::called(side, |role| &ids[role])
}

/// The values of an old entry that are for this peering. Their sides are IDs already, even if an ID is the word of a role.
fn values_with_ids(term: Term, values: &[String], peering: &Sides<ClusterId>) -> Vec<String> {
    let ids = [peering.consumer.as_str(), peering.provider.as_str()];
    let is_own = |side: &str| ids.contains(&side);
    let mut own = values.to_vec();
    own.retain(|value| term.name_and_side(value).1.is_none_or(is_own));
    own
}

/// Reads `ID,ID=FOLDER`: the clusters of a peering, and its folder.
fn peering_and_folder(value: &str) -> Option<([&str; 2], &str)> {
    let (peering, folder) = value.split_once('=')?;
    let (consumer, provider) = peering.split_once(',')?;
    let are_ids = consumer.parse::<ClusterId>().is_ok() && provider.parse::<ClusterId>().is_ok();
    are_ids.then_some(([consumer, provider], folder))
}
