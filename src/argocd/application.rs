//! Argo CD's Applications, ApplicationSets and AppProjects as files of a repository have them (argo-cd
//! `pkg/apis/application/v1alpha1/types.go`, `applicationset_types.go`). Only what concerns this plugin is read; each value knows
//! its place.

use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::{Node, Value, documents};

/// The plugin's name in plugin.yaml.
pub(crate) const PLUGIN: &str = "argocd-peering";

/// By which a commit elsewhere asks nothing of the plugin (argo-cd `docs/operator-manual/high_availability.md`).
const SCALE: &str = "argocd.argoproj.io/manifest-generate-paths";

/// Whether a source names this plugin. Argo CD calls a plugin with a version `<name>-<version>`, and an operator can change both in
/// plugin.yaml (argo-cd `cmpserver/plugin/config.go`, `Address`).
pub(crate) fn is_plugin(name: &str) -> bool {
    name.starts_with(PLUGIN)
}

/// What of Argo CD's is in a file.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    pub(crate) applications: Vec<Application>,
    pub(crate) sets: Vec<ApplicationSet>,
    pub(crate) projects: Vec<AppProject>,
}

/// An Application with a source of this plugin.
#[derive(Debug)]
pub(crate) struct Application {
    pub(crate) span: Span,
    /// Empty where another name is generated.
    pub(crate) name: Located<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) project: Option<Located<String>>,
    pub(crate) repo_url: Option<Located<String>>,
    pub(crate) target_revision: Option<Located<String>>,
    pub(crate) path: Option<Located<String>>,
    /// The plugin's name, where what is missing of its parameters is shown.
    pub(crate) plugin: Located<String>,
    /// The parameter `role`, or the variable `ROLE`.
    pub(crate) role: Option<Located<String>>,
    /// The parameter `cluster`.
    pub(crate) cluster: Option<Located<String>>,
    /// The name of its destination; not its URL.
    pub(crate) destination: Option<Located<String>>,
    /// Whether it has the annotation of scale.
    pub(crate) is_scaled: bool,
    pub(crate) sync_options: Vec<Located<String>>,
}

/// An ApplicationSet whose template has a source of this plugin.
#[derive(Debug)]
pub(crate) struct ApplicationSet {
    /// The patterns of its folders.
    pub(crate) folders: Vec<Located<String>>,
    /// What the elements of its lists call `role`.
    pub(crate) roles: Vec<String>,
    /// Whether the template is not all of it (`applicationset_types.go`, `TemplatePatch`).
    pub(crate) is_patched: bool,
    pub(crate) template: Application,
}

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

impl Declared {
    pub(crate) fn is_empty(&self) -> bool {
        self.applications.is_empty() && self.sets.is_empty() && self.projects.is_empty()
    }

    /// What of Argo CD's a text declares. What is not YAML, or another tool's template, declares nothing.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut declared = Self::default();
        // most files
        if !text.contains("argoproj.io/") {
            return declared;
        }
        for node in documents(text) {
            let is_argo_cds =
                node.get("apiVersion").and_then(Node::text).is_some_and(|it| it.starts_with("argoproj.io/"));
            match node.get("kind").and_then(Node::text).filter(|_| is_argo_cds) {
                Some("Application") => declared.applications.extend(Application::of(&node)),
                Some("ApplicationSet") => declared.sets.extend(ApplicationSet::of(&node)),
                Some("AppProject") => declared.projects.extend(AppProject::of(&node)),
                _ => {}
            }
        }
        declared
    }
}

