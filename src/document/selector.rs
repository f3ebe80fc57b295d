//! Kubernetes' node selectors.

use super::decode::{Decode, Fields, Located, record, word};
use super::metadata::label_value;
use super::scalar::{QualifiedName, Text};
use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::input::yaml::Node;
use crate::peering::name::ObjectName;

record! {
    #[derive(serde::Serialize)]
    /// Nodes: those of any of the terms.
    NodeSelector {
        /// At least one.
        "nodeSelectorTerms" => terms: required Terms,
    }
}

/// At least one term: none would mean every node to one reader and no node to another.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Terms(pub Vec<NodeSelectorTerm>);

impl Decode for Terms {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let terms: Vec<NodeSelectorTerm> = Decode::decode(node, problems)?;
        if terms.is_empty() {
            problems.push(
                Rule::new(Code::Selector, "a selector without terms does not say which nodes it means")
                    .help("add a term, or say `clusters: all`")
                    .at(node.span),
            );
            return None;
        }
        Some(Self(terms))
    }
}

/// Nodes for which all expressions hold; at least one.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NodeSelectorTerm {
    /// Of the Node's labels.
    pub expressions: Vec<Expression>,
    /// Of the Node's fields.
    pub fields: Vec<Expression>,
}

impl Decode for NodeSelectorTerm {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::of(node, problems)?;
        let expressions: Option<Vec<Expression>> = fields.optional("matchExpressions", problems);
        let match_fields: Option<Vec<FieldExpression>> = fields.optional("matchFields", problems);
        fields.finish(problems)?;
        let term = Self {
            expressions: expressions.unwrap_or_default(),
            fields: match_fields.unwrap_or_default().into_iter().map(|field| field.0).collect(),
        };
        if term.expressions.is_empty() && term.fields.is_empty() {
            problems.push(
                Rule::new(Code::Selector, "a term without expressions matches no node")
                    .help("for example `matchExpressions: [{ key: liqo.io/remote-cluster-id, operator: In, values: [milan] }]`")
                    .at(node.span),
            );
            return None;
        }
        Some(term)
    }
}

/// A condition on one label or field.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Expression {
    /// The label or field.
    pub key: QualifiedName,
    /// Kubernetes' word.
    pub operator: &'static str,
    /// As many as the operator takes.
    pub values: Vec<Text>,
}

const OPERATORS: [&str; 6] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

/// The rules are those of `k8s.io/kubernetes/pkg/apis/core/validation`, `ValidateNodeSelectorRequirement`.
impl Decode for Expression {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (key, operator, values) = requirement(node, problems)?;
        let takes = match operator {
            "In" | "NotIn" if values.is_empty() => {
                Some(("at least one of `values`", "for example `values: [milan]`"))
            }
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                Some(("no `values`", "remove them, or say `operator: In`"))
            }
            "Gt" | "Lt" if !matches!(values.as_slice(), [one] if one.value.0.parse::<i64>().is_ok()) => {
                Some(("one integer, in quotes", "for example `values: [\"4\"]`"))
            }
            _ => None,
        };
        if let Some((takes, help)) = takes {
            let rule = Rule::new(Code::Selector, format!("`{operator}` takes {takes}")).help(help);
            problems.push(rule.at(node.span));
            return None;
        }
        expression(key.value, operator, values, label_value, problems)
    }
}

/// A condition on a Node's field. Kubernetes knows one (`ValidateNodeFieldSelectorRequirement`, same file).
struct FieldExpression(Expression);

impl Decode for FieldExpression {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        const FIELD: &str = "metadata.name";
        let (key, operator, values) = requirement(node, problems)?;
        if key.value.0 != FIELD {
            let message = format!("Kubernetes selects no Node by its field {}", quoted(&key.value.0));
            let help = format!("its only field here is `{FIELD}`; labels stand in `matchExpressions`");
            problems.push(Rule::new(Code::Selector, message).help(help).at(key.span));
            return None;
        }
        if !matches!((operator, values.len()), ("In" | "NotIn", 1)) {
            let message = "a field takes `In` or `NotIn`, and one of `values`";
            let help = "write one term for each Node";
            problems.push(Rule::new(Code::Selector, message).help(help).at(node.span));
            return None;
        }
        let name = |text: &str| text.parse::<ObjectName>().map(|_| ());
        expression(key.value, operator, values, name, problems).map(Self)
    }
}

type Requirement = (Located<QualifiedName>, &'static str, Vec<Located<Text>>);

fn requirement(node: &Node, problems: &mut Problems) -> Option<Requirement> {
    let mut fields = Fields::of(node, problems)?;
    let key = fields.required("key", problems);
    let operator: Option<Operator> = fields.required("operator", problems);
    let values: Option<Vec<Located<Text>>> = fields.optional("values", problems);
    fields.finish(problems)?;
    Some((key?, operator?.0, values.unwrap_or_default()))
}

/// The expression, if each of its values keeps a rule.
fn expression(
    key: QualifiedName,
    operator: &'static str,
    values: Vec<Located<Text>>,
    rule: impl Fn(&str) -> Result<(), Rule>,
    problems: &mut Problems,
) -> Option<Expression> {
    let broken: Vec<_> =
        values.iter().filter_map(|value| Some(rule(&value.value.0).err()?.at(value.span))).collect();
    let good = broken.is_empty();
    for diagnostic in broken {
        problems.push(diagnostic);
    }
    good.then(|| Expression { key, operator, values: values.into_iter().map(|value| value.value).collect() })
}

struct Operator(&'static str);

impl Decode for Operator {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let index = word(node, &OPERATORS, problems)?.value;
        OPERATORS.get(index).copied().map(Self)
    }
}
