//! Kubernetes' node selectors, by its own rules (`k8s.io/kubernetes/pkg/apis/core/validation`,
//! ValidateNodeSelectorRequirement, ValidateNodeFieldSelectorRequirement).

use crate::diagnostic::{Code, Rule, quoted};
use crate::document::{Decode, Decoder, Located, described, extended, records, schema, words};
use crate::input::yaml::Node;
use crate::peering::values::{
    LABEL_VALUE, ObjectName, QUALIFIED, QualifiedName, SUBDOMAIN, Text, label_value,
};
use schemars::{Schema, json_schema};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

records! {
    /// Nodes: those of any of the terms.
    NodeSelector {
        /// The terms, of which one must hold.
        "nodeSelectorTerms" => terms: required Terms;
    }

    /// Nodes for which all expressions hold.
    Term {
        /// Conditions on the Node's labels.
        "matchExpressions" => expressions: or_empty Vec<LabelExpression>;
        /// Conditions on the Node's fields.
        "matchFields" => fields: or_empty Vec<FieldExpression>;
    }

    /// A condition on one label or field.
    Requirement {
        /// The label or field.
        "key" => key: required Located<QualifiedName>;
        /// How it is compared.
        "operator" => operator: required Operator;
        /// What it is compared with: as many as the operator takes.
        "values" => values: or_empty Vec<Located<Text>>;
    }
}

impl NodeSelector {
    /// Whether it selects a Node (`k8s.io/component-helpers/scheduling/corev1/nodeaffinity`).
    pub fn selects(&self, node: &str, labels: &BTreeMap<&str, &str>) -> bool {
        self.terms.0.iter().any(|NodeSelectorTerm(term)| {
            term.expressions
                .iter()
                .all(|it| it.holds(labels.get(it.0.key.as_str()).copied()))
                && term.fields.iter().all(|it| it.holds(node))
        })
    }
}

impl FieldExpression {
    /// Whether it holds for a Node of this name.
    fn holds(&self, node: &str) -> bool {
        let Self(it) = self;
        it.values.iter().any(|one| one.as_str() == node) == (it.operator == Operator::In)
    }
}

impl LabelExpression {
    /// Whether it holds for a Node whose label has this value.
    fn holds(&self, value: Option<&str>) -> bool {
        let Self(it) = self;
        let is_listed = it.values.iter().any(|one| Some(one.as_str()) == value);
        let [value_number, limit] = [value, it.values.first().map(|one| one.as_str())]
            .map(|text| text.and_then(|text| text.parse::<i64>().ok()));
        let numbers = value_number.zip(limit);
        match it.operator {
            Operator::In => is_listed,
            Operator::NotIn => !is_listed,
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::Gt => numbers.is_some_and(|(value, limit)| value > limit),
            Operator::Lt => numbers.is_some_and(|(value, limit)| value < limit),
        }
    }
}

/// The terms, at least one: an empty list means every node to one reader, and no node to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Terms(Vec<NodeSelectorTerm>);

impl Decode for Terms {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let terms: Vec<NodeSelectorTerm> = Decode::decode(node, decoder)?;
        if terms.is_empty() {
            let rule = Rule::new(
                Code::Selector,
                "a selector without terms does not say which nodes it selects",
            );
            return decoder.refused(node, rule.help("add a term, or set `clusters: all`"));
        }
        Some(Self(terms))
    }
}

schema!(Terms, generator => json_schema!({
    "type": "array", "minItems": 1, "items": generator.subschema_for::<NodeSelectorTerm>(),
}));

/// Nodes for which all expressions hold; at least one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NodeSelectorTerm(Term);

impl Decode for NodeSelectorTerm {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let term = Term::decode(node, decoder)?;
        if term.expressions.is_empty() && term.fields.is_empty() {
            let example = "for example `matchExpressions: [{ key: liqo.io/remote-cluster-id, operator: In, values: [milan] }]`";
            let rule = Rule::new(Code::Selector, "a term without expressions matches no node");
            return decoder.refused(node, rule.help(example));
        }
        Some(Self(term))
    }
}