impl Application {
    fn of(node: &Node) -> Option<Self> {
        let spec = node.get("spec")?;
        let of_list = spec.get("sources").map_or(&[][..], Node::items);
        let mut sources = spec.get("source").into_iter().chain(of_list);
        let name_of =
            |source: &&Node| source.at(&["plugin", "name"]).and_then(Node::text).is_some_and(is_plugin);
        let source = sources.find(name_of)?;
        let item = |list: &str, name: &str, value: &str| {
            let items = source.at(&["plugin", list])?.items();
            let item = items.iter().find(|it| it.get("name").and_then(Node::text) == Some(name))?;
            locate(item.get(value)?)
        };
        Some(Self {
            span: node.span,
            name: node
                .at(&["metadata", "name"])
                .and_then(locate)
                .unwrap_or_else(|| Located::new(String::new(), node.span)),
            namespace: node.at(&["metadata", "namespace"]).and_then(Node::text).map(ToOwned::to_owned),
            project: spec.get("project").and_then(locate),
            repo_url: source.get("repoURL").and_then(locate),
            target_revision: source.get("targetRevision").and_then(locate),
            path: source.get("path").and_then(locate),
            plugin: locate(source.at(&["plugin", "name"])?)?,
            role: item("parameters", "role", "string").or_else(|| item("env", "ROLE", "value")),
            cluster: item("parameters", "cluster", "string"),
            destination: spec.at(&["destination", "name"]).and_then(locate),
            is_scaled: node.at(&["metadata", "annotations", SCALE]).is_some(),
            sync_options: spec
                .at(&["syncPolicy", "syncOptions"])
                .map_or(&[][..], Node::items)
                .iter()
                .filter_map(locate)
                .collect(),
        })
    }
}

impl ApplicationSet {
    fn of(node: &Node) -> Option<Self> {
        let template = Application::of(node.at(&["spec", "template"])?)?;
        let is_patched = node.at(&["spec", "templatePatch"]).is_some();
        let mut set = Self { folders: Vec::new(), roles: Vec::new(), is_patched, template };
        set.add(node.at(&["spec", "generators"])?);
        Some(set)
    }

    /// The folders and roles of all generators, also of those that a matrix or a merge has. A list that leaves folders out has none:
    /// what it generates is not known here.
    fn add(&mut self, generators: &Node) {
        for generator in generators.items() {
            for combined in ["matrix", "merge"].iter().filter_map(|it| generator.at(&[it, "generators"])) {
                self.add(combined);
            }
            let elements = generator.at(&["list", "elements"]).map_or(&[][..], Node::items);
            self.roles.extend(elements.iter().filter_map(|it| it.get("role")?.text().map(ToOwned::to_owned)));
            let list = generator.at(&["git", "directories"]).map_or(&[][..], Node::items);
            if list.iter().all(|it| it.get("exclude").is_none()) {
                self.folders.extend(list.iter().filter_map(|it| locate(it.get("path")?)));
            }
        }
    }
}

impl AppProject {
    fn of(node: &Node) -> Option<Self> {
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

fn locate(node: &Node) -> Option<Located<String>> {
    match &node.value {
        Value::Plain(text) | Value::Quoted(text) => Some(Located::new(text.clone(), node.span)),
        Value::Empty | Value::List(_) | Value::Map(_) => None,
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
    use super::{Declared, is_match, is_plugin};

    fn declared(file: &str) -> Declared {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("argocd-app").join(file);
        Declared::of_text(&std::fs::read_to_string(path).expect("a file"))
    }

    #[test]
    fn the_applications_of_the_docs_are_read() {
        let consumer = declared("consumer.yaml");
        let [application] = consumer.applications.as_slice() else { panic!("{consumer:?}") };
        let text =
            |it: &Option<super::Located<String>>| it.as_ref().map(|it| it.value.clone()).unwrap_or_default();
        assert_eq!(text(&application.role), "consumer");
        assert_eq!(text(&application.cluster), "consumer");
        assert_eq!(text(&application.path), "peerings/consumer-provider");
        assert!(application.is_scaled);
        let set = declared("applicationset.yaml");
        let [set] = set.sets.as_slice() else { panic!("{set:?}") };
        assert_eq!(set.folders.iter().map(|it| it.value.as_str()).collect::<Vec<_>>(), ["peerings/*/*"]);
    }

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

    #[test]
    fn a_plugin_has_a_version_or_none() {
        assert!(
            is_plugin("argocd-peering") && is_plugin("argocd-peering-v1.0") && is_plugin("argocd-peering2")
        );
        assert!(!is_plugin("other") && !is_plugin("argocd"));
    }
}
