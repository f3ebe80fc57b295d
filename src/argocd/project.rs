//! Argo CD's AppProjects (argo-cd `pkg/apis/application/v1alpha1/types.go`), as far as they permit or refuse the objects that this plugin
//! prints.

mod patterns;

use super::passed_over::{OF_PROJECT, PassedOver, passed_over};
use super::{is_true, text_or_empty};
use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::{Node, Value};
use patterns::{and, any, is_matched, matches_repository, or};
pub(crate) use patterns::{is_known, is_match, matches};
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub(crate) struct AppProject {
    pub(crate) name: String,
    /// The namespace of its Argo CD.
    namespace: Option<String>,
    pub(crate) labels: BTreeMap<String, String>,
    /// The other namespaces in which its Applications may be.
    pub(crate) source_namespaces: Located<Vec<String>>,
    /// `None` if the list is not written here: a patch has only a part of a project.
    pub(crate) source_repos: Option<Located<Vec<String>>>,
    pub(crate) destinations: Located<Vec<Destination>>,
    pub(crate) cluster_kinds: Located<Vec<Permitted>>,
    /// `None` permits every kind of a namespace; an empty list permits none (argo-cd `pkg/apis/application/v1alpha1/app_project_types.go`,
    /// `IsGroupKindNamePermitted`).
    pub(crate) namespaced_kinds: Option<Located<Vec<Permitted>>>,
    pub(crate) refused_cluster_kinds: Located<Vec<Permitted>>,
    pub(crate) refused_namespaced_kinds: Located<Vec<Permitted>>,
    pub(crate) windows: Vec<Window>,
    pub(crate) passed_over: Vec<PassedOver>,
}

/// A destination that a project permits. A field that is left out is empty.
#[derive(Debug, Clone)]
pub(crate) struct Destination {
    pub(crate) name: String,
    pub(crate) server: String,
    pub(crate) namespace: String,
}

/// A kind of objects in a project's list.
#[derive(Debug, Clone)]
pub(crate) struct Permitted {
    pub(crate) group: String,
    pub(crate) kind: String,
    /// The object's name, since Argo CD 3.3; empty for every name.
    pub(crate) name: String,
}

