//! AppProjects: whether they permit the objects of a stream.

use super::global_projects::{Globals, Projects, Spent, Unknown, Virtual};
use super::left::Left;
use super::needs::{Cluster, Need, needs};
use super::{Fault, File, Flaw, Led, first_line, overrides};
use crate::argocd::application::Application;
use crate::argocd::project::{AppProject, Destination, Window};
use crate::diagnostic::{Span, quoted, shown_name};
use crate::peering::Role;
use crate::state::StateError;
use std::collections::{BTreeMap, BTreeSet};

/// Why it is not known whether a project permits something: a global project may permit it.
const UNSAID: &str = "a project that no Application here is in permits it, so it may be a global one: add the file of `argocd-cm`";
/// The end of a help, if no such global project is here.
const IF_ELSEWHERE: &str = "; if a global project permits it, add the file of `argocd-cm` too";

/// The permissions that projects give or refuse for the needs of streams.
#[derive(Default)]
pub(super) struct Permissions {
    /// The refusals, each with the number of its file and of the document.
    refused: Vec<(usize, usize, Fault)>,
    /// The projects that may refuse something, with the number of the file, and why that is not known.
    pub(super) unknown: BTreeMap<(usize, String), Unknown>,
}

const KUSTOMIZED: &str = "what a kustomization makes of it is not judged";

/// The other results of a comparison.
enum NotRefused {
    Permitted,
    Unknown(Unknown),
    Spent,
}

