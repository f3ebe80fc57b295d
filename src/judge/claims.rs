//! Many peerings at once: what must be unique on a cluster, and what must be equal everywhere.
//!
//! A single document cannot know these facts; Liqo's webhooks and controllers find conflicts one by one, on the
//! clusters. A cluster is identified by its Liqo cluster ID. Only names that must be unique in a cluster are compared:
//! objects in different tenant namespaces may have the same name.

mod fact;

use crate::diagnostic::{KEPT, Label, Problems, Rule, Source, Span, list_first};
use crate::peering::Peering;
use crate::peering::values::{ClusterId, PeeringName};
pub(crate) use fact::CLUSTER_FACTS;
use fact::{FactKind, Pair, PeeringFact, facts};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A peering of a fleet, with the facts that can contradict another one. There can be many, so the peering itself is not kept.
pub struct Member {
    /// The number of its document.
    number: usize,
    source: Source,
    name: PeeringName,
    pair: Pair,
    facts: Vec<PeeringFact>,
}

impl Member {
    /// The facts of the peering that a document describes.
    pub fn new(number: usize, source: &Source, peering: &Peering) -> Self {
        Self {
            number,
            source: source.clone(),
            name: peering.name.value.clone(),
            pair: Pair::from_peering(peering),
            facts: facts(peering),
        }
    }
}

/// A place in the document of a member.
type FactPlace<'m> = (&'m Member, Span);

/// The conflicts by the number of the document that they are reported on: the later one.
struct Conflicts {
    /// How many are kept of each document.
    kept: usize,
    by_document: BTreeMap<usize, Problems>,
}

impl Conflicts {
    /// Adds a conflict between two places. `text` is the label of the first place.
    fn add(
        &mut self,
        rule: Rule,
        (member, span): FactPlace<'_>,
        (first, first_span): FactPlace<'_>,
        text: String,
    ) {
        let diagnostic = rule.mark(span);
        let diagnostic = if member.number == first.number {
            diagnostic.also(first_span, text)
        } else {
            diagnostic.also_in(&first.source, Label::new(first_span, text))
        };
        let of_document = self.by_document.entry(member.number).or_default();
        of_document.push_within(self.kept, diagnostic);
    }
}

/// How many conflicts of all documents together are kept, and how many of each document at least.
const KEPT_OF_ALL: usize = 100_000;
const KEPT_OF_EACH: usize = 5;

/// All conflicts, by the number of the document. The fields of places in other documents are not filled in.
pub fn conflicts(members: &[Member]) -> BTreeMap<usize, Problems> {
    let mut conflicts = Conflicts {
        kept: (KEPT_OF_ALL / members.len().max(1)).clamp(KEPT_OF_EACH, KEPT),
        by_document: BTreeMap::new(),
    };
    add_taken_twice(members, &mut conflicts);
    for (key, values) in &stated_values(members) {
        add_disagreements(key, values, &mut conflicts);
    }
    conflicts.by_document
}

/// The facts that must agree, or those that may exist only once.
fn facts_of(members: &[Member], must_agree: bool) -> Vec<(&PeeringFact, &Member)> {
    let mut all = Vec::new();
    for member in members {
        for fact in &member.facts {
            if fact.kind.must_agree() == must_agree {
                all.push((fact, member));
            }
        }
    }
    all
}

/// Adds the conflicts of facts that only one document may have.
fn add_taken_twice(members: &[Member], conflicts: &mut Conflicts) {
    let (mut taken, mut last) = (BTreeMap::new(), None);
    for (fact, member) in facts_of(members, false) {
        let (key, said) = key_and_value(fact);
        let (first, other): (&PeeringFact, &Member) = *taken.entry(key).or_insert((fact, member));
        if std::ptr::eq(first, fact) || may_be_in_both(fact, member, other) {
            continue;
        }
        // a slice is also its virtual node, and most documents have the streams of both clusters: such a conflict is reported once
        let places = [(member.number, fact.span), (other.number, first.span)];
        if last.replace(places) == Some(places)
            && matches!(fact.kind, FactKind::Node | FactKind::Pair)
        {
            continue;
        }
        let (message, before) = match first.kind {
            kind if kind == fact.kind => contradiction(fact, &said),
            kind => two_uses(fact, kind),
        };
        let rule = fact.kind.contradiction(message);
        let at = (member, fact.span);
        conflicts.add(rule, at, (other, first.span), before);
    }
}