impl AppProject {
    /// A project; `None` without `destinations`: then it is a patch, not a whole project.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        let (spec, missing) = (
            node.get("spec")?,
            &Node {
                span: node.span,
                value: Value::Empty,
            },
        );
        let list = |name| spec.get(name).unwrap_or(missing);
        let kinds = |name| read_each(list(name), Permitted::of);
        let has_kinds = spec
            .get("namespaceResourceWhitelist")
            .is_some_and(|it| !it.is_empty());
        let labels = node
            .at(&["metadata", "labels"])
            .map_or(&[][..], Node::entries);
        Some(Self {
            name: node
                .at(&["metadata", "name"])
                .and_then(Node::text)?
                .to_owned(),
            namespace: node
                .at(&["metadata", "namespace"])
                .and_then(Node::text)
                .map(ToOwned::to_owned),
            labels: labels.iter().filter_map(label).collect(),
            source_namespaces: texts(list("sourceNamespaces")),
            source_repos: spec.get("sourceRepos").map(texts),
            destinations: read_each(spec.get("destinations")?, Destination::of),
            cluster_kinds: kinds("clusterResourceWhitelist"),
            namespaced_kinds: has_kinds.then(|| kinds("namespaceResourceWhitelist")),
            refused_cluster_kinds: kinds("clusterResourceBlacklist"),
            refused_namespaced_kinds: kinds("namespaceResourceBlacklist"),
            windows: spec
                .items_of("syncWindows")
                .iter()
                .map(Window::of)
                .collect(),
            passed_over: passed_over(node, OF_PROJECT),
        })
    }

    /// Whether it is in a namespace, or may be: one of the two can be unknown.
    pub(crate) fn may_be_in(&self, namespace: Option<&String>) -> bool {
        self.namespace
            .as_ref()
            .zip(namespace)
            .is_none_or(|(own, other)| own == other)
    }

    pub(crate) fn may_be_beside(&self, other: &Self) -> bool {
        self.may_be_in(other.namespace.as_ref())
    }

    /// The project with the lists of a global project added to its own, at the places of its own (argo-cd `util/argo/argo.go`,
    /// `mergeVirtualProject`).
    pub(crate) fn with(mut self, global: &Self) -> Self {
        let at = self.destinations.span;
        self.destinations
            .value
            .extend_from_slice(&global.destinations);
        self.cluster_kinds
            .value
            .extend_from_slice(&global.cluster_kinds);
        self.refused_cluster_kinds
            .value
            .extend_from_slice(&global.refused_cluster_kinds);
        self.refused_namespaced_kinds
            .value
            .extend_from_slice(&global.refused_namespaced_kinds);
        extend_optional(
            &mut self.namespaced_kinds,
            global.namespaced_kinds.as_ref(),
            at,
        );
        extend_optional(&mut self.source_repos, global.source_repos.as_ref(), at);
        self.windows.extend(global.windows.iter().map(|it| Window {
            span: at,
            ..it.clone()
        }));
        self
    }

    /// The project with everything that global projects could permit.
    pub(crate) fn widest(&self) -> Self {
        let all = || "*".to_owned();
        let mut widest = Self {
            namespaced_kinds: None,
            ..self.clone()
        };
        widest.destinations.value.push(Destination {
            name: all(),
            server: all(),
            namespace: all(),
        });
        widest.cluster_kinds.value.push(Permitted {
            group: all(),
            kind: all(),
            name: String::new(),
        });
        if let Some(repos) = &mut widest.source_repos {
            repos.value.push(all());
        }
        widest
    }

    /// The project as a global one adds its lists to others: a list that is left out permits nothing more.
    pub(crate) fn as_global(&self) -> Self {
        let (mut global, at) = (self.clone(), self.destinations.span);
        global
            .namespaced_kinds
            .get_or_insert_with(|| Located::new(Vec::new(), at));
        global
            .source_repos
            .get_or_insert_with(|| Located::new(Vec::new(), at));
        global
    }

    /// The cost of a comparison with the project: one for each entry, and one for each sixteen bytes of patterns.
    pub(crate) fn weight(&self) -> usize {
        let kinds = [
            Some(&self.cluster_kinds),
            self.namespaced_kinds.as_ref(),
            Some(&self.refused_cluster_kinds),
            Some(&self.refused_namespaced_kinds),
        ];
        let kinds = kinds.into_iter().flatten().flat_map(|list| list.iter());
        let kinds = kinds.map(|it| it.group.len() + it.kind.len() + it.name.len());
        let destinations = self.destinations.iter();
        let destinations =
            destinations.map(|it| it.name.len() + it.server.len() + it.namespace.len());
        let repos = self.source_repos.iter().flat_map(|list| list.iter());
        let windows = self.windows.iter().flat_map(Window::patterns);
        let repos = repos
            .chain(self.source_namespaces.iter())
            .chain(windows)
            .map(String::len);
        let entries = kinds
            .chain(destinations)
            .chain(repos)
            .map(|bytes| 1 + bytes / 16);
        // a window without lists costs a step too
        entries.chain(self.windows.iter().map(|_| 1)).sum()
    }

    /// Whether its Applications may come from a repository; `None` if that is not known here (argo-cd
    /// `pkg/apis/application/v1alpha1/app_project_types.go`, `IsSourcePermitted`).
    pub(crate) fn permits_source(&self, url: &str) -> Option<bool> {
        let mut permitted = Some(false);
        for pattern in self.source_repos.as_ref()?.iter() {
            let refused = pattern.strip_prefix('!');
            let matches = matches_repository(refused.unwrap_or(pattern), url);
            match (refused, matches) {
                (Some(_), Some(true)) => return Some(false),
                (Some(_), None) => return None,
                (Some(_), Some(false)) | (None, Some(true)) => permitted = Some(true),
                (None, Some(false)) => {}
                (None, None) => permitted = permitted.filter(|it| *it),
            }
        }
        permitted
    }

    /// Whether Applications of a namespace may use it; `None` if that is not known here (argo-cd
    /// `pkg/apis/application/v1alpha1/app_project_types.go`, `IsAppNamespacePermitted`). A project without a namespace is in the one where
    /// it is applied.
    pub(crate) fn permits_application(&self, namespace: &str) -> Option<bool> {
        let is_own = self.namespace.as_ref().is_none_or(|own| own == namespace);
        // between slashes it is a regular expression
        let others = self.source_namespaces.iter();
        or(
            Some(is_own),
            any(others.map(|it| matches(it, namespace).filter(|_| !it.starts_with('/')))),
        )
    }

    /// Whether its Applications may go to a namespace of a cluster, by the cluster's name or URL. `None` if that depends on a name or URL
    /// that is not known (argo-cd `pkg/apis/application/v1alpha1/app_project_types.go`, `isDestinationMatched`).
    pub(crate) fn permits_destination(
        &self,
        name: Option<&str>,
        server: Option<&str>,
        namespace: &str,
    ) -> Option<bool> {
        let mut permitted = Some(false);
        for it in self.destinations.iter() {
            let namespace = is_matched(&it.namespace, namespace);
            let (name, server) = (of_cluster(&it.name, name), of_cluster(&it.server, server));
            match and(or(server, name), namespace) {
                Some(true) => permitted = Some(true),
                matched => {
                    let by_server = and(is_refused_by(&it.server, server), namespace);
                    let by_namespace = and(is_refused_by(&it.namespace, namespace), server);
                    match or(is_refused_by(&it.name, name), or(by_server, by_namespace)) {
                        Some(true) => return Some(false),
                        None => return None,
                        Some(false) if matched.is_none() => permitted = permitted.filter(|it| *it),
                        Some(false) => {}
                    }
                }
            }
        }
        permitted
    }

    /// Whether the lists of permitted kinds have an object's kind; `None` if that is not known here (argo-cd
    /// `pkg/apis/application/v1alpha1/app_project_types.go`, `IsGroupKindPermitted`). `name` is `None` for an object in a namespace.
    pub(crate) fn permits_kind(&self, group: &str, kind: &str, name: Option<&str>) -> Option<bool> {
        let list = match (&self.namespaced_kinds, name) {
            (None, None) => return Some(true),
            (Some(kinds), None) => kinds,
            (_, Some(_)) => &self.cluster_kinds,
        };
        any(list.iter().map(|it| it.matches(group, kind, name)))
    }

    /// Whether the lists of refused kinds have such an object; `None` if that is not known here.
    pub(crate) fn refuses_kind(&self, group: &str, kind: &str, name: Option<&str>) -> Option<bool> {
        let list = name.map_or(&self.refused_namespaced_kinds, |_| {
            &self.refused_cluster_kinds
        });
        any(list.iter().map(|it| it.matches(group, kind, name)))
    }
}

