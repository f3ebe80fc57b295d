//! Argo CD's Applications, from files and from an API server (argo-cd `pkg/apis/application/v1alpha1/types.go`). Only what concerns this
//! plugin is read; each value knows its place.

use super::plugin::calls_plugin;
use super::sync::Sync;
use crate::argocd::{locate, locate_filled};
use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::{self, Node};
use serde_json::Value;
use std::path::Path;

/// The annotation with the paths of an Application. A commit elsewhere does not run the plugin (argo-cd
/// `docs/operator-manual/high_availability.md`).
const GENERATE_PATHS: &str = "argocd.argoproj.io/manifest-generate-paths";

/// The cluster that an Argo CD runs in: its URL, and the name that Argo CD itself gives it.
pub(crate) const OWN_URL: &str = "https://kubernetes.default.svc";
pub(crate) const OWN_CLUSTER: &str = "in-cluster";

/// An Application with a source of this plugin. An Application with two such sources is read as two of these.
#[derive(Debug, Clone)]
pub(crate) struct Application {
    pub(crate) span: Span,
    /// Empty for an Application with a generated name.
    pub(crate) name: Located<String>,
    pub(crate) namespace: Option<Located<String>>,
    pub(crate) project: Option<Located<String>>,
    pub(crate) source: PluginSource,
    /// The name or the URL of its destination cluster.
    pub(crate) destination: Option<Located<String>>,
    pub(crate) server: Option<Located<String>>,
    /// The annotation `manifest-generate-paths`.
    pub(crate) generate_paths: Option<Located<String>>,
    /// The fields of `spec.ignoreDifferences`.
    pub(crate) ignored: Vec<Ignored>,
    pub(crate) sync: Sync,
    /// Whether an ApplicationSet generates it.
    pub(crate) is_generated: bool,
    /// Whether this is another source of the Application that was read before.
    pub(crate) is_further_source: bool,
}

/// An item of `ignoreDifferences`: fields that Argo CD does not compare (argo-cd `types.go`, `ResourceIgnoreDifferences`).
#[derive(Debug, Clone)]
pub(crate) struct Ignored {
    group: String,
    pub(crate) kind: String,
    /// The object's name; empty for all objects of the kind.
    name: String,
    namespace: String,
    /// A path, or the manager that writes the fields.
    pub(crate) what: Located<String>,
    is_manager: bool,
}

impl Application {
    /// The Applications of an object, one for each source of the plugin. An object of an API server has no places.
    pub(crate) fn from_node(node: &Node) -> Vec<Self> {
        let Some(spec) = node.get("spec") else {
            return Vec::new();
        };
        let name = node.find(&["metadata", "name"]).and_then(locate);
        let name = name.unwrap_or(Located::new(String::new(), node.span));
        let server = spec.find(&["destination", "server"]);
        let paths = node.find(&["metadata", "annotations", GENERATE_PATHS]);
        let mut all = Vec::new();
        for source in plugin_sources(node) {
            all.push(Self {
                span: node.span,
                name: name.clone(),
                namespace: node.find(&["metadata", "namespace"]).and_then(locate),
                project: spec.get("project").and_then(locate),
                source: PluginSource::from_node(source, spec),
                destination: spec.find(&["destination", "name"]).and_then(locate_filled),
                server: server.and_then(locate_filled),
                generate_paths: paths.and_then(locate),
                ignored: Ignored::from_items(spec.items_of("ignoreDifferences")),
                sync: Sync::from_node(node, node.span),
                is_generated: false,
                is_further_source: !all.is_empty(),
            });
        }
        all
    }

    /// Whether `ignoreDifferences` covers the certificate of this Identity (name and namespace), or a field around it.
    pub(crate) fn ignores_certificate(&self, object: [&str; 2]) -> bool {
        let certificate = Path::new("spec/authParams/signedCRT");
        self.ignored.iter().any(|item| {
            item.matches_kind("authentication.liqo.io", "Identity")
                && item.matches_object(object)
                && matches!(item.field(), Some(field) if certificate.starts_with(&field))
        })
    }

