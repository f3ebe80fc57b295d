//! AppProjects: whether they permit what a stream has.

use super::left::Left;
use super::windows::held_back;
use super::{Fault, File, Flaw, Led, Place, first_line};
use crate::argocd::application::Application;
use crate::argocd::project::{AppProject, Destination};
use crate::diagnostic::{Span, quoted, shown_name};
use crate::peering::{Material, Role};
use crate::state::StateError;
use crate::{rules, stream};
use std::collections::{BTreeMap, BTreeSet};

/// The streams of the Applications, each once however many Applications have it, with the declared projects that they are in.
type Uses<'f> = BTreeMap<(usize, Role, Cluster), (&'f Place, BTreeSet<String>)>;

/// What streams need of each project, with the first document that needs it. Many streams need the same.
type Needs = BTreeMap<String, BTreeMap<(Role, Need), usize>>;

/// A cluster by its name, or by its URL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Cluster {
    name: Option<String>,
    server: Option<String>,
}

/// What a project has to permit. The first three are of an Application, the others of its stream.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// The namespace of the Application itself.
    Application {
        namespace: String,
    },
    Source {
        url: String,
    },
    /// Without a namespace it is empty.
    Destination {
        cluster: Cluster,
        namespace: String,
    },
    /// An object that is in no namespace.
    Object {
        group: String,
        kind: String,
        name: String,
    },
    /// A kind of objects in namespaces.
    Kind {
        group: String,
        kind: String,
    },
    Namespace {
        cluster: Cluster,
        name: String,
    },
    /// That nothing holds back the syncs of an Application: no window that is for it, and, with None, none that may be.
    Syncs {
        application: String,
        cluster: Cluster,
        namespace: String,
        is_for: Option<bool>,
    },
}

impl Need {
    /// The same need of the Application itself, which is then the one to report.
    fn as_destination(&self) -> Option<Self> {
        let Self::Namespace { cluster, name } = self else { return None };
        Some(Self::Destination { cluster: cluster.clone(), namespace: name.clone() })
    }
}

/// How much projects and what streams need of them may be to compare, by the projects' weights: a project of five thousand
/// destinations with the ten thousand needs of as many namespaces.
const COMPARED_MAX: usize = 100_000_000;

/// What a project's own comparison takes, with its message.
const PROJECT: usize = 64;

/// What the projects say of what the streams need.
#[derive(Default)]
pub(super) struct Permissions {
    /// What is not permitted, each with the number of its file and of the document.
    refused: Vec<(usize, usize, Fault)>,
    /// The projects, each with the number of its file, that may not permit something, and why that is not known.
    pub(super) unknown: BTreeMap<(usize, String), Unknown>,
}

