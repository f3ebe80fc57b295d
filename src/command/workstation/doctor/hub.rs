//! Argo CD as it was read, and the folder's objects in it: Applications, their projects and the ApplicationSets that create them.

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

/// The resources' names for kubectl.
pub(super) const PROJECTS: &str = "appprojects.argoproj.io";
pub(super) const SETS: &str = "applicationsets.argoproj.io";

/// The kinds of these resources.
const PROJECT: &str = "AppProject";
const SET: &str = "ApplicationSet";

/// An Application of the folder, or of a folder that `render` wrote for it, and its source.
pub(super) struct Live<'o> {
    pub(super) object: &'o Object,
    pub(super) application: Application,
    pub(super) folder: PathBuf,
}

/// Why an Application is not judged although its path can be this folder's.
enum Other {
    OfEnvironment(String),
    OfRepository,
    Unknown,
}

impl Other {
    fn why(&self) -> &str {
        match self {
            Self::OfEnvironment(why) => why,
            Self::OfRepository => "its repository is no remote of this checkout",
            Self::Unknown => "it is not known whether it is this folder's",
        }
    }
}

pub(super) struct Hub<'d> {
    pub(super) live: &'d Snapshot,
    pub(super) applications: Vec<Live<'d>>,
    others: Vec<(Live<'d>, Other)>,
    /// The projects and ApplicationSets of the Applications, and global projects: their kinds and names.
    owners: BTreeSet<(&'static str, String)>,
    /// The findings on projects and ApplicationSets. Whatever else a project refuses, Argo CD reports in the Applications.
    pub(super) found: Vec<Finding>,
    /// The projects and ApplicationSets that are not judged: the kind, the name, and why.
    left: BTreeSet<(&'static str, String, String)>,
}

impl<'d> Hub<'d> {
    pub(super) fn of(peering: &Peering, folder: &Path, live: &'d Snapshot) -> Self {
        let of_kind = live.of_kind("Application");
        let all: Vec<_> = of_kind
            .flat_map(|object| Live::of(object, peering.name.as_str(), folder))
            .collect();
        let default = repository(folder).and_then(noted_branch);
        let remotes = Checkout::of(folder)
            .and_then(|it| it.remotes().ok())
            .unwrap_or_default();
        let mut reasons = BTreeMap::new();
        for role in Role::BOTH {
            let numbered = all.iter().map(|it| &it.application).enumerate();
            let of_role: Vec<_> = numbered
                .filter(|(_, it)| role_of(it) == Some(role))
                .collect();
            let cluster = &peering.clusters.of(role).argocd_cluster;
            let others = other_environments(cluster, default.as_deref(), &of_role);
            let (others, of_role): (Vec<_>, Vec<_>) = of_role
                .into_iter()
                .partition(|(number, _)| others.contains(number));
            let others = others.into_iter();
            reasons.extend(
                others.map(|(number, it)| (number, Other::OfEnvironment(why_not_judged(it)))),
            );
            reasons.extend(elsewhere(folder, &of_role, &remotes));
        }
        let (mut applications, mut others) = (Vec::new(), Vec::new());
        for (number, it) in all.into_iter().enumerate() {
            match reasons.remove(&number) {
                None => applications.push(it),
                Some(why) => others.push((it, why)),
            }
        }
        let owners = applications.iter().flat_map(Live::owners).collect();
        let (found, left) = (Vec::new(), BTreeSet::new());
        let mut hub = Self {
            live,
            applications,
            others,
            owners,
            found,
            left,
        };
        hub.leave_unread();
        hub.judge_sets();
        hub.judge_windows();
        hub
    }

    /// Whether it is not known which of a role's Applications belongs to the folder.
    pub(super) fn is_unknown(&self, role: Role) -> bool {
        let mut unknown = self
            .others
            .iter()
            .filter(|(_, why)| matches!(why, Other::Unknown));
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

    /// Whether an object belongs to the peering. Of Argo CD's objects, these are only those of this plugin and of what `render` wrote.
    pub(super) fn has(&self, object: &Object) -> bool {
        let is_of_folder = |it: &Live<'_>| std::ptr::eq(it.object, object);
        match object.kind() {
            "Application" => {
                self.applications
                    .iter()
                    .chain(self.others.iter().map(|(it, _)| it))
                    .any(is_of_folder)
                    || !Application::of(&Node::from(&object.value)).is_empty()
            }
            kind @ (PROJECT | SET) => self
                .owners
                .iter()
                .any(|it| (it.0, it.1.as_str()) == (kind, object.name())),
            _ => true,
        }
    }

    /// Counts what no check looks at.
    pub(super) fn count(&self, judged: &mut Judged) {
        for Live {
            object,
            application,
            ..
        } in &self.applications
        {
            for PassedOver { path, reason } in &application.passed_over {
                let what = format!("{} of {object}", quoted(path));
                judged.leave(
                    "field",
                    what,
                    reason.unwrap_or(UNKNOWN_FIELD),
                    reason.is_none(),
                );
            }
        }
        for (it, why) in &self.others {
            judged.pass_over("Application", it.object.to_string(), why.why());
        }
        for (kind, what, why) in &self.left {
            judged.pass_over(kind, what, why);
        }
    }

    /// Reports that projects and ApplicationSets cannot be read. The project `default` is left out, since it permits everything.
    fn leave_unread(&mut self) {
        for (kind, name) in self.owners.iter().filter(|(_, name)| name != "default") {
            let resource = if *kind == SET { SETS } else { PROJECTS };
            let Some(problem) = self.live.refusal(resource) else {
                continue;
            };
            let what = if problem.is_forbidden() {
                "you may not read"
            } else {
                "this cluster does not have"
            };
            self.left
                .insert((kind, quoted(name), format!("{what} {}", quoted(resource))));
        }
    }

    fn judge_sets(&mut self) {
        for (_, name) in self.owners.iter().filter(|(kind, _)| *kind == SET) {
            let Some(object) = self.live.named(SET, name) else {
                continue;
            };
            let set = ApplicationSet::read(&Node::from(&object.value));
            let faults = set.into_iter().flat_map(|it| of_set(&it, None));
            self.found.extend(faults.map(|it| of_fault(object, it)));
        }
    }

    /// Judges the sync windows of the Applications' projects.
    fn judge_windows(&mut self) {
        let nodes = |kind| self.live.of_kind(kind).map(|it| Node::from(&it.value));
        let projects: Vec<_> = nodes(PROJECT)
            .filter_map(|it| AppProject::of(&it))
            .collect();
        let settings: Vec<_> = nodes("ConfigMap")
            .filter_map(|it| Settings::of(&it))
            .collect();
        let globals = settings.iter().flat_map(Settings::names);
        self.owners
            .extend(globals.map(|it| (PROJECT, it.to_owned())));
        let mut projects =
            Projects::new(projects.iter().map(|it| (it, 0)), settings.iter().collect());
        for Live {
            object,
            application,
            ..
        } in &self.applications
        {
            let role = role_of(application).into_iter();
            for it in role.flat_map(|role| windows(&mut projects, application, role)) {
                match it {
                    Ok(fault) => self.found.push(of_fault(object, fault)),
                    Err(why) => drop(self.left.insert((
                        PROJECT,
                        format!("the project of {object}"),
                        why,
                    ))),
                }
            }
        }
    }
}

pub(super) fn of_fault(
    object: &Object,
    Fault {
        severity,
        message,
        help,
        ..
    }: Fault,
) -> Finding {
    finding(severity, Check::Applications, message, help).at(object)
}

impl<'o> Live<'o> {
    /// An item for each source of this plugin whose path is the end of the folder's, and for each source that was
    /// rendered from the peering.
    fn of(object: &'o Object, peering: &str, folder: &Path) -> Vec<Self> {
        let node = Node::from(&object.value);
        let is_of_folder = |it: &Application| {
            it.source
                .path
                .as_ref()
                .is_some_and(|path| leads_to(path, folder))
        };
        let with_plugin = Application::of(&node).into_iter().filter(is_of_folder);
        let with_plugin = with_plugin.map(|application| (application, folder.to_owned()));
        let rendered = Application::plain(&node).into_iter().filter_map(|it| {
            let (at, role) = rendered_at(it.source.path.as_ref()?, peering, folder)?;
            Some((it.rendered(role.word(), folder.display().to_string()), at))
        });
        let all = with_plugin.chain(rendered);
        all.map(|(application, folder)| Self {
            object,
            application,
            folder,
        })
        .collect()
    }

    /// The kinds and names of the Application's project, and of the ApplicationSets that create it.
    fn owners(&self) -> impl Iterator<Item = (&'static str, String)> {
        let project = self
            .application
            .project
            .iter()
            .map(|it| (PROJECT, it.value.clone()));
        let sets = self.object.list("/metadata/ownerReferences").iter();
        let sets = sets.filter(|it| it.get("kind").is_some_and(|kind| kind == SET));
        project.chain(sets.filter_map(|it| Some((SET, it.get("name")?.as_str()?.to_owned()))))
    }
}

/// The folder of a path in the checkout, and its side, if `render` wrote it for this peering.
fn rendered_at(path: &str, peering: &str, document: &Path) -> Option<(PathBuf, Role)> {
    let path = Path::new(path.trim_start_matches("./"));
    let is_below = path
        .components()
        .all(|it| matches!(it, Component::Normal(_)));
    let folder = repository(document).filter(|_| is_below)?.join(path);
    let into = folder.ancestors().nth(2)?;
    let files = Role::BOTH.map(|role| (rendered::place(into, peering, role), role));
    let (file, role) = files
        .into_iter()
        .find(|(file, _)| file.parent() == Some(&folder))?;
    let bytes = read_file(&file, rendered::CAP, Links::Refuse).ok()?;
    Rendered::of(&file, &bytes)?
        .is_of(peering, role)
        .then_some((folder, role))
}

/// The Applications of a role whose path leads to a folder of another repository. The remotes tell which repository is this one; if no
/// remote matches, none of the Applications is known to belong to the folder.
fn elsewhere(
    folder: &Path,
    of_role: &[(usize, &Application)],
    remotes: &[(String, String)],
) -> Vec<(usize, Other)> {
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
    let is_ours = |it: &Application| {
        remotes
            .iter()
            .any(|(_, url)| Some(normal_repo(url)) == repo(it))
    };
    let (ours, others): (Vec<_>, Vec<_>) = of_role.iter().partition(|(_, it)| is_ours(it));
    let why = || {
        if ours.is_empty() {
            Other::Unknown
        } else {
            Other::OfRepository
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