impl Permissions {
    /// Compares the projects with the needs of the Applications.
    ///
    /// # Errors
    /// When there is more to compare than a run may.
    pub(super) fn of(led: &[Led<'_>], files: &[File]) -> Result<Self, StateError> {
        let (mut all, mut projects) = (Self::default(), Projects::of(files, led));
        let changed = overrides::changed(files);
        for (name, needs) in needs(led, &projects) {
            let named = projects
                .of_name
                .get(name.as_str())
                .cloned()
                .unwrap_or_default();
            let asked = named
                .into_iter()
                .map(|it| projects.with_globals(it, needs.len()));
            let asked: Vec<Virtual<'_>> =
                asked.collect::<Result<_, _>>().map_err(|_| too_many())?;
            for ((role, need), index) in &needs {
                if need
                    .as_destination()
                    .is_none_or(|it| !needs.contains_key(&(*role, it)))
                {
                    let compared =
                        all.compare(&asked, (*role, need, *index), &mut projects, &changed);
                    compared.map_err(|_| too_many())?;
                }
            }
        }
        Ok(all)
    }

    /// Compares projects with the same name, which can be of several Argo CDs: one that permits the need is the one that is meant.
    fn compare(
        &mut self,
        asked: &[Virtual<'_>],
        (role, need, index): (Role, &Need, usize),
        all: &mut Projects<'_>,
        changed: &BTreeSet<usize>,
    ) -> Result<(), Spent> {
        let (mut refused, mut unknown) = (Vec::new(), Vec::new());
        for it in asked {
            let refusal = if changed.contains(&it.file) {
                Err(NotRefused::Unknown((KUSTOMIZED.into(), true)))
            } else {
                refusal_of(it, (role, need), all)
            };
            match refusal {
                Ok(fault) => refused.push((it.file, index, fault)),
                Err(NotRefused::Permitted) => return Ok(()),
                Err(NotRefused::Spent) => return Err(Spent),
                Err(NotRefused::Unknown(why)) => {
                    unknown.push(((it.file, it.project.name.clone()), why));
                }
            }
        }
        if unknown.is_empty() {
            self.refused.extend(refused);
        }
        self.unknown.extend(unknown);
        Ok(())
    }
}

/// The refusal of a project, if no global project can permit the need.
fn refusal_of(
    asked: &Virtual<'_>,
    (role, need): (Role, &Need),
    all: &mut Projects<'_>,
) -> Result<Fault, NotRefused> {
    let refuses = |it: &AppProject| refusal(it, role, need).is_ok();
    match (refusal(&asked.project, role, need), &asked.globals) {
        (Ok(fault), Globals::Known(inherits)) => Ok(Fault {
            help: fault.help + inherits,
            ..fault
        }),
        (Ok(fault), _) if refuses(&asked.widest) => Ok(fault),
        (Ok(fault), Globals::Unsaid) => match all.may_be_lifted(&asked.project, refuses) {
            Ok(false) => Ok(Fault {
                help: fault.help + IF_ELSEWHERE,
                ..fault
            }),
            Ok(true) => Err(NotRefused::Unknown((UNSAID.into(), false))),
            Err(Spent) => Err(NotRefused::Spent),
        },
        (_, Globals::Unknown(why)) => Err(NotRefused::Unknown(why.clone())),
        // refusals of a global project matter only if there is one
        (Err(it), _) => Err(it),
    }
}

pub(super) fn check(permissions: &Permissions) -> Vec<Flaw> {
    permissions
        .refused
        .iter()
        .map(|(file, index, fault)| fault.clone().within(*file, *index))
        .collect()
}

/// The entries for projects of which it is not known whether they permit something.
pub(super) fn left(permissions: &Permissions) -> impl Iterator<Item = Left> {
    let all = permissions.unknown.iter();
    all.map(|((file, name), (why, is_asked))| {
        Left::new(*file, "AppProject", why.as_ref(), *is_asked).of(name)
    })
}

/// The reason that a pattern of this list is not evaluated.
fn pattern(list: &str) -> Unknown {
    (
        format!("a pattern of its `{list}` is not evaluated").into(),
        true,
    )
}

/// The sync windows of a project that delay a live Application, or why that is not known.
pub(crate) fn windows(
    projects: &mut Projects<'_>,
    application: &Application,
    role: Role,
) -> Vec<Result<Fault, String>> {
    let name = application
        .project
        .as_ref()
        .map(|it| it.value.as_str())
        .unwrap_or_default();
    let Some(own) = projects
        .of_name
        .get(name)
        .and_then(|all| all.first())
        .copied()
    else {
        return Vec::new();
    };
    let needs = Need::syncs(application, &Cluster::written(application));
    let Ok(own) = projects.with_globals(own, needs.len()) else {
        return vec![Err(TOO_MANY.to_owned())];
    };
    let said = needs
        .iter()
        .filter_map(|need| match refusal_of(&own, (role, need), projects) {
            Ok(fault) => Some(Ok(fault)),
            Err(NotRefused::Unknown(why)) => Some(Err(why.0.into_owned())),
            Err(NotRefused::Spent) => Some(Err(TOO_MANY.to_owned())),
            Err(NotRefused::Permitted) => None,
        });
    said.collect()
}

const TOO_MANY: &str = "the AppProjects have more entries than a run compares";

fn too_many() -> StateError {
    StateError::flag(
        "PATHS",
        format!("{TOO_MANY} with what the streams need; name fewer folders at once"),
    )
}

const TAKEN_BACK: &str =
    "correct its `LIST`: an entry with `!` can refuse what another one permits";

/// The refusal of a need by a project.
#[allow(clippy::too_many_lines)]
fn refusal(project: &AppProject, role: Role, need: &Need) -> Result<Fault, NotRefused> {
    let (what, help, at) = match need {
        Need::Syncs {
            application,
            cluster,
            namespace,
            is_for,
        } => {
            let places = [
                cluster.name.as_deref(),
                cluster.server.as_deref(),
                Some(namespace.as_str()),
            ];
            let windows = project
                .windows
                .iter()
                .filter(|it| it.is_for(application, places) == *is_for);
            let held = held_back(project, role, &windows.collect::<Vec<_>>())
                .ok_or(NotRefused::Permitted)?;
            return is_for
                .map(|_| held)
                .ok_or(NotRefused::Unknown(pattern("syncWindows")));
        }
        Need::Application(namespace) => {
            is_refused(project.permits_application(namespace), || {
                pattern("sourceNamespaces")
            })?;
            let what = format!(
                "the namespace {}, in which the {role}'s Application is",
                quoted(namespace)
            );
            let help = format!(
                "add `- {}` to its `sourceNamespaces`, or create the Application beside the project",
                shown_name(namespace)
            );
            (what, help, project.source_namespaces.span)
        }
        Need::Source(url) => {
            let unwritten =
                || NotRefused::Unknown(("its `sourceRepos` are not written here".into(), false));
            let repos = project.source_repos.as_ref().ok_or_else(unwritten)?;
            is_refused(project.permits_source(url), || pattern("sourceRepos"))?;
            let what = format!(
                "the repository {}, from which the {role}'s Application comes",
                quoted(url)
            );
            let help = if repos.iter().any(|it| it.starts_with('!')) {
                TAKEN_BACK.replace("LIST", "sourceRepos")
            } else {
                format!(
                    "add `- {}` to its `sourceRepos`, or correct the Application",
                    shown_name(url)
                )
            };
            (what, help, repos.span)
        }
        Need::Destination(cluster, namespace) if namespace.is_empty() => {
            is_refused(cluster.is_permitted(project, namespace), || {
                of_destinations(project)
            })?;
            let what = format!("the {role}'s Application, whose destination has no `namespace`");
            let help =
                "write the tenant namespace there: Argo CD compares it with the `destinations`"
                    .into();
            (what, help, project.destinations.span)
        }
        Need::Destination(cluster, name) | Need::Namespace(cluster, name) => {
            is_refused(cluster.is_permitted(project, name), || {
                of_destinations(project)
            })?;
            let whose = if matches!(need, Need::Namespace(..)) {
                "stream"
            } else {
                "Application"
            };
            let what = format!(
                "the namespace {} on {}, which the {role}'s {whose} has",
                quoted(name),
                cluster.shown()
            );
            let is_taken_back = |it: &Destination| {
                [&it.name, &it.server, &it.namespace]
                    .iter()
                    .any(|it| it.starts_with('!'))
            };
            let help = if project.destinations.iter().any(is_taken_back) {
                TAKEN_BACK.replace("LIST", "destinations")
            } else {
                format!(
                    "add `- {{ {}, namespace: {name} }}` to its `destinations`",
                    cluster.entry()
                )
            };
            (what, help, project.destinations.span)
        }
        Need::Object([group, kind, name]) => {
            let what = format!("the {kind} {}, which the {role}'s stream has", quoted(name));
            let (help, at) = kind_help(project, (group, kind), Some(name))?;
            (what, help, at)
        }
        Need::Kind([group, kind]) => {
            let what = format!("the kind `{kind}`, which the {role}'s stream has");
            let (help, at) = kind_help(project, (group, kind), None)?;
            (what, help, at)
        }
    };
    let message = format!(
        "the project {} does not permit {what}",
        quoted(&project.name)
    );
    Ok(Fault::error(message, &help, first_line(at)).of_project())
}

/// The finding for the windows that apply to a role's Application (argo-cd `pkg/apis/application/v1alpha1/types.go`, `SyncWindows.CanSync`).
fn held_back(project: &AppProject, role: Role, windows: &[&Window]) -> Option<Fault> {
    let has = |is_deny| windows.iter().any(|it| it.is_deny == is_deny);
    let (kinds, when) = match (has(true), has(false)) {
        (true, true) => (
            "`allow` and `deny`",
            "a commit is synced only while one of kind `allow` is open and none of kind `deny`",
        ),
        (true, false) => ("`deny`", "while one is open, no commit is synced"),
        (false, _) => ("`allow`", "a commit is synced only while one is open"),
    };
    let message = format!(
        "the project {} has sync windows of kind {kinds} for the {role}'s Application: {when}",
        quoted(&project.name)
    );
    let help = "a rotation, a removal and what mends it wait as well; with `manualSync: true` a person can sync meanwhile";
    Some(Fault::note(
        message,
        help,
        first_line(windows.first()?.span),
    ))
}

fn is_refused(
    permitted: Option<bool>,
    unknown: impl FnOnce() -> Unknown,
) -> Result<(), NotRefused> {
    match permitted {
        Some(false) => Ok(()),
        Some(true) => Err(NotRefused::Permitted),
        None => Err(NotRefused::Unknown(unknown())),
    }
}

/// Why it is not known whether one of the project's destinations matches.
fn of_destinations(project: &AppProject) -> Unknown {
    let are_known = project.destinations.iter().all(Destination::is_known);
    let of_urls = "of it and an Application one names the cluster by URL, and the other by name";
    if are_known {
        (of_urls.into(), false)
    } else {
        pattern("destinations")
    }
}

/// What to do, and where, if a kind is refused. `name` is given for a cluster-scoped object.
fn kind_help(
    project: &AppProject,
    (group, kind): (&str, &str),
    name: Option<&str>,
) -> Result<(String, Span), NotRefused> {
    let (black, white, refused) = match name {
        Some(_) => (
            "clusterResourceBlacklist",
            "clusterResourceWhitelist",
            &project.refused_cluster_kinds,
        ),
        None => (
            "namespaceResourceBlacklist",
            "namespaceResourceWhitelist",
            &project.refused_namespaced_kinds,
        ),
    };
    match project.refuses_kind(group, kind, name) {
        Some(true) => return Ok((format!("take it out of its `{black}`"), refused.span)),
        None => return Err(NotRefused::Unknown(pattern(black))),
        Some(false) => {}
    }
    is_refused(project.permits_kind(group, kind, name), || pattern(white))?;
    let at = match &project.namespaced_kinds {
        Some(kinds) if name.is_none() => kinds.span,
        _ => project.cluster_kinds.span,
    };
    let named = name
        .map(|name| format!(", name: {name}"))
        .unwrap_or_default();
    Ok((
        format!("add `- {{ group: \"{group}\", kind: {kind}{named} }}` to its `{white}`"),
        at,
    ))
}
