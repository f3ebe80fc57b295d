//! Argo CD as it was read, and the folder's Applications in it.

use super::controller;
use crate::argocd::application::Application;
use crate::custody::normal_repo;
use crate::diagnostic::Judged;
use crate::input::file::{cleaned, repository};
use crate::input::yaml::Node;
use crate::judge::applications::{OwnCommits, role_of};
use crate::object::live::{Object, text_at};
use crate::peering::{Peering, Role};
use crate::state::cluster::Snapshot;
use crate::state::git::Checkout;
use serde_json::Value;
use std::collections::BTreeSet;
use std::iter::successors;
use std::path::{Path, PathBuf};

/// Why an Application is not judged although its path can be this folder's.
const OTHER_COMMIT: &str = "it takes another commit, for another cluster";
const OTHER_REPO: &str = "its repository is no remote of this checkout";
const UNKNOWN: &str = "whether it has this folder is unknown";

/// An Application of the folder, and its source.
pub(super) struct LiveApplication<'o> {
    pub(super) object: &'o Object,
    pub(super) application: Application,
    /// Why it is not judged.
    exclusion: Option<&'static str>,
}

pub(super) struct Hub<'d> {
    pub(super) live: &'d Snapshot,
    /// The folder of the document, without links.
    pub(super) folder: PathBuf,
    pub(super) applications: Vec<LiveApplication<'d>>,
    excluded: Vec<LiveApplication<'d>>,
}

impl<'d> Hub<'d> {
    pub(super) fn from_snapshot(peering: &Peering, folder: &Path, live: &'d Snapshot) -> Self {
        // the path without links
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut all = Vec::new();
        for object in live.of_kind("Application") {
            all.extend(LiveApplication::from_object(object, &folder));
        }
        for role in Role::BOTH {
            let of_role = all.iter_mut().filter(|it| it.role() == Some(role));
            let mut of_role: Vec<&mut LiveApplication<'_>> = of_role.collect();
            let cluster = &peering.clusters[role].argocd_cluster;
            let own = OwnCommits::new(cluster, of_role.iter().map(|it| &it.application));
            for it in &mut of_role {
                it.exclusion = own.excludes(&it.application).then_some(OTHER_COMMIT);
            }
            of_role.retain(|it| it.exclusion.is_none());
            exclude_other_repos(&folder, &mut of_role);
        }
        let (applications, excluded) = all.into_iter().partition(|it| it.exclusion.is_none());
        Self {
            live,
            folder,
            applications,
            excluded,
        }
    }

    /// Whether it is not known which of a role's Applications belongs to the folder.
    pub(super) fn is_unknown(&self, role: Role) -> bool {
        let mut excluded = self.excluded.iter();
        excluded.any(|it| it.exclusion == Some(UNKNOWN) && it.role() == Some(role))
    }

    /// The folder's Applications of a role.
    pub(super) fn of_role(&self, role: Role) -> impl Iterator<Item = &LiveApplication<'d>> {
        let all = self.applications.iter();
        all.filter(move |it| it.role() == Some(role))
    }

    /// The names with which Argo CD marks the objects of a role's Applications (argo-cd `pkg/apis/application/v1alpha1/types.go`,
    /// InstanceName).
    pub(super) fn instance_names(&self, role: Role) -> Vec<String> {
        let mut names = Vec::new();
        for LiveApplication { object, .. } in self.of_role(role) {
            names.push(object.name().to_owned());
            names.push(format!("{}_{}", object.namespace(), object.name()));
        }
        names
    }

    /// Counts what no check looks at.
    pub(super) fn count(&self, judged: &mut Judged) {
        for it in &self.excluded {
            let reason = it.exclusion.unwrap_or_default();
            judged.pass_over("Application", it.object.to_string(), reason);
        }
        if controller::settings(self.live).is_none() {
            let reason = "it is not where the Applications are";
            judged.pass_over("ConfigMap", "ConfigMap argocd-cm", reason);
        }
        let mut sets = BTreeSet::new();
        for it in &self.applications {
            it.add_sets(&mut sets);
        }
        for name in sets {
            let reason = "it makes the Applications; `argocd appset get NAME` prints it";
            judged.pass_over("ApplicationSet", format!("ApplicationSet {name}"), reason);
        }
    }
}

impl<'o> LiveApplication<'o> {
    /// An item for each source of this plugin whose path is the end of the folder's.
    fn from_object(object: &'o Object, folder: &Path) -> Vec<Self> {
        let mut all = Vec::new();
        for application in Application::from_node(&Node::from(&object.value)) {
            if let Some(path) = &application.source.path
                && leads_to(path, folder)
            {
                all.push(Self {
                    object,
                    application,
                    exclusion: None,
                });
            }
        }
        all
    }

    fn role(&self) -> Option<Role> {
        role_of(&self.application)
    }

    fn repo(&self) -> Option<String> {
        Some(normal_repo(self.application.source.repo_url.as_ref()?))
    }

    /// Adds the names of the ApplicationSets that make the Application.
    fn add_sets(&self, sets: &mut BTreeSet<&'o str>) {
        for owner in self.object.list("/metadata/ownerReferences") {
            if text_at(owner, "kind") == "ApplicationSet" {
                sets.extend(owner.get("name").and_then(Value::as_str));
            }
        }
    }
}

/// Excludes the Applications of a role whose path leads to a folder of another repository. The remotes tell which repository is this one;
/// if no remote matches, none of the Applications is known to belong to the folder.
fn exclude_other_repos(folder: &Path, of_role: &mut [&mut LiveApplication<'_>]) {
    // inside a checkout each path is the whole path of the folder
    let is_alone = repository(folder).is_none();
    let mut origins = BTreeSet::new();
    for it in of_role.iter() {
        let path = match &it.application.source.path {
            Some(path) if is_alone => cleaned(Path::new(path.as_str())),
            _ => PathBuf::new(),
        };
        origins.insert((it.repo(), path));
    }
    if origins.len() < 2 {
        return;
    }
    let mut own = Vec::new();
    if let Some(checkout) = Checkout::open(folder) {
        for (_, url) in checkout.remotes().unwrap_or_default() {
            own.push(Some(normal_repo(&url)));
        }
    }
    let is_known = of_role.iter().any(|it| own.contains(&it.repo()));
    let reason = if is_known { OTHER_REPO } else { UNKNOWN };
    for it in of_role {
        if !own.contains(&it.repo()) {
            it.exclusion = Some(reason);
        }
    }
}

/// Whether a path in a repository can be the one of this folder. A submodule is a folder of the outer repository.
fn leads_to(path: &str, folder: &Path) -> bool {
    // an absolute path is refused, and reported
    let path = cleaned(Path::new(path.trim_start_matches('/')));
    let mut roots = successors(repository(folder), |root| repository(root.parent()?)).peekable();
    if roots.peek().is_none() {
        return !path.as_os_str().is_empty() && folder.ends_with(path);
    }
    roots.any(|root| folder.strip_prefix(root) == Ok(&path))
}