schema!(NodeSelectorTerm, generator => extended(generator.subschema_for::<Term>(), json!({ "minProperties": 1 })));

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

/// A condition on a label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelExpression(Requirement);

impl Decode for LabelExpression {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let requirement = Requirement::decode(node, decoder)?;
        let (operator, values) = (requirement.operator, &requirement.values);
        let takes = match operator {
            Operator::In | Operator::NotIn if values.is_empty() => {
                Some(("at least one of `values`", "for example `values: [milan]`"))
            }
            Operator::Exists | Operator::DoesNotExist if !values.is_empty() => {
                Some(("no `values`", "remove them, or set `operator: In`"))
            }
            Operator::Gt | Operator::Lt if !matches!(values.as_slice(), [one] if one.as_str().parse::<i64>().is_ok()) => {
                Some(("one integer, in quotes", "for example `values: [\"4\"]`"))
            }
            _ => None,
        };
        if let Some((takes, help)) = takes {
            let rule = Rule::new(Code::Selector, format!("`{operator}` takes {takes}"));
            return decoder.refused(node, rule.help(help));
        }
        requirement
            .with_valid_values(label_value, decoder)
            .map(Self)
    }
}

schema!(LabelExpression, _generator => {
    let value = json_schema!({ "type": "string", "minLength": 1, "pattern": LABEL_VALUE });
    let key = json_schema!({ "type": "string", "pattern": QUALIFIED, "minLength": 1, "maxLength": 317 });
    requirement(key, Operator::WORDS, json_schema!({ "type": "array", "items": value }))
});

/// A condition on a Node's field. Kubernetes has only one such field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldExpression(Requirement);

const NAME_FIELD: &str = "metadata.name";

impl Decode for FieldExpression {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let requirement = Requirement::decode(node, decoder)?;
        let key = &requirement.key;
        if key.as_str() != NAME_FIELD {
            let message = format!(
                "Kubernetes cannot select a Node by its field {}",
                quoted(key.as_str())
            );
            let help =
                format!("the only field is `{NAME_FIELD}`; labels belong in `matchExpressions`");
            decoder
                .problems
                .push(Rule::new(Code::Selector, message).help(help).mark(key.span));
            return None;
        }
        if !matches!(
            (requirement.operator, requirement.values.len()),
            (Operator::In | Operator::NotIn, 1)
        ) {
            let rule = Rule::new(
                Code::Selector,
                "a field takes `In` or `NotIn`, and one of `values`",
            );
            return decoder.refused(node, rule.help("write one term for each Node"));
        }
        requirement
            .with_valid_values(|text| text.parse::<ObjectName>().map(|_| ()), decoder)
            .map(Self)
    }
}

schema!(FieldExpression, _generator => {
    let node = json_schema!({ "type": "string", "pattern": SUBDOMAIN, "minLength": 1, "maxLength": 253 });
    let one = json_schema!({ "type": "array", "items": node, "minItems": 1, "maxItems": 1 });
    requirement(json_schema!({ "type": "string", "enum": [NAME_FIELD] }), &["In", "NotIn"], one)
});

fn requirement(key: Schema, operators: &[&str], values: Schema) -> Schema {
    let operator = json_schema!({ "type": "string", "enum": operators });
    json_schema!({
        "description": "A condition on one label or field.",
        "type": "object",
        "properties": {
            "key": described(key, "The label or field."),
            "operator": described(operator, "How it is compared."),
            "values": described(values, "What it is compared with: as many as the operator takes."),
        },
        "required": ["key", "operator"],
        "additionalProperties": false,
    })
}

impl Requirement {
    /// The requirement, if each of its values is valid.
    fn with_valid_values(
        self,
        rule: impl Fn(&str) -> Result<(), Rule>,
        decoder: &mut Decoder,
    ) -> Option<Self> {
        let mut valid = true;
        for value in &self.values {
            if let Err(rule) = rule(value.as_str()) {
                decoder.problems.push(rule.mark(value.span));
                valid = false;
            }
        }
        valid.then_some(self)
    }
}
