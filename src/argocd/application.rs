//! Argo CD's Applications, from files and from an API server (argo-cd `pkg/apis/application/v1alpha1/types.go`). Only what concerns this
//! plugin is read; each value knows its place.

use super::passed_over::{OF_APPLICATION, PassedOver, passed_over};
use super::plugin::calls_plugin;
use super::project::matches;
use super::sync::Sync;
use crate::argocd::{boolean, is_true, locate, locate_filled, text_or_empty};
use crate::diagnostic::Span;
use crate::document::Located;
use crate::input::yaml::{Node, Value};
use std::path::Path;
use std::rc::Rc;

/// The annotation with the paths of an Application. A commit elsewhere does not run the plugin (argo-cd
/// `docs/operator-manual/high_availability.md`).
const SCALE: &str = "argocd.argoproj.io/manifest-generate-paths";

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
    pub(crate) source: Source,
    /// The repositories of all sources that Argo CD reads: its project must permit each of them (argo-cd
    /// `util/argo/argo.go`, `ValidatePermissions`). The list is shared by all sources of an Application.
    pub(crate) repositories: Rc<[String]>,
    /// The field that another source of this Application lacks.
    pub(crate) lack: Option<Located<&'static str>>,
    /// The name or the URL of its destination cluster.
    pub(crate) destination: Option<Located<String>>,
    pub(crate) server: Option<Located<String>>,
    /// The namespace of its destination.
    pub(crate) target_namespace: Option<Located<String>>,
    /// The annotation `manifest-generate-paths`.
    pub(crate) generate_paths: Option<Located<String>>,
    /// The fields of `spec.ignoreDifferences`.
    pub(crate) ignored: Vec<Ignored>,
    pub(crate) sync: Sync,
    pub(crate) passed_over: Vec<PassedOver>,
    /// Whether an ApplicationSet generates it.
    pub(crate) is_generated: bool,
    /// The folder of the document for which an ApplicationSet or `render` made it.
    pub(crate) made_for: Option<String>,
    /// Whether this is another source of the Application that was read before.
    pub(crate) is_again: bool,
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

/// An Application without a plugin that applies the manifests of a folder, with or without the folders below it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parent {
    pub(crate) path: Located<String>,
    pub(crate) repo_url: Option<String>,
    pub(crate) recurses: bool,
    /// The patterns of the files that are applied, and of those that are not.
    pub(crate) include: Option<String>,
    pub(crate) exclude: Option<String>,
}

impl Application {
    /// The Applications of an object, one for each source of the plugin. An object of an API server has no places.
    pub(crate) fn of(node: &Node) -> Vec<Self> {
        Self::of_sources(node, calls_plugin)
    }

    /// One for each source whose files Argo CD applies as they are.
    pub(crate) fn plain(node: &Node) -> Vec<Self> {
        let mut all = Self::of_sources(node, is_plain);
        all.retain(|it| it.source.path.is_some() && it.source.hidden_by.is_none());
        all
    }

    /// The Application of a folder that `render` wrote, with the role and the document's folder.
    pub(crate) fn rendered(mut self, role: &str, document: String) -> Self {
        let at = self
            .source
            .path
            .as_ref()
            .map_or(self.span, |path| path.span);
        self.source.role = Some(Located::new(role.to_owned(), at));
        self.source.is_rendered = true;
        self.made_for = Some(document);
        self
    }

    fn of_sources(node: &Node, is_one: fn(&Node) -> bool) -> Vec<Self> {
        let Some(spec) = node.get("spec") else {
            return Vec::new();
        };
        let name = node.at(&["metadata", "name"]).and_then(locate);
        let ignored = Ignored::all(spec.items_of("ignoreDifferences"));
        let passed_over = all_passed_over(node, &ignored);
        let read = || sources(node).filter(|it| hidden_by(it, spec).is_none());
        let repositories: Rc<[String]> = read()
            .filter_map(|it| it.text_of("repoURL").map(ToOwned::to_owned))
            .collect();
        let lack = read().filter(|it| !is_one(it)).find_map(lack_of);
        let ours = sources(node).filter(|source| is_one(source)).enumerate();
        ours.map(|(number, source)| Self {
            span: node.span,
            name: name
                .clone()
                .unwrap_or_else(|| Located::new(String::new(), node.span)),
            namespace: node.at(&["metadata", "namespace"]).and_then(locate),
            project: spec.get("project").and_then(locate),
            source: Source::of(source, spec),
            repositories: Rc::clone(&repositories),
            lack,
            destination: spec.at(&["destination", "name"]).and_then(locate_filled),
            server: spec.at(&["destination", "server"]).and_then(locate_filled),
            target_namespace: spec.at(&["destination", "namespace"]).and_then(locate),
            generate_paths: node
                .at(&["metadata", "annotations", SCALE])
                .and_then(locate),
            ignored: ignored.clone(),
            sync: Sync::of(node, node.span),
            passed_over: passed_over.clone(),
            is_generated: false,
            made_for: None,
            is_again: number > 0,
        })
        .collect()
    }

