//! The Argo CD that was read, and what of it is the folder's: its Applications, their projects and the sets that make them.

use super::quoted;
use crate::argocd::application::Application;
use crate::argocd::application_set::ApplicationSet;
use crate::argocd::global_projects::Settings;
use crate::argocd::passed_over::{PassedOver, UNKNOWN_FIELD};
use crate::argocd::project::AppProject;
use crate::custody::normal_repo;
use crate::diagnostic::Judged;
use crate::input::file::{Links, cleaned, read as read_file, repository};
use crate::input::yaml::Node;
use crate::judge::applications::{
    Fault, Projects, of_set, other_environments, role_of, why_not_judged, windows,
};
use crate::judge::rendered::{self, Rendered};
use crate::object::live::{Check, Finding, Object, finding};
use crate::peering::{Peering, Role};
use crate::state::cluster::Snapshot;
use crate::state::git::Checkout;
use crate::state::repo::noted_branch;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::successors;
use std::path::{Component, Path, PathBuf};

/// As kubectl is asked for them.
pub(super) const PROJECTS: &str = "appprojects.argoproj.io";
pub(super) const SETS: &str = "applicationsets.argoproj.io";

/// Why an Application is not judged whose path could be this folder's.
const OF_ANOTHER: &str = "its repository is no remote of this checkout";
const NOT_KNOWN: &str = "it is not known whether it is this folder's";

/// Their kinds.
const PROJECT: &str = "AppProject";
const SET: &str = "ApplicationSet";

/// An Application of the folder, or of what `render` wrote of it, and its source there.
pub(super) struct Live<'o> {
    pub(super) object: &'o Object,
    pub(super) application: Application,
    pub(super) folder: PathBuf,
}

