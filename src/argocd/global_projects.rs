//! Argo CD's global projects: AppProjects whose lists are added to other projects (argo-cd `docs/user-guide/projects.md`, Configuring
//! Global Projects; `util/argo/argo.go`, `GetGlobalProjects`).

use super::project::AppProject;
use crate::input::yaml::{Node, Value, read_documents};

/// The ConfigMap of Argo CD's settings, and its field with the global projects.
const SETTINGS: &str = "argocd-cm";
pub(crate) const FIELD: &str = "globalProjects";

/// The global projects in the settings of an Argo CD.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) namespace: Option<String>,
    /// `None` if the list cannot be read.
    list: Option<Vec<Node>>,
    /// The cost of an evaluation of these settings.
    pub(crate) weight: usize,
}

/// Whether a text may have the settings.
pub(crate) fn is_about(text: &str) -> bool {
    let is_name = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    let mut names = text.match_indices(SETTINGS);
    names.any(|(at, name)| text.get(at + name.len()..).is_some_and(is_name))
}

impl Settings {
    /// The settings in an object; `None` if it is not their ConfigMap.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        let [name, namespace] =
            ["name", "namespace"].map(|it| node.at(&["metadata", it]).and_then(Node::text));
        if node.text_of("kind") != Some("ConfigMap") || name != Some(SETTINGS) {
            return None;
        }
        let field = node.at(&["data", FIELD]);
        let weight = 1 + field.and_then(Node::text).map_or(0, str::len) / 16;
        let list = field.map_or(Some(Vec::new()), list);
        Some(Self {
            namespace: namespace.map(ToOwned::to_owned),
            list,
            weight,
        })
    }

    /// The names of all global projects.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.list
            .iter()
            .flatten()
            .filter_map(|it| it.text_of("projectName"))
    }

    /// The global projects whose lists a project gets, in the order in which Argo CD adds them; `None` where a selector
    /// is not evaluated.
    pub(crate) fn globals_of(&self, project: &AppProject) -> Option<Vec<&str>> {
        let all = self
            .list
            .as_ref()?
            .iter()
            .map(|it| Some((it.text_of("projectName")?, selects(it, project)?)));
        let all: Vec<_> = all.collect::<Option<_>>()?;
        let of_project = all
            .into_iter()
            .filter(|(name, is_one)| *is_one && *name != project.name);
        Some(of_project.map(|(name, _)| name).collect())
    }
}

fn list(field: &Node) -> Option<Vec<Node>> {
    match read_documents(field.text()?).next().map(|(_, list)| list) {
        None => Some(Vec::new()),
        Some(list) => match list.ok()?.value {
            Value::Empty => Some(Vec::new()),
            Value::List(items) => Some(items),
            _ => None,
        },
    }
}

/// Whether a selector selects a project by its labels (apimachinery `pkg/labels/selector.go`).
fn selects(item: &Node, project: &AppProject) -> Option<bool> {
    let mut has_all = true;
    for (key, value) in item
        .at(&["labelSelector", "matchLabels"])
        .map_or(&[][..], Node::entries)
    {
        has_all &= project
            .labels
            .get(key.text()?)
            .is_some_and(|it| Some(it.as_str()) == value.text());
    }
    for it in item
        .at(&["labelSelector", "matchExpressions"])
        .map_or(&[][..], Node::items)
    {
        let (label, values) = (
            project.labels.get(it.text_of("key")?),
            it.items_of("values"),
        );
        let is_one = label.is_some_and(|label| values.iter().any(|it| it.text() == Some(label)));
        has_all &= match (it.text_of("operator")?, values.is_empty()) {
            ("In", false) => is_one,
            ("NotIn", false) => !is_one,
            ("Exists", true) => label.is_some(),
            ("DoesNotExist", true) => label.is_none(),
            // an invalid selector: Argo CD ignores the global projects after it, which is not evaluated here
            _ => return None,
        };
    }
    Some(has_all)
}