/// Why it is not known whether a project permits something.
#[derive(Clone, Copy)]
pub(super) enum Unknown {
    /// A pattern of this list is not evaluated.
    Pattern(&'static str),
    /// One names the cluster by its name, and the other by its URL.
    Cluster,
}

/// What is not refused.
enum NotRefused {
    Permitted,
    Unknown(Unknown),
}

impl Permissions {
    /// # Errors
    /// When there is more to compare than a run may.
    pub(super) fn of(led: &[Led<'_>], files: &[File]) -> Result<Self, StateError> {
        let mut all = Self::default();
        let declared: BTreeSet<&str> =
            files.iter().flat_map(|file| &file.declared.projects).map(|it| it.name.as_str()).collect();
        if declared.is_empty() {
            return Ok(all);
        }
        let mut needs = Needs::new();
        let projects = files.iter().flat_map(|file| &file.declared.projects);
        let with_windows: BTreeSet<&str> =
            projects.filter(|it| !it.windows.is_empty()).map(|it| it.name.as_str()).collect();
        let uses = uses(led, &declared, &with_windows, &mut needs);
        of_streams(uses, &mut needs);
        let mut of_name: BTreeMap<&str, Vec<(&AppProject, usize)>> = BTreeMap::new();
        for (number, file) in files.iter().enumerate() {
            for project in &file.declared.projects {
                of_name.entry(&project.name).or_default().push((project, number));
            }
        }
        let mut left = COMPARED_MAX;
        for (name, projects) in of_name {
            let Some(needs) = needs.get(name) else { continue };
            let weight: usize = projects.iter().map(|(project, _)| PROJECT + project.weight()).sum();
            left = left.checked_sub(weight.saturating_mul(needs.len())).ok_or_else(too_many)?;
            for ((role, need), index) in needs {
                if need.as_destination().is_none_or(|it| !needs.contains_key(&(*role, it))) {
                    all.compare(&projects, *role, need, *index);
                }
            }
        }
        Ok(all)
    }

    /// Of one name each can be another Argo CD's: one that permits it is the one that is meant.
    fn compare(&mut self, projects: &[(&AppProject, usize)], role: Role, need: &Need, index: usize) {
        let (mut refused, mut unknown) = (Vec::new(), Vec::new());
        for (project, file) in projects {
            match refusal(project, role, need) {
                Ok(fault) => refused.push((*file, index, fault)),
                Err(NotRefused::Permitted) => return,
                Err(NotRefused::Unknown(why)) => unknown.push(((*file, project.name.clone()), why)),
            }
        }
        if unknown.is_empty() {
            self.refused.extend(refused);
        }
        self.unknown.extend(unknown);
    }
}

pub(super) fn check(permissions: &Permissions) -> Vec<Flaw> {
    permissions.refused.iter().map(|(file, index, fault)| fault.clone().within(*file, *index)).collect()
}

/// Those of which it is not known whether they permit something.
pub(super) fn left(permissions: &Permissions) -> impl Iterator<Item = Left> {
    permissions.unknown.iter().map(|((file, name), why)| match why {
        Unknown::Pattern(list) => {
            let reason = format!("a pattern of its `{list}` is not evaluated");
            Left::new(*file, "AppProject", reason, true).of(name)
        }
        Unknown::Cluster => {
            let reason = "of it and an Application one names the cluster by URL, and the other by name";
            Left::new(*file, "AppProject", reason, false).of(name)
        }
    })
}

fn too_many() -> StateError {
    let reason = "the AppProjects have more entries than a run compares with what the streams need; name fewer folders at once";
    StateError::flag("PATHS", reason)
}

/// The streams whose destination is the document's, or a URL; another one is an error of its own.
fn uses<'f>(
    led: &[Led<'f>],
    declared: &BTreeSet<&str>,
    with_windows: &BTreeSet<&str>,
    needs: &mut Needs,
) -> Uses<'f> {
    let mut uses = Uses::new();
    for &Led { application, place, role, .. } in led {
        let Some(project) = application.project.as_ref().filter(|it| declared.contains(it.value.as_str()))
        else {
            continue;
        };
        let Some(cluster) = Cluster::of(application, place, role) else { continue };
        // a destination without a namespace has an empty one (argo-cd `util/argo/argo.go`, `ValidatePermissions`)
        let namespace = application.target_namespace.as_ref().map(|it| it.value.clone()).unwrap_or_default();
        let url = application.source.repo_url.as_ref().map(|it| Need::Source { url: it.value.clone() });
        let own = application.namespace.as_ref().map(|it| Need::Application { namespace: it.value.clone() });
        let has_windows = with_windows.contains(project.value.as_str());
        let [held, may_be] = [Some(true), None].map(|is_for| {
            has_windows.then(|| Need::Syncs {
                application: application.name.value.clone(),
                cluster: cluster.clone(),
                namespace: namespace.clone(),
                is_for,
            })
        });
        let destination = Need::Destination { cluster: cluster.clone(), namespace };
        let of_application = [own, url, Some(destination), held, may_be];
        let of_project = needs.entry(project.value.clone()).or_default();
        for need in of_application.into_iter().flatten() {
            of_project.entry((role, need)).or_insert(place.index);
        }
        let key = (place.index, role, cluster);
        uses.entry(key).or_insert_with(|| (place, BTreeSet::new())).1.insert(project.value.clone());
    }
    uses
}

impl Cluster {
    /// None where it is not the document's.
    fn of(application: &Application, place: &Place, role: Role) -> Option<Self> {
        match (&application.destination, &application.server) {
            (Some(name), None) if name.value == *place.clusters.of(role) => {
                Some(Self { name: Some(name.value.clone()), server: None })
            }
            (None, Some(server)) => Some(Self { name: None, server: Some(server.value.clone()) }),
            _ => None,
        }
    }

