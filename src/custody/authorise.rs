//! Whether a sealed file may be opened for this caller. This is decided here and nowhere else.
//!
//! Two parties decide, and both must allow: the owner of the secret by the file's terms ([`Terms`]), and, where there is
//! one, the operator of this Argo CD by a [`Policy`], which can therefore only narrow. The facts about the caller come from
//! Argo CD's repo-server, not from an Application's author ([`Caller`]). `tests/authorise.json` is the decision table: one
//! row for each condition that denies by itself.

use super::policy::Policy;
use super::terms::{ANY, Clusters, Entry, Term, Terms, name_and_side, normal_path, normal_repo};
use crate::argocd::caller::Caller;
use crate::peering::delivery::Delivery;
use crate::peering::values::{ClusterId, Namespace, Role, Sides};

/// What a document asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use<'u> {
    pub(super) clusters: Sides<&'u ClusterId>,
    /// Whose stream it is for; `None` where only public keys are printed.
    pub(super) role: Option<Role>,
    /// How what is in the file reaches its cluster; `None` where only a public key is printed.
    pub(super) secret: Option<Destination<'u>>,
}

/// Where a Secret is created, and how it gets there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Destination<'u> {
    pub(super) delivery: Delivery,
    pub(super) namespace: &'u Namespace,
}

/// Who denies, and why. It is not shown to Argo CD's callers: from the terms that allow, they would learn what is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denied {
    /// The term is left out of the file.
    Absent { term: Term },
    /// Argo CD did not report it.
    Unreported { term: Term },
    /// The terms name others.
    Other { term: Term },
    /// The file's terms allow the caller, and the operator's policy does not.
    Policy,
}

/// Decides. Of a local run only what is about the document counts: clusters, delivery and namespace. Anyone who has the
/// identity could open the file with `age` itself, so terms about a caller would not stop them. The error is the first term
/// that no entry allows together with those before it; the policy is last.
pub(super) fn authorise(
    terms: &Terms,
    policy: Option<&Policy>,
    asked: &Use<'_>,
    caller: &Caller,
) -> Result<(), Denied> {
    let facts = Facts::new(caller);
    let mut entries: Vec<&Entry> = terms.entries().iter().collect();
    for term in Term::ALL {
        let mut first = None;
        entries.retain(|entry| {
            let denied = denied(entry, term, asked, facts.as_ref());
            first = first.or(denied);
            denied.is_none()
        });
        if entries.is_empty() {
            return Err(first.unwrap_or(Denied::Other { term }));
        }
    }
    match (policy, facts) {
        (Some(policy), Some(facts)) if !policy_allows(policy, &entries, asked, &facts) => Err(Denied::Policy),
        _ => Ok(()),
    }
}

/// Whether one entry of the policy allows all of it together, and one of the file's entries that allow it is as the policy demands.
pub(super) fn policy_allows(policy: &Policy, of_file: &[&Entry], asked: &Use<'_>, facts: &Facts) -> bool {
    let has_roles = |entry: &&Entry| matches!(entry.clusters, Clusters::Peerings(_));
    let allows =
        |entry: &Entry| Term::ALL.iter().all(|term| denied(entry, *term, asked, Some(facts)).is_none());
    (!policy.requires_peerings() || of_file.iter().any(has_roles)) && policy.entries().iter().any(allows)
}

/// What Argo CD reports of a caller, each fact in its normal form. One that has no normal form could mean anything, so it is
/// among no values, not even among any.
pub(super) struct Facts(Vec<(Term, Fact)>);

enum Fact {
    Reported(String),
    Malformed,
    Unreported,
}

impl Fact {
    fn of(normal: Option<String>) -> Self {
        normal.map_or(Self::Unreported, Self::Reported)
    }

    fn of_path(path: &str) -> Self {
        normal_path(path).map_or(Self::Malformed, Self::Reported)
    }
}

impl Facts {
    /// None of a local run.
    pub(super) fn new(caller: &Caller) -> Option<Self> {
        let Caller::ArgoCd { project, repo, path, revision } = caller else { return None };
        Some(Self(vec![
            (Term::Projects, Fact::of(project.clone())),
            (Term::Repos, Fact::of(repo.as_deref().map(normal_repo))),
            (Term::Paths, path.as_deref().map_or(Fact::Unreported, Fact::of_path)),
            (Term::Revisions, Fact::of(revision.clone())),
        ]))
    }

    /// Those that are known before Argo CD reports them.
    pub(super) fn known(place: &super::Place) -> Self {
        let super::Place { project, repo, path, revision } = place.clone();
        let known = |term, fact: Option<Fact>| fact.map(|fact| (term, fact));
        let facts = [
            known(Term::Projects, project.map(Fact::Reported)),
            known(Term::Repos, repo.map(|repo| Fact::Reported(normal_repo(&repo)))),
            known(Term::Paths, path.map(|path| Fact::of_path(&path))),
            known(Term::Revisions, revision.map(Fact::Reported)),
        ];
        Self(facts.into_iter().flatten().collect())
    }

    /// What is reported of a term.
    pub(super) fn reported(&self, term: Term) -> Option<String> {
        match self.of(term)? {
            Fact::Reported(value) => Some(value.clone()),
            Fact::Malformed | Fact::Unreported => None,
        }
    }

    fn of(&self, term: Term) -> Option<&Fact> {
        self.0.iter().find(|(of, _)| *of == term).map(|(_, fact)| fact)
    }
}

/// Why a term of an entry does not allow a use, if it does not. Without facts only what is about the document counts.
pub(super) fn denied(entry: &Entry, term: Term, asked: &Use<'_>, facts: Option<&Facts>) -> Option<Denied> {
    let other = Denied::Other { term };
    if term == Term::Clusters {
        return (!entry.clusters.allow(&asked.clusters)).then_some(other);
    }
    let side = asked.role.map(|role| entry.clusters.side(&asked.clusters, role));
    let allows = |listed: &[String], value: &str| listed.iter().any(|it| is(term, it, value, side));
    let destination = asked.secret.map(|secret| match term {
        Term::Delivery => Some(secret.delivery.word()),
        Term::Namespaces => Some(secret.namespace.as_str()),
        _ => None,
    });
    match (entry.listed(term), destination.flatten(), facts.and_then(|facts| facts.of(term))) {
        (Some(listed), Some(value), _) => (!allows(listed, value)).then_some(other),
        (Some(listed), None, Some(Fact::Reported(value))) => (!allows(listed, value)).then_some(other),
        (Some(_), None, Some(Fact::Malformed)) => Some(other),
        (Some(_), None, Some(Fact::Unreported)) => Some(Denied::Unreported { term }),
        (None, None, Some(_)) if term.denies_if_absent() => Some(Denied::Absent { term }),
        (None, _, _) | (Some(_), None, None) => None,
    }
}

/// Whether a value of a list is this one. `folder/*`, which only a policy has, is what is directly in the folder.
fn is(term: Term, allowed: &str, found: &str, own_side: Option<&str>) -> bool {
    let (allowed, side) = if term.has_sides() { name_and_side(allowed) } else { (allowed, None) };
    side.is_none_or(|side| own_side == Some(side))
        && (allowed == ANY || allowed == found || term == Term::Paths && is_directly_in(found, allowed))
}

/// Whether a folder's path is directly in the folder of a `folder/*`; `./*` are those of the root.
fn is_directly_in(path: &str, allowed: &str) -> bool {
    let Some(folder) = allowed.strip_suffix("/*") else {
        return false;
    };
    let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
    parent == folder && name != "."
}

#[cfg(test)]
mod tests;