    /// Argo CD's name of its destination cluster, if it is known (`types.go`, `KubernetesInternalAPIServerAddr`; `util/db/cluster.go`).
    pub(crate) fn cluster(&self) -> Option<Located<String>> {
        match (&self.destination, &self.server) {
            (Some(name), _) => Some(name.clone()),
            (None, Some(url)) if url.value.trim_end_matches('/') == OWN_URL => {
                Some(Located::new(OWN_CLUSTER.to_owned(), url.span))
            }
            (None, _) => None,
        }
    }
}

impl Ignored {
    fn from_items(items: &[Node]) -> Vec<Self> {
        const LISTS: [(&str, bool); 3] = [
            ("jsonPointers", false),
            ("jqPathExpressions", false),
            ("managedFieldsManagers", true),
        ];
        let mut all = Vec::new();
        for item in items {
            let text = |key| item.text_of(key).unwrap_or_default().to_owned();
            for (list, is_manager) in LISTS {
                for what in item.items_of(list).iter().filter_map(locate) {
                    all.push(Self {
                        group: text("group"),
                        kind: text("kind"),
                        name: text("name"),
                        namespace: text("namespace"),
                        what,
                        is_manager,
                    });
                }
            }
        }
        all
    }

    /// Whether the item is for this kind, or may be (argo-cd `util/argo/diff/ignore.go`).
    pub(crate) fn matches_kind(&self, group: &str, kind: &str) -> bool {
        may_match(&self.group, group) && may_match(&self.kind, kind)
    }

    /// Whether the item is for this name and namespace (argo-cd `util/argo/normalizers/diff_normalizer.go`, Normalize).
    pub(crate) fn matches_object(&self, [name, namespace]: [&str; 2]) -> bool {
        ["", name].contains(&self.name.as_str())
            && ["", namespace].contains(&self.namespace.as_str())
    }

    /// The path of the field that is not compared, with `/` between its parts; empty for the whole object. For an item by manager only Argo
    /// CD's own manager counts, and covers the whole object (argo-cd `common/common.go`, ArgoCDSSAManager).
    pub(crate) fn field(&self) -> Option<String> {
        if self.is_manager {
            return (self.what.value == "argocd-controller").then(String::new);
        }
        let parts = self.what.value.split(['/', '.', '[', ']', '"', '\'']);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        Some(parts.join("/"))
    }

    /// Whether the item covers the data of Secrets.
    pub(crate) fn covers_secret_data(&self) -> bool {
        let Some(field) = self.field() else {
            return false;
        };
        let is_data = matches!(field.split('/').next(), Some("" | "data" | "stringData"));
        is_data && self.matches_kind("", "Secret")
    }
}

/// Whether a pattern of Argo CD matches a word, or may: of its pattern language only one `*` is read here (argo-cd `util/glob/glob.go`).
fn may_match(pattern: &str, word: &str) -> bool {
    match pattern.split_once('*') {
        _ if pattern.contains(['?', '[', '{', '\\']) => true,
        Some((start, end)) => {
            let end = end.rsplit('*').next().unwrap_or_default();
            word.len() >= start.len() + end.len() && word.starts_with(start) && word.ends_with(end)
        }
        None => pattern == word,
    }
}

/// A source that Argo CD renders with the plugin.
#[derive(Debug, Clone)]
pub(crate) struct PluginSource {
    pub(crate) is_hydrated: bool,
    /// The field that Argo CD reads instead of this source (`types.go`, `GetSources`).
    pub(crate) hidden_by: Option<&'static str>,
    /// The field that would make it a source of another type (`types.go`, `ExplicitType`).
    pub(crate) other_type: Option<Located<&'static str>>,
    pub(crate) repo_url: Option<Located<String>>,
    pub(crate) target_revision: Option<Located<String>>,
    pub(crate) path: Option<Located<String>>,
    /// The plugin's name. A missing parameter is reported at its place.
    pub(crate) plugin: Located<String>,
    /// The `parameters`, as the plugin gets them, and the place of each.
    pub(crate) parameters: Located<String>,
    pub(crate) places: Vec<Located<String>>,
    /// The value of the variable `ROLE`.
    pub(crate) variable: Option<Located<String>>,
    /// The value of the parameter `role`, else of the variable.
    pub(crate) role: Option<Located<String>>,
    /// The value of the parameter `cluster`.
    pub(crate) cluster: Option<Located<String>>,
}

