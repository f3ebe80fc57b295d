//! Contradictions between documents about a cluster, reported on the later document.

use super::judgement::Judgement;
use super::world::World;
use crate::diagnostic::{Invalid, Paths, Problems, Source, Span};
use crate::judge::claims::{self, Member};
use std::collections::BTreeMap;

pub(super) fn judge(world: &World, judgement: &mut Judgement) {
    let mut members = Vec::new();
    for &number in &world.order {
        let document = world.documents.get(number);
        let peering = document.and_then(|it| it.source().zip(it.peering()));
        members.extend(peering.map(|(source, peering)| Member::new(number, source, peering)));
    }
    let mut found = Vec::new();
    for (number, problems) in claims::conflicts(&members) {
        let source = world.documents.get(number).and_then(|it| it.source());
        found.extend(source.map(|source| (number, source, problems)));
    }
    let fields = conflicting_fields(&found);
    let field = |source: &Source, span| fields.get(source)?.path(span).map(ToOwned::to_owned);
    for (number, source, mut problems) in found {
        for other in problems.elsewhere_mut() {
            other.path = field(&other.source, other.label.span);
        }
        let paths = fields.get(source).cloned().unwrap_or_default();
        let invalid = Invalid {
            paths: paths.fields_at(problems.spans()),
            source: source.clone(),
            problems,
        };
        judgement.add(Some(number), invalid);
    }
}

/// The fields at the places of the conflicts.
fn conflicting_fields(found: &[(usize, &Source, Problems)]) -> BTreeMap<Source, Paths> {
    let mut places: BTreeMap<Source, Vec<Span>> = BTreeMap::new();
    for (_, source, problems) in found {
        let own = places.entry((*source).clone()).or_default();
        own.extend(problems.spans());
        for other in problems.iter().flat_map(|it| &it.elsewhere) {
            let of_other = places.entry(other.source.clone()).or_default();
            of_other.push(other.label.span);
        }
    }
    let mut fields = BTreeMap::new();
    for (source, spans) in places {
        let paths = crate::peering::paths(&source, spans);
        fields.insert(source, paths);
    }
    fields
}
