//! `metadata`, which no CRD describes: the rules of `ValidateObjectMeta`
//! (k8s.io/apimachinery `pkg/api/validation/objectmeta.go`, `pkg/util/validation/validation.go`).

use std::sync::LazyLock;

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::check::child;

/// Whether a kind's objects live in a namespace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Namespaced,
    Cluster,
}

impl Scope {
    pub(super) fn named(name: &str) -> Self {
        match name {
            "Namespaced" => Self::Namespaced,
            "Cluster" => Self::Cluster,
            _ => panic!("a CRD's scope is Namespaced or Cluster, not `{name}`"),
        }
    }
}

/// `TotalAnnotationSizeLimitB`: keys and values together.
const ANNOTATION_BYTES: usize = 256 * 1024;

static LABEL: LazyLock<Regex> = LazyLock::new(|| pattern("[a-z0-9]([-a-z0-9]*[a-z0-9])?"));
static SUBDOMAIN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"));
static QUALIFIED_NAME: LazyLock<Regex> =
    LazyLock::new(|| pattern("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"));

fn pattern(whole: &str) -> Regex {
    Regex::new(&format!("^{whole}$")).expect("the pattern is a constant")
}

/// What is wrong with an object's `metadata`. Fields that Kubernetes has but that we never emit are
/// problems too: `creationTimestamp`, `finalizers` and the like have no place in Git.
pub(super) fn problems(metadata: &Value, scope: Scope) -> Vec<String> {
    let Some(fields) = metadata.as_object() else {
        return vec!["metadata: required, must be an object".to_owned()];
    };
    let mut problems = identity_problems(fields, scope);
    for (key, value) in fields {
        match key.as_str() {
            "name" | "namespace" => {}
            "labels" => problems.extend(label_problems(value)),
            "annotations" => problems.extend(annotation_problems(value)),
            _ => problems.push(format!("{}: must not be emitted", child("metadata", key))),
        }
    }
    problems
}

/// A custom resource's name is a DNS-1123 subdomain (`NameIsDNSSubdomain`), its namespace a label.
fn identity_problems(fields: &Map<String, Value>, scope: Scope) -> Vec<String> {
    let mut problems = Vec::new();
    let is = |key: &str, rule: fn(&str) -> bool| fields[key].as_str().is_some_and(rule);
    if !fields.contains_key("name") {
        problems.push("metadata.name: required, but missing".to_owned());
    } else if !is("name", is_subdomain) {
        problems.push(format!("metadata.name: {} is not a DNS subdomain", fields["name"]));
    }
    match (scope, fields.get("namespace")) {
        (Scope::Namespaced, None) => {
            problems.push("metadata.namespace: required, but missing".to_owned());
        }
        (Scope::Cluster, Some(_)) => {
            problems.push("metadata.namespace: the kind is cluster-scoped".to_owned());
        }
        (Scope::Namespaced, Some(namespace)) if !is("namespace", is_label) => {
            problems.push(format!("metadata.namespace: {namespace} is not a DNS label"));
        }
        (Scope::Namespaced, Some(_)) | (Scope::Cluster, None) => {}
    }
    problems
}

/// `ValidateLabels`: qualified names to values of at most 63 characters, possibly empty.
fn label_problems(labels: &Value) -> Vec<String> {
    let Some(labels) = labels.as_object() else {
        return vec!["metadata.labels: must be an object".to_owned()];
    };
    let mut problems = Vec::new();
    for (key, value) in labels {
        let at = child("metadata.labels", key);
        if !is_qualified_name(key) {
            problems.push(format!("{at}: the key is not a qualified name"));
        }
        match value.as_str() {
            Some(text) if is_label_value(text) => {}
            Some(text) => problems.push(format!("{at}: {text:?} is not a label value")),
            None => problems.push(format!("{at}: must be a string, is {value}")),
        }
    }
    problems
}

