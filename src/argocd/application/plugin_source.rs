//! The source of an Application that names this plugin.

use crate::argocd::field::{locate, locate_filled};
use crate::document::Located;
use crate::input::yaml::Node;

/// What Argo CD renders with the plugin.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The field that is read in its place (`types.go`, `GetSources`).
    pub(crate) hidden_by: Option<&'static str>,
    pub(crate) is_hydrated: bool,
    /// Whether it has no plugin: its folder is one that `render` wrote.
    pub(crate) is_rendered: bool,
    /// The fields that each make it a source of another type (`types.go`, `ExplicitType`).
    pub(crate) other_types: Vec<Located<&'static str>>,
    pub(crate) repo_url: Option<Located<String>>,
    pub(crate) target_revision: Option<Located<String>>,
    pub(crate) path: Option<Located<String>>,
    /// The plugin's name, where what is missing of its parameters is shown.
    pub(crate) plugin: Located<String>,
    /// Its `parameters`, as the plugin gets them, and where each is.
    pub(crate) parameters: Located<String>,
    pub(crate) places: Vec<Located<String>>,
    /// The variable `ROLE`.
    pub(crate) variable: Option<Located<String>>,
    /// The parameter `role`, or the variable.
    pub(crate) role: Option<Located<String>>,
    /// The parameter `cluster`.
    pub(crate) cluster: Option<Located<String>>,
}

impl Source {
    pub(super) fn of(source: &Node, spec: &Node) -> Self {
        let is_in = |path: &[&str]| spec.at(path).is_some_and(|it| std::ptr::eq(it, source));
        let is_hydrated = is_in(&["sourceHydrator", "drySource"]);
        let has_list = spec.get("sources").is_some_and(|it| !it.items().is_empty());
        let hidden_by = if is_hydrated {
            None
        } else if spec.get("sourceHydrator").is_some_and(|it| !it.is_empty()) {
            Some("sourceHydrator")
        } else {
            Some("sources").filter(|_| is_in(&["source"]) && has_list)
        };
        let other =
            |name: &'static str| Some(Located::new(name, source.get(name).filter(|it| !it.is_empty())?.span));
        let plugin = source.get("plugin");
        let at = plugin.map_or(source.span, |it| it.span);
        let list = |name: &str| plugin.and_then(|it| it.get(name));
        let item = |list_name: &str, name: &str, value: &str| {
            let items = list(list_name)?.items();
            let item = items.iter().find(|it| it.text_of("name") == Some(name))?;
            locate(item.get(value)?)
        };
        let parameters = list("parameters");
        let json = parameters.map_or_else(|| "null".to_owned(), |it| serde_json::Value::from(it).to_string());
        let variable = item("env", "ROLE", "value");
        Self {
            hidden_by,
            is_hydrated,
            is_rendered: false,
            other_types: ["helm", "kustomize", "directory", "chart"].into_iter().filter_map(other).collect(),
            repo_url: source.get("repoURL").and_then(locate),
            target_revision: source.get("targetRevision").and_then(locate),
            path: source.get("path").and_then(locate_filled),
            plugin: list("name").and_then(locate).unwrap_or_else(|| Located::new(String::new(), at)),
            parameters: Located::new(json, parameters.map_or(at, |it| it.span)),
            places: parameters
                .map_or(&[][..], Node::items)
                .iter()
                .filter_map(|it| locate(it.get("name")?))
                .collect(),
            role: item("parameters", "role", "string").or_else(|| variable.clone()),
            variable,
            cluster: item("parameters", "cluster", "string"),
        }
    }
}

/// The sources of an Application or of a template.
pub(in crate::argocd) fn sources(application: &Node) -> impl Iterator<Item = &Node> {
    let list = application.at(&["spec", "sources"]).map_or(&[][..], Node::items);
    let one = [&["spec", "source"][..], &["spec", "sourceHydrator", "drySource"]];
    one.into_iter().filter_map(|path| application.at(path)).chain(list)
}
