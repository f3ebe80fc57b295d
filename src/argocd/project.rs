//! Argo CD's AppProjects (argo-cd `pkg/apis/application/v1alpha1/types.go`), as far as they permit or refuse what this plugin prints.

use crate::document::Located;
use crate::input::yaml::Node;

#[derive(Debug)]
pub(crate) struct AppProject {
    pub(crate) name: String,
    pub(crate) destinations: Located<Vec<Destination>>,
    pub(crate) cluster_kinds: Located<Vec<Permitted>>,
    /// None: every kind of a namespace.
    pub(crate) namespaced_kinds: Option<Located<Vec<Permitted>>>,
}

/// Where a project's Applications may go to. What is left out is empty.
#[derive(Debug)]
pub(crate) struct Destination {
    pub(crate) name: String,
    pub(crate) server: String,
    pub(crate) namespace: String,
}

/// A kind that a project's Applications may have.
#[derive(Debug)]
pub(crate) struct Permitted {
    pub(crate) group: String,
    pub(crate) kind: String,
    /// Since Argo CD 3.3; empty: every name.
    pub(crate) name: String,
}

impl AppProject {
    pub(super) fn of(node: &Node) -> Option<Self> {
        let spec = node.get("spec")?;
        // a list that takes something back is not judged
        let refusals = ["clusterResourceBlacklist", "namespaceResourceBlacklist"];
        if refusals.iter().any(|list| spec.get(list).is_some_and(|it| !it.items().is_empty())) {
            return None;
        }
        let text = |item: &Node, key: &str| item.get(key).and_then(Node::text).unwrap_or_default().to_owned();
        let kinds = |list: &Node| {
            let kind = |it: &Node| Permitted {
                group: text(it, "group"),
                kind: text(it, "kind"),
                name: text(it, "name"),
            };
            Located::new(list.items().iter().map(kind).collect(), list.span)
        };
        let destinations = spec.get("destinations")?;
        let destination = |it: &Node| Destination {
            name: text(it, "name"),
            server: text(it, "server"),
            namespace: text(it, "namespace"),
        };
        Some(Self {
            name: node.at(&["metadata", "name"]).and_then(Node::text)?.to_owned(),
            destinations: Located::new(
                destinations.items().iter().map(destination).collect(),
                destinations.span,
            ),
            cluster_kinds: spec
                .get("clusterResourceWhitelist")
                .map_or_else(|| Located::new(Vec::new(), node.span), kinds),
            namespaced_kinds: spec
                .get("namespaceResourceWhitelist")
                .filter(|it| !it.items().is_empty())
                .map(kinds),
        })
    }

    /// Whether its Applications may go to a namespace of a cluster that Argo CD knows by this name. None where it goes by the
    /// cluster's URL, or takes something back (argo-cd `pkg/apis/application/v1alpha1/app_project_types.go`,
    /// `isDestinationMatched`).
    pub(crate) fn permits_destination(&self, cluster: &str, namespace: &str) -> Option<bool> {
        let by_name = |it: &Destination| is_match(&it.name, cluster) && is_match(&it.namespace, namespace);
        if self.destinations.iter().any(by_name) {
            return Some(true);
        }
        let is_unknown = |it: &Destination| {
            [&it.name, &it.namespace, &it.server].iter().any(|text| text.starts_with('!'))
                || (!it.server.is_empty() && is_match(&it.namespace, namespace))
        };
        (!self.destinations.iter().any(is_unknown)).then_some(false)
    }

    /// Whether its Applications may have an object of a kind (argo-cd `pkg/apis/application/v1alpha1/types.go`,
    /// `IsGroupKindNamePermitted`).
    pub(crate) fn permits_kind(&self, group: &str, kind: &str, name: &str, is_namespaced: bool) -> bool {
        let permits = |it: &Permitted| {
            is_match(&it.group, group)
                && is_match(&it.kind, kind)
                && (it.name.is_empty() || is_match(&it.name, name))
        };
        match (&self.namespaced_kinds, is_namespaced) {
            (None, true) => true,
            (Some(kinds), true) => kinds.iter().any(permits),
            (_, false) => self.cluster_kinds.iter().any(permits),
        }
    }
}

/// Whether a pattern of Argo CD's is a text: `*` and `?` (github.com/gobwas/glob). With a class or alternatives it may be, so it is.
pub(crate) fn is_match(pattern: &str, text: &str) -> bool {
    if pattern.contains(['[', '{', '\\']) {
        return true;
    }
    // the last `*`, and how much of the text is its
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut in_text, mut star) = (0, 0, None);
    while in_text < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_text));
                at += 1;
            }
            Some(c) if *c == '?' || text.get(in_text) == Some(c) => {
                at += 1;
                in_text += 1;
            }
            _ => {
                let Some((after, taken)) = star else { return false };
                star = Some((after, taken + 1));
                (at, in_text) = (after + 1, taken + 1);
            }
        }
    }
    pattern.iter().skip(at).all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::is_match;
    use crate::argocd::application::tests::declared;

    #[test]
    fn the_projects_of_the_docs_permit_what_they_say() {
        let projects = declared("project-consumer.yaml").projects;
        let [project] = projects.as_slice() else { panic!("{projects:?}") };
        assert_eq!(project.permits_destination("consumer", "liqo-tenant-provider"), Some(true));
        assert_eq!(project.permits_destination("consumer", "shop"), Some(false));
        assert_eq!(project.permits_destination("provider", "demo"), Some(false));
        assert!(project.permits_kind("", "Namespace", "demo", false));
        assert!(!project.permits_kind("", "Namespace", "shop", false));
        assert!(project.permits_kind("networking.liqo.io", "GatewayClient", "any", true));
        assert!(!project.permits_kind("apps", "Deployment", "any", true));
    }

    #[test]
    fn patterns_are_argo_cds() {
        for (pattern, text, is) in [
            ("*", "", true),
            ("liqo-tenant-*", "liqo-tenant-rome", true),
            ("liqo-tenant-*", "liqo-tenant", false),
            ("*-rome-*", "liqo-rome-rome-x", true),
            ("r?me", "rome", true),
            ("rome", "rome2", false),
            ("", "rome", false),
            ("{a,b}", "rome", true),
        ] {
            assert_eq!(is_match(pattern, text), is, "{pattern} {text}");
        }
    }
}
