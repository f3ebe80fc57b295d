//! Many peerings at once: what must be unique on a cluster, and what must be the same everywhere.
//!
//! A single document cannot know these things; Liqo's webhooks and controllers find them out one by one, on the
//! clusters. A cluster is known by its Liqo cluster ID. Only what Liqo or Kubernetes takes once a cluster is compared:
//! what stands in a tenant namespace may have the same name in each of them.

mod facts;
mod rule;

use crate::diagnostic::Code;
use crate::peering::Peering;
use crate::peering::values::ClusterId;
use facts::{Fact, facts, pair};
use rule::Kind;
use std::collections::BTreeMap;

/// A valid peering of a fleet.
pub struct Member {
    /// Which of the given sources it is from.
    pub source: usize,
    /// The peering.
    pub peering: Peering,
}

/// Two places that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// Where the later one stands.
    pub place: Place,
    /// Where the first one stands.
    pub first: Place,
    /// What is wrong.
    pub message: String,
    /// What the first place says.
    pub before: String,
    /// The way out.
    pub help: &'static str,
    /// The rule.
    pub code: Code,
}

/// A place in one of the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which of the given sources.
    pub source: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// Everything that contradicts something before it, in the order of the sources.
pub fn conflicts(members: &[Member]) -> Vec<Conflict> {
    let pairs: BTreeMap<usize, String> = members.iter().map(|it| (it.source, pair(&it.peering))).collect();
    let mut first: BTreeMap<Key, (String, Kind, Place)> = BTreeMap::new();
    let mut conflicts: Vec<Conflict> = Vec::new();
    for fact in members.iter().flat_map(facts) {
        let (key, said) = looked_up(&fact);
        let Some((before, kind, place)) = first.get(&key) else {
            first.insert(key, (said, fact.kind, fact.place));
            continue;
        };
        let same_pair = pairs.get(&place.source) == pairs.get(&fact.place.source);
        let other_document = place.source != fact.place.source;
        if (fact.kind.must_agree() && *before == said)
            || (fact.kind.follows_from_pair() && same_pair && other_document)
            // a slice is its virtual node: that is said once
            || (fact.kind == Kind::Node && conflicts.last().is_some_and(|it| (it.place, it.first) == (fact.place, *place)))
        {
            continue;
        }
        let (message, before) =
            if *kind == fact.kind { contradiction(&fact, &said, before) } else { two_uses(&fact, *kind) };
        let (help, code) = (fact.kind.help(), fact.kind.code());
        conflicts.push(Conflict { place: fact.place, first: *place, message, before, help, code });
    }
    conflicts.sort();
    conflicts
}

/// Of which cluster, what, and which value.
type Key = (Option<ClusterId>, Kind, String);

/// What must be unique is looked up by its value, what must agree by whose it is; and what is then said of it.
fn looked_up(fact: &Fact) -> (Key, String) {
    let Fact { cluster, kind, value, .. } = fact;
    match (kind, cluster) {
        (Kind::ClusterOfArgo, Some(cluster)) => ((None, *kind, value.clone()), cluster.to_string()),
        // one name is one namespace, whatever it is for
        _ if kind.is_namespace() => ((cluster.clone(), Kind::TenantNamespace, value.clone()), value.clone()),
        _ if !kind.must_agree() => ((cluster.clone(), *kind, value.clone()), value.clone()),
        _ => ((cluster.clone(), *kind, String::new()), value.clone()),
    }
}

/// A namespace that is two things: the message, and what the first place says.
fn two_uses(fact: &Fact, other: Kind) -> (String, String) {
    let (one, two) = (fact.kind.word(), other.word());
    let cluster = fact.cluster.as_ref().map_or("", ClusterId::as_str);
    let message =
        format!("`{}` on cluster `{cluster}` is the {one} here, and the {two} elsewhere", fact.value);
    (message, format!("the {two}"))
}

/// Two places of one kind: the message, and what the first place says.
fn contradiction(fact: &Fact, said: &str, before: &str) -> (String, String) {
    let what = fact.kind.word();
    let another = |which: String| (format!("there is another {what} {which}"), "the first one".to_owned());
    let disagree = |whose: String| {
        (format!("{whose} has {what} `{said}` here, and `{before}` elsewhere"), format!("`{before}` here"))
    };
    match (fact.kind, &fact.cluster) {
        (Kind::ClusterOfArgo, _) => disagree(format!("Argo CD's cluster `{}`", fact.value)),
        (kind, Some(cluster)) if kind.must_agree() => disagree(format!("cluster `{cluster}`")),
        (Kind::Pair, _) => another(format!("of `{said}`")),
        (_, Some(cluster)) => another(format!("`{said}` on cluster `{cluster}`")),
        (_, None) => another(format!("`{said}`")),
    }
}
