//! Argo CD's Applications, ApplicationSets and AppProjects as files of a repository have them (argo-cd
//! `pkg/apis/application/v1alpha1/types.go`, `applicationset_types.go`). Only what concerns this plugin is read; each value knows
//! its place.

use super::application_set::{ApplicationSet, sources};
use super::plugin::{calls_plugin, names_plugin};
use super::project::AppProject;
use super::sync::Sync;
use crate::diagnostic::{Span, quoted};
use crate::document::Located;
use crate::input::yaml::{Node, Value, documents, read_documents};

pub(crate) use super::plugin::{GROUP, PLUGIN, is_about, is_plugin};

/// What a document is called that was not read, and names the plugin.
pub(crate) const UNREAD: &str = "document";

/// By which a commit elsewhere asks nothing of the plugin (argo-cd `docs/operator-manual/high_availability.md`).
const SCALE: &str = "argocd.argoproj.io/manifest-generate-paths";

/// What of Argo CD's is in a file.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    pub(crate) applications: Vec<Application>,
    pub(crate) sets: Vec<ApplicationSet>,
    pub(crate) projects: Vec<AppProject>,
    pub(crate) parents: Vec<Parent>,
    /// Objects that name the plugin and are not judged: their kinds, and why.
    pub(crate) unjudged: Vec<(&'static str, String)>,
    /// Why the first document that is not read is not, and where it is.
    pub(crate) unread: Option<(String, Span)>,
}

/// An Application with a source of this plugin; with two of them, each is one.
#[derive(Debug, Clone)]
pub(crate) struct Application {
    pub(crate) span: Span,
    /// Empty where another name is generated.
    pub(crate) name: Located<String>,
    pub(crate) namespace: Option<Located<String>>,
    pub(crate) project: Option<Located<String>>,
    pub(crate) source: Source,
    /// The name of its destination, or its URL.
    pub(crate) destination: Option<Located<String>>,
    pub(crate) server: Option<Located<String>>,
    /// The namespace of its destination.
    pub(crate) target_namespace: Option<Located<String>>,
    /// The annotation of scale.
    pub(crate) generate_paths: Option<Located<String>>,
    /// What of Secrets is not compared.
    pub(crate) ignored: Option<Located<String>>,
    pub(crate) sync: Sync,
    /// Whether an ApplicationSet makes it, and the folder that it is made for.
    pub(crate) is_generated: bool,
    pub(crate) made_for: Option<String>,
    /// Whether it is the same Application once more, for another source.
    pub(crate) is_again: bool,
}

/// What Argo CD renders with the plugin.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The field that is read in its place (`types.go`, `GetSources`).
    pub(crate) hidden_by: Option<&'static str>,
    pub(crate) is_hydrated: bool,
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

/// An Application that renders no plugin, but the manifests of a folder: those in it, or also those below it.
#[derive(Debug)]
pub(crate) struct Parent {
    pub(crate) path: Located<String>,
    pub(crate) repo_url: Option<String>,
    pub(crate) recurses: bool,
    /// Which files are taken, and which are not.
    pub(crate) include: Option<String>,
    pub(crate) exclude: Option<String>,
}

impl Declared {
    pub(crate) fn is_empty(&self) -> bool {
        self.applications.is_empty()
            && self.sets.is_empty()
            && self.projects.is_empty()
            && self.parents.is_empty()
            && self.unjudged.is_empty()
    }

    /// What of Argo CD's a text declares. What is not YAML without anchors and tags, or another tool's template, declares nothing.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut declared = Self::default();
        if !is_about(text) {
            return declared;
        }
        for (part, node) in read_documents(text) {
            match node {
                Ok(node) => objects(&node).into_iter().for_each(|object| declared.add(object)),
                Err(problem) => {
                    if is_about(part) && part.contains(PLUGIN) {
                        declared.unjudged.push((UNREAD, problem.message.clone()));
                    }
                    declared.unread.get_or_insert((problem.message, problem.primary.span));
                }
            }
        }
        declared
    }

    fn add(&mut self, node: &Node) {
        let (kind, known) = (argo_kind(node), self.applications.len() + self.sets.len());
        match kind {
            Some("Application") => {
                let applications = Application::of(node);
                self.parents.extend(Parent::of(node));
                match part_of(node).filter(|_| !applications.is_empty()) {
                    Some(lacks) => return self.unjudged.push(("Application", lacks)),
                    None => self.applications.extend(applications),
                }
            }
            Some("ApplicationSet") => self.sets.extend(ApplicationSet::of(node)),
            Some("AppProject") => self.projects.extend(AppProject::of(node)),
            Some("ConfigManagementPlugin") => return,
            _ => {}
        }
        if known == self.applications.len() + self.sets.len() && names_plugin(node) {
            self.unjudged.push(("object", unjudged(node, kind)));
        }
    }
}

/// Why an object that names the plugin is not judged.
fn unjudged(node: &Node, kind: Option<&str>) -> String {
    let version = node.get("apiVersion").and_then(Node::text).filter(|it| it.starts_with(GROUP));
    match (kind, version) {
        (None, Some(version)) => format!("Argo CD has no version {}", quoted(version)),
        (None, None) | (Some("Application" | "ApplicationSet"), _) => {
            "it names the plugin elsewhere than in the source of an Application".to_owned()
        }
        (Some(kind), _) => format!("the kind {} is not judged", quoted(kind)),
    }
}