    /// The Application with the values that a file of its folder sets over its source (argo-cd `reposerver/repository/repository.go`,
    /// mergeSourceParameters). These values get the place of the plugin's name in the Application.
    pub(crate) fn overridden(&self, over: &Node) -> Self {
        let (mut it, other) = (self.clone(), Source::of(over, over));
        let (source, at) = (&mut it.source, self.source.plugin.span);
        if over.at(&["plugin", "name"]).is_some() {
            source.plugin = Located::new(other.plugin.value, at);
        }
        if over.at(&["plugin", "env"]).is_some() {
            source.variable = other.variable.map(|it| Located::new(it.value, at));
        }
        if over.at(&["plugin", "parameters"]).is_some() {
            source.parameters = Located::new(other.parameters.value, at);
            source.places = other
                .places
                .into_iter()
                .map(|it| Located::new(it.value, at))
                .collect();
            source.role = other.role.map(|it| Located::new(it.value, at));
            source.cluster = other.cluster.map(|it| Located::new(it.value, at));
        }
        let is_parameter = source.places.iter().any(|it| it.value == "role");
        source.role = source
            .role
            .take()
            .filter(|_| is_parameter)
            .or_else(|| source.variable.clone());
        if over.get("plugin").is_some_and(Node::is_empty) {
            source.hidden_by = Some(".argocd-source");
        }
        source.other_types.extend(
            other
                .other_types
                .into_iter()
                .map(|it| Located::new(it.value, at)),
        );
        it
    }

    /// Whether `ignoreDifferences` covers the certificate of this Identity (name and namespace), or a field around it.
    pub(crate) fn ignores_certificate(&self, object: [&str; 2]) -> bool {
        let of_kind = self
            .ignored
            .iter()
            .filter(|it| it.is_of("authentication.liqo.io", "Identity"));
        let mut fields = of_kind
            .filter(|it| it.is_for(object))
            .filter_map(Ignored::field);
        fields.any(|field| Path::new("spec/authParams/signedCRT").starts_with(field))
    }

    /// Argo CD's name of its destination cluster, if it is known (`types.go`, `KubernetesInternalAPIServerAddr`; `util/db/cluster.go`).
    pub(crate) fn cluster(&self) -> Option<Located<String>> {
        let own = self
            .server
            .as_ref()
            .filter(|it| it.value.trim_end_matches('/') == OWN_URL);
        self.destination
            .clone()
            .or(own.map(|it| Located::new(OWN_CLUSTER.to_owned(), it.span)))
    }
}

impl Parent {
    /// The parents in an Application or in a template of one: one for each source that is a folder of manifests.
    pub(super) fn all(node: &Node) -> Vec<Self> {
        let Some(spec) = node.get("spec") else {
            return Vec::new();
        };
        let plain = sources(node).filter(|it| is_plain(it));
        let read = plain.filter(|it| hidden_by(it, spec).is_none());
        read.filter_map(Self::of_source).collect()
    }

    fn of_source(source: &Node) -> Option<Self> {
        // an empty text is not a pattern (argo-cd `reposerver/repository/repository.go`, getPotentiallyValidManifestFile)
        let [include, exclude] = ["include", "exclude"].map(|name| {
            let pattern = source.at(&["directory", name]).and_then(locate_filled);
            pattern.map(|it| it.value)
        });
        Some(Self {
            path: source.get("path").and_then(locate_filled)?,
            repo_url: source.text_of("repoURL").map(ToOwned::to_owned),
            recurses: source.at(&["directory", "recurse"]).is_some_and(is_true),
            include,
            exclude,
        })
    }

