//! Argo CD as it was read, and the folder's Applications in it.

use super::controller;
use crate::argocd::application::Application;
use crate::custody::normal_repo;
use crate::diagnostic::Judged;
use crate::input::file::{cleaned, repository};
use crate::input::yaml::Node;
use crate::judge::applications::{other_commits, role_of};
use crate::object::live::Object;
use crate::peering::{Peering, Role};
use crate::state::cluster::Snapshot;
use crate::state::git::Checkout;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::successors;
use std::path::{Path, PathBuf};

/// An Application of the folder, and its source.
pub(super) struct LiveApplication<'o> {
    pub(super) object: &'o Object,
    pub(super) application: Application,
}

/// Why an Application is not judged although its path can be this folder's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExclusionReason {
    OfCommit,
    OfRepository,
    Unknown,
}

impl ExclusionReason {
    const fn text(self) -> &'static str {
        match self {
            Self::OfCommit => "for another cluster, it takes another commit than this folder's",
            Self::OfRepository => "its repository is no remote of this checkout",
            Self::Unknown => "it is not known whether it is this folder's",
        }
    }
}

pub(super) struct Hub<'d> {
    pub(super) live: &'d Snapshot,
    /// The folder of the document, without links.
    pub(super) folder: PathBuf,
    pub(super) applications: Vec<LiveApplication<'d>>,
    others: Vec<(LiveApplication<'d>, ExclusionReason)>,
}

impl<'d> Hub<'d> {
    pub(super) fn from_snapshot(peering: &Peering, folder: &Path, live: &'d Snapshot) -> Self {
        let of_kind = live.of_kind("Application");
        let all: Vec<_> = of_kind
            .flat_map(|object| LiveApplication::new(object, folder))
            .collect();
        let remotes = Checkout::open(folder)
            .and_then(|it| it.remotes().ok())
            .unwrap_or_default();
        let mut reasons = BTreeMap::new();
        for role in Role::BOTH {
            let numbered = all.iter().map(|it| &it.application).enumerate();
            let of_role: Vec<_> = numbered
                .filter(|(_, it)| role_of(it) == Some(role))
                .collect();
            let cluster = &peering.clusters[role].argocd_cluster;
            let applications: Vec<&Application> = of_role.iter().map(|(_, it)| *it).collect();
            let is_other = other_commits(cluster, &applications);
            let (others, own): (Vec<_>, Vec<_>) =
                of_role.into_iter().partition(|it| is_other(it.1));
            reasons.extend(others.iter().map(|it| (it.0, ExclusionReason::OfCommit)));
            reasons.extend(elsewhere(folder, &own, &remotes));
        }
        let (mut applications, mut others) = (Vec::new(), Vec::new());
        for (number, it) in all.into_iter().enumerate() {
            match reasons.remove(&number) {
                None => applications.push(it),
                Some(why) => others.push((it, why)),
            }
        }
        Self {
            live,
            folder: folder.to_owned(),
            applications,
            others,
        }
    }

    /// Whether it is not known which of a role's Applications belongs to the folder.
    pub(super) fn is_unknown(&self, role: Role) -> bool {
        let mut unknown = self
            .others
            .iter()
            .filter(|(_, why)| *why == ExclusionReason::Unknown);
        unknown.any(|(it, _)| role_of(&it.application) == Some(role))
    }

    /// The names with which Argo CD marks the objects of a role's Applications (argo-cd `pkg/apis/application/v1alpha1/types.go`,
    /// InstanceName).
    pub(super) fn names(&self, role: Role) -> Vec<String> {
        let of_role = self
            .applications
            .iter()
            .filter(|it| role_of(&it.application) == Some(role));
        let names = of_role.map(|it| (it.object.name(), it.object.namespace()));
        names
            .flat_map(|(name, namespace)| [name.to_owned(), format!("{namespace}_{name}")])
            .collect()
    }

    /// Whether an object belongs to the peering. Of Applications, these are only those of this plugin.
    pub(super) fn has(object: &Object) -> bool {
        object.kind() != "Application"
            || !Application::from_node(&Node::from(&object.value)).is_empty()
    }

    /// Counts what no check looks at.
    pub(super) fn count(&self, judged: &mut Judged) {
        for (it, why) in &self.others {
            judged.pass_over("Application", it.object.to_string(), why.text());
        }
        if controller::settings(self.live).is_none() {
            let reason = "it is not where the Applications are";
            judged.pass_over("ConfigMap", "ConfigMap argocd-cm", reason);
        }
        let sets = self.applications.iter().flat_map(LiveApplication::sets);
        for name in sets.collect::<BTreeSet<_>>() {
            let reason =
                "an ApplicationSet makes the Applications; `argocd appset get NAME` prints it";
            judged.pass_over("ApplicationSet", format!("ApplicationSet {name}"), reason);
        }
    }
}

impl<'o> LiveApplication<'o> {
    /// An item for each source of this plugin whose path is the end of the folder's.
    fn new(object: &'o Object, folder: &Path) -> Vec<Self> {
        let mut all = Vec::new();
        for application in Application::from_node(&Node::from(&object.value)) {
            let path = application.source.path.as_ref();
            if path.is_some_and(|path| leads_to(path, folder)) {
                all.push(Self {
                    object,
                    application,
                });
            }
        }
        all
    }

    /// The names of the ApplicationSets that make the Application.
    fn sets(&self) -> impl Iterator<Item = &str> {
        let owners = self.object.list("/metadata/ownerReferences").iter();
        let sets = owners.filter(|it| it.get("kind").is_some_and(|kind| kind == "ApplicationSet"));
        sets.filter_map(|it| it.get("name")?.as_str())
    }
}

/// The Applications of a role whose path leads to a folder of another repository. The remotes tell which repository is this one; if no
/// remote matches, none of the Applications is known to belong to the folder.
fn elsewhere(
    folder: &Path,
    of_role: &[(usize, &Application)],
    remotes: &[(String, String)],
) -> Vec<(usize, ExclusionReason)> {
    let repo = |it: &Application| it.source.repo_url.as_ref().map(|it| normal_repo(it));
    // inside a checkout each path is the whole path of the folder
    let path = |it: &Application| it.source.path.as_deref().map(|it| cleaned(Path::new(it)));
    let is_alone = repository(folder).is_none();
    let origins = of_role
        .iter()
        .map(|(_, it)| (repo(it), path(it).filter(|_| is_alone)));
    if origins.collect::<BTreeSet<_>>().len() < 2 {
        return Vec::new();
    }
    let own: Vec<_> = remotes.iter().map(|(_, url)| normal_repo(url)).collect();
    let is_ours = |it: &Application| repo(it).is_some_and(|repo| own.contains(&repo));
    let (ours, others): (Vec<_>, Vec<_>) = of_role.iter().partition(|(_, it)| is_ours(it));
    let why = || {
        if ours.is_empty() {
            ExclusionReason::Unknown
        } else {
            ExclusionReason::OfRepository
        }
    };
    others
        .into_iter()
        .map(|(number, _)| (number, why()))
        .collect()
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
