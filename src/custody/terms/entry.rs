//! One entry of terms, or of a policy: all that it lists must hold together.

use super::spelling::{normal, path};
use super::{ANY, EntryClusters, Term, TermProblem};
use crate::argocd::caller::in_quotes;
use crate::diagnostic::readable;
use crate::peering::values::Role;
use std::collections::BTreeMap;

/// A use that is allowed. All of its terms must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TermsEntry {
    pub(crate) clusters: EntryClusters,
    pub(super) lists: BTreeMap<Term, Vec<String>>,
}

impl TermsEntry {
    /// An entry that lists nothing yet.
    pub(crate) const fn new(clusters: EntryClusters) -> Self {
        Self {
            clusters,
            lists: BTreeMap::new(),
        }
    }

    /// Adds the values of a term, each brought into its normal form. An empty list allows nothing.
    pub(crate) fn set(mut self, term: Term, written: &[String]) -> Result<Self, TermProblem> {
        let values = written.iter();
        let values = values.map(|value| normal(term, value, &self.clusters));
        let values = values.collect::<Result<_, _>>();
        let values = values.map_err(|rule| TermProblem { term, rule })?;
        self.lists.insert(term, values);
        Ok(self)
    }

    /// Adds folders. `folder/*` matches each folder directly in `folder`; only a policy can have it.
    pub(crate) fn with_folders(mut self, written: &[String]) -> Result<Self, TermProblem> {
        let term = Term::Paths;
        let values = written.iter().map(|value| match value.strip_suffix("/*") {
            Some(inner) => Ok(format!("{}/*", path(inner)?)),
            None => normal(term, value, &self.clusters),
        });
        let values = values.collect::<Result<_, _>>();
        let values = values.map_err(|rule| TermProblem { term, rule })?;
        self.lists.insert(term, values);
        Ok(self)
    }

    /// Adds the values of a term. An empty list adds nothing: in a sealed file it counts as absent.
    pub(crate) fn set_given(self, term: Term, written: &[String]) -> Result<Self, TermProblem> {
        match written {
            [] => Ok(self),
            written => self.set(term, written),
        }
    }

    /// Whether each project has a side, as in a sealed file: a project for both sides gets both private keys.
    pub(super) fn has_sides(&self) -> bool {
        let mut projects = self.values(Term::Projects).iter();
        projects.all(|project| Term::Projects.name_and_side(project).1.is_some())
    }

    /// The values of a term, if the entry lists it.
    pub(crate) fn listed(&self, term: Term) -> Option<&[String]> {
        self.lists.get(&term).map(Vec::as_slice)
    }

    /// The values of a term; none if the entry does not list it.
    pub(crate) fn values(&self, term: Term) -> &[String] {
        self.listed(term).unwrap_or_default()
    }

    /// A term's values on one line, for a log. They are quoted, since anyone could have written them.
    pub(crate) fn line(&self, term: Term) -> String {
        if term == Term::Clusters {
            return self.clusters.line();
        }
        match self.values(term) {
            [] if term.denies_if_absent() => "none".to_owned(),
            [] => "any".to_owned(),
            values => {
                let values = values.iter().map(|value| shown_value(term, value));
                values.collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// The terms that people see. Of those about single rights only what is listed.
    pub(super) fn shown_terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        for term in Term::ALL {
            let is_rare = matches!(term, Term::LabelDomains | Term::Offloads | Term::LetsIn);
            if !is_rare || self.listed(*term).is_some() {
                terms.push(*term);
            }
        }
        terms
    }

    /// Whether Argo CD can open a file by it: each term about the caller that denies if it is absent has a value.
    pub(super) fn allows_argo_cd(&self) -> bool {
        Term::lists().all(|term| !term.is_required() || !self.values(term).is_empty())
    }
}

fn shown_value(term: Term, value: &str) -> String {
    match (term, term.name_and_side(value)) {
        (Term::LetsIn, _) => readable(&format!("\"{value}\"")),
        (Term::Projects, (_, None)) => in_quotes(value) + " (both roles)",
        _ => in_quotes(value),
    }
}

// what people choose and see, before a file is sealed
impl TermsEntry {
    /// The first value of a term for a role, without its side.
    pub(super) fn first_value(&self, term: Term, role: Role) -> Option<&str> {
        for value in self.values(term) {
            match term.name_and_side(value) {
                (_, Some(side)) if !self.clusters.has_role(side, role) => {}
                (name, _) => return Some(name),
            }
        }
        None
    }

    /// Whether a term allows any value.
    pub(crate) fn allows_any(&self, term: Term) -> bool {
        let mut values = self.values(term).iter();
        values.any(|value| term.name_and_side(value).0 == ANY)
    }
}
