//! What contradicts each other among documents, as the later one's diagnostics.

use crate::command::error::Error;
use crate::diagnostic::{Diagnostic, Elsewhere, Invalid, Label, Paths, Problems, Severity, Source, Span};
use crate::judge::claims::{Conflicts, Place};
use std::collections::BTreeMap;

fn span(place: Place) -> Span {
    Span { start: place.start, end: place.end }
}

/// The fields at the places of the conflicts, by their sources.
pub(super) fn fields(conflicts: &BTreeMap<usize, Conflicts>, sources: &[Source]) -> BTreeMap<usize, Paths> {
    let mut places: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for place in conflicts.values().flat_map(|it| &it.first).flat_map(|it| [it.place, it.first]) {
        places.entry(place.source).or_default().push(span(place));
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
    let path = |place: Place| Some(fields.get(&place.source)?.to(span(place))?.to_owned());
    let mut problems = Problems::default();
    let mut paths = Vec::new();
    for conflict in &conflicts.first {
        let first = sources.get(conflict.first.source)?;
        let (path_here, path_before) = (path(conflict.place), path(conflict.first));
        let before = Label { span: span(conflict.first), text: conflict.before.clone() };
        paths.extend(path_here.map(|path| (span(conflict.place), path)));
        let (mut secondary, mut elsewhere) = (Vec::new(), Vec::new());
        if conflict.place.source == conflict.first.source {
            paths.extend(path_before.map(|path| (before.span, path)));
            secondary.push(before);
        } else {
            elsewhere.push(Elsewhere { source: first.clone(), path: path_before, label: before });
        }
        problems.push(Diagnostic {
            code: conflict.code,
            message: conflict.message.clone(),
            primary: Label { span: span(conflict.place), text: String::new() },
            secondary,
            elsewhere,
            edit: None,
            help: Some(conflict.help.to_owned()),
        });
    }
    problems.count(conflicts.more);
    let severity = Severity::Error;
    Some(Invalid { severity, problems, source: later.clone(), paths: paths.into_iter().collect() }.into())
}
