//! The objects of Argo CD that a file of a repository declares: those that are judged, and those that are only named.

use super::application::{Application, plugin_sources, sources};
use super::application_set::ApplicationSet;
use super::plugin::{GROUP, PLUGIN, mentions_plugin, names_plugin};
use crate::diagnostic::quoted;
use crate::input::yaml::{Node, documents, read_documents};

/// Argo CD's objects in a file.
#[derive(Debug, Default)]
pub(crate) struct ArgoObjects {
    pub(crate) applications: Vec<Application>,
    pub(crate) sets: Vec<ApplicationSet>,
    /// The names of AppProjects.
    pub(crate) projects: Vec<String>,
    /// The paths of the sources of Applications without this plugin; one without a path has an empty one.
    pub(crate) others: Vec<String>,
    /// Objects and documents that name the plugin and are not judged.
    pub(crate) unjudged: Vec<UnjudgedObject>,
    /// Why a document that does not name the plugin cannot be read.
    pub(crate) unread: Option<String>,
}

/// An object that is not judged: its kind, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnjudgedObject {
    pub(crate) kind: &'static str,
    pub(crate) reason: String,
}

/// Why the Applications of a set in another form are not judged. `FILE` is the file.
pub(crate) const MADE_BY_SET: &str =
    "an ApplicationSet makes its Applications; `argocd appset generate -o yaml FILE` prints them";

impl ArgoObjects {
    /// Argo CD's objects in a text. A document that is not YAML, has anchors or tags, or is another tool's template declares nothing.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut declared = Self::default();
        if !mentions_plugin(text) {
            return declared;
        }
        for (part, node) in read_documents(text) {
            let problem = match node {
                Ok(node) => {
                    for object in objects(&node) {
                        declared.add(object);
                    }
                    continue;
                }
                Err(problem) => problem,
            };
            let reason = if part.contains("{{") {
                "it is another tool's template: validate its output".into()
            } else {
                format!("it cannot be read: {}", problem.message)
            };
            if mentions_plugin(part) && part.contains(PLUGIN) {
                declared.leave("document", reason);
            } else {
                declared.unread.get_or_insert(reason);
            }
        }
        declared
    }

    fn add(&mut self, node: &Node) {
        let kind = argo_kind(node);
        match kind {
            Some("Application") => {
                let applications = Application::from_node(node);
                if applications.is_empty() {
                    for source in sources(node) {
                        let path = source.text_of("path").unwrap_or_default();
                        self.others.push(path.to_owned());
                    }
                } else if let Some(reason) = omission(node) {
                    return self.leave("Application", reason);
                } else {
                    return self.applications.extend(applications);
                }
            }
            Some("ApplicationSet") => {
                if let Some(set) = ApplicationSet::from_node(node) {
                    return self.sets.push(set);
                }
                if names_plugin(node) {
                    return self.leave("ApplicationSet", MADE_BY_SET.to_owned());
                }
            }
            Some("AppProject") => {
                let name = node.find(&["metadata", "name"]).and_then(Node::text);
                self.projects.extend(name.map(ToOwned::to_owned));
            }
            Some("ConfigManagementPlugin") => return,
            _ => {}
        }
        if names_plugin(node) {
            self.leave("object", why_not_judged(node, kind));
        }
    }

    fn leave(&mut self, kind: &'static str, reason: String) {
        self.unjudged.push(UnjudgedObject { kind, reason });
    }
}

/// Why an object that names the plugin is not judged.
fn why_not_judged(node: &Node, kind: Option<&str>) -> String {
    match (kind, node.text_of("apiVersion")) {
        (None, Some(version)) if version.starts_with(GROUP) => {
            format!("Argo CD has no version {}", quoted(version))
        }
        (Some(kind), _) if kind != "Application" => {
            format!("the kind {} is not judged", quoted(kind))
        }
        _ => "it names the plugin outside an Application's source".to_owned(),
    }
}

/// An object, or the items of a list, which kubectl and Argo CD read one by one.
fn objects(node: &Node) -> Vec<&Node> {
    match node.text_of("kind") {
        Some(kind) if kind.ends_with("List") => node.items_of("items").iter().collect(),
        _ => vec![node],
    }
}