pub(super) struct Hub<'d> {
    pub(super) live: &'d Snapshot,
    pub(super) applications: Vec<Live<'d>>,
    /// Of its other environments, of another folder, or of one that can be, each with the reason.
    others: Vec<(Live<'d>, String)>,
    /// The projects and sets of the Applications, and global projects: their kinds and names.
    owners: BTreeSet<(&'static str, String)>,
    /// What is found of them. What else a project refuses Argo CD says in its Applications.
    pub(super) found: Vec<Finding>,
    /// What of them is not judged: its kind, which one, and why.
    left: Vec<(&'static str, String, String)>,
}

impl<'d> Hub<'d> {
    pub(super) fn of(peering: &Peering, folder: &Path, live: &'d Snapshot) -> Self {
        let of_kind = live.of_kind("Application");
        let all: Vec<_> =
            of_kind.flat_map(|object| Live::of(object, peering.name.as_str(), folder)).collect();
        let default = repository(folder).and_then(noted_branch);
        let mut reasons = BTreeMap::new();
        for role in Role::BOTH {
            let numbered = all.iter().map(|it| &it.application).enumerate();
            let of_role: Vec<_> = numbered.filter(|(_, it)| role_of(it) == Some(role)).collect();
            let cluster = &peering.clusters.of(role).argocd_cluster;
            let others = other_environments(cluster, default.as_deref(), &of_role);
            let (others, of_role): (Vec<_>, Vec<_>) =
                of_role.into_iter().partition(|(number, _)| others.contains(number));
            reasons.extend(others.into_iter().map(|(number, it)| (number, why_not_judged(it))));
            reasons.extend(elsewhere(folder, &of_role));
        }
        let (mut applications, mut others) = (Vec::new(), Vec::new());
        for (number, it) in all.into_iter().enumerate() {
            match reasons.remove(&number) {
                None => applications.push(it),
                Some(why) => others.push((it, why)),
            }
        }
        let (owners, found, left) = (BTreeSet::new(), Vec::new(), Vec::new());
        let mut hub = Self { live, applications, others, owners, found, left };
        hub.judge_owners();
        hub
    }

    /// Whether it is not known which of a role's Applications is the folder's.
    pub(super) fn is_unknown(&self, role: Role) -> bool {
        self.others.iter().any(|(it, why)| why == NOT_KNOWN && role_of(&it.application) == Some(role))
    }

    /// The names with which Argo CD marks what a role's Applications have (argo-cd `pkg/apis/application/v1alpha1/types.go`,
    /// InstanceName).
    pub(super) fn names(&self, role: Role) -> Vec<String> {
        let of_role = self.applications.iter().filter(|it| role_of(&it.application) == Some(role));
        let names = of_role.map(|it| (it.object.name(), it.object.namespace()));
        names.flat_map(|(name, namespace)| [name.to_owned(), format!("{namespace}_{name}")]).collect()
    }

    /// Of Argo CD's objects only those of this plugin and of what `render` wrote: others have nothing to do with a peering.
    pub(super) fn has(&self, object: &Object) -> bool {
        let is_of_folder = |it: &Live<'_>| std::ptr::eq(it.object, object);
        match object.kind() {
            "Application" => {
                self.applications.iter().chain(self.others.iter().map(|(it, _)| it)).any(is_of_folder)
                    || !Application::of(&Node::from(&object.value)).is_empty()
            }
            kind @ (PROJECT | SET) => {
                self.owners.iter().any(|it| (it.0, it.1.as_str()) == (kind, object.name()))
            }
            _ => true,
        }
    }

    /// What no check looks at.
    pub(super) fn count(&self, judged: &mut Judged) {
        for Live { object, application, .. } in &self.applications {
            for PassedOver { path, reason } in &application.passed_over {
                let what = format!("{} of {object}", quoted(path));
                judged.leave("field", what, reason.unwrap_or(UNKNOWN_FIELD), reason.is_none());
            }
        }
        for (it, why) in &self.others {
            judged.pass_over("Application", it.object.to_string(), why);
        }
        for (kind, what, why) in &self.left {
            judged.pass_over(kind, what, why);
        }
    }

    fn judge_owners(&mut self) {
        for Live { object, application, .. } in &self.applications {
            let project = application.project.iter().map(|it| (PROJECT, it.value.clone()));
            let sets = object.list("/metadata/ownerReferences").iter();
            let sets = sets.filter(|it| it.get("kind").is_some_and(|kind| kind == SET));
            let sets = sets.filter_map(|it| Some((SET, it.get("name")?.as_str()?.to_owned())));
            self.owners.extend(project.chain(sets));
        }
        for (kind, name) in &self.owners {
            let resource = if *kind == SET { SETS } else { PROJECTS };
            if self.live.refusal(resource).is_some() && name != "default" {
                self.left.push((kind, quoted(name), format!("you may not read {}", quoted(resource))));
            }
            let set = self.live.named(kind, name).filter(|_| *kind == SET);
            let read =
                set.and_then(|object| Some((object, ApplicationSet::read(&Node::from(&object.value))?)));
            let faults =
                read.map(|(object, set)| of_set(&set, None).into_iter().map(|it| of_fault(object, it)));
            self.found.extend(faults.into_iter().flatten());
        }
        let nodes = |kind| self.live.of_kind(kind).map(|it| Node::from(&it.value));
        let projects: Vec<_> = nodes(PROJECT).filter_map(|it| AppProject::of(&it)).collect();
        let settings: Vec<_> = nodes("ConfigMap").filter_map(|it| Settings::of(&it)).collect();
        let globals = settings.iter().flat_map(Settings::names);
        self.owners.extend(globals.map(|it| (PROJECT, it.to_owned())));
        let mut projects = Projects::new(projects.iter().map(|it| (it, 0)), settings.iter().collect());
        for Live { object, application, .. } in &self.applications {
            let role = role_of(application).into_iter();
            for it in role.flat_map(|role| windows(&mut projects, application, role)) {
                match it {
                    Ok(fault) => self.found.push(of_fault(object, fault)),
                    Err(why) => self.left.push((PROJECT, format!("the project of {object}"), why)),
                }
            }
        }
    }
}

pub(super) fn of_fault(object: &Object, Fault { severity, message, help, .. }: Fault) -> Finding {
    finding(severity, Check::Applications, message, help).at(object)
}

impl<'o> Live<'o> {
    /// One for each source of this plugin whose path is the folder's end, and for each that is rendered of the peering.
    fn of(object: &'o Object, peering: &str, folder: &Path) -> Vec<Self> {
        let node = Node::from(&object.value);
        let is_of_folder =
            |it: &Application| it.source.path.as_ref().is_some_and(|path| leads_to(path, folder));
        let with_plugin = Application::of(&node).into_iter().filter(is_of_folder);
        let with_plugin = with_plugin.map(|application| (application, folder.to_owned()));
        let rendered = Application::plain(&node).into_iter().filter_map(|it| {
            let (at, role) = rendered_at(it.source.path.as_ref()?, peering, folder)?;
            Some((it.rendered(role.word(), folder.display().to_string()), at))
        });
        let all = with_plugin.chain(rendered);
        all.map(|(application, folder)| Self { object, application, folder }).collect()
    }
}

/// The folder of a path in the checkout, and its side, if `render` wrote it of this peering.
fn rendered_at(path: &str, peering: &str, document: &Path) -> Option<(PathBuf, Role)> {
    let path = Path::new(path.trim_start_matches("./"));
    let is_below = path.components().all(|it| matches!(it, Component::Normal(_)));
    let folder = repository(document).filter(|_| is_below)?.join(path);
    let into = folder.ancestors().nth(2)?;
    let files = Role::BOTH.map(|role| (rendered::place(into, peering, role), role));
    let (file, role) = files.into_iter().find(|(file, _)| file.parent() == Some(&folder))?;
    let bytes = read_file(&file, rendered::CAP, Links::Refuse).ok()?;
    Rendered::of(&file, &bytes)?.is_of(peering, role).then_some((folder, role))
}

/// Of a role's Applications those that lead to a folder of another repository. The remotes tell which is this one; without one of
/// theirs none is known to be the folder's.
fn elsewhere(folder: &Path, of_role: &[(usize, &Application)]) -> Vec<(usize, String)> {
    let repo = |it: &Application| it.source.repo_url.as_ref().map(|it| normal_repo(it));
    // in a checkout each has the whole path of the folder
    let path = |it: &Application| it.source.path.as_deref().map(|it| cleaned(Path::new(it)));
    let is_alone = repository(folder).is_none();
    let origins = of_role.iter().map(|(_, it)| (repo(it), path(it).filter(|_| is_alone)));
    if origins.collect::<BTreeSet<_>>().len() < 2 {
        return Vec::new();
    }
    let remotes = Checkout::of(folder).and_then(|it| it.remotes().ok()).unwrap_or_default();
    let remotes: Vec<_> = remotes.iter().map(|(_, url)| Some(normal_repo(url))).collect();
    let (ours, others): (Vec<_>, Vec<_>) = of_role.iter().partition(|(_, it)| remotes.contains(&repo(it)));
    let why = if ours.is_empty() { NOT_KNOWN } else { OF_ANOTHER };
    others.into_iter().map(|(number, _)| (number, why.to_owned())).collect()
}

/// Whether a path in a repository can be the one of this folder. A submodule is a folder of the repository around it.
fn leads_to(path: &str, folder: &Path) -> bool {
    // an absolute one is refused, and reported
    let path = cleaned(Path::new(path.trim_start_matches('/')));
    let mut roots = successors(repository(folder), |root| repository(root.parent()?)).peekable();
    if roots.peek().is_none() {
        return !path.as_os_str().is_empty() && folder.ends_with(path);
    }
    roots.any(|root| folder.strip_prefix(root) == Ok(&path))
}
