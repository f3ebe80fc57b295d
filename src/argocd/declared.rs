//! The objects of Argo CD that a file of a repository declares.

use super::application::{Application, Parent, sources};
use super::application_set::ApplicationSet;
use super::field_types::{Mistyped, mistyped};
use super::global_projects::{self, Settings};
use super::plugin::{GROUP, PLUGIN, calls_plugin, is_about, names_plugin};
use super::project::AppProject;
use crate::diagnostic::{KEPT, Span, quoted};
use crate::input::yaml::{Node, documents, read_documents};
use std::collections::BTreeSet;

/// The kind of a document that names the plugin and cannot be read.
pub(crate) const UNREAD: &str = "document";

/// Argo CD's objects in a file.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    pub(crate) applications: Vec<Application>,
    pub(crate) sets: Vec<ApplicationSet>,
    pub(crate) projects: Vec<AppProject>,
    /// The names of AppProjects that are not judged, because their `destinations` are not written in the file.
    pub(crate) parts_of_projects: Vec<String>,
    /// The projects that Applications and sets name, with any source.
    pub(crate) named_projects: BTreeSet<String>,
    pub(crate) settings: Vec<Settings>,
    pub(crate) parents: Vec<Parent>,
    /// Parents from sets whose template names a fixed folder.
    pub(crate) parents_of_sets: Vec<Parent>,
    /// Applications of a folder of manifests, which `render` may have written.
    pub(crate) plain: Vec<Application>,
    /// Sets whose Applications can be parents.
    pub(crate) sets_of_parents: Vec<ApplicationSet>,
    /// The fields of these Applications, sets and projects that the API server refuses, by object. As many are kept for each as a report
    /// shows.
    pub(crate) mistyped: Vec<(Option<String>, Vec<Mistyped>)>,
    /// Objects that name the plugin but are not judged: their kinds, and why.
    pub(crate) unjudged: Vec<(&'static str, String)>,
    /// The first document that cannot be read: why, and its place.
    pub(crate) unread: Option<(String, Span)>,
}

impl Declared {
    pub(crate) fn is_empty(&self) -> bool {
        self.applications.is_empty()
            && self.sets.is_empty()
            && self.projects.is_empty()
            && self.parts_of_projects.is_empty()
            && self.named_projects.is_empty()
            && self.settings.is_empty()
            && self.parents.is_empty()
            && self.parents_of_sets.is_empty()
            && self.plain.is_empty()
            && self.sets_of_parents.is_empty()
            && self.unjudged.is_empty()
    }

    /// Argo CD's objects in a text. A document that is not YAML, has anchors or tags, or is another tool's template declares nothing.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut declared = Self::default();
        let names_group = is_about(text);
        if !names_group && !global_projects::is_about(text) {
            return declared;
        }
        for (part, node) in read_documents(text) {
            match node {
                Ok(node) => objects(&node)
                    .into_iter()
                    .for_each(|object| declared.add(object)),
                Err(_) if !names_group => {}
                Err(problem) => {
                    if is_about(part) && part.contains(PLUGIN) {
                        declared.unjudged.push((UNREAD, problem.message.clone()));
                    }
                    declared
                        .unread
                        .get_or_insert((problem.message, problem.primary.span));
                }
            }
        }
        declared
    }

    fn add(&mut self, node: &Node) {
        let (kind, known) = (argo_kind(node), self.applications.len() + self.sets.len());
        let projects = [
            &["spec", "project"][..],
            &["spec", "template", "spec", "project"],
        ];
        let projects = projects
            .iter()
            .filter(|_| matches!(kind, Some("Application" | "ApplicationSet")));
        let named = projects.filter_map(|path| node.at(path)?.text());
        self.named_projects.extend(named.map(ToOwned::to_owned));
        self.settings.extend(Settings::of(node));
        match kind {
            Some("Application") => {
                let applications = Application::of(node);
                self.parents.extend(Parent::all(node));
                match part_of(node) {
                    Some(lacks) if !applications.is_empty() => {
                        return self.unjudged.push(("Application", lacks));
                    }
                    Some(_) => {}
                    None => {
                        self.plain.extend(Application::plain(node));
                        self.applications.extend(applications);
                    }
                }
            }
            Some("ApplicationSet") => {
                let ours = ApplicationSet::of(node);
                if ours.is_none() {
                    let (parents, others) = ApplicationSet::of_parents(node);
                    self.parents_of_sets.extend(parents);
                    self.sets_of_parents.extend(others);
                }
                self.sets.extend(ours);
            }
            Some("AppProject") => match AppProject::of(node) {
                Some(project) => {
                    self.add_mistyped(node, Some(&project.name));
                    self.projects.push(project);
                }
                None => self.parts_of_projects.extend(name_of(node)),
            },
            Some("ConfigManagementPlugin") => return,
            _ => {}
        }
        if known < self.applications.len() + self.sets.len() {
            self.add_mistyped(node, None);
        } else if names_plugin(node) {
            self.unjudged.push(("object", unjudged(node, kind)));
        }
    }

    fn add_mistyped(&mut self, node: &Node, project: Option<&String>) {
        let of_projects = self
            .mistyped
            .iter()
            .filter(|(it, _)| it.is_some() == project.is_some());
        let left = KEPT.saturating_sub(of_projects.map(|(_, all)| all.len()).sum());
        let mut all = mistyped(node);
        all.truncate(left);
        if !all.is_empty() {
            self.mistyped.push((project.cloned(), all));
        }
    }
}