/// Why an Application is not a whole one: it lacks a field that the API server requires (argo-cd `manifests/crds/application-crd.yaml`), as
/// a patch does, or it is a template of another tool.
fn omission(node: &Node) -> Option<String> {
    let spec = node.get("spec")?;
    let ours: Vec<&Node> = plugin_sources(node).collect();
    let [name, prefix] = ["name", "generateName"].map(|name| node.find(&["metadata", name]));
    let lacks = [
        ("project", spec.get("project").is_none_or(Node::is_empty)),
        (
            "destination",
            spec.get("destination").is_none_or(Node::is_empty),
        ),
        ("repoURL", ours.iter().any(|it| it.get("repoURL").is_none())),
        ("name", name.is_none() && prefix.is_none()),
    ];
    if let Some((field, _)) = lacks.iter().find(|(_, is_missing)| *is_missing) {
        return Some(format!(
            "it has no `{field}`: if it is a patch, `kubectl kustomize` prints the whole"
        ));
    }
    let mut texts = vec![spec.get("project"), spec.find(&["destination", "name"])];
    for source in ours {
        texts.extend([source.get("path"), source.find(&["plugin", "name"])]);
        let parameters = source.find(&["plugin", "parameters"]);
        for parameter in parameters.map_or(&[][..], Node::items) {
            texts.push(parameter.get("string"));
        }
    }
    for text in texts.into_iter().flatten().filter_map(Node::text) {
        // of Helm and Argo CD, of envsubst and Terraform, and of Jinja
        if text.contains("{{") || text.contains("${") || text.contains("{%") {
            let text = quoted(text);
            return Some(format!(
                "it is another tool's template: {text}; validate its output"
            ));
        }
    }
    None
}

/// The objects of a text whose changes `diff` shows: Applications with a source of this plugin, sets with one, and projects.
pub(crate) fn objects_of(text: &str) -> Vec<serde_json::Value> {
    let mut all = Vec::new();
    for node in documents(text) {
        for object in objects(&node) {
            if is_compared(object) {
                all.push(object.into());
            }
        }
    }
    all
}

fn is_compared(node: &Node) -> bool {
    match argo_kind(node) {
        Some("Application") => !Application::from_node(node).is_empty(),
        Some("ApplicationSet") => names_plugin(node),
        Some("AppProject") => true,
        _ => false,
    }
}

/// The kind of an object of Argo CD's.
fn argo_kind(node: &Node) -> Option<&str> {
    match node.text_of("apiVersion") {
        Some("argoproj.io/v1alpha1") => node.text_of("kind"),
        _ => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::ArgoObjects;
    use crate::argocd::plugin::is_plugin;

    fn declared(file: &str) -> ArgoObjects {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("argocd-app")
            .join(file);
        ArgoObjects::of_text(&std::fs::read_to_string(path).expect("a file"))
    }

    #[test]
    fn the_applications_of_the_docs_are_read() {
        let consumer = declared("consumer.yaml");
        let [application] = consumer.applications.as_slice() else {
            panic!("{consumer:?}")
        };
        let source = &application.source;
        let texts = [&source.role, &source.cluster, &source.path];
        let texts = texts.map(|it| it.as_ref().map(|it| it.value.as_str()));
        assert_eq!(
            texts,
            ["consumer", "consumer", "peerings/consumer-provider"].map(Some)
        );
    }

    #[test]
    fn the_set_of_the_docs_makes_two_applications_of_a_folder() {
        let declared = declared("applicationset.yaml");
        let [set] = declared.sets.as_slice() else {
            panic!("{declared:?}")
        };
        assert!(set.preserves && set.parent == "peerings");
        let made = set.applications("peerings/rome/milan");
        let made = made.iter().map(|it| {
            let cluster = it.source.cluster.as_ref().expect("a cluster");
            let role = it.source.role.as_ref().expect("a role");
            [&it.name.value, &cluster.value, &role.value].map(String::as_str)
        });
        let expected = [
            ["rome-milan-consumer", "rome", "consumer"],
            ["rome-milan-provider", "milan", "provider"],
        ];
        assert_eq!(made.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_plugin_has_a_version_or_none() {
        assert!(
            is_plugin("argocd-peering")
                && is_plugin("argocd-peering-v1.0")
                && is_plugin("argocd-peering2")
        );
        assert!(!is_plugin("other") && !is_plugin("argocd"));
    }
}
