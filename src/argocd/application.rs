//! Argo CD's Applications, ApplicationSets and AppProjects as files of a repository have them (argo-cd
//! `pkg/apis/application/v1alpha1/types.go`, `applicationset_types.go`). Only what concerns this plugin is read; each value knows
//! its place.

use super::project::AppProject;
use super::sync::Sync;
use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::{Node, Value, documents, read_documents};

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
    /// Why the first document that is not read is not, and where it is.
    pub(crate) unread: Option<(String, Span)>,
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
    /// The namespace of its destination.
    pub(crate) target_namespace: Option<Located<String>>,
    /// Whether it has the annotation of scale.
    pub(crate) is_scaled: bool,
    pub(crate) sync: Sync,
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

impl Declared {
    pub(crate) fn is_empty(&self) -> bool {
        self.applications.is_empty() && self.sets.is_empty() && self.projects.is_empty()
    }

    /// What of Argo CD's a text declares. What is not YAML without anchors and tags, or another tool's template, declares nothing.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut declared = Self::default();
        // most files
        if !text.contains("argoproj.io/") {
            return declared;
        }
        for node in read_documents(text) {
            let node = match node {
                Ok(node) => node,
                Err(problem) => {
                    declared.unread.get_or_insert((problem.message, problem.primary.span));
                    continue;
                }
            };
            match argo_kind(&node) {
                Some("Application") => declared.applications.extend(Application::of(&node)),
                Some("ApplicationSet") => declared.sets.extend(ApplicationSet::of(&node)),
                Some("AppProject") => declared.projects.extend(AppProject::of(&node)),
                _ => {}
            }
        }
        declared
    }
}

/// The objects of Argo CD's in a text that concern this plugin, as values: Applications and sets with a source of it, and projects.
pub(crate) fn objects_of(text: &str) -> impl Iterator<Item = serde_json::Value> {
    let is_one = |node: &Node| match argo_kind(node) {
        Some("Application") => Application::of(node).is_some(),
        Some("ApplicationSet") => ApplicationSet::of(node).is_some(),
        Some("AppProject") => AppProject::of(node).is_some(),
        _ => false,
    };
    documents(text).filter(is_one).map(|node| serde_json::Value::from(&node))
}

/// The kind of an object of Argo CD's.
fn argo_kind(node: &Node) -> Option<&str> {
    let group = node.get("apiVersion").and_then(Node::text)?;
    group.starts_with("argoproj.io/").then(|| node.get("kind").and_then(Node::text))?
}

impl Application {
    /// Of a file, or of an API server: then nothing has a place.
    pub(crate) fn of(node: &Node) -> Option<Self> {
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
            target_namespace: spec.at(&["destination", "namespace"]).and_then(locate),
            is_scaled: node.at(&["metadata", "annotations", SCALE]).is_some(),
            sync: Sync::of(node, node.span),
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

pub(super) fn locate(node: &Node) -> Option<Located<String>> {
    match &node.value {
        Value::Plain(text) | Value::Quoted(text) => Some(Located::new(text.clone(), node.span)),
        Value::Empty | Value::List(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Declared, is_plugin};

    pub(in super::super) fn declared(file: &str) -> Declared {
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
    fn a_plugin_has_a_version_or_none() {
        assert!(
            is_plugin("argocd-peering") && is_plugin("argocd-peering-v1.0") && is_plugin("argocd-peering2")
        );
        assert!(!is_plugin("other") && !is_plugin("argocd"));
    }
}
