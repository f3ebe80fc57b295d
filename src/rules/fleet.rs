//! Many peerings at once: what must be unique on a cluster, and what must be the same everywhere.
//!
//! A single document cannot know these things; Liqo's webhooks and controllers find them out one by one, on the
//! clusters. A cluster is known by its Liqo cluster ID. Only what Liqo or Kubernetes takes once a cluster is compared:
//! what stands in a tenant namespace may have the same name in each of them.

mod facts;
mod rule;

use crate::diagnostic::Code;
use crate::peering::Peering;
use crate::peering::values::name::ClusterId;
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
#[must_use]
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
        if (fact.kind.code() == Code::Disagreement && *before == said)
            || (fact.kind.follows_from_pair() && same_pair && other_document)
            // a slice is its virtual node: that is said once
            || (fact.kind == Kind::Node && conflicts.last().is_some_and(|it| (it.place, it.first) == (fact.place, *place)))
        {
            continue;
        }
        conflicts.push(if *kind == fact.kind {
            conflict(&fact, &said, before, *place)
        } else {
            two_uses(&fact, *kind, *place)
        });
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
        _ if kind.code() != Code::Disagreement => ((cluster.clone(), *kind, value.clone()), value.clone()),
        _ => ((cluster.clone(), *kind, String::new()), value.clone()),
    }
}

/// A namespace that is two things.
fn two_uses(fact: &Fact, other: Kind, first: Place) -> Conflict {
    let (one, two) = (fact.kind.word(), other.word());
    let cluster = fact.cluster.as_ref().map_or("", ClusterId::as_str);
    Conflict {
        place: fact.place,
        first,
        message: format!(
            "`{}` on cluster `{cluster}` is the {one} here, and the {two} elsewhere",
            fact.value
        ),
        before: format!("the {two}"),
        help: fact.kind.help(),
        code: fact.kind.code(),
    }
}

fn conflict(fact: &Fact, said: &str, before: &str, first: Place) -> Conflict {
    let what = fact.kind.word();
    let (message, before) = match (fact.kind, &fact.cluster) {
        (Kind::ClusterOfArgo, _) => (
            format!("Argo CD's cluster `{}` has {what} `{said}` here, and `{before}` elsewhere", fact.value),
            format!("`{before}` here"),
        ),
        (kind, Some(cluster)) if kind.code() == Code::Disagreement => (
            format!("cluster `{cluster}` has {what} `{said}` here, and `{before}` elsewhere"),
            format!("`{before}` here"),
        ),
        (Kind::Pair, _) => (format!("there is another {what} of `{said}`"), "the first one".to_owned()),
        (_, Some(cluster)) => {
            (format!("there is another {what} `{said}` on cluster `{cluster}`"), "the first one".to_owned())
        }
        (_, None) => (format!("there is another {what} `{said}`"), "the first one".to_owned()),
    };
    Conflict { place: fact.place, first, message, before, help: fact.kind.help(), code: fact.kind.code() }
}
