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
        let texts = |name: &str| {
            let texts = node.items_of(name).iter().filter_map(Node::text);
            texts.map(ToOwned::to_owned).collect()
        };
        Self {
            span: node.span,
            is_deny: node.text_of("kind") == Some("deny"),
            applications: texts("applications"),
            clusters: texts("clusters"),
            namespaces: texts("namespaces"),
            asks_all: node.get("andOperator").is_some_and(is_true),
        }
    }

    /// Whether it is for an Application, or may be: a pattern with a class or a list is not evaluated (argo-cd
    /// `pkg/apis/application/v1alpha1/types.go`, `SyncWindows.Matches`).
    pub(crate) fn is_for(&self, name: &str, [cluster, server, namespace]: [Option<&str>; 3]) -> bool {
        let has = |list: &[String], texts: &[Option<&str>]| {
            let any = |it: &String| texts.iter().flatten().any(|text| is_match(it, text));
            (!list.is_empty()).then(|| list.iter().any(any))
        };
        let lists = [
            has(&self.applications, &[Some(name)]),
            has(&self.clusters, &[cluster, server]),
            has(&self.namespaces, &[namespace]),
        ];
        let mut set = lists.into_iter().flatten().peekable();
        if self.asks_all { set.peek().is_some() && set.all(|it| it) } else { set.any(|it| it) }
    }

    /// Its lists' entries.
    pub(super) fn patterns(&self) -> impl Iterator<Item = &String> {
        self.applications.iter().chain(&self.clusters).chain(&self.namespaces)
    }
}