/// Whether a pattern that begins with `!` refuses the value.
fn is_refused_by(pattern: &str, matched: Option<bool>) -> Option<bool> {
    and(Some(pattern.starts_with('!')), matched.map(|it| !it))
}

/// Whether the name or the server in a destination matches that of a cluster.
fn of_cluster(pattern: &str, text: Option<&str>) -> Option<bool> {
    match (pattern, text) {
        ("", _) => Some(false),
        ("*", _) => Some(true),
        (pattern, Some(text)) => is_matched(pattern, text),
        (_, None) => None,
    }
}

/// Adds another list to an optional one.
fn extend_optional<T: Clone>(
    own: &mut Option<Located<Vec<T>>>,
    other: Option<&Located<Vec<T>>>,
    at: Span,
) {
    // in Go, `append(nil, nothing...)` is nil
    if let Some(other) = other.filter(|it| !it.is_empty()) {
        own.get_or_insert_with(|| Located::new(Vec::new(), at))
            .value
            .extend_from_slice(&other.value);
    }
}

fn label((key, value): &(Node, Node)) -> Option<(String, String)> {
    Some((key.text()?.to_owned(), value.text()?.to_owned()))
}

fn texts(list: &Node) -> Located<Vec<String>> {
    let texts = list
        .items()
        .iter()
        .filter_map(Node::text)
        .map(ToOwned::to_owned);
    Located::new(texts.collect(), list.span)
}

