//! Whether a sealed file may be opened for this caller. This is decided here and nowhere else.
//!
//! Two parties decide, and both must allow: the owner of the secret by the file's terms ([`Terms`]), and, where there is
//! one, the operator of this Argo CD by a [`Policy`]. The policy narrows all terms but one: where there is a policy, it alone
//! decides about labels and annotations. The facts about the caller come from Argo CD's repo-server, not from an Application's
//! author ([`Caller`]). `tests/authorise.json` is the decision table: one row for each condition that denies by itself.

use super::error::{Error, UnlistedFact};
use super::policy::Policy;
use super::terms::{ANY, Term, Terms, TermsEntry, normal_path, normal_repo};
use crate::argocd::caller::Caller;
use crate::diagnostic::Bug;
use crate::object::{Grant, Manifest, Meta};
use crate::peering::delivery::Delivery;
use crate::peering::values::label_key::{self, KeyUse};
use crate::peering::values::{ClusterId, Role, Sides};
use crate::peering::{Material, Peering};
use std::collections::{BTreeMap, BTreeSet};

/// What a stream does, and what it asks of a sealed file.
#[derive(Debug, Clone)]
pub(super) struct Use<'u> {
    pub(super) clusters: Sides<&'u ClusterId>,
    /// The side whose stream is generated; `None` where only public keys are printed.
    pub(super) role: Option<Role>,
    /// How the secret in the file reaches its cluster; `None` where only a public key is printed.
    pub(super) delivery: Option<Delivery>,
    pub(super) grants: Grants,
}

/// What the objects of a side's stream give, whoever opens the files for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Grants {
    /// The namespaces that get objects of the peering, Secrets among them.
    pub(crate) namespaces: BTreeSet<String>,
    /// The namespaces of workloads that are made, or offloaded with their Secrets.
    pub(crate) offloads: BTreeSet<String>,
    /// Who gets rights: subjects, and keys of an exchange.
    pub(crate) lets_in: BTreeSet<String>,
    /// The keys of labels and annotations by which a controller can act, on the peering's objects.
    pub(crate) labels: BTreeSet<String>,
    /// The same on Namespaces of workloads.
    pub(crate) workload_labels: BTreeSet<String>,
}

impl Grants {
    /// Those of a peering's side, without opening anything.
    pub(crate) fn of_side(peering: &Peering, role: Role) -> Result<Self, Bug> {
        let mut grants = Self::default();
        for manifest in peering.manifests(role, &Material::public(peering, role))? {
            grants.add(&manifest);
        }
        Ok(grants)
    }

    /// The keys on all objects.
    pub(crate) fn all_labels(&self) -> impl Iterator<Item = &str> {
        let all = self.labels.iter().chain(&self.workload_labels);
        all.map(String::as_str)
    }

    /// Adds what one object gives.
    pub(crate) fn add(&mut self, manifest: &Manifest) {
        let Meta {
            name,
            namespace,
            labels,
            annotations,
            ..
        } = manifest.meta();
        let (name, namespace) = (name.clone(), namespace.clone());
        let keys = match manifest.kind().gives {
            Grant::Workloads => &mut self.workload_labels,
            _ => &mut self.labels,
        };
        for (key, _) in labels.iter().chain(annotations) {
            if label_key::key_use(key) == KeyUse::Listed {
                keys.insert(key.clone());
            }
        }
        match manifest.kind().gives {
            Grant::Object | Grant::Rights => self.namespaces.extend(namespace),
            Grant::Namespace => self.namespaces.extend([name]),
            Grant::Workloads => self.offloads.extend([name]),
            Grant::Offloading => self.offloads.extend(namespace),
        }
        if let Manifest::Templated(object) = manifest {
            self.lets_in.extend(object.lets_in.iter().cloned());
        }
    }
}

/// Why a caller is denied. Argo CD's callers do not see it: the reason would tell them the terms of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denied {
    /// The file does not have the term.
    Absent { term: Term },
    /// Argo CD did not report the value.
    Unreported { term: Term },
    /// The term has only other values.
    Other { term: Term },
    /// The file's terms allow the caller, and the operator's policy does not.
    Policy,
}

/// Decides. In a local run only the terms about the document count: clusters, delivery and namespace. Anyone with the identity could open
/// the file with `age` itself, so terms about a caller would not stop them. The error is the first term for which no entry is left that
/// allows it and all terms before it; the policy comes last.
pub(super) fn authorise(
    terms: &Terms,
    policy: Option<&Policy>,
    asked: &Use<'_>,
    caller: &Caller,
) -> Result<(), Denied> {
    let facts = CallerFacts::new(caller);
    // where there is a policy, it decides about labels: below, and in [`authorise_stream`]
    let has_policy = policy.is_some() && facts.is_some();
    let skipped = has_policy.then_some(Term::LabelDomains);
    if let Some((term, left)) = first_denied(terms.entries(), asked, facts.as_ref(), skipped) {
        let mut left = left.into_iter();
        let first = left.find_map(|entry| denied(entry, term, asked, facts.as_ref()));
        return Err(first.unwrap_or(Denied::Other { term }));
    }
    match (policy, facts) {
        (Some(policy), Some(facts)) if !has_entry_for(policy, asked, &facts) => Err(Denied::Policy),
        _ => Ok(()),
    }
}

