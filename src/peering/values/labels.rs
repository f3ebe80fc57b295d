//! Labels and annotations that a user adds.

use super::label_key;
use super::name::{QUALIFIED, is_qualified, is_qualified_part};
use crate::diagnostic::{Code, Rule};
use crate::document::{Decode, Decoder, entries, records, schema, text};
use crate::input::yaml::Node;
use schemars::{Schema, json_schema};
use std::collections::BTreeMap;

/// Keys and values, sorted by key.
pub(super) type Pairs = BTreeMap<String, String>;

records! {
    /// Labels and annotations to add to an object.
    #[derive(Default)]
    Metadata {
        /// Added to the object's labels.
        "labels" => labels: or_empty Labels;
        /// Added to the object's annotations.
        "annotations" => annotations: or_empty Annotations;
    }

    /// Labels and annotations to add to the Namespace of workloads.
    WorkloadMetadata {
        /// Added to the Namespace's labels; those of pod security among them.
        "labels" => labels: or_empty WorkloadLabels;
        /// Added to the Namespace's annotations.
        "annotations" => annotations: or_empty Annotations;
    }
}

impl Metadata {
    /// The bytes of its lines in an object, without escapes.
    pub(crate) fn size(&self) -> usize {
        let pairs = self.labels.0.iter().chain(&self.annotations.0);
        pairs
            .map(|(key, value)| LINE + key.len() + value.len())
            .sum()
    }
}

impl From<WorkloadMetadata> for Metadata {
    fn from(workload: WorkloadMetadata) -> Self {
        Self {
            labels: Labels(workload.labels.0),
            annotations: workload.annotations,
        }
    }
}

/// The form of a label's value.
pub(crate) const LABEL_VALUE: &str = "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$";

/// Kubernetes caps all annotations of an object at 256 KiB; this leaves room for Argo CD's.
const ANNOTATION_MAX: usize = 16 * 1024;

/// The bytes of a map's line in addition to the key and the value: indentation, quotes, and the line break.
pub(super) const LINE: usize = 16;

/// Declares a map of strings by the rules of its keys and values.
macro_rules! pairs {
    ($($(#[$doc:meta])* $name:ident: $key:expr, $value:expr, $schema:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
        pub struct $name(pub Pairs);

        impl Decode for $name {
            fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
                read_pairs(node, decoder, $key, $value).map(Self)
            }
        }

        schema!($name, _generator => $schema);
    )*};
}

pairs! {
    /// Labels that Kubernetes accepts. Liqo, Argo CD and kubectl do not go by them.
    Labels: check_free, label_value, without_reserved(&label(), None);
    /// As labels of any object, on a Namespace of workloads. The security of its pods is the user's choice.
    WorkloadLabels: check_free_of_workloads, label_value, without_reserved(&label(), Some(label_key::POD_SECURITY));
    /// Annotations that Kubernetes accepts. Liqo, Argo CD and kubectl do not go by them.
    Annotations: check_free, annotation_value, without_reserved(&annotation(), None);
    /// Labels of a Node, a Service or a selector. Liqo's own may be among them.
    NodeLabels: check_qualified, label_value, map(&label());
    /// Annotations of a Node or a Service.
    NodeAnnotations: check_qualified, annotation_value, map(&annotation());
}

/// A map of strings, each key and each value checked by its rule.
fn read_pairs(
    node: &Node,
    decoder: &mut Decoder,
    key_rule: fn(&str) -> Result<(), Rule>,
    value_rule: fn(&str) -> Result<(), Rule>,
) -> Option<Pairs> {
    let mut map = BTreeMap::new();
    let mut valid = true;
    for (key_node, value_node) in entries(node, decoder)? {
        let key = text(key_node, "a key", decoder);
        let value = text(value_node, "a string", decoder);
        let (Some(key), Some(value)) = (key, value) else {
            valid = false;
            continue;
        };
        for (rule, node) in [(key_rule(key), key_node), (value_rule(value), value_node)] {
            if let Err(rule) = rule {
                decoder.add(node, rule);
                valid = false;
            }
        }
        map.insert(key.to_owned(), value.to_owned());
    }
    valid.then_some(map)
}

fn check_free(key: &str) -> Result<(), Rule> {
    check_qualified(key)?;
    label_key::check_label_key(key)
}

fn check_free_of_workloads(key: &str) -> Result<(), Rule> {
    check_qualified(key)?;
    label_key::check_for_workloads(key)
}

pub(super) fn check_qualified(key: &str) -> Result<(), Rule> {
    if is_qualified(key) {
        return Ok(());
    }
    let help = "at most 63 letters, digits; between them `-`, `_` and `.`; `domain/` in lower case";
    Err(Rule::wrong_value(Code::InvalidLabel, key, "a label's or annotation's key").help(help))
}

pub(crate) fn label_value(value: &str) -> Result<(), Rule> {
    if value.is_empty() || is_qualified_part(value) {
        return Ok(());
    }
    let help =
        "letters, digits; between them `-`, `_` and `.`; at most 63. Annotations take any text";
    Err(Rule::wrong_value(Code::InvalidLabel, value, "a label's value").help(help))
}

fn annotation_value(value: &str) -> Result<(), Rule> {
    if value.len() <= ANNOTATION_MAX {
        return Ok(());
    }
    let size = value.len();
    let message = format!("this annotation has {size} bytes: the limit is {ANNOTATION_MAX}");
    Err(Rule::new(Code::StreamTooLarge, message).help("keep the text elsewhere, its address here"))
}

fn label() -> Schema {
    json_schema!({ "type": "string", "pattern": LABEL_VALUE })
}

fn annotation() -> Schema {
    json_schema!({ "type": "string", "maxLength": ANNOTATION_MAX })
}

fn map(values: &Schema) -> Schema {
    json_schema!({ "type": "object", "propertyNames": { "pattern": QUALIFIED }, "additionalProperties": values })
}

/// A map without the keys that no user sets; those of the domain `except` may be set.
fn without_reserved(values: &Schema, except: Option<&str>) -> Schema {
    let mut domains = Vec::new();
    for (domain, _) in label_key::TAKEN_DOMAINS {
        if Some(domain) != except {
            domains.push(domain.replace('.', r"\."));
        }
    }
    let links = label_key::LINKS.replace('.', r"\.");
    let domains = format!(r"^(?!{links}/)([-a-z0-9.]*\.)?({})/", domains.join("|"));
    let keys = label_key::TAKEN.map(|(key, _)| key);
    let [healthcheck, updates] = label_key::FREE;
    let free = [healthcheck, updates, label_key::MANAGED_BY];
    let taken = json_schema!({
        "anyOf": [{ "pattern": domains, "not": { "enum": free } }, { "enum": keys }],
    });
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": QUALIFIED, "not": taken },
        "additionalProperties": values,
    })
}