/// Reads each item of a list.
fn read_each<T>(list: &Node, read: impl Fn(&Node) -> T) -> Located<Vec<T>> {
    Located::new(list.items().iter().map(read).collect(), list.span)
}

impl Permitted {
    fn of(item: &Node) -> Self {
        let [group, kind, name] = ["group", "kind", "name"].map(|key| text_or_empty(item, key));
        Self { group, kind, name }
    }

    fn matches(&self, group: &str, kind: &str, name: Option<&str>) -> Option<bool> {
        let name = name.filter(|_| !self.name.is_empty());
        let of_name = name.map_or(Some(true), |name| matches(&self.name, name));
        and(
            and(matches(&self.group, group), matches(&self.kind, kind)),
            of_name,
        )
    }
}

impl Destination {
    fn of(item: &Node) -> Self {
        let [name, server, namespace] =
            ["name", "server", "namespace"].map(|key| text_or_empty(item, key));
        Self {
            name,
            server,
            namespace,
        }
    }

    /// Whether all of its patterns can be evaluated here.
    pub(crate) fn is_known(&self) -> bool {
        is_known(&[&self.name, &self.server, &self.namespace])
    }
}

/// A sync window: a time in which Argo CD may sync, or must not. Whether it is open now is not computed.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) span: Span,
    /// Whether nothing is synced while the window is open. With `allow`, commits are synced only while it is open.
    pub(crate) is_deny: bool,
    applications: Vec<String>,
    clusters: Vec<String>,
    namespaces: Vec<String>,
    /// Whether an Application must match all of the lists, not only one.
    asks_all: bool,
}

impl Window {
    fn of(node: &Node) -> Self {
        let [applications, clusters, namespaces] =
            ["applications", "clusters", "namespaces"].map(|name| {
                node.items_of(name)
                    .iter()
                    .filter_map(Node::text)
                    .map(ToOwned::to_owned)
                    .collect()
            });
        Self {
            span: node.span,
            is_deny: node.text_of("kind") == Some("deny"),
            applications,
            clusters,
            namespaces,
            asks_all: node.get("andOperator").is_some_and(is_true),
        }
    }

    /// Whether the window is for an Application; `None` where a pattern is not evaluated here (argo-cd
    /// `pkg/apis/application/v1alpha1/types.go`, `SyncWindows.Matches`).
    pub(crate) fn is_for(
        &self,
        name: &str,
        [cluster, server, namespace]: [Option<&str>; 3],
    ) -> Option<bool> {
        let lists = [
            (&self.applications, [Some(name), None]),
            (&self.clusters, [cluster, server]),
            (&self.namespaces, [namespace, None]),
        ];
        let mut set = lists
            .into_iter()
            .filter(|(list, _)| !list.is_empty())
            .map(has_match);
        if self.asks_all {
            set.next().map_or(Some(false), |first| set.fold(first, and))
        } else {
            any(set)
        }
    }

    /// The entries of its lists.
    fn patterns(&self) -> impl Iterator<Item = &String> {
        self.applications
            .iter()
            .chain(&self.clusters)
            .chain(&self.namespaces)
    }
}

/// Whether a pattern of a list matches one of these texts.
fn has_match((list, texts): (&Vec<String>, [Option<&str>; 2])) -> Option<bool> {
    any(texts
        .into_iter()
        .flatten()
        .flat_map(|text| list.iter().map(move |it| matches(it, text))))
}

#[cfg(test)]
mod tests {
    use crate::argocd::declared::tests::declared;