impl PluginSource {
    pub(super) fn from_node(source: &Node, spec: &Node) -> Self {
        let is_at = |path: &[&str]| spec.find(path).is_some_and(|it| std::ptr::eq(it, source));
        let is_hydrated = is_at(&["sourceHydrator", "drySource"]);
        let is_listed = !spec.items_of("sources").is_empty();
        let plugin = source.get("plugin").unwrap_or(source);
        let name = source.find(&["plugin", "name"]).and_then(locate);
        let parameters = source.find(&["plugin", "parameters"]);
        let json = parameters.map_or(Value::Null, Value::from).to_string();
        let items = parameters.map_or(&[][..], Node::items).iter();
        let variable = value_of_item(source.find(&["plugin", "env"]), "ROLE", "value");
        Self {
            is_hydrated,
            hidden_by: if spec.get("sourceHydrator").is_none_or(Node::is_empty) {
                (is_listed && is_at(&["source"])).then_some("sources")
            } else {
                (!is_hydrated).then_some("sourceHydrator")
            },
            other_type: find_other_type(source, is_hydrated),
            repo_url: source.get("repoURL").and_then(locate),
            target_revision: source.get("targetRevision").and_then(locate),
            path: source.get("path").and_then(locate_filled),
            plugin: name.unwrap_or(Located::new(String::new(), plugin.span)),
            parameters: Located::new(json, parameters.unwrap_or(plugin).span),
            places: items.filter_map(|it| locate(it.get("name")?)).collect(),
            role: value_of_item(parameters, "role", "string").or(variable.clone()),
            variable,
            cluster: value_of_item(parameters, "cluster", "string"),
        }
    }
}

/// The first field that makes a source one of another type.
fn find_other_type(source: &Node, is_hydrated: bool) -> Option<Located<&'static str>> {
    for name in ["helm", "kustomize", "directory", "chart"] {
        if let Some(field) = source.get(name)
            && !field.is_empty()
            && (is_hydrated || !is_zero(field))
        {
            return Some(Located::new(name, field.span));
        }
    }
    None
}

/// Whether a source's type has only empty values: Argo CD then removes it (argo-cd `util/argo/argo.go`, NormalizeSource).
fn is_zero(node: &Node) -> bool {
    match &node.value {
        yaml::Value::Map(entries) => entries.iter().all(|(_, it)| is_zero(it)),
        yaml::Value::List(items) => items.is_empty(),
        yaml::Value::Quoted(text) => text.is_empty(),
        _ => node.is_empty() || node.text().and_then(yaml::boolean) == Some(false),
    }
}

/// The value of the list's item with this name.
fn value_of_item(list: Option<&Node>, name: &str, value: &str) -> Option<Located<String>> {
    let mut items = list?.items().iter();
    let item = items.find(|it| it.text_of("name") == Some(name))?;
    locate(item.get(value)?)
}

/// The sources of an Application or of a template.
pub(super) fn sources(application: &Node) -> impl Iterator<Item = &Node> {
    let source = application.find(&["spec", "source"]);
    let hydrated = application.find(&["spec", "sourceHydrator", "drySource"]);
    let list = application.find(&["spec", "sources"]);
    let list = list.map_or(&[][..], Node::items);
    source.into_iter().chain(hydrated).chain(list)
}

/// Those of them that call the plugin.
pub(super) fn plugin_sources(application: &Node) -> impl Iterator<Item = &Node> {
    sources(application).filter(|source| calls_plugin(source))
}
