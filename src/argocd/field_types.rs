//! The types that the API server requires of the fields of Argo CD's objects, as far as this program reads them. `kubectl apply` and an app
//! of apps read YAML 1.1: a tag `1.10` is a number.

use crate::diagnostic::{KEPT, Span, quoted};
use crate::input::yaml::{Node, Value, as_yaml_1_1};
use serde_json::Value as Json;

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Text,
    /// A list of texts.
    List,
    /// A map of texts.
    Map,
    Flag,
    Count,
    /// Any type: nothing in the field is checked.
    Free,
}

use Type::{Count, Flag, Free, List, Map, Text};

/// The types by the fields' names. A name has the same type wherever it is (argo-cd `manifests/crds` of 3.1 to 3.5, and of master in
/// November 2026). A field that is not in the table can have any type.
#[rustfmt::skip] // a table
const TYPES: [(&[&str], Type); 6] = [
    (&[
        "applicationsSync", "chart", "description", "duration", "exclude", "group", "include", "kind", "maxDuration", "name", "namespace",
        "path", "project", "ref", "repoURL", "schedule", "server", "string", "tagPrefix", "targetBranch", "targetRevision",
        "templatePatch", "timeZone", "value",
    ], Text),
    (&[
        "applications", "array", "clusters", "finalizers", "goTemplateOptions", "jqPathExpressions", "jsonPointers",
        "managedFieldsManagers", "namespaces", "sourceNamespaces", "sourceRepos", "syncOptions",
    ], List),
    (&["annotations", "labels", "map"], Map),
    (&[
        "allowEmpty", "andOperator", "disableExtensionFilter", "enabled", "goTemplate", "manualSync", "permitOnlyProjectScopedClusters",
        "preserveResourcesOnDeletion", "prune", "recurse", "refresh", "selfHeal", "syncOverrun",
    ], Flag),
    (&["factor", "limit", "revisionHistoryLimit"], Count),
    (&["helm", "jsonnet", "kustomize", "operation", "orphanedResources", "preservedFields", "roles", "status", "strategy"], Free),
];

/// A field with a value of another type: the API server refuses the whole object. The value can be a secret, so no message shows it.
#[derive(Debug)]
pub(crate) struct Mistyped {
    /// The field's name, quoted for a message: in a map the key is a text of the file.
    name: String,
    must_be: &'static str,
    is: &'static str,
    pub(crate) help: &'static str,
    pub(crate) span: Span,
}

impl Mistyped {
    pub(crate) fn message(&self) -> String {
        let Self {
            name, must_be, is, ..
        } = self;
        format!("{name} must be {must_be}, and YAML reads {is} here: the API server refuses that")
    }
}

/// The mistyped fields of an object of Argo CD, as many as are kept for a document.
pub(super) fn mistyped(object: &Node) -> Vec<Mistyped> {
    let mut all = Vec::new();
    add_of_map(object, &mut all);
    all.truncate(KEPT);
    all
}

fn add_of_map(map: &Node, all: &mut Vec<Mistyped>) {
    for (key, value) in map.entries() {
        add_of_field(key.text().unwrap_or_default(), value, all);
    }
}

fn add_of_field(name: &str, node: &Node, all: &mut Vec<Mistyped>) {
    let expected = TYPES
        .iter()
        .find(|(names, _)| names.contains(&name))
        .map(|(_, it)| *it);
    match (expected, &node.value) {
        (Some(Free), _) => {}
        // parameters of generators can be of any type
        (None, Value::List(generators)) if name == "generators" => {
            let kinds = generators.iter().flat_map(Node::entries);
            kinds
                .filter_map(|(_, it)| it.get("template"))
                .for_each(|it| add_of_map(it, all));
        }
        (None, _) => {
            add_of_map(node, all);
            node.items().iter().for_each(|it| add_of_map(it, all));
        }
        (Some(List), Value::List(items)) => {
            all.extend(items.iter().filter_map(|it| refused(name, Text, it)));
        }
        (Some(Map), Value::Map(entries)) => {
            all.extend(
                entries
                    .iter()
                    .filter_map(|(key, it)| refused(key.text()?, Text, it)),
            );
        }
        (Some(expected), _) => all.extend(refused(name, expected, node)),
    }
}

/// The problem of a field whose value is not of its type. An empty value counts as left out.
fn refused(name: &str, expected: Type, node: &Node) -> Option<Mistyped> {
    let value = match &node.value {
        Value::Plain(text) => as_yaml_1_1(text),
        Value::Quoted(text) => text.as_str().into(),
        Value::Empty => Json::Null,
        Value::List(_) => Json::Array(Vec::new()),
        Value::Map(_) => Json::Object(serde_json::Map::new()),
    };
    let is = match &value {
        Json::Null => return None,
        Json::String(_) if expected == Text => return None,
        // a template of envsubst, Terraform or Jinja: its result is not known
        Json::String(text) if text.contains("${") || text.contains("{%") => return None,
        Json::Bool(_) if expected == Flag => return None,
        Json::Number(number) if expected == Count && number.as_f64()?.fract() == 0.0 => {
            return None;
        }
        Json::String(_) => "a string",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::Array(_) => "a list",
        Json::Object(_) => "a map",
    };
    let written = node.text().unwrap_or_default();
    let (must_be, help) = match (expected, as_yaml_1_1(written)) {
        (Text, _) if node.text().is_some() => ("a string", "write it in quotes"),
        (Flag, Json::Bool(true)) => ("a boolean", "write `true`"),
        (Flag, Json::Bool(false)) => ("a boolean", "write `false`"),
        (Count, Json::Number(_)) => (
            "a whole number",
            "write it without quotes and without a fraction",
        ),
        (List, _) => ("a list", "write each item on its own line, after `- `"),
        (Flag, _) => ("a boolean", "write `true` or `false`"),
        (Count, _) => ("a whole number", "write it with decimal digits"),
        (Map | Free, _) => ("a map", "write a name and a value in each line"),
        (Text, _) => ("a string", "write one value"),
    };
    let help = if written.contains("{{") { PATCH } else { help };
    Some(Mistyped {
        name: quoted(name),
        must_be,
        is,
        help,
        span: node.span,
    })
}

/// (argo-cd `docs/operator-manual/applicationset/Template.md`)
const PATCH: &str =
    "a template makes a string of it: `templatePatch` can set it for each Application";
