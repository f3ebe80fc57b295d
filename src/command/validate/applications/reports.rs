//! What Argo CD will report of the Applications that lead to documents.

use super::sets::{Finds, roles};
use super::template::evaluate;
use super::{File, Led, Place, lead};
use crate::command::Streams;
use crate::custody;
use crate::diagnostic::shown_name;
use crate::document::Located;
use crate::peering::Role;
use std::collections::{BTreeMap, BTreeSet};

/// What Argo CD will report of an Application.
pub(in super::super) struct Reported {
    /// Whose report it is, in words.
    pub(in super::super) caller: String,
    pub(in super::super) facts: custody::Place,
}

/// The reports of each document and role.
type Reports = BTreeMap<(usize, Role), Vec<Reported>>;

/// What Argo CD will report for each document and role, of Applications and of sets as far as their templates are known; of the rest
/// there is a note.
pub(in super::super) fn reports(
    files: &[File],
    places: &[Place],
    finds: &[Finds<'_>],
    streams: &mut Streams<'_>,
) -> Reports {
    let mut reports = Reports::new();
    let (led, _) = lead(files, places);
    for it in &led {
        reports.entry((it.place.index, it.role)).or_default().push(Reported::of(it));
    }
    for it in finds {
        let unknown = of_set(it, &mut reports);
        if let Some(file) = files.get(it.file).filter(|_| !unknown.is_empty()) {
            let fields: Vec<&str> = unknown.into_iter().collect();
            streams.note(&format!(
                "note: {}: {} of the ApplicationSet cannot be evaluated here, so the terms of sealed files were not compared with it",
                shown_name(file.source.name()),
                fields.join(" and ")
            ));
        }
    }
    reports
}

/// Adds what a set's Applications will report. What of it is not known.
fn of_set(Finds { set, places, .. }: &Finds<'_>, reports: &mut Reports) -> BTreeSet<&'static str> {
    let roles = roles(set);
    let unknown = [
        ("`generators`", set.folders.is_empty()),
        ("`role`", roles.is_empty()),
        ("`templatePatch`", set.is_patched),
    ];
    let mut unknown: BTreeSet<_> = unknown.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    let template = &set.template;
    for (place, folder) in places {
        for role in &roles {
            let mut fact = |name, template: &Option<Located<String>>| {
                let template = template.as_ref()?;
                let value = evaluate(&template.value, folder, *role);
                unknown.extend(value.is_none().then_some(name));
                value
            };
            let facts = custody::Place {
                project: fact("`project`", &template.project),
                repo: fact("`repoURL`", &template.repo_url),
                path: fact("`path`", &template.path),
                revision: fact("`targetRevision`", &template.target_revision),
            };
            let name = evaluate(&template.name.value, folder, *role);
            let caller = name.map_or_else(
                || "an Application of the ApplicationSet".to_owned(),
                |name| format!("the Application {name}"),
            );
            reports.entry((place.index, *role)).or_default().push(Reported { caller, facts });
        }
    }
    unknown
}

impl Reported {
    fn of(Led { application, .. }: &Led<'_>) -> Self {
        let value = |it: &Option<Located<String>>| it.as_ref().map(|it| it.value.clone());
        let facts = custody::Place {
            project: value(&application.project),
            repo: value(&application.repo_url),
            path: value(&application.path),
            revision: value(&application.target_revision),
        };
        Self { caller: format!("the Application {}", application.name.value), facts }
    }
}