/// `ValidateAnnotations`: the keys are looked at in lower case, the values only measured.
fn annotation_problems(annotations: &Value) -> Vec<String> {
    let Some(annotations) = annotations.as_object() else {
        return vec!["metadata.annotations: must be an object".to_owned()];
    };
    let mut problems = Vec::new();
    let mut bytes = 0;
    for (key, value) in annotations {
        let at = child("metadata.annotations", key);
        if !is_qualified_name(&key.to_lowercase()) {
            problems.push(format!("{at}: the key is not a qualified name"));
        }
        match value.as_str() {
            Some(text) => bytes += key.len() + text.len(),
            None => problems.push(format!("{at}: must be a string, is {value}")),
        }
    }
    if bytes > ANNOTATION_BYTES {
        problems.push(format!("metadata.annotations: {bytes} bytes, at most {ANNOTATION_BYTES}"));
    }
    problems
}

/// An optional DNS subdomain and a slash, then a name (`IsQualifiedName`).
fn is_qualified_name(key: &str) -> bool {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    prefix.is_none_or(is_subdomain) && name.len() <= 63 && QUALIFIED_NAME.is_match(name)
}

fn is_label_value(text: &str) -> bool {
    text.is_empty() || (text.len() <= 63 && QUALIFIED_NAME.is_match(text))
}

fn is_label(text: &str) -> bool {
    text.len() <= 63 && LABEL.is_match(text)
}

fn is_subdomain(text: &str) -> bool {
    text.len() <= 253 && SUBDOMAIN.is_match(text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Scope, problems};

    fn refused(metadata: &Value) -> String {
        problems(metadata, Scope::Namespaced).join("; ")
    }

    #[test]
    fn the_four_fields_we_emit_pass() {
        let metadata = json!({
            "name": "milan.example",
            "namespace": "liqo-tenant-milan",
            "labels": { "liqo.io/remote-cluster-id": "milan", "empty": "" },
            "annotations": { "argocd.argoproj.io/sync-wave": "2", "Upper.example/X": "a: b\n" },
        });
        assert_eq!(refused(&metadata), "");
    }

    #[test]
    fn a_namespace_is_there_if_and_only_if_the_kind_has_one() {
        let without = json!({ "name": "a" });
        let with = json!({ "name": "a", "namespace": "b" });
        assert_eq!(refused(&without), "metadata.namespace: required, but missing");
        assert!(problems(&without, Scope::Cluster).is_empty());
        let cluster = problems(&with, Scope::Cluster);
        assert_eq!(cluster, ["metadata.namespace: the kind is cluster-scoped"]);
    }

    #[test]
    fn names_are_lower_case_and_of_bounded_length() {
        for (name, good) in [("a", 253), ("a", 254)].map(|(a, n)| (a.repeat(n), n == 253)) {
            assert_eq!(refused(&json!({ "name": name, "namespace": "a" })).is_empty(), good);
        }
        for name in ["", "A", "a_b", "-a", "a-", "a..b", "a\n"] {
            let found = refused(&json!({ "name": name, "namespace": "a" }));
            assert!(found.ends_with("is not a DNS subdomain"), "{name}: {found}");
        }
        let found = refused(&json!({ "name": "a", "namespace": "a.b" }));
        assert_eq!(found, "metadata.namespace: \"a.b\" is not a DNS label");
    }

    #[test]
    fn labels_and_annotations_have_qualified_keys_and_string_values() {
        let labels =
            |labels: Value| problems(&json!({ "name": "a", "labels": labels }), Scope::Cluster).len();
        assert_eq!(labels(json!({ "a/b": "c", "d": "e".repeat(63) })), 0);
        assert_eq!(labels(json!({ "a/b/c": "", "/d": "", "e/": "", "F/g": "" })), 4);
        assert_eq!(labels(json!({ "a": "b".repeat(64), "c": "d e", "f": true })), 3);

        let annotations = |annotations: Value| {
            problems(&json!({ "name": "a", "annotations": annotations }), Scope::Cluster).len()
        };
        assert_eq!(annotations(json!({ "a b": "", "c": 1, "d": "e".repeat(256 * 1024) })), 3);
    }

    #[test]
    fn other_fields_are_refused() {
        let metadata = json!({ "name": "a", "namespace": "b", "creationTimestamp": null });
        assert_eq!(refused(&metadata), "metadata.creationTimestamp: must not be emitted");
    }
}