/// An object, or those of a list, which kubectl and Argo CD take apart.
fn objects(node: &Node) -> Vec<&Node> {
    let is_list = node.get("kind").and_then(Node::text).is_some_and(|kind| kind.ends_with("List"));
    if is_list { node.get("items").map_or(&[][..], Node::items).iter().collect() } else { vec![node] }
}

/// What an Application lacks that the API server asks of it (argo-cd `manifests/crds/application-crd.yaml`): then it is a patch of one,
/// or a template of another tool.
fn part_of(node: &Node) -> Option<String> {
    let spec = node.get("spec")?;
    let is_missing = |field: &&str| spec.get(field).is_none_or(Node::is_empty);
    let lacks_url = sources(node).filter(|it| calls_plugin(it)).any(|it| it.get("repoURL").is_none());
    let is_named = ["name", "generateName"].iter().any(|it| node.at(&["metadata", it]).is_some());
    let lacks = ["project", "destination"].into_iter().find(is_missing).or(lacks_url.then_some("repoURL"));
    let lacks = lacks.or((!is_named).then_some("name"));
    let parameters =
        sources(node).flat_map(|it| it.at(&["plugin", "parameters"]).map_or(&[][..], Node::items));
    let texts = sources(node).flat_map(|it| [it.get("path"), it.at(&["plugin", "name"])]);
    let texts = texts.chain(parameters.map(|it| it.get("string")));
    let texts = texts.chain([spec.get("project"), spec.at(&["destination", "name"])]).flatten();
    // of Helm and Argo CD, of envsubst and Terraform, of Jinja
    let is_template = |it: &&str| ["{{", "${", "{%"].iter().any(|mark| it.contains(mark));
    let template = texts.filter_map(Node::text).find(is_template);
    match (lacks, template) {
        (Some(lacks), _) => Some(format!("it has no `{lacks}`, so it is a part of one, as a patch is")),
        (None, Some(text)) => Some(format!("it is a template of another tool: {}", quoted(text))),
        (None, None) => None,
    }
}

/// The objects of Argo CD's in a text that concern this plugin, as values: Applications and sets with a source of it, and projects.
pub(crate) fn objects_of(text: &str) -> impl Iterator<Item = serde_json::Value> {
    let is_one = |node: &Node| match argo_kind(node) {
        Some("Application") => !Application::of(node).is_empty(),
        Some("ApplicationSet") => ApplicationSet::of(node).is_some(),
        Some("AppProject") => AppProject::of(node).is_some(),
        _ => false,
    };
    let of_document = move |node: Node| {
        let objects = objects(&node).into_iter().filter(|node| is_one(node));
        objects.map(serde_json::Value::from).collect::<Vec<_>>()
    };
    documents(text).flat_map(of_document)
}

/// The kind of an object of Argo CD's.
fn argo_kind(node: &Node) -> Option<&str> {
    let is_argo_cds = node.get("apiVersion").and_then(Node::text) == Some("argoproj.io/v1alpha1");
    is_argo_cds.then(|| node.get("kind").and_then(Node::text))?
}

impl Application {
    /// Of a file, or of an API server: then nothing has a place. One for each source of the plugin.
    pub(crate) fn of(node: &Node) -> Vec<Self> {
        let Some(spec) = node.get("spec") else { return Vec::new() };
        let name = node.at(&["metadata", "name"]).and_then(locate);
        let application = |source: &Node| Self {
            span: node.span,
            name: name.clone().unwrap_or_else(|| Located::new(String::new(), node.span)),
            namespace: node.at(&["metadata", "namespace"]).and_then(locate),
            project: spec.get("project").and_then(locate),
            source: Source::of(source, spec),
            destination: spec.at(&["destination", "name"]).and_then(locate_filled),
            server: spec.at(&["destination", "server"]).and_then(locate_filled),
            target_namespace: spec.at(&["destination", "namespace"]).and_then(locate),
            generate_paths: node.at(&["metadata", "annotations", SCALE]).and_then(locate),
            ignored: spec.get("ignoreDifferences").and_then(ignored),
            sync: Sync::of(node, node.span),
            is_generated: false,
            made_for: None,
            is_again: false,
        };
        let mut all: Vec<_> = sources(node).filter(|source| calls_plugin(source)).map(application).collect();
        all.iter_mut().skip(1).for_each(|it| it.is_again = true);
        all
    }

