//! The sync windows of an AppProject: when Argo CD syncs, and when it does not.

use super::is_match;
use crate::argocd::is_true;
use crate::diagnostic::Span;
use crate::input::yaml::Node;

/// When it is open is not computed here.
#[derive(Debug)]
pub(crate) struct Window {
    pub(crate) span: Span,
    /// Whether nothing is synced while it is open. Of an `allow`, commits are synced only while it is open.
    pub(crate) is_deny: bool,
    applications: Vec<String>,
    clusters: Vec<String>,
    namespaces: Vec<String>,
    /// Whether an Application has to match each of its lists, and not only one.
    asks_all: bool,
}

impl Window {
    pub(super) fn of(node: &Node) -> Self {
        let [applications, clusters, namespaces] = ["applications", "clusters", "namespaces"]
            .map(|name| node.items_of(name).iter().filter_map(Node::text).map(ToOwned::to_owned).collect());
        Self {
            span: node.span,
            is_deny: node.text_of("kind") == Some("deny"),
            applications,
            clusters,
            namespaces,
            asks_all: node.get("andOperator").is_some_and(is_true),
        }
    }

    /// Whether it is for an Application, or may be: a pattern with a class or a list is not evaluated (argo-cd
    /// `pkg/apis/application/v1alpha1/types.go`, `SyncWindows.Matches`).
    pub(crate) fn is_for(&self, name: &str, [cluster, server, namespace]: [Option<&str>; 3]) -> bool {
        let lists = [
            (&self.applications, [Some(name), None]),
            (&self.clusters, [cluster, server]),
            (&self.namespaces, [namespace, None]),
        ];
        let mut set = lists.into_iter().filter(|(list, _)| !list.is_empty()).peekable();
        if self.asks_all { set.peek().is_some() && set.all(has_match) } else { set.any(has_match) }
    }

    /// Its lists' entries.
    pub(super) fn patterns(&self) -> impl Iterator<Item = &String> {
        self.applications.iter().chain(&self.clusters).chain(&self.namespaces)
    }
}

/// Whether a pattern of a list is one of these texts.
fn has_match((list, texts): (&Vec<String>, [Option<&str>; 2])) -> bool {
    list.iter().any(|pattern| texts.into_iter().flatten().any(|text| is_match(pattern, text)))
}