/// Why an object that names the plugin is not judged.
fn unjudged(node: &Node, kind: Option<&str>) -> String {
    let version = node
        .text_of("apiVersion")
        .filter(|it| it.starts_with(GROUP));
    match (kind, version) {
        (None, Some(version)) => format!("Argo CD has no version {}", quoted(version)),
        (None, None) | (Some("Application" | "ApplicationSet"), _) => {
            "it names the plugin elsewhere than in the source of an Application".to_owned()
        }
        (Some(kind), _) => format!("the kind {} is not judged", quoted(kind)),
    }
}

/// An object, or the items of a list, which kubectl and Argo CD read one by one.
fn objects(node: &Node) -> Vec<&Node> {
    let is_list = node
        .text_of("kind")
        .is_some_and(|kind| kind.ends_with("List"));
    if is_list {
        node.items_of("items").iter().collect()
    } else {
        vec![node]
    }
}

/// Why an Application is only a part of one: it lacks a field that the API server requires (argo-cd `manifests/crds/application-crd.yaml`),
/// as a patch does, or it is a template of another tool.
fn part_of(node: &Node) -> Option<String> {
    let spec = node.get("spec")?;
    let lacks_url = sources(node)
        .filter(|it| calls_plugin(it))
        .any(|it| it.get("repoURL").is_none());
    let is_named = ["name", "generateName"]
        .iter()
        .any(|it| node.at(&["metadata", it]).is_some());
    let lacks = ["project", "destination"]
        .into_iter()
        .find(|it| spec.get(it).is_none_or(Node::is_empty));
    let lacks = lacks
        .or(lacks_url.then_some("repoURL"))
        .or((!is_named).then_some("name"));
    let parameters = sources(node).flat_map(|it| {
        it.at(&["plugin", "parameters"])
            .map_or(&[][..], Node::items)
    });
    let texts = sources(node).flat_map(|it| [it.get("path"), it.at(&["plugin", "name"])]);
    let texts = texts.chain(parameters.map(|it| it.get("string")));
    let texts = texts
        .chain([spec.get("project"), spec.at(&["destination", "name"])])
        .flatten();
    // of Helm and Argo CD, of envsubst and Terraform, and of Jinja
    let marks = ["{{", "${", "{%"];
    let template = texts
        .filter_map(Node::text)
        .find(|it| marks.iter().any(|mark| it.contains(mark)));
    match (lacks, template) {
        (Some(lacks), _) => Some(format!(
            "it has no `{lacks}`, so it is a part of one, as a patch is"
        )),
        (None, Some(text)) => Some(format!(
            "it is a template of another tool: {}",
            quoted(text)
        )),
        (None, None) => None,
    }
}