    fn is_permitted(&self, project: &AppProject, namespace: &str) -> Option<bool> {
        project.permits_destination(self.name.as_deref(), self.server.as_deref(), namespace)
    }

    fn shown(&self) -> String {
        quoted(self.name.as_deref().or(self.server.as_deref()).unwrap_or_default())
    }

    /// As an entry of `destinations` has it.
    fn entry(&self) -> String {
        match (&self.name, &self.server) {
            (Some(name), _) => format!("name: {}", shown_name(name)),
            (None, Some(server)) => format!("server: {}", shown_name(server)),
            (None, None) => String::new(),
        }
    }
}

/// Each stream is planned once, whatever the number of its Applications and their projects. Of a document that is wrong nothing
/// is known.
fn of_streams(uses: Uses<'_>, needs: &mut Needs) {
    for ((index, role, cluster), (place, projects)) in uses {
        let of_stream = needs_of(place, role, &cluster).unwrap_or_default();
        for project in projects {
            let of_project = needs.entry(project).or_default();
            for need in &of_stream {
                of_project.entry((role, need.clone())).or_insert(index);
            }
        }
    }
}

fn needs_of(place: &Place, role: Role, cluster: &Cluster) -> Option<BTreeSet<Need>> {
    let peering = rules::read(&place.source).ok()?;
    let plan = stream::plan(&peering, role, &Material::public(&peering, role), None).ok()?;
    let mut needs = BTreeSet::new();
    for manifest in &plan.manifests {
        let (meta, live) = (manifest.meta(), manifest.kind().live);
        let (group, kind) = (live.group().to_owned(), live.kind().to_owned());
        if let Some(namespace) = &meta.namespace {
            needs.insert(Need::Kind { group, kind });
            needs.insert(Need::Namespace { cluster: cluster.clone(), name: namespace.clone() });
        } else {
            needs.insert(Need::Object { group, kind, name: meta.name.clone() });
        }
    }
    Some(needs)
}

const TAKEN_BACK: &str = "correct its `LIST`: an entry with `!` can refuse what another one permits";

/// What a project does not permit.
fn refusal(project: &AppProject, role: Role, need: &Need) -> Result<Fault, NotRefused> {
    let (what, help, at) = match need {
        Need::Syncs { application, cluster, namespace, is_for } => {
            let places = [cluster.name.as_deref(), cluster.server.as_deref(), Some(namespace.as_str())];
            let windows = project.windows.iter().filter(|it| it.is_for(application, places) == *is_for);
            let held = held_back(project, role, &windows.collect::<Vec<_>>()).ok_or(NotRefused::Permitted)?;
            return is_for.map(|_| held).ok_or(NotRefused::Unknown(Unknown::Pattern("syncWindows")));
        }
        Need::Application { namespace } => {
            is_refused(project.permits_application(namespace), Unknown::Pattern("sourceNamespaces"))?;
            let what = format!("the namespace {}, in which the {role}'s Application is", quoted(namespace));
            let help = format!(
                "add `- {}` to its `sourceNamespaces`, or create the Application beside the project",
                shown_name(namespace)
            );
            (what, help, project.source_namespaces.span)
        }
        Need::Source { url } => {
            let repos = project.source_repos.as_ref().ok_or(NotRefused::Permitted)?;
            is_refused(project.permits_source(url), Unknown::Pattern("sourceRepos"))?;
            let what = format!("the repository {}, from which the {role}'s Application comes", quoted(url));
            let help = if repos.iter().any(|it| it.starts_with('!')) {
                TAKEN_BACK.replace("LIST", "sourceRepos")
            } else {
                format!("add `- {}` to its `sourceRepos`, or correct the Application", shown_name(url))
            };
            (what, help, repos.span)
        }
        Need::Destination { cluster, namespace } if namespace.is_empty() => {
            is_refused(cluster.is_permitted(project, namespace), of_destinations(project))?;
            let what = format!("the {role}'s Application, whose destination has no `namespace`");
            let help = "write the tenant namespace there: Argo CD compares it with the `destinations`".into();
            (what, help, project.destinations.span)
        }
        Need::Destination { cluster, namespace: name } | Need::Namespace { cluster, name } => {
            is_refused(cluster.is_permitted(project, name), of_destinations(project))?;
            let whose = if matches!(need, Need::Namespace { .. }) { "stream" } else { "Application" };
            let what = format!(
                "the namespace {} on {}, which the {role}'s {whose} has",
                quoted(name),
                cluster.shown()
            );
            let is_taken_back =
                |it: &Destination| [&it.name, &it.server, &it.namespace].iter().any(|it| it.starts_with('!'));
            let help = if project.destinations.iter().any(is_taken_back) {
                TAKEN_BACK.replace("LIST", "destinations")
            } else {
                format!("add `- {{ {}, namespace: {name} }}` to its `destinations`", cluster.entry())
            };
            (what, help, project.destinations.span)
        }
        Need::Object { group, kind, name } => {
            let what = format!("the {kind} {}, which the {role}'s stream has", quoted(name));
            let (help, at) = kind_help(project, (group, kind), Some(name))?;
            (what, help, at)
        }
        Need::Kind { group, kind } => {
            let what = format!("the kind `{kind}`, which the {role}'s stream has");
            let (help, at) = kind_help(project, (group, kind), None)?;
            (what, help, at)
        }
    };
    let message = format!("the project {} does not permit {what}", quoted(&project.name));
    Ok(Fault::error(message, &help, first_line(at)).of_project())
}

fn is_refused(permitted: Option<bool>, unknown: Unknown) -> Result<(), NotRefused> {
    match permitted {
        Some(false) => Ok(()),
        Some(true) => Err(NotRefused::Permitted),
        None => Err(NotRefused::Unknown(unknown)),
    }
}

/// Why it is not known whether one of its destinations is the one.
fn of_destinations(project: &AppProject) -> Unknown {
    let are_known = project.destinations.iter().all(Destination::is_known);
    if are_known { Unknown::Cluster } else { Unknown::Pattern("destinations") }
}

/// What to do, and where, if a kind is refused; of an object that is in no namespace, with its name.
fn kind_help(
    project: &AppProject,
    (group, kind): (&str, &str),
    name: Option<&str>,
) -> Result<(String, Span), NotRefused> {
    let (black, white, refused) = match name {
        Some(_) => ("clusterResourceBlacklist", "clusterResourceWhitelist", &project.refused_cluster_kinds),
        None => {
            ("namespaceResourceBlacklist", "namespaceResourceWhitelist", &project.refused_namespaced_kinds)
        }
    };
    match project.refuses_kind(group, kind, name) {
        Some(true) => return Ok((format!("take it out of its `{black}`"), refused.span)),
        None => return Err(NotRefused::Unknown(Unknown::Pattern(black))),
        Some(false) => {}
    }
    is_refused(project.permits_kind(group, kind, name), Unknown::Pattern(white))?;
    let at = match &project.namespaced_kinds {
        Some(kinds) if name.is_none() => kinds.span,
        _ => project.cluster_kinds.span,
    };
    let named = name.map(|name| format!(", name: {name}")).unwrap_or_default();
    Ok((format!("add `- {{ group: \"{group}\", kind: {kind}{named} }}` to its `{white}`"), at))
}
