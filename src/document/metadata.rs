//! Labels and annotations of the user's own.

use super::decode::{Decode, Located, entries, record, text};
use super::reserved;
use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::input::yaml::Node;
use crate::peering::name::{LABEL_MAX, is_qualified, is_qualified_part};
use std::collections::BTreeMap;

record! {
    #[derive(Default, serde::Serialize)]
    /// Labels and annotations to add to an object.
    Extra {
        /// Added to the object's labels.
        "labels" => labels: optional Labels,
        /// Added to the object's annotations.
        "annotations" => annotations: optional Annotations,
    }
}

record! {
    /// Labels and annotations to add to the Namespace of workloads.
    WorkloadExtra {
        /// Added to the Namespace's labels; those of pod security among them.
        "labels" => labels: optional WorkloadLabels,
        /// Added to the Namespace's annotations.
        "annotations" => annotations: optional Annotations,
    }
}

impl WorkloadExtra {
    /// The same as that of any object.
    #[must_use]
    pub fn extra(&self) -> Extra {
        Extra {
            labels: self.labels.as_ref().map(|labels| Labels(labels.0.clone())),
            annotations: self.annotations.clone(),
        }
    }
}

record! {
    #[derive(Default)]
    /// What to add to single objects of one cluster.
    ObjectExtras {
        /// The tenant Namespace.
        "tenantNamespace" => tenant_namespace: optional Located<Extra>,
        /// The `GatewayServer` or `GatewayClient`.
        "gateway" => gateway: optional Located<Extra>,
        /// The Configuration.
        "configuration" => configuration: optional Located<Extra>,
        /// The Secret with the gateway's keys.
        "keySecret" => key_secret: optional Located<Extra>,
        /// The `PublicKey`; until Liqo 1.2 a change of these interrupts the tunnel.
        "publicKey" => public_key: optional Located<Extra>,
        /// The Tenant.
        "tenant" => tenant: optional Located<Extra>,
        /// The `RoleBinding`.
        "roleBinding" => role_binding: optional Located<Extra>,
        /// The `ServiceAccount` and its token Secret.
        "serviceAccount" => service_account: optional Located<Extra>,
        /// The Secret or Identity with the credential.
        "identity" => identity: optional Located<Extra>,
    }
}

/// Labels that Kubernetes takes and that nobody else needs.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Labels(pub BTreeMap<String, String>);

/// The same for a Namespace of workloads, whose pods' security is the user's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadLabels(pub BTreeMap<String, String>);

/// Annotations that Kubernetes takes and that nobody else needs.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Annotations(pub BTreeMap<String, String>);

/// Labels of a Node or of a selector: Liqo's own may be among them.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct NodeLabels(pub BTreeMap<String, String>);

/// Annotations of a Node.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct NodeAnnotations(pub BTreeMap<String, String>);

/// Kubernetes caps all annotations of an object at 256 KiB; this leaves room for Argo CD's.
const ANNOTATION_MAX: usize = 16 * 1024;

impl Decode for Labels {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        map(node, problems, own, label_value).map(Self)
    }
}

impl Decode for WorkloadLabels {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        map(node, problems, own_of_workloads, label_value).map(Self)
    }
}

impl Decode for Annotations {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        map(node, problems, own, annotation_value).map(Self)
    }
}

impl Decode for NodeLabels {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        map(node, problems, qualified, label_value).map(Self)
    }
}

impl Decode for NodeAnnotations {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        map(node, problems, qualified, annotation_value).map(Self)
    }
}

/// A map of strings, each key and each value by its rule.
fn map(
    node: &Node,
    problems: &mut Problems,
    key_rule: impl Fn(&str) -> Result<(), Rule>,
    value_rule: impl Fn(&str) -> Result<(), Rule>,
) -> Option<BTreeMap<String, String>> {
    let entries = entries(node, problems)?;
    let mut map = BTreeMap::new();
    let mut good = true;
    for (key_node, value_node) in entries {
        let key = text(key_node, "a key", problems);
        let value = text(value_node, "a string", problems);
        let (Some(key), Some(value)) = (key, value) else {
            good = false;
            continue;
        };
        for (rule, span) in [(key_rule(key), key_node.span), (value_rule(value), value_node.span)] {
            if let Err(rule) = rule {
                problems.push(rule.at(span));
                good = false;
            }
        }
        map.insert(key.to_owned(), value.to_owned());
    }
    good.then_some(map)
}

/// A key of the user's own.
fn own(key: &str) -> Result<(), Rule> {
    qualified(key)?;
    reserved::free(key)
}

/// The same on a Namespace of workloads.
fn own_of_workloads(key: &str) -> Result<(), Rule> {
    qualified(key)?;
    reserved::free_for_workloads(key)
}

pub(super) fn qualified(key: &str) -> Result<(), Rule> {
    if is_qualified(key) {
        return Ok(());
    }
    Err(Rule::new(Code::InvalidLabel, format!("{} is not a key of a label or an annotation", quoted(key)))
        .help("letters, digits, `-`, `_` and `.`, 63 characters at most, after a domain and `/` if you like"))
}

pub(super) fn label_value(value: &str) -> Result<(), Rule> {
    if value.is_empty() || is_qualified_part(value) {
        return Ok(());
    }
    Err(Rule::new(Code::InvalidLabel, format!("{} is not a label's value", quoted(value))).help(format!(
        "letters, digits, `-`, `_` and `.`, {LABEL_MAX} characters at most; an annotation takes any text"
    )))
}

fn annotation_value(value: &str) -> Result<(), Rule> {
    if value.len() <= ANNOTATION_MAX {
        return Ok(());
    }
    let message = format!("this annotation has {} bytes, and {ANNOTATION_MAX} are the most", value.len());
    Err(Rule::new(Code::MetadataTooLarge, message).help("keep the text elsewhere, and its address here"))
}

/// A text of Kubernetes' that has no form: not empty, not large, on one line.
pub(super) fn plain_text(text: &str) -> Result<(), Rule> {
    const MAX: usize = 1024;
    let wrong = |why: &str| Err(Rule::new(Code::InvalidText, format!("{} {why}", quoted(text))));
    match text {
        "" => Err(Rule::new(Code::InvalidText, "this text is empty")),
        _ if text.len() > MAX => wrong(&format!("is too long: {MAX} bytes are the most")),
        _ if text.chars().any(char::is_control) => wrong("has control characters in it"),
        _ => Ok(()),
    }
}
