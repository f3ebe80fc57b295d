//! Kubernetes' node selectors, by its own rules (`k8s.io/kubernetes/pkg/apis/core/validation`,
//! ValidateNodeSelectorRequirement, ValidateNodeFieldSelectorRequirement).

use crate::diagnostic::{Code, Rule, quoted};
use crate::document::{records, words};
use crate::peering::values::{LabelValue, ObjectName, QualifiedName};
use std::collections::BTreeMap;

records! {
    /// Nodes: those of any of the terms.
    NodeSelector checked has_terms {
        /// The terms, of which one must hold.
        "nodeSelectorTerms" => terms: required Vec<NodeSelectorTerm>, schema { "minItems": 1 };
    }

    /// Nodes for which all expressions hold.
    NodeSelectorTerm checked has_expressions schema { "minProperties": 1 } {
        /// Conditions on the Node's labels.
        "matchExpressions" => expressions: or_empty Vec<LabelExpression>;
        /// Conditions on the Node's fields.
        "matchFields" => fields: or_empty Vec<FieldExpression>;
    }

    /// A condition on one label.
    LabelExpression checked takes_its_values {
        /// The label.
        "key" => key: required QualifiedName;
        /// How it is compared.
        "operator" => operator: required Operator;
        /// What it is compared with: as many as the operator takes.
        "values" => values: or_empty Vec<LabelValue>;
    }

    /// A condition on a Node's field. Kubernetes has only one such field.
    FieldExpression checked is_of_one_name {
        /// The field.
        "key" => key: required QualifiedName, schema { "enum": [NAME_FIELD] };
        /// How it is compared.
        "operator" => operator: required Operator, schema { "enum": ["In", "NotIn"] };
        /// The Node's name.
        "values" => values: or_empty Vec<ObjectName>, schema { "minItems": 1, "maxItems": 1 };
    }
}

const NAME_FIELD: &str = "metadata.name";

impl NodeSelector {
    /// Whether it selects a Node (`k8s.io/component-helpers/scheduling/corev1/nodeaffinity`).
    pub fn selects(&self, node: &str, labels: &BTreeMap<&str, &str>) -> bool {
        self.terms.iter().any(|term| term.holds(node, labels))
    }
}

impl NodeSelectorTerm {
    /// Whether it holds for a Node of this name with these labels.
    fn holds(&self, node: &str, labels: &BTreeMap<&str, &str>) -> bool {
        let mut expressions = self.expressions.iter();
        expressions.all(|it| it.holds(labels.get(it.key.as_str()).copied()))
            && self.fields.iter().all(|it| it.holds(node))
    }
}

impl FieldExpression {
    /// Whether it holds for a Node of this name.
    fn holds(&self, node: &str) -> bool {
        let is_listed = self.values.iter().any(|it| it.as_str() == node);
        is_listed == (self.operator == Operator::In)
    }
}

impl LabelExpression {
    /// Whether it holds for a Node whose label has this value.
    fn holds(&self, value: Option<&str>) -> bool {
        let is_listed = self.values.iter().any(|it| Some(it.as_str()) == value);
        let limit = self.values.first().map(LabelValue::as_str);
        let numbers = value.and_then(integer).zip(limit.and_then(integer));
        match self.operator {
            Operator::In => is_listed,
            Operator::NotIn => !is_listed,
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::Gt => matches!(numbers, Some((value, limit)) if value > limit),
            Operator::Lt => matches!(numbers, Some((value, limit)) if value < limit),
        }
    }
}

fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

words! {
    /// How an expression compares.
    Operator {
        /// The value is one of these.
        In = "In",
        /// The value is none of these.
        NotIn = "NotIn",
        /// There is a value.
        Exists = "Exists",
        /// There is no value.
        DoesNotExist = "DoesNotExist",
        /// The value is an integer above this one.
        Gt = "Gt",
        /// The value is an integer below this one.
        Lt = "Lt",
    }
}

/// An empty list means every node to one reader, and no node to another.
fn has_terms(selector: &NodeSelector) -> Result<(), Rule> {
    if selector.terms.is_empty() {
        let message = "a selector needs a term";
        let rule = Rule::new(Code::Selector, message);
        return Err(rule.help("add a term, or set `clusters: all`"));
    }
    Ok(())
}

fn has_expressions(term: &NodeSelectorTerm) -> Result<(), Rule> {
    if term.expressions.is_empty() && term.fields.is_empty() {
        let example = "for example `matchExpressions: [{ key: liqo.io/remote-cluster-id, operator: In, values: [milan] }]`";
        let rule = Rule::new(Code::Selector, "a term without expressions matches no node");
        return Err(rule.help(example));
    }
    Ok(())
}

fn takes_its_values(expression: &LabelExpression) -> Result<(), Rule> {
    let (operator, values) = (expression.operator, expression.values.as_slice());
    let is_integer = matches!(values, [one] if integer(one.as_str()).is_some());
    let (takes, help) = match operator {
        Operator::In | Operator::NotIn if values.is_empty() => {
            ("at least one of `values`", "for example `values: [milan]`")
        }
        Operator::Exists | Operator::DoesNotExist if !values.is_empty() => {
            ("no `values`", "remove them, or set `operator: In`")
        }
        Operator::Gt | Operator::Lt if !is_integer => {
            ("one integer, in quotes", "for example `values: [\"4\"]`")
        }
        _ => return Ok(()),
    };
    Err(Rule::new(Code::Selector, format!("`{operator}` takes {takes}")).help(help))
}

fn is_of_one_name(expression: &FieldExpression) -> Result<(), Rule> {
    let key = expression.key.as_str();
    if key != NAME_FIELD {
        let message = format!("Kubernetes selects no Node by its field {}", quoted(key));
        let help = format!("use `{NAME_FIELD}`, or a label in `matchExpressions`");
        return Err(Rule::new(Code::Selector, message).help(help));
    }
    let has_operator = matches!(expression.operator, Operator::In | Operator::NotIn);
    if !has_operator || expression.values.len() != 1 {
        let message = "a field takes `In` or `NotIn`, and one of `values`";
        let rule = Rule::new(Code::Selector, message);
        return Err(rule.help("write one term for each Node"));
    }
    Ok(())
}
