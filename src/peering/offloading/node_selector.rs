//! Kubernetes' node selectors, by its own rules (`k8s.io/kubernetes/pkg/apis/core/validation`,
//! ValidateNodeSelectorRequirement, ValidateNodeFieldSelectorRequirement).

use crate::diagnostic::{Code, Rule, quoted};
use crate::document::{Decode, Decoder, Field, Fields, Located, described, record, schema, words};
use crate::input::yaml::Node;
use crate::peering::values::labels::{LABEL_VALUE, label_value};
use crate::peering::values::name::{ObjectName, QUALIFIED, SUBDOMAIN};
use crate::peering::values::text::{QualifiedName, Text};
use schemars::{Schema, json_schema};
use serde::Serialize;

record! {
    /// Nodes: those of any of the terms.
    #[derive(serde::Serialize)]
    NodeSelector {
        /// At least one.
        "nodeSelectorTerms" => terms: required Terms;
    }
}

/// At least one term: none would mean every node to one reader and no node to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Terms(Vec<NodeSelectorTerm>);

impl Terms {
    /// The terms.
    #[must_use]
    pub fn as_slice(&self) -> &[NodeSelectorTerm] {
        &self.0
    }
}

impl Decode for Terms {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let terms: Vec<NodeSelectorTerm> = Decode::decode(node, decoder)?;
        if terms.is_empty() {
            let rule =
                Rule::new(Code::Selector, "a selector without terms does not say which nodes it selects");
            decoder.refuse(node, rule.help("add a term, or set `clusters: all`"));
            return None;
        }
        Some(Self(terms))
    }
}

schema!(Terms, generator => json_schema!({
    "type": "array", "minItems": 1, "items": generator.subschema_for::<NodeSelectorTerm>(),
}));

/// Nodes for which all expressions hold; at least one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeSelectorTerm {
    match_expressions: Vec<Expression>,
    match_fields: Vec<Expression>,
}

static EXPRESSIONS: Field = Field::new("matchExpressions");
static FIELDS: Field = Field::new("matchFields");

impl NodeSelectorTerm {
    /// Nodes with this value of a label.
    pub(super) fn label_is(key: &str, value: &str) -> Self {
        let expression =
            Expression { key: key.to_owned(), operator: Operator::In, values: vec![value.to_owned()] };
        Self { match_expressions: vec![expression], match_fields: Vec::new() }
    }
}

impl Decode for NodeSelectorTerm {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let mut fields = Fields::among(&[EXPRESSIONS.name, FIELDS.name], node, decoder)?;
        let expressions: Option<Vec<LabelExpression>> = fields.optional(&EXPRESSIONS, decoder);
        let match_fields: Option<Vec<FieldExpression>> = fields.optional(&FIELDS, decoder);
        fields.finish(decoder)?;
        let term = Self {
            match_expressions: expressions.unwrap_or_default().into_iter().map(|it| it.0).collect(),
            match_fields: match_fields.unwrap_or_default().into_iter().map(|it| it.0).collect(),
        };
        if term.match_expressions.is_empty() && term.match_fields.is_empty() {
            let example = "for example `matchExpressions: [{ key: liqo.io/remote-cluster-id, operator: In, values: [milan] }]`";
            let rule = Rule::new(Code::Selector, "a term without expressions matches no node");
            decoder.refuse(node, rule.help(example));
            return None;
        }
        Some(term)
    }
}

schema!(NodeSelectorTerm, generator => json_schema!({
    "type": "object",
    "properties": {
        "matchExpressions": described(generator.subschema_for::<Vec<LabelExpression>>(), "Of the Node's labels."),
        "matchFields": described(generator.subschema_for::<Vec<FieldExpression>>(), "Of the Node's fields."),
    },
    "additionalProperties": false,
    "minProperties": 1,
}));

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

/// A condition on one label or field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Expression {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

record! {
    /// A condition as it is written.
    Requirement {
        /// The label or field.
        "key" => key: required Located<QualifiedName>;
        /// Kubernetes' word.
        "operator" => operator: required Operator;
        /// As many as the operator takes.
        "values" => values: or_empty Vec<Located<Text>>;
    }
}

/// A condition on a label.
struct LabelExpression(Expression);

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
            decoder.refuse(node, rule.help(help));
            return None;
        }
        requirement.checked(label_value, decoder).map(Self)
    }
}

schema!(LabelExpression, _generator => {
    let value = json_schema!({ "type": "string", "minLength": 1, "pattern": LABEL_VALUE });
    let key = json_schema!({ "type": "string", "pattern": QUALIFIED, "minLength": 1, "maxLength": 317 });
    requirement(key, Operator::WORDS, json_schema!({ "type": "array", "items": value }))
});

/// A condition on a Node's field. Kubernetes knows one.
struct FieldExpression(Expression);

const NAME_FIELD: &str = "metadata.name";

impl Decode for FieldExpression {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let requirement = Requirement::decode(node, decoder)?;
        let key = &requirement.key;
        if key.as_str() != NAME_FIELD {
            let message = format!("Kubernetes cannot select a Node by its field {}", quoted(key.as_str()));
            let help = format!("the only field is `{NAME_FIELD}`; labels belong in `matchExpressions`");
            decoder.push(Rule::new(Code::Selector, message).help(help).at(key.span));
            return None;
        }
        if !matches!((requirement.operator, requirement.values.len()), (Operator::In | Operator::NotIn, 1)) {
            let rule = Rule::new(Code::Selector, "a field takes `In` or `NotIn`, and one of `values`");
            decoder.refuse(node, rule.help("write one term for each Node"));
            return None;
        }
        requirement.checked(|text| text.parse::<ObjectName>().map(|_| ()), decoder).map(Self)
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
        "type": "object",
        "properties": {
            "key": described(key, "The label or field."),
            "operator": described(operator, "Kubernetes' word."),
            "values": described(values, "As many as the operator takes."),
        },
        "required": ["key", "operator"],
        "additionalProperties": false,
    })
}

impl Requirement {
    /// The expression, if each of its values is valid.
    fn checked(self, rule: impl Fn(&str) -> Result<(), Rule>, decoder: &mut Decoder) -> Option<Expression> {
        let before = decoder.count();
        for value in &self.values {
            if let Err(rule) = rule(value.as_str()) {
                decoder.push(rule.at(value.span));
            }
        }
        (decoder.count() == before).then(|| Expression {
            key: self.key.to_string(),
            operator: self.operator,
            values: self.values.iter().map(|value| value.to_string()).collect(),
        })
    }
}