    /// With what a file of its folder puts over its source (argo-cd `reposerver/repository/repository.go`, mergeSourceParameters). All of
    /// that is where the Application names the plugin.
    pub(crate) fn overridden(&self, over: &Node) -> Self {
        let (mut it, other) = (self.clone(), Source::of(over, over));
        let (source, at) = (&mut it.source, self.source.plugin.span);
        let here = |it: &Option<Located<String>>| Some(Located::new(it.as_ref()?.value.clone(), at));
        let has = |field| over.at(&["plugin", field]).is_some();
        if has("name") {
            source.plugin = Located::new(other.plugin.value.clone(), at);
        }
        if has("env") {
            source.variable = here(&other.variable);
        }
        if has("parameters") {
            let place = |it: &Located<String>| Located::new(it.value.clone(), at);
            (source.parameters, source.cluster) = (place(&other.parameters), here(&other.cluster));
            source.places = other.places.iter().map(place).collect();
            source.role = here(&other.role);
        }
        let is_parameter = source.places.iter().any(|it| it.value == "role");
        source.role = source.role.take().filter(|_| is_parameter).or_else(|| source.variable.clone());
        if over.get("plugin").is_some_and(Node::is_empty) {
            source.hidden_by = Some(".argocd-source");
        }
        source.other_types.extend(other.other_types.iter().map(|it| Located::new(it.value, at)));
        it
    }

    /// Argo CD's name of its destination, as far as it is known (`types.go`, `KubernetesInternalAPIServerAddr`; `util/db/cluster.go`).
    pub(crate) fn cluster(&self) -> Option<Located<String>> {
        let is_own =
            |it: &&Located<String>| it.value.trim_end_matches('/') == "https://kubernetes.default.svc";
        let own =
            self.server.as_ref().filter(is_own).map(|it| Located::new("in-cluster".to_owned(), it.span));
        self.destination.clone().or(own)
    }
}

impl Source {
    fn of(source: &Node, spec: &Node) -> Self {
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
            let item = items.iter().find(|it| it.get("name").and_then(Node::text) == Some(name))?;
            locate(item.get(value)?)
        };
        let parameters = list("parameters");
        let json = parameters.map_or_else(|| "null".to_owned(), |it| serde_json::Value::from(it).to_string());
        let variable = item("env", "ROLE", "value");
        Self {
            hidden_by,
            is_hydrated,
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

impl Parent {
    /// Of an Application whose only source is a folder of manifests.
    fn of(node: &Node) -> Option<Self> {
        let source = node.at(&["spec", "source"])?;
        if ["plugin", "helm", "kustomize", "chart"].iter().any(|it| source.get(it).is_some()) {
            return None;
        }
        let text = |path: &[&str]| source.at(path).and_then(Node::text).map(ToOwned::to_owned);
        Some(Self {
            path: source.get("path").and_then(locate_filled)?,
            repo_url: text(&["repoURL"]),
            recurses: source.at(&["directory", "recurse"]).is_some_and(is_true),
            include: text(&["directory", "include"]),
            exclude: text(&["directory", "exclude"]),
        })
    }
}

/// What of Secrets' data is not compared (argo-cd `types.go`, `ResourceIgnoreDifferences`).
fn ignored(list: &Node) -> Option<Located<String>> {
    let text = |item: &Node, name: &str| item.get(name).and_then(Node::text).unwrap_or_default().to_owned();
    let is_secret = |item: &&Node| {
        matches!(text(item, "kind").as_str(), "Secret" | "*")
            && matches!(text(item, "group").as_str(), "" | "*")
    };
    let paths = |item: &'_ Node| {
        let of =
            |name| item.get(name).map_or(&[][..], Node::items).iter().filter_map(locate).collect::<Vec<_>>();
        [of("jsonPointers"), of("jqPathExpressions")].concat()
    };
    let is_data = |it: &Located<String>| {
        let path = it.value.trim_start_matches(['/', '.']);
        path.is_empty() || path.starts_with("data") || path.starts_with("stringData")
    };
    list.items().iter().filter(is_secret).flat_map(paths).find(is_data)
}

/// Whether a value is `true` to Argo CD and to kubectl, which read YAML 1.1 (go.yaml.in/yaml/v2 `resolve.go`). A text in quotes is
/// not: the API server refuses it.
pub(super) fn is_true(node: &Node) -> bool {
    let is_one = |text: &str| ["true", "yes", "on", "y"].iter().any(|it| text.eq_ignore_ascii_case(it));
    matches!(&node.value, Value::Plain(text) if is_one(text))
}

fn locate_filled(node: &Node) -> Option<Located<String>> {
    locate(node).filter(|it| !it.value.is_empty())
}

pub(super) fn locate(node: &Node) -> Option<Located<String>> {
    let text = node.text().filter(|_| !node.is_empty())?;
    Some(Located::new(text.to_owned(), node.span))
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
        assert_eq!(text(&application.source.role), "consumer");
        assert_eq!(text(&application.source.cluster), "consumer");
        assert_eq!(text(&application.source.path), "peerings/consumer-provider");
        assert_eq!(text(&application.generate_paths), ".");
        let set = declared("applicationset.yaml");
        let [set] = set.sets.as_slice() else { panic!("{set:?}") };
        assert!(set.is_go() && set.preserves);
    }

    #[test]
    fn a_plugin_has_a_version_or_none() {
        assert!(
            is_plugin("argocd-peering") && is_plugin("argocd-peering-v1.0") && is_plugin("argocd-peering2")
        );
        assert!(!is_plugin("other") && !is_plugin("argocd"));
    }
}