    /// Whether it has placeholders, so that a generator can make several of it.
    pub(super) fn is_template(&self) -> bool {
        let others = [&self.repo_url, &self.include, &self.exclude]
            .into_iter()
            .flatten();
        others.chain([&self.path.value]).any(|it| it.contains("{{"))
    }

    /// The beginning of its path that is the same for all parameters.
    pub(crate) fn start(&self) -> &str {
        let start = self
            .path
            .value
            .split_once("{{")
            .map_or(self.path.value.as_str(), |(start, _)| start);
        start.trim_start_matches("./")
    }
}

/// Whether a source is a folder of manifests.
fn is_plain(source: &Node) -> bool {
    !["plugin", "helm", "kustomize", "chart"]
        .iter()
        .any(|it| source.get(it).is_some_and(|it| !is_zero(it)))
}

/// Whether a source's type has only empty values: Argo CD then removes it (argo-cd `util/argo/argo.go`, NormalizeSource).
fn is_zero(node: &Node) -> bool {
    match &node.value {
        Value::Map(entries) => entries.iter().all(|(_, it)| is_zero(it)),
        Value::List(items) => items.is_empty(),
        Value::Quoted(text) => text.is_empty(),
        _ => node.is_empty() || boolean(node) == Some(false),
    }
}

/// The fields of the Application that no judge looks at.
fn all_passed_over(node: &Node, ignored: &[Ignored]) -> Vec<PassedOver> {
    let mut all = passed_over(node, OF_APPLICATION);
    if !ignored.iter().all(Ignored::is_judged) {
        let reason =
            "fields of metadata, programs of jq, and managers other than Argo CD are not judged";
        all.push(PassedOver {
            path: "spec.ignoreDifferences".to_owned(),
            reason: Some(reason),
        });
    }
    if node.get("operation").is_some_and(|it| !it.is_empty()) {
        let reason = "it is one sync, when the Application is applied";
        all.push(PassedOver {
            path: "operation".to_owned(),
            reason: Some(reason),
        });
    }
    all
}

impl Ignored {
    fn all(items: &[Node]) -> Vec<Self> {
        const LISTS: [(&str, bool); 3] = [
            ("jsonPointers", false),
            ("jqPathExpressions", false),
            ("managedFieldsManagers", true),
        ];
        let mut all = Vec::new();
        for item in items {
            for (list, is_manager) in LISTS {
                all.extend(
                    item.items_of(list)
                        .iter()
                        .filter_map(locate)
                        .map(|what| Self {
                            group: text_or_empty(item, "group"),
                            kind: text_or_empty(item, "kind"),
                            name: text_or_empty(item, "name"),
                            namespace: text_or_empty(item, "namespace"),
                            what,
                            is_manager,
                        }),
                );
            }
        }
        all
    }

    /// Whether the item is for this kind, or may be (argo-cd `util/argo/diff/ignore.go`).
    pub(crate) fn is_of(&self, group: &str, kind: &str) -> bool {
        [(&self.group, group), (&self.kind, kind)]
            .into_iter()
            .all(|(it, word)| matches(it, word) != Some(false))
    }

    /// Whether the item is for this name and namespace (argo-cd `util/argo/normalizers/diff_normalizer.go`, Normalize).
    pub(crate) fn is_for(&self, [name, namespace]: [&str; 2]) -> bool {
        [(&self.name, name), (&self.namespace, namespace)]
            .iter()
            .all(|(it, text)| it.is_empty() || it == text)
    }

    /// The path of the field that is not compared, with `/` between its parts; empty for the whole object. For an item by manager only Argo
    /// CD's own manager counts, and covers the whole object (argo-cd `common/common.go`, ArgoCDSSAManager).
    pub(crate) fn field(&self) -> Option<String> {
        if self.is_manager {
            return (self.what.value == "argocd-controller").then(String::new);
        }
        let parts = self.what.value.split(['/', '.', '[', ']', '"', '\'']);
        Some(
            parts
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join("/"),
        )
    }

    /// Whether the item covers fields that a stream sets.
    pub(crate) fn is_judged(&self) -> bool {
        const HELD: [&str; 6] = ["", "spec", "data", "stringData", "subjects", "roleRef"];
        self.field()
            .is_some_and(|field| HELD.contains(&field.split('/').next().unwrap_or_default()))
    }
}

