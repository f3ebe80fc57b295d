//! The facts that Argo CD will report of the Applications that lead to documents.

use super::PeeringApplication;
use crate::argocd::application::Application;
use crate::custody::{self, normal_path};
use crate::peering::Role;
use std::collections::BTreeMap;

/// The facts that Argo CD will report of an Application.
pub(crate) struct Reported {
    /// The name of the caller in a message.
    pub(crate) caller: String,
    pub(crate) facts: custody::PlannedCaller,
}

/// The reports of each document and role.
pub(crate) type Reports = BTreeMap<(usize, Role), Vec<Reported>>;

/// The facts that Argo CD will report for each document and role, of Applications in files and from sets.
pub(super) fn reports(led: &[PeeringApplication<'_>]) -> Reports {
    let mut reports = Reports::new();
    for it in led {
        let of_side = reports.entry((it.place.index, it.role)).or_default();
        of_side.push(Reported::from_application(it.application));
    }
    reports
}

impl Reported {
    fn from_application(application: &Application) -> Self {
        let source = &application.source;
        let path = source.path.as_deref().cloned();
        let facts = custody::PlannedCaller {
            project: application.project.as_deref().cloned(),
            repo: source.repo_url.as_deref().cloned(),
            // `path_not_in_terms_spelling` reports a path in another spelling
            path: path.filter(|it| normal_path(it).is_some()),
            revision: source.target_revision.as_deref().cloned(),
        };
        Self {
            caller: format!("the Application {}", application.name.value),
            facts,
        }
    }
}
