//! The facts that Argo CD will report of the Applications that lead to documents.

use super::PeeringApplication;
use crate::argocd::application::Application;
use crate::custody::{self, normal_path};
use crate::document::Located;
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
        let text = |field: Option<&Located<String>>| field.map(|it| it.value.clone());
        let facts = custody::PlannedCaller {
            project: text(application.project.as_ref()),
            repo: text(source.repo_url.as_ref()),
            // `path_not_in_terms_spelling` reports a path in another spelling
            path: text(source.path.as_ref()).filter(|it| normal_path(it).is_some()),
            revision: text(source.target_revision.as_ref()),
        };
        Self {
            caller: format!("the Application {}", application.name.value),
            facts,
        }
    }
}
