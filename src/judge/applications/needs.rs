//! The permissions that Applications and their streams need from an AppProject.

use super::global_projects::Projects;
use super::{Led, Place};
use crate::argocd::application::Application;
use crate::argocd::project::AppProject;
use crate::diagnostic::{quoted, shown_name};
use crate::peering::{Material, Role};
use crate::{rules, stream};
use std::collections::{BTreeMap, BTreeSet};

/// The needs of streams for each project, with the first document that has the need. Many streams have the same needs.
pub(super) type Needs = BTreeMap<String, BTreeMap<(Role, Need), usize>>;

/// A cluster, by its name or its URL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cluster {
    pub(super) name: Option<String>,
    pub(super) server: Option<String>,
}

/// A permission that a project must give. The first three are for an Application, the others for its stream.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// The namespace of the Application itself.
    Application(String),
    /// A repository's URL.
    Source(String),
    /// A destination; the namespace is empty if there is none.
    Destination(Cluster, String),
    /// The group, the kind and the name of a cluster-scoped object.
    Object([String; 3]),
    /// The group and the kind of objects in namespaces.
    Kind([String; 2]),
    Namespace(Cluster, String),
    /// That no sync window delays an Application. `Some(true)` is for windows that apply to it, `None` for windows that may apply.
    Syncs {
        application: String,
        cluster: Cluster,
        namespace: String,
        is_for: Option<bool>,
    },
}

impl Need {
    /// The needs for windows that apply, and for windows that may apply.
    pub(super) fn syncs(application: &Application, cluster: &Cluster) -> [Self; 2] {
        [Some(true), None].map(|is_for| Self::Syncs {
            application: application.name.value.clone(),
            cluster: cluster.clone(),
            namespace: target_namespace(application),
            is_for,
        })
    }

    /// The need of the Application's own destination, which is reported instead, if it is the same.
    pub(super) fn as_destination(&self) -> Option<Self> {
        let Self::Namespace(cluster, name) = self else {
            return None;
        };
        Some(Self::Destination(cluster.clone(), name.clone()))
    }
}

/// The needs of Applications whose destination is the document's cluster or a URL. `destinations` reports other destinations. Each stream
/// is planned once, however many Applications and projects have it.
pub(super) fn needs(led: &[Led<'_>], declared: &Projects<'_>) -> Needs {
    let (mut streams, mut needs, mut listed) = (BTreeMap::new(), Needs::new(), BTreeSet::new());
    let have_windows = declared
        .of_name
        .values()
        .flatten()
        .any(|it| !it.0.windows.is_empty());
    for &Led {
        application,
        place,
        role,
        ..
    } in led
    {
        let Some(project) = application
            .project
            .as_ref()
            .filter(|it| declared.of_name.contains_key(it.value.as_str()))
        else {
            continue;
        };
        let Some(cluster) = Cluster::of(application, place, role) else {
            continue;
        };
        let list = &application.repositories;
        // once for all sources of an Application: a file can have very many
        let is_new = listed.insert((project.value.as_str(), role, list.as_ptr()));
        let own_url = application.source.repo_url.iter().map(|it| &it.value);
        let urls = own_url
            .chain(list.iter().filter(|_| is_new))
            .map(|url| Need::Source(url.clone()));
        let own = application
            .namespace
            .as_ref()
            .map(|it| Need::Application(it.value.clone()));
        let syncs = if have_windows {
            Need::syncs(application, &cluster).to_vec()
        } else {
            Vec::new()
        };
        let destination = Need::Destination(cluster.clone(), target_namespace(application));
        let stream = streams.entry((place.index, role, cluster.clone()));
        let (of_stream, projects): &mut (BTreeSet<Need>, BTreeSet<&str>) =
            stream.or_insert_with(|| {
                (
                    needs_of(place, role, &cluster).unwrap_or_default(),
                    BTreeSet::new(),
                )
            });
        let of_stream = projects.insert(project.value.as_str()).then_some(of_stream);
        let of_stream = of_stream.into_iter().flat_map(|it| it.iter().cloned());
        let of_project = needs.entry(project.value.clone()).or_default();
        for need in own
            .into_iter()
            .chain(urls)
            .chain([destination])
            .chain(syncs)
            .chain(of_stream)
        {
            of_project.entry((role, need)).or_insert(place.index);
        }
    }
    needs
}

/// The namespace of the destination; empty if there is none (argo-cd `util/argo/argo.go`, `ValidatePermissions`).
fn target_namespace(application: &Application) -> String {
    application
        .target_namespace
        .as_ref()
        .map(|it| it.value.clone())
        .unwrap_or_default()
}

impl Cluster {
    /// The destination in an Application.
    pub(super) fn written(application: &Application) -> Self {
        let [name, server] = [&application.destination, &application.server];
        let [name, server] = [name, server].map(|it| it.as_ref().map(|it| it.value.clone()));
        Self { name, server }
    }

    /// The cluster of an Application's destination; `None` if it is not the document's.
    fn of(application: &Application, place: &Place, role: Role) -> Option<Self> {
        let it = Self::written(application);
        let is_known = match (&it.name, &it.server) {
            (Some(name), None) => name == place.clusters.of(role),
            (None, server) => server.is_some(),
            _ => false,
        };
        is_known.then_some(it)
    }

    pub(super) fn is_permitted(&self, project: &AppProject, namespace: &str) -> Option<bool> {
        project.permits_destination(self.name.as_deref(), self.server.as_deref(), namespace)
    }

    pub(super) fn shown(&self) -> String {
        quoted(
            self.name
                .as_deref()
                .or(self.server.as_deref())
                .unwrap_or_default(),
        )
    }

    /// The cluster as an entry of `destinations`.
    pub(super) fn entry(&self) -> String {
        match (&self.name, &self.server) {
            (Some(name), _) => format!("name: {}", shown_name(name)),
            (None, Some(server)) => format!("server: {}", shown_name(server)),
            (None, None) => String::new(),
        }
    }
}

/// The needs of a stream; `None` for an invalid document.
fn needs_of(place: &Place, role: Role, cluster: &Cluster) -> Option<BTreeSet<Need>> {
    let peering = rules::read(&place.source).ok()?;
    let plan = stream::plan(&peering, role, &Material::public(&peering, role), None).ok()?;
    let mut needs = BTreeSet::new();
    for manifest in &plan.manifests {
        let (meta, live) = (manifest.meta(), manifest.kind().live);
        let (group, kind) = (live.group().to_owned(), live.kind().to_owned());
        if let Some(namespace) = &meta.namespace {
            needs.insert(Need::Kind([group, kind]));
            needs.insert(Need::Namespace(cluster.clone(), namespace.clone()));
        } else {
            needs.insert(Need::Object([group, kind, meta.name.clone()]));
        }
    }
    Some(needs)
}