    fn project(spec: &str) -> super::AppProject {
        let text = format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {{ name: p }}\nspec: {spec}\n"
        );
        super::AppProject::of(&crate::input::yaml::documents(&text).next().expect("one"))
            .expect("one")
    }

    #[test]
    fn a_window_has_a_weight_without_lists() {
        assert_eq!(
            project("{ destinations: [], syncWindows: [{}, {}] }").weight(),
            2
        );
    }

    #[test]
    fn the_projects_of_the_docs_permit_what_they_say() {
        let projects = declared("project-consumer.yaml").projects;
        let [project] = projects.as_slice() else {
            panic!("{projects:?}")
        };
        assert_eq!(
            project.permits_destination(Some("consumer"), None, "liqo-tenant-provider"),
            Some(true)
        );
        assert_eq!(
            project.permits_destination(Some("consumer"), None, "shop"),
            Some(false)
        );
        assert_eq!(
            project.permits_destination(Some("provider"), None, "demo"),
            Some(false)
        );
        assert_eq!(
            project.permits_kind("", "Namespace", Some("demo")),
            Some(true)
        );
        assert_eq!(
            project.permits_kind("", "Namespace", Some("shop")),
            Some(false)
        );
        assert_eq!(
            project.permits_kind("networking.liqo.io", "GatewayClient", None),
            Some(true)
        );
        assert_eq!(
            project.permits_kind("apps", "Deployment", None),
            Some(false)
        );
    }

    /// What a copy of `isDestinationMatched` and `IsSourcePermitted` with its glob gives; where that depends on the cluster's URL, or
    /// needs a class of the glob, nothing.
    #[test]
    fn what_is_taken_back() {
        for (destinations, expected) in [
            ("[{ name: rome, namespace: '!kube-*' }]", Some(true)),
            ("[{ name: rome, namespace: '!liqo-*' }]", Some(false)),
            // by name it takes nothing back
            (
                "[{ name: rome, namespace: '!liqo-*' }, { name: rome, namespace: '*' }]",
                Some(true),
            ),
            (
                "[{ server: '*', namespace: '!liqo-*' }, { name: rome, namespace: '*' }]",
                Some(false),
            ),
            (
                "[{ name: '!rome', namespace: '*' }, { name: '*', namespace: '*' }]",
                Some(false),
            ),
            ("[{ name: '!milan', namespace: '*' }]", Some(true)),
            ("[{ server: 'https://a', namespace: 'liqo-*' }]", None),
            ("[{ server: 'https://a', namespace: other }]", Some(false)),
            (
                "[{ server: '!https://a', namespace: '*' }, { name: rome, namespace: '*' }]",
                None,
            ),
            ("[]", Some(false)),
        ] {
            let project = project(&format!("{{ destinations: {destinations} }}"));
            assert_eq!(
                project.permits_destination(Some("rome"), None, "liqo-tenant"),
                expected,
                "{destinations}"
            );
        }
        for (repos, expected) in [
            ("['*']", Some(true)),
            ("[]", Some(false)),
            ("['https://git.example.org/net/Peerings']", Some(true)),
            ("['https://git.example.org/net/*']", Some(true)),
            ("['https://git.example.org/*']", Some(false)),
            ("['https://git.example.org/**']", Some(true)),
            ("['*', '!https://git.example.org/**']", Some(false)),
            ("['!https://git.example.org/other']", Some(true)),
            ("['https://git.example.org/{net,x}/peerings']", None),
            ("['https://git.example.org/net/peerings/']", None),
        ] {
            let project = project(&format!("{{ sourceRepos: {repos}, destinations: [] }}"));
            let url = "https://git.example.org/net/peerings.git";
            assert_eq!(project.permits_source(url), expected, "{repos}");
        }
        let of_ssh = project("{ sourceRepos: ['git@git.example.org:net/*'], destinations: [] }");
        assert_eq!(
            of_ssh.permits_source("ssh://git@git.example.org/net/peerings.git"),
            Some(true)
        );
    }
}
