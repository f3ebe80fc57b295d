//! An entry of terms that is about to be sealed.

use super::peering::{value_of_peering, values_with_ids};
use crate::command::error::Error;
use crate::command::workstation::flags::UseFlags;
use crate::custody::{Clusters, Entry, Term, TermProblem};
use crate::peering::values::{ClusterId, Sides};

/// Whose entry it is, and where its values come from if no flag sets them.
pub(super) struct Draft<'t> {
    /// Without one the entry goes on to allow either cluster as the consumer.
    pub(super) peering: Option<Sides<ClusterId>>,
    /// The entry that the file has.
    old: Option<&'t Entry>,
    /// The namespaces of Secrets, before those of the old entry.
    default_namespaces: Vec<String>,
}

impl<'t> Draft<'t> {
    /// An entry that the file does not have.
    pub(super) const fn new_for(peering: Sides<ClusterId>) -> Self {
        Self { peering: Some(peering), old: None, default_namespaces: Vec::new() }
    }

    /// An entry that the file has, for one of its peerings.
    pub(super) const fn of_old(old: &'t Entry, peering: Option<Sides<ClusterId>>) -> Self {
        Self { peering, old: Some(old), default_namespaces: Vec::new() }
    }

    pub(super) fn with_default_namespaces(self, default_namespaces: Vec<String>) -> Self {
        Self { default_namespaces, ..self }
    }

    pub(super) fn entry(&self, flags: &UseFlags) -> Result<Entry, Error> {
        Term::lists().try_fold(Entry::of(self.clusters()), |entry, term| {
            let problem =
                |problem: TermProblem| Error::Flag { flag: term.flag(), reason: problem.to_string() };
            entry.with_some(term, &self.values(term, flags)?).map_err(problem)
        })
    }

    fn clusters(&self) -> Clusters {
        match (&self.peering, self.old) {
            (Some(peering), _) => Clusters::Peerings(vec![peering.clone()]),
            (None, Some(old)) => old.clusters.clone(),
            (None, None) => Clusters::Either(Vec::new()),
        }
    }

    /// The values of a term: those of its flag, the defaults, or the old entry's.
    fn values(&self, term: Term, flags: &UseFlags) -> Result<Vec<String>, Error> {
        let of_flag = self.values_of_peering(term, flags.values(term));
        if !of_flag.is_empty() {
            return Ok(of_flag);
        }
        let defaults = self.values_of_peering(term, &self.default_namespaces);
        if term == Term::Namespaces && !defaults.is_empty() {
            return Ok(defaults);
        }
        self.old.map_or_else(|| Ok(Vec::new()), |old| self.inherited_values(term, old))
    }

    /// `*` is not inherited: anyone can make a file that allows any.
    fn inherited_values(&self, term: Term, old: &Entry) -> Result<Vec<String>, Error> {
        if old.has_any(term) {
            let reason = format!(
                "the file allows any of the {term}, which is not inherited: set them, or set `*` again"
            );
            return Err(Error::Flag { flag: term.flag(), reason });
        }
        Ok(match (&old.clusters, &self.peering) {
            (Clusters::Peerings(_), Some(peering)) => values_with_ids(term, old.values(term), peering),
            _ => self.values_of_peering(term, old.values(term)),
        })
    }

    fn values_of_peering(&self, term: Term, values: &[String]) -> Vec<String> {
        match &self.peering {
            Some(peering) => {
                values.iter().filter_map(|value| value_of_peering(term, value, peering)).collect()
            }
            None => values.to_vec(),
        }
    }
}
