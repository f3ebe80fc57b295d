//! What contradicts each other among documents, as the later one's diagnostics.

use crate::command::error::Error;
use crate::diagnostic::{Invalid, Label, Paths, Problems, Rule, Severity, Source, Span};
use crate::judge::claims::{Conflicts, Place};
use std::collections::BTreeMap;

/// The fields at the places of the conflicts, by their sources.
pub(super) fn fields(conflicts: &BTreeMap<usize, Conflicts>, sources: &[Source]) -> BTreeMap<usize, Paths> {
    let mut places: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for place in conflicts.values().flat_map(|it| &it.first).flat_map(|it| [it.place, it.first]) {
        places.entry(place.source).or_default().push(place.span);
    }
    let fields = |(source, places)| Some((source, crate::peering::paths(sources.get(source)?, places)));
    places.into_iter().filter_map(fields).collect()
}

/// The conflicts of one document as its diagnostics, which show the first ones.
pub(super) fn explain(
    conflicts: &Conflicts,
    source: usize,
    sources: &[Source],
    fields: &BTreeMap<usize, Paths>,
) -> Option<Error> {
    let later = sources.get(source)?;
    let path = |place: Place| Some(fields.get(&place.source)?.to(place.span)?.to_owned());
    let mut problems = Problems::default();
    let mut paths = Vec::new();
    for conflict in &conflicts.first {
        let first = sources.get(conflict.first.source)?;
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
    Some(Invalid { severity, problems, source: later.clone(), paths: paths.into_iter().collect() }.into())
}
