//! The types that the API server asks of the fields of Argo CD's objects, as far as this program reads them. What `kubectl apply` and an
//! app of apps send is read as YAML 1.1: a tag `1.10` is a number.

use crate::diagnostic::{KEPT, Span, quoted};
use crate::input::yaml::{Node, Value, as_yaml_1_1};
use serde_json::Value as Json;

/// What a field must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Text,
    /// Of texts.
    List,
    /// Of texts.
    Map,
    Flag,
    Count,
    /// Nothing of it is looked at.
    Free,
}

use Type::{Count, Flag, Free, List, Map, Text};

/// By their names, which mean one type wherever they are (argo-cd `manifests/crds` of 3.1 to 3.5, and of master in November 2026). What is
/// not here can be of any type.
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

/// A field of another type: the API server refuses the whole object. Its value can be a secret, and is not in the words.
#[derive(Debug)]
pub(crate) struct Mistyped {
    /// Quoted for a message: the key of a map is a text of the file.
    name: String,
    must_be: &'static str,
    is: &'static str,
    pub(crate) help: &'static str,
    pub(crate) span: Span,
}

impl Mistyped {
    pub(crate) fn message(&self) -> String {
        let Self { name, must_be, is, .. } = self;
        format!("{name} must be {must_be}, and YAML reads {is} here: the API server refuses that")
    }
}

/// Those of an object of Argo CD's, as many as are kept of a document.
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
    let expected = TYPES.iter().find(|(names, _)| names.contains(&name)).map(|(_, it)| *it);
    match (expected, &node.value) {
        (Some(Free), _) => {}
        // parameters of generators can be of any type
        (None, Value::List(generators)) if name == "generators" => {
            let kinds = generators.iter().flat_map(Node::entries);
            kinds.filter_map(|(_, it)| it.get("template")).for_each(|it| add_of_map(it, all));
        }
        (None, _) => {
            add_of_map(node, all);
            node.items().iter().for_each(|it| add_of_map(it, all));
        }
        (Some(List), Value::List(items)) => all.extend(items.iter().filter_map(|it| refused(name, Text, it))),
        (Some(Map), Value::Map(entries)) => {
            all.extend(entries.iter().filter_map(|(key, it)| refused(key.text()?, Text, it)));
        }
        (Some(expected), _) => all.extend(refused(name, expected, node)),
    }
}

/// That a field is not of its type. What is empty is as good as left out.
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
        // of envsubst and Terraform, of Jinja: what they make of it is not known
        Json::String(text) if text.contains("${") || text.contains("{%") => return None,
        Json::Bool(_) if expected == Flag => return None,
        Json::Number(number) if expected == Count && number.as_f64()?.fract() == 0.0 => return None,
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
        (Count, Json::Number(_)) => ("a whole number", "write it without quotes and without a fraction"),
        (List, _) => ("a list", "write each item on its own line, after `- `"),
        (Flag, _) => ("a boolean", "write `true` or `false`"),
        (Count, _) => ("a whole number", "write it with decimal digits"),
        (Map | Free, _) => ("a map", "write a name and a value in each line"),
        (Text, _) => ("a string", "write one value"),
    };
    let help = if written.contains("{{") { PATCH } else { help };
    Some(Mistyped { name: quoted(name), must_be, is, help, span: node.span })
}

/// (argo-cd `docs/operator-manual/applicationset/Template.md`)
const PATCH: &str = "a template makes a string of it: `templatePatch` can set it for each Application";
