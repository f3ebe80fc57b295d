//! Contradictions between documents about a cluster, reported on the later document.

use super::document::CheckedDocument;
use super::judgement::Judgement;
use super::world::World;
use crate::diagnostic::{Invalid, Label, Paths, Problems, Rule, Severity, Source, Span};
use crate::judge::claims::{self, Conflicts, Member};
use std::collections::BTreeMap;

pub(super) fn judge(world: &World, judgement: &mut Judgement) {
    let documents = &world.documents;
    let mut members = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        members.extend(document.peering().map(|it| Member::new(number, it)));
    }
    let conflicts = claims::conflicts(&members);
    let fields = conflicting_fields(&conflicts, documents);
    for (number, it) in &conflicts {
        judgement.add_all(Some(*number), explain(it, *number, documents, &fields));
    }
}

/// The fields at the places of the conflicts, by the number of their document.
fn conflicting_fields(
    conflicts: &BTreeMap<usize, Conflicts>,
    documents: &[CheckedDocument],
) -> BTreeMap<usize, Paths> {
    let mut places: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for conflict in conflicts.values().flat_map(|it| &it.first) {
        for place in [conflict.place, conflict.first] {
            places.entry(place.source).or_default().push(place.span);
        }
    }
    let mut fields = BTreeMap::new();
    for (number, places) in places {
        if let Some(source) = source(documents, number) {
            fields.insert(number, crate::peering::paths(source, places));
        }
    }
    fields
}

fn source(documents: &[CheckedDocument], number: usize) -> Option<&Source> {
    documents.get(number)?.source()
}

/// The conflicts of one document as diagnostics; the first ones are shown.
fn explain(
    conflicts: &Conflicts,
    at: usize,
    documents: &[CheckedDocument],
    fields: &BTreeMap<usize, Paths>,
) -> Option<Invalid> {
    let mut problems = Problems::default();
    let mut paths = Vec::new();
    for conflict in &conflicts.first {
        let first = source(documents, conflict.first.source)?;
        let [path_here, path_before] = [conflict.place, conflict.first]
            .map(|place| Some(fields.get(&place.source)?.to(place.span)?.to_owned()));
        let here = conflict.place.span;
        let before = Label {
            span: conflict.first.span,
            text: conflict.before.clone(),
        };
        paths.extend(path_here.map(|path| (here, path)));
        let diagnostic = Rule::new(conflict.code, &*conflict.message)
            .help(conflict.help)
            .at(here);
        problems.push(if conflict.place.source == conflict.first.source {
            paths.extend(path_before.map(|path| (before.span, path)));
            diagnostic.and(before.span, before.text)
        } else {
            diagnostic.and_in(first, path_before, before)
        });
    }
    problems.count(Severity::Error, conflicts.more);
    Some(Invalid {
        problems,
        source: source(documents, at)?.clone(),
        paths: paths.into_iter().collect(),
    })
}