/// An object of Argo CD that can concern this plugin.
pub(crate) struct ArgoObject {
    pub(crate) value: serde_json::Value,
    /// Whether it concerns the plugin by itself: an Application or a set with a source of this plugin, and a project. Applications of
    /// folders of manifests and other sets concern it only if `render` wrote their folders.
    pub(crate) concerns: bool,
    /// The byte in the text where the object begins; of a set, where its template begins.
    pub(crate) at: usize,
}

/// The objects of a text that can concern this plugin.
pub(crate) fn objects_of(
    text: &str,
    is_rendered: impl Fn(&str) -> bool + Copy,
) -> impl Iterator<Item = ArgoObject> {
    documents(text).flat_map(move |node| {
        let objects = objects(&node).into_iter();
        let at = |it: &Node| it.at(&["spec", "template"]).unwrap_or(it).span.start;
        let of = |it: &Node| {
            Some(ArgoObject {
                value: it.into(),
                concerns: concerns(it, is_rendered)?,
                at: at(it),
            })
        };
        objects.filter_map(of).collect::<Vec<_>>()
    })
}

/// Whether an object concerns this plugin by itself; `None` if it cannot concern the plugin.
fn concerns(node: &Node, is_rendered: impl Fn(&str) -> bool) -> Option<bool> {
    match argo_kind(node)? {
        "Application" if Application::of(node).is_empty() => {
            let plain = Application::plain(node);
            let mut paths = plain.iter().filter_map(|it| it.source.path.as_ref());
            (!plain.is_empty()).then(|| paths.any(|path| is_rendered(path)))
        }
        "Application" => Some(true),
        "ApplicationSet" => Some(ApplicationSet::of(node).is_some()),
        "AppProject" => name_of(node).map(|_| true),
        _ => None,
    }
}

/// The parts of a text that are not such objects: documents that cannot be read, and other objects. Without `is_any`, only other objects
/// that name this plugin.
pub(crate) fn others_of(text: &str, is_any: bool) -> Vec<String> {
    let parts = read_documents(text).flat_map(|(part, node)| match node {
        Err(_) => vec![part.to_owned()],
        Ok(node) => {
            let others = objects(&node)
                .into_iter()
                .filter(|it| is_any || names_plugin(it));
            let others = others.filter(|it| concerns(it, |_| true).is_none());
            others
                .map(|it| serde_json::Value::from(it).to_string())
                .collect()
        }
    });
    parts.collect()
}

fn name_of(object: &Node) -> Option<String> {
    object
        .at(&["metadata", "name"])
        .and_then(Node::text)
        .map(ToOwned::to_owned)
}

/// The kind of an object of Argo CD's.
fn argo_kind(node: &Node) -> Option<&str> {
    let is_argo_cds = node.text_of("apiVersion") == Some("argoproj.io/v1alpha1");
    is_argo_cds.then(|| node.text_of("kind"))?
}

#[cfg(test)]
pub(super) mod tests {
    use super::Declared;
    use crate::argocd::plugin::is_plugin;

    pub(in crate::argocd) fn declared(file: &str) -> Declared {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("argocd-app")
            .join(file);
        Declared::of_text(&std::fs::read_to_string(path).expect("a file"))
    }

    #[test]
    fn the_applications_of_the_docs_are_read() {
        let consumer = declared("consumer.yaml");
        let [application] = consumer.applications.as_slice() else {
            panic!("{consumer:?}")
        };
        let source = &application.source;
        let texts = [
            &source.role,
            &source.cluster,
            &source.path,
            &application.generate_paths,
        ];
        let texts = texts.map(|it| it.as_ref().map(|it| it.value.as_str()));
        assert_eq!(
            texts,
            ["consumer", "consumer", "peerings/consumer-provider", "."].map(Some)
        );
        let set = declared("applicationset.yaml");
        let [set] = set.sets.as_slice() else {
            panic!("{set:?}")
        };
        assert!(set.is_go() && set.preserves);
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
