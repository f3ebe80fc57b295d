//! The Applications of a peering: their project, their source, and their files.

use crate::command::Result;
use crate::custody::{Term, Terms};
use crate::object::Engine;
use crate::peering::{Peering, Role};
use minijinja::value::Serde;
use serde_json::json;

/// The project of a role's Application: the first project of the terms that allows this role.
pub(super) fn own_project(terms: &Terms, role: Role) -> &str {
    terms
        .first_value(Term::Projects, role)
        .unwrap_or_else(|| usual_project(role))
}

/// The project of a role's Applications in argocd-app, and the name of their account.
pub(in crate::command::workstation) const fn usual_project(role: Role) -> &'static str {
    match role {
        Role::Consumer => "peering-consumer",
        Role::Provider => "peering-provider",
    }
}

/// The source and the project of an Application.
pub(in crate::command::workstation) struct ApplicationSource<'p> {
    pub(in crate::command::workstation) project: &'p str,
    pub(in crate::command::workstation) repo: &'p str,
    pub(in crate::command::workstation) path: &'p str,
    pub(in crate::command::workstation) revision: Option<&'p str>,
    pub(in crate::command::workstation) is_automated: bool,
}

impl<'p> ApplicationSource<'p> {
    /// The place that the terms of the seed allow.
    pub(super) fn new(
        terms: &'p Terms,
        role: Role,
        repo: &'p str,
        branch: Option<&'p str>,
    ) -> Self {
        Self {
            project: own_project(terms, role),
            repo,
            path: terms.first_value(Term::Paths, role).unwrap_or_default(),
            revision: terms.first_value(Term::Revisions, role).or(branch),
            is_automated: true,
        }
    }
}

/// Both Applications, as `argocd-app` has them, by the names of their files.
pub(in crate::command::workstation) fn applications<'p>(
    peering: &Peering,
    argocd: &str,
    source_of: impl Fn(Role) -> ApplicationSource<'p>,
) -> Result<Vec<(String, Vec<u8>)>> {
    let mut engine = Engine::new()?;
    let mut files = Vec::new();
    for role in Role::BOTH {
        let (source, own) = (source_of(role), &peering.clusters[role]);
        let view = json!({
            "name": format!("{}-{role}", peering.name.as_str()),
            "argocd": argocd,
            "project": source.project,
            "repo": source.repo,
            "path": source.path,
            "revision": source.revision.unwrap_or(usual_revision(source.repo)),
            "role": role.word(),
            "cluster": own.argocd_cluster.as_str(),
            "namespace": own.tenant_namespace.as_str(),
            "automated": source.is_automated,
        });
        let text = engine.render("application", include_str!("application.j2"), Serde(&view))?;
        files.push((format!("application-{role}.yaml"), text.into_bytes()));
    }
    Ok(files)
}

/// The default revision: the full name of a Git branch, or the tag of an OCI artifact (argo-cd `docs/user-guide/oci.md`).
pub(super) fn usual_revision(repo: &str) -> &'static str {
    if repo.starts_with("oci://") {
        "latest"
    } else {
        "refs/heads/main"
    }
}
