//! Compares documents with each other, and reports on the later one: contradictions, and sealed files that are byte for byte the same in
//! two peerings, so that one folder is a copy of the other. No identity is needed.

use super::checked::{Checked, Named};
use crate::diagnostic::{
    Code, Diagnostic, Elsewhere, Invalid, Label, Paths, Problems, Rule, Severity, Source, Span,
    quoted,
};
use crate::judge::claims::{self, Conflicts, Member};
use std::collections::BTreeMap;

/// The contradictions between documents about a cluster, each with the number of its document.
pub(super) fn contradictions(documents: &[Checked], members: &[Member]) -> Vec<(usize, Invalid)> {
    let found = claims::conflicts(members);
    let mut places: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for place in found
        .values()
        .flat_map(|it| &it.first)
        .flat_map(|it| [it.place, it.first])
    {
        places.entry(place.source).or_default().push(place.span);
    }
    let fields = places.into_iter().filter_map(|(at, places)| {
        Some((at, crate::peering::paths(source(documents, at)?, places)))
    });
    let fields: BTreeMap<usize, Paths> = fields.collect();
    let explained = found
        .iter()
        .filter_map(|(at, it)| Some((*at, explain(it, *at, documents, &fields)?)));
    explained.collect()
}

fn source(documents: &[Checked], at: usize) -> Option<&Source> {
    documents.get(at)?.source.as_ref()
}

/// The conflicts of one document as diagnostics; the first ones are shown.
fn explain(
    conflicts: &Conflicts,
    at: usize,
    documents: &[Checked],
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
    problems.count(conflicts.more);
    let severity = Severity::Error;
    Some(Invalid {
        severity,
        problems,
        source: source(documents, at)?.clone(),
        paths: paths.into_iter().collect(),
    })
}

/// Sealed files that two documents share, each with the number of the later document. A credential is for one peering; a seed may be shared
/// by several.
pub(super) fn copies(documents: &[Checked]) -> Vec<(usize, Invalid)> {
    let mut first: BTreeMap<[u8; 32], (&Source, &Named)> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, it) in documents.iter().enumerate() {
        let Some(source) = &it.source else {
            continue;
        };
        for file in &it.sealed {
            let (other, its) = *first.entry(file.digest).or_insert((source, file));
            let is_same_peering = its.clusters == file.clusters;
            // the two halves of a peering, and one peering for two Argo CDs, have the same clusters
            if !is_same_peering {
                found.push((index, copy(source, file, other, its)));
            } else if its.command != file.command {
                found.push((index, mixed(source, file, other, its)));
            }
        }
    }
    found
}

fn copy(source: &Source, file: &Named, other: &Source, its: &Named) -> Invalid {
    let name = quoted(&file.name);
    let (severity, message, help) = match file.command {
        Some(command) => (
            Severity::Error,
            format!("{name} is byte for byte the credential of another peering, which is for other clusters"),
            format!("if one folder is a copy, seal the credential of its peering: `argocd-peering {command}`"),
        ),
        None => (
            Severity::Note,
            format!("{name} is byte for byte the seed of another peering, so one leak has the keys of both"),
            "if one folder is a copy, make a seed for its peering: `argocd-peering seed new`; one that is meant for several has terms for each".to_owned(),
        ),
    };
    reused(
        severity,
        Rule::new(Code::SealedFileReused, message).help(help),
        (source, file),
        (other, its),
    )
}

/// A seed is not a credential, so one of the two files was overwritten.
fn mixed(source: &Source, file: &Named, other: &Source, its: &Named) -> Invalid {
    let message = format!(
        "{} and {} have the same bytes",
        quoted(&file.name),
        quoted(&its.name)
    );
    let rule = Rule::new(Code::SealedFileReused, message);
    let rule =
        rule.help("one was written over the other: `git checkout COMMIT -- FILE` brings it back");
    reused(Severity::Error, rule, (source, file), (other, its))
}

fn reused(
    severity: Severity,
    rule: Rule,
    (source, file): (&Source, &Named),
    (other, its): (&Source, &Named),
) -> Invalid {
    let label = Label {
        span: its.span,
        text: "the same file".into(),
    };
    let rule = rule.at(file.span);
    let mut problems = Problems::default();
    let elsewhere = Elsewhere {
        source: other.clone(),
        path: None,
        label,
    };
    problems.push(Diagnostic {
        elsewhere: vec![elsewhere],
        ..rule
    });
    Invalid::of_file(severity, problems, source)
}