/// A source that Argo CD renders with the plugin.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The field that Argo CD reads instead of this source (`types.go`, `GetSources`).
    pub(crate) hidden_by: Option<&'static str>,
    pub(crate) is_hydrated: bool,
    /// Whether it has no plugin and its folder was written by `render`.
    pub(crate) is_rendered: bool,
    /// The fields that would make it a source of another type (`types.go`, `ExplicitType`).
    pub(crate) other_types: Vec<Located<&'static str>>,
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

impl Source {
    pub(super) fn of(source: &Node, spec: &Node) -> Self {
        let is_hydrated = is_at(source, spec, HYDRATED);
        let hidden_by = hidden_by(source, spec);
        // a file that is set over the source is read later, and is not normalised
        let is_normalized = !is_hydrated && !std::ptr::eq(source, spec);
        let types = ["helm", "kustomize", "directory", "chart"].into_iter();
        let is_set = |it: &&Node| !(it.is_empty() || is_normalized && is_zero(it));
        let types = types.filter_map(|it| Some((it, source.get(it).filter(is_set)?.span)));
        let plugin = source.get("plugin").unwrap_or(source);
        let name = source.at(&["plugin", "name"]).and_then(locate);
        let parameters = source.at(&["plugin", "parameters"]);
        let json = parameters.map_or_else(
            || "null".to_owned(),
            |it| serde_json::Value::from(it).to_string(),
        );
        let variable = value_of_item(source.at(&["plugin", "env"]), "ROLE", "value");
        Self {
            hidden_by,
            is_hydrated,
            is_rendered: false,
            other_types: types.map(|(name, span)| Located::new(name, span)).collect(),
            repo_url: source.get("repoURL").and_then(locate),
            target_revision: source.get("targetRevision").and_then(locate),
            path: source.get("path").and_then(locate_filled),
            plugin: name.unwrap_or_else(|| Located::new(String::new(), plugin.span)),
            parameters: Located::new(json, parameters.unwrap_or(plugin).span),
            places: parameters
                .map_or(&[][..], Node::items)
                .iter()
                .filter_map(|it| locate(it.get("name")?))
                .collect(),
            role: value_of_item(parameters, "role", "string").or_else(|| variable.clone()),
            variable,
            cluster: value_of_item(parameters, "cluster", "string"),
        }
    }
}

/// The path of the Source Hydrator's source.
const HYDRATED: &[&str] = &["sourceHydrator", "drySource"];

/// The field that Argo CD reads instead of a source.
fn hidden_by(source: &Node, spec: &Node) -> Option<&'static str> {
    if is_at(source, spec, HYDRATED) {
        None
    } else if spec.get("sourceHydrator").is_some_and(|it| !it.is_empty()) {
        Some("sourceHydrator")
    } else {
        let is_listed = is_at(source, spec, &["source"]) && !spec.items_of("sources").is_empty();
        is_listed.then_some("sources")
    }
}

/// Why Argo CD refuses an Application with such a source (argo-cd `util/argo/argo.go`, validateSourcePermissions).
fn lack_of(source: &Node) -> Option<Located<&'static str>> {
    let has = |name: &&str| source.get(name).and_then(locate_filled).is_some();
    let lack = match [
        &["repoURL"][..],
        &["path", "chart", "ref"],
        &["chart"],
        &["targetRevision"],
    ]
    .map(|names| names.iter().any(has))
    {
        [false, ..] => "no `repoURL`",
        [_, false, ..] => "neither `path`, `chart` nor `ref`",
        [.., true, false] => "a `chart` and no `targetRevision`",
        _ => return None,
    };
    Some(Located::new(lack, source.span))
}

/// Whether a source is the node at this path.
fn is_at(source: &Node, spec: &Node, path: &[&str]) -> bool {
    spec.at(path).is_some_and(|it| std::ptr::eq(it, source))
}

/// The value of the list's item with this name.
fn value_of_item(list: Option<&Node>, name: &str, value: &str) -> Option<Located<String>> {
    let item = list?
        .items()
        .iter()
        .find(|it| it.text_of("name") == Some(name))?;
    locate(item.get(value)?)
}

/// The sources of an Application or of a template.
pub(super) fn sources(application: &Node) -> impl Iterator<Item = &Node> {
    let list = application
        .at(&["spec", "sources"])
        .map_or(&[][..], Node::items);
    let one = [
        &["spec", "source"][..],
        &["spec", "sourceHydrator", "drySource"],
    ];
    one.into_iter()
        .filter_map(|path| application.at(path))
        .chain(list)
}