/// Whether a second place is not a conflict. Two documents can be halves of one peering, or the conflict follows from their having the same
/// clusters.
fn may_be_in_both(fact: &PeeringFact, member: &Member, other: &Member) -> bool {
    if member.number == other.number {
        return false;
    }
    // halves of one peering, unless both have a stream for the same cluster
    let are_halves = fact.cluster.is_none() && other.pair == member.pair;
    are_halves || (fact.kind.follows_from_pair() && other.pair.has_clusters_of(&member.pair))
}

/// The values of a fact that must agree, each with its places.
type StatedValues<'m> = BTreeMap<String, Vec<FactPlace<'m>>>;

/// The places of each value that must agree.
fn stated_values(members: &[Member]) -> BTreeMap<Key, StatedValues<'_>> {
    let mut all = BTreeMap::<Key, StatedValues<'_>>::new();
    for (fact, member) in facts_of(members, true) {
        let (key, said) = key_and_value(fact);
        let places = all.entry(key).or_default().entry(said).or_default();
        places.push((member, fact.span));
    }
    all
}

/// Adds the conflicts of a fact that must agree: one for each value that is not the most frequent one.
fn add_disagreements(
    (cluster, kind, value): &Key,
    values: &StatedValues<'_>,
    conflicts: &mut Conflicts,
) {
    let whose = match cluster {
        Some(cluster) => format!("cluster `{cluster}`"),
        None => format!("Argo CD's cluster `{value}`"),
    };
    let order = |(member, span): &FactPlace<'_>| (member.number, *span);
    let rank = |stated: &Vec<_>| (stated.len(), Reverse(stated.first().map(order)));
    let Some((usual, most)) = values.iter().max_by_key(|(_, stated)| rank(stated)) else {
        return;
    };
    for (said, stated) in values {
        let ([at, here @ ..], [first, there @ ..]) = (stated.as_slice(), most.as_slice()) else {
            continue;
        };
        if said == usual {
            continue;
        }
        let elsewhere = if there.is_empty() {
            "elsewhere".to_owned()
        } else {
            format!("in {} others", most.len())
        };
        let (word, others) = (kind.word(), list_others(here));
        let message =
            format!("{whose} has {word} `{said}` here{others}, and `{usual}` {elsewhere}");
        let before = format!("`{usual}` here{}", list_others(there));
        conflicts.add(kind.contradiction(message), *at, *first, before);
    }
}

/// How many peerings are listed: a person looks at one or two of them.
const LISTED: usize = 5;

/// The other peerings with the same value, as a text.
fn list_others(others: &[FactPlace<'_>]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let names = others
        .iter()
        .map(|(member, _)| format!("`{}`", member.name));
    format!(" and in {}", list_first(names.collect(), LISTED))
}

/// The cluster, the kind and the value.
type Key = (Option<ClusterId>, FactKind, String);

/// The key of a fact, and its text. A fact that must be unique has its value as the key; a fact that must agree has its cluster.
fn key_and_value(fact: &PeeringFact) -> (Key, String) {
    let (kind, value) = (fact.kind, fact.value.clone());
    if let (FactKind::ClusterOfArgo, Some(cluster)) = (kind, &fact.cluster) {
        return ((None, kind, value), cluster.to_string());
    }
    let (kind, unique) = match kind {
        // a name is one namespace, whatever its purpose
        _ if kind.is_namespace() => (FactKind::TenantNamespace, value.clone()),
        _ if kind.must_agree() => (kind, String::new()),
        _ => (kind, value.clone()),
    };
    ((fact.cluster.clone(), kind, unique), value)
}

/// A namespace with two purposes: the message, and the text for the first place.
fn two_uses(fact: &PeeringFact, other: FactKind) -> (String, String) {
    let (one, two) = (fact.kind.word(), other.word());
    let cluster = fact.cluster.as_ref().map_or("", ClusterId::as_str);
    let message = format!(
        "`{}` on cluster `{cluster}` is the {one} here, and the {two} elsewhere",
        fact.value
    );
    (message, format!("the {two}"))
}

/// Two places of one kind: the message, and the text for the first place.
fn contradiction(fact: &PeeringFact, said: &str) -> (String, String) {
    let which = match (fact.kind, &fact.cluster) {
        (FactKind::Pair, _) => format!("of `{said}`"),
        (_, Some(cluster)) => format!("`{said}` on cluster `{cluster}`"),
        (_, None) => format!("`{said}`"),
    };
    let message = format!("there is another {} {which}", fact.kind.word());
    (message, "the first one".to_owned())
}