/// The first term for which no entry is left that allows it and all terms before it, with the entries that are left before it.
pub(super) fn first_denied<'e>(
    entries: &'e [TermsEntry],
    asked: &Use<'_>,
    facts: Option<&CallerFacts>,
    skipped: Option<Term>,
) -> Option<(Term, Vec<&'e TermsEntry>)> {
    let mut left: Vec<&TermsEntry> = entries.iter().collect();
    for &term in Term::ALL {
        if skipped == Some(term) {
            continue;
        }
        let before = left.clone();
        left.retain(|entry| denied(entry, term, asked, facts).is_none());
        if left.is_empty() {
            return Some((term, before));
        }
    }
    None
}

/// Decides about a stream, whether or not it opens a file. A person's own run has no policy.
///
/// # Errors
/// With the fact of the stream that the nearest entry lacks, if an entry is for the caller's place at all.
pub(super) fn authorise_stream(
    policy: &Policy,
    asked: &Use<'_>,
    caller: &Caller,
) -> Result<(), Error> {
    let Some(facts) = CallerFacts::new(caller) else {
        return Ok(());
    };
    if has_entry_for(policy, asked, &facts) {
        return Ok(());
    }
    let mut entries = policy.entries().iter().zip(1..);
    let lacks = entries.find_map(|(allowed, entry)| {
        let term = denied_term(allowed, asked, &facts)?;
        let value = asked.unlisted(allowed, term)?;
        Some(UnlistedFact { entry, term, value })
    });
    let asked = asked.request(caller);
    Err(Error::Policied { asked, lacks })
}

/// Whether one entry of the policy allows the whole use.
pub(super) fn has_entry_for(policy: &Policy, asked: &Use<'_>, facts: &CallerFacts) -> bool {
    let mut entries = policy.entries().iter();
    entries.any(|entry| denied_term(entry, asked, facts).is_none())
}

fn denied_term(entry: &TermsEntry, asked: &Use<'_>, facts: &CallerFacts) -> Option<Term> {
    let mut terms = Term::ALL.iter().copied();
    terms.find(|term| denied(entry, *term, asked, Some(facts)).is_some())
}

/// The facts that Argo CD will report, as far as they are known. An unknown fact is not judged.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlannedCaller {
    pub(crate) project: Option<String>,
    pub(crate) repo: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) revision: Option<String>,
}

/// The facts that Argo CD reports of a caller. A fact that is not known yet is not judged.
pub(super) struct CallerFacts(BTreeMap<Term, FactValue>);

/// A fact in its normal form. A fact without a normal form could mean anything, so no value allows it, not even `*`.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum FactValue {
    Reported(String),
    Malformed,
    Unreported,
}

impl CallerFacts {
    /// The facts of a caller; `None` for a local run.
    pub(super) fn new(caller: &Caller) -> Option<Self> {
        match caller {
            Caller::Local => None,
            Caller::ArgoCd {
                project,
                repo,
                path,
                revision,
            } => Some(Self::of_place([project, repo, path, revision])),
        }
    }

    /// The facts that are known before Argo CD reports them.
    pub(super) fn known(place: &PlannedCaller) -> Self {
        let mut facts = Self::of_place([&place.project, &place.repo, &place.path, &place.revision]);
        facts.0.retain(|_, fact| *fact != FactValue::Unreported);
        facts
    }

    fn of_place([project, repo, path, revision]: [&Option<String>; 4]) -> Self {
        let path = match path {
            Some(path) => normal_path(path).map_or(FactValue::Malformed, FactValue::Reported),
            None => FactValue::Unreported,
        };
        Self(BTreeMap::from([
            (Term::Projects, project.clone().into()),
            (Term::Repos, repo.as_deref().map(normal_repo).into()),
            (Term::Paths, path),
            (Term::Revisions, revision.clone().into()),
        ]))
    }
}

impl From<Option<String>> for FactValue {
    fn from(value: Option<String>) -> Self {
        value.map_or(Self::Unreported, Self::Reported)
    }
}

impl<'u> Use<'u> {
    /// What one side's stream does. Its delivery is that of its Secrets, if it has any.
    pub(super) fn of_side(peering: &'u Peering, role: Role) -> Result<Self, Bug> {
        let has_secrets = !peering.secret_keys(role).is_empty();
        Ok(Self {
            role: Some(role),
            delivery: has_secrets.then_some(peering.clusters[role].delivery),
            grants: Grants::of_side(peering, role)?,
            ..Self::of_keys(peering)
        })
    }

    /// What the printing of public keys does.
    pub(super) fn of_keys(peering: &'u Peering) -> Self {
        Self {
            clusters: Sides::make(|role| &peering.clusters[role].id.value),
            role: None,
            delivery: None,
            grants: Grants::default(),
        }
    }

