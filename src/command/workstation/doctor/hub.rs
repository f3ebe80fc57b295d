//! The Argo CD that was read, and what of it is the folder's: its Applications, their projects and the sets that make them.

use super::quoted;
use crate::argocd::application::Application;
use crate::argocd::application_set::ApplicationSet;
use crate::argocd::global_projects::Settings;
use crate::argocd::passed_over::{PassedOver, UNKNOWN_FIELD};
use crate::argocd::project::AppProject;
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
use crate::state::repo::noted_branch;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// As kubectl is asked for them.
pub(super) const PROJECTS: &str = "appprojects.argoproj.io";
pub(super) const SETS: &str = "applicationsets.argoproj.io";

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
    /// Of its other environments.
    others: Vec<Live<'d>>,
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
        let of_role = |role| {
            let applications = all.iter().map(|it| &it.application).enumerate();
            let of_role: Vec<_> = applications.filter(|(_, it)| role_of(it) == Some(role)).collect();
            other_environments(&peering.clusters.of(role).argocd_cluster, default.as_deref(), &of_role)
        };
        let others: BTreeSet<usize> = Role::BOTH.into_iter().flat_map(of_role).collect();
        let (ours, others): (Vec<_>, Vec<_>) =
            all.into_iter().enumerate().partition(|(number, _)| !others.contains(number));
        let [applications, others] = [ours, others].map(|all| all.into_iter().map(|(_, it)| it).collect());
        let (owners, found, left) = (BTreeSet::new(), Vec::new(), Vec::new());
        let mut hub = Self { live, applications, others, owners, found, left };
        hub.judge_owners();
        hub
    }

    /// Of Argo CD's objects only those of this plugin and of what `render` wrote: others have nothing to do with a peering.
    pub(super) fn has(&self, object: &Object) -> bool {
        let is_of_folder = |it: &Live<'_>| std::ptr::eq(it.object, object);
        match object.kind() {
            "Application" => {
                self.applications.iter().chain(&self.others).any(is_of_folder)
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
        for it in &self.others {
            judged.pass_over("Application", it.object.to_string(), why_not_judged(&it.application));
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

/// Whether a path in a repository can be the one of this folder.
fn leads_to(path: &str, folder: &Path) -> bool {
    // an absolute one is refused, and reported
    let path = cleaned(Path::new(path.trim_start_matches('/')));
    if path.as_os_str().is_empty() { repository(folder) == Some(folder) } else { folder.ends_with(path) }
}
