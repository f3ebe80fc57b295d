//! What contradicts each other among documents, as the later one's diagnostics.

use super::checked::Checked;
use crate::diagnostic::{Invalid, Label, Paths, Problems, Rule, Severity, Source, Span};
use crate::judge::claims::{self, Conflicts, Member, Place};
use std::collections::BTreeMap;

/// What documents say of a cluster that another one denies, each with the number of its document.
pub(super) fn check(documents: &[Checked], members: &[Member]) -> Vec<(usize, Invalid)> {
    let found = claims::conflicts(members);
    let source = |at: usize| documents.get(at)?.source.as_ref();
    let mut places: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for place in found.values().flat_map(|it| &it.first).flat_map(|it| [it.place, it.first]) {
        places.entry(place.source).or_default().push(place.span);
    }
    let fields = |(at, places)| Some((at, crate::peering::paths(source(at)?, places)));
    let fields: BTreeMap<usize, Paths> = places.into_iter().filter_map(fields).collect();
    let explained = found.iter().map(|(at, it)| Some((*at, explain(it, *at, &source, &fields)?)));
    explained.flatten().collect()
}

/// The conflicts of one document as its diagnostics, which show the first ones.
fn explain<'d>(
    conflicts: &Conflicts,
    source: usize,
    of: &dyn Fn(usize) -> Option<&'d Source>,
    fields: &BTreeMap<usize, Paths>,
) -> Option<Invalid> {
    let later = of(source)?;
    let path = |place: Place| Some(fields.get(&place.source)?.to(place.span)?.to_owned());
    let mut problems = Problems::default();
    let mut paths = Vec::new();
    for conflict in &conflicts.first {
        let first = of(conflict.first.source)?;
        let (path_here, path_before) = (path(conflict.place), path(conflict.first));
        let here = conflict.place.span;
        let before = Label { span: conflict.first.span, text: conflict.before.clone() };
        paths.extend(path_here.map(|path| (here, path)));
        let diagnostic = Rule::new(conflict.code, &*conflict.message).help(conflict.help).at(here);
        problems.push(if conflict.place.source == conflict.first.source {
            paths.extend(path_before.map(|path| (before.span, path)));
            diagnostic.and(before.span, before.text)
        } else {
            diagnostic.and_in(first, path_before, before)
        });
    }
    problems.count(conflicts.more);
    let severity = Severity::Error;
    Some(Invalid { severity, problems, source: later.clone(), paths: paths.into_iter().collect() })
}