    /// The use of one file. Where Secrets are made is only about a file whose secret is in one.
    pub(super) fn of_file(&self, delivery: Option<Delivery>) -> Self {
        let mut asked = self.clone();
        asked.delivery = delivery;
        if delivery.is_none() {
            asked.grants.namespaces.clear();
        }
        asked
    }

    /// What a caller asks for, in the caller's own values.
    pub(super) fn request(&self, caller: &Caller) -> String {
        let role = self.role.map_or("?", Role::word);
        let Sides { consumer, provider } = self.clusters;
        format!("the clusters {consumer}/{provider} for {caller}, role={role}")
    }

    /// The facts of this use that a term is compared with; empty where the term does not apply. The match has no wildcard: a term that is
    /// compared with nothing would allow everything.
    pub(super) fn facts(&self, term: Term, caller: Option<&CallerFacts>) -> Vec<FactValue> {
        match term {
            // compared as pairs of clusters, not as words
            Term::Clusters => Vec::new(),
            Term::Projects | Term::Repos | Term::Paths | Term::Revisions => {
                let fact = caller.and_then(|facts| facts.0.get(&term));
                fact.cloned().into_iter().collect()
            }
            Term::Delivery => of_document(self.delivery.map(Delivery::word)),
            Term::Namespaces => of_document(self.grants.namespaces.iter().map(String::as_str)),
            Term::LabelDomains => of_document(self.grants.all_labels()),
            Term::Offloads => of_document(self.grants.offloads.iter().map(String::as_str)),
            Term::LetsIn => of_document(self.grants.lets_in.iter().map(String::as_str)),
        }
    }

    /// The facts of a term that have a value.
    fn values(&self, term: Term, caller: Option<&CallerFacts>) -> Vec<String> {
        let mut values = Vec::new();
        for fact in self.facts(term, caller) {
            if let FactValue::Reported(value) = fact {
                values.push(value);
            }
        }
        values
    }

    /// The word for the side that asks, in an entry's clusters.
    fn side(&self, entry: &TermsEntry) -> Option<&'u str> {
        let role = self.role?;
        Some(entry.clusters.side(&self.clusters, role))
    }

    /// The first value of a term about the document that an entry does not list.
    pub(super) fn unlisted(&self, entry: &TermsEntry, term: Term) -> Option<String> {
        let (listed, side) = (entry.values(term), self.side(entry));
        let mut values = self.values(term, None).into_iter();
        values.find(|value| !is_listed(listed, term, value, side))
    }

    /// The facts of a term, as a message shows them.
    pub(super) fn reported(&self, term: Term, caller: Option<&CallerFacts>) -> String {
        self.values(term, caller).join(" ")
    }
}

fn of_document<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<FactValue> {
    let facts = words.into_iter().map(str::to_owned);
    facts.map(FactValue::Reported).collect()
}

/// Why a term of an entry does not allow a use. Without `caller`, only facts of the document are compared.
pub(super) fn denied(
    entry: &TermsEntry,
    term: Term,
    asked: &Use<'_>,
    caller: Option<&CallerFacts>,
) -> Option<Denied> {
    let other = Denied::Other { term };
    if term == Term::Clusters {
        return (!entry.clusters.allow(&asked.clusters)).then_some(other);
    }
    let side = asked.side(entry);
    for fact in asked.facts(term, caller) {
        return Some(match (entry.listed(term), fact) {
            (None, _) if term.denies_if_absent() => Denied::Absent { term },
            (Some(_), FactValue::Unreported) => Denied::Unreported { term },
            (Some(_), FactValue::Malformed) => other,
            (Some(listed), FactValue::Reported(value))
                if !is_listed(listed, term, &value, side) =>
            {
                other
            }
            (None, _) | (Some(_), FactValue::Reported(_)) => continue,
        });
    }
    None
}

/// Whether one of the allowed values matches.
fn is_listed(listed: &[String], term: Term, found: &str, side: Option<&str>) -> bool {
    listed.iter().any(|it| allows_value(term, it, found, side))
}

/// Whether an allowed value matches. `folder/*`, which only a policy has, matches each folder directly in `folder`.
fn allows_value(term: Term, allowed: &str, found: &str, own_side: Option<&str>) -> bool {
    let (allowed, side) = term.name_and_side(allowed);
    (side.is_none() || side == own_side)
        && (allowed == ANY
            || allowed == found
            || term == Term::Paths && is_directly_in(found, allowed)
            || term == Term::LabelDomains && label_key::is_allowed_by(found, allowed))
}

/// Whether a path is directly in the folder of `folder/*`. `./*` matches the folders in the root.
fn is_directly_in(path: &str, allowed: &str) -> bool {
    let Some(folder) = allowed.strip_suffix("/*") else {
        return false;
    };
    let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
    parent == folder && name != "."
}

#[cfg(test)]
mod tests;
