//! Many peerings at once: what must be unique on a cluster, and what must be the same everywhere.
//!
//! A single document cannot know these things; Liqo's webhooks and controllers find them out one by one, on the
//! clusters. A cluster is known by its Liqo cluster ID. Only what Liqo or Kubernetes takes once a cluster is compared:
//! what is in a tenant namespace may have the same name in each of them.

mod fact;

use crate::diagnostic::{Code, KEPT, Span, first_of};
use crate::peering::Peering;
use crate::peering::values::{ClusterId, PeeringName};
pub(crate) use fact::{CLUSTER_FACTS, ClusterFact, Texts};
use fact::{Fact, Kind, Pair, facts};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A peering of a fleet: what of it can contradict another one. There can be many, so the peering itself is not kept.
pub struct Member {
    /// Which of the given sources it is from.
    source: usize,
    name: PeeringName,
    pair: Pair,
    facts: Vec<Fact>,
    wrong: bool,
}

impl Member {
    /// What a peering says. With `wrong`, something is wrong with its document: what follows from a value that is not there
    /// is then not known, and what contradicts itself is reported already.
    pub fn new(source: usize, peering: &Peering, wrong: bool) -> Self {
        let (name, pair) = (peering.name.value.clone(), Pair::of(peering));
        Self { source, name, pair, facts: facts(peering, wrong), wrong }
    }

    /// Makes it one of another source.
    pub fn of(self, source: usize) -> Self {
        Self { source, ..self }
    }

    /// A place in its document.
    const fn place(&self, span: Span) -> Place {
        Place { source: self.source, span }
    }
}

/// Two places that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// Where the later one stands.
    pub place: Place,
    /// Where the first one stands.
    pub first: Place,
    pub message: String,
    /// What the first place says.
    pub before: String,
    pub help: &'static str,
    pub code: Code,
}

/// A place in one of the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which of the given sources.
    pub source: usize,
    pub span: Span,
}

/// What contradicts something else in one source: the first in its order, and how many more.
#[derive(Debug, Default)]
pub struct Conflicts {
    /// Those that are kept.
    pub first: Vec<Conflict>,
    /// How many are not.
    pub more: usize,
}

impl Conflicts {
    fn push(&mut self, conflict: Conflict, kept: usize) {
        self.first.push(conflict);
        if self.first.len() > 2 * kept {
            self.end(kept);
        }
    }

    fn end(&mut self, kept: usize) {
        self.first.sort();
        self.more += self.first.len().saturating_sub(kept);
        self.first.truncate(kept);
    }
}

/// How many contradictions of all documents together are kept, but some of each.
const KEPT_OF_ALL: usize = 100_000;
const KEPT_OF_EACH: usize = 5;

/// Everything that contradicts something else, by its source.
pub fn conflicts(members: &[Member]) -> BTreeMap<usize, Conflicts> {
    let kept = (KEPT_OF_ALL / members.len().max(1)).clamp(KEPT_OF_EACH, KEPT);
    let mut conflicts: BTreeMap<usize, Conflicts> = BTreeMap::new();
    let stated = stated(members);
    let disagreements = stated.iter().flat_map(|(key, values)| disagreements(key, values));
    for conflict in taken_twice(members).chain(disagreements) {
        conflicts.entry(conflict.place.source).or_default().push(conflict, kept);
    }
    for it in conflicts.values_mut() {
        it.end(kept);
    }
    conflicts
}

/// What they say that must agree, or what may stand once only.
fn facts_of(members: &[Member], must_agree: bool) -> impl Iterator<Item = (&Fact, &Member)> {
    let all = members.iter().flat_map(|it| it.facts.iter().map(move |fact| (fact, it)));
    all.filter(move |(fact, _)| fact.kind.must_agree() == must_agree)
}

/// The facts that only one document may have, and a second one has.
fn taken_twice(members: &[Member]) -> impl Iterator<Item = Conflict> {
    let (mut taken, mut last) = (BTreeMap::new(), None);
    facts_of(members, false).filter_map(move |(fact, member)| {
        let (key, said) = looked_up(fact);
        let (first, other): (&Fact, &Member) = *taken.entry(key).or_insert((fact, member));
        if std::ptr::eq(first, fact) || may_be_in_both(fact, member, other) {
            return None;
        }
        let places = (member.place(fact.span), other.place(first.span));
        // a slice is its virtual node, and a document mostly has the streams of both clusters: that is said once
        if matches!(fact.kind, Kind::Node | Kind::Pair) && last == Some(places) {
            return None;
        }
        last = Some(places);
        let (message, before) =
            if first.kind == fact.kind { contradiction(fact, &said) } else { two_uses(fact, first.kind) };
        let (help, code) = (fact.kind.help(), fact.kind.code());
        Some(Conflict { place: places.0, first: places.1, message, before, help, code })
    })
}

/// Whether a second place is no conflict. In one document that is wrong, its own problems say it; two documents can be halves of one
/// peering, or one can follow from the other's pair of clusters.
fn may_be_in_both(fact: &Fact, member: &Member, other: &Member) -> bool {
    if member.source == other.source {
        return member.wrong;
    }
    // halves of one peering, unless both have a stream for one cluster
    let are_halves = fact.cluster.is_none() && other.pair == member.pair;
    are_halves || (fact.kind.follows_from_pair() && other.pair.has_clusters_of(&member.pair))
}

/// A place where a value is written, and the peering's name.
type Stated<'m> = (Place, &'m PeeringName);

/// Where each value of what must agree is written.
fn stated(members: &[Member]) -> BTreeMap<Key, BTreeMap<String, Vec<Stated<'_>>>> {
    let mut all: BTreeMap<Key, BTreeMap<String, Vec<Stated<'_>>>> = BTreeMap::new();
    for (fact, member) in facts_of(members, true) {
        let (key, said) = looked_up(fact);
        let place = (member.place(fact.span), &member.name);
        all.entry(key).or_default().entry(said).or_default().push(place);
    }
    all
}

/// What must be the same and is not: once for each value that is not the most frequent one.
fn disagreements(
    (cluster, kind, value): &Key,
    values: &BTreeMap<String, Vec<Stated<'_>>>,
) -> impl Iterator<Item = Conflict> {
    let whose = cluster
        .as_ref()
        .map_or_else(|| format!("Argo CD's cluster `{value}`"), |it| format!("cluster `{it}`"));
    let usual =
        values.iter().max_by_key(|(_, stated)| (stated.len(), Reverse(stated.first().map(|it| it.0))));
    values.iter().filter_map(move |(said, stated)| {
        let (usual, most) = usual.filter(|(usual, _)| *usual != said)?;
        let ((place, _), here) = stated.split_first()?;
        let ((first, _), there) = most.split_first()?;
        let elsewhere =
            if there.is_empty() { "elsewhere".to_owned() } else { format!("in {} others", most.len()) };
        let message =
            format!("{whose} has {} `{said}` here{}, and `{usual}` {elsewhere}", kind.word(), and_in(here));
        let before = format!("`{usual}` here{}", and_in(there));
        Some(Conflict { place: *place, first: *first, message, before, help: kind.help(), code: kind.code() })
    })
}

/// How many peerings are listed; a person looks at one or two of them.
const LISTED: usize = 5;

/// The other peerings in which something is written, in a line.
fn and_in(others: &[Stated<'_>]) -> String {
    let names: Vec<String> = others.iter().map(|(_, name)| format!("`{name}`")).collect();
    if names.is_empty() { String::new() } else { format!(" and in {}", first_of(names, LISTED)) }
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
fn contradiction(fact: &Fact, said: &str) -> (String, String) {
    let which = match (fact.kind, &fact.cluster) {
        (Kind::Pair, _) => format!("of `{said}`"),
        (_, Some(cluster)) => format!("`{said}` on cluster `{cluster}`"),
        (_, None) => format!("`{said}`"),
    };
    (format!("there is another {} {which}", fact.kind.word()), "the first one".to_owned())
}
