//! The templates of an ApplicationSet, filled with parameters: Go's templates with the sprig functions that are known here, or the older
//! form that only inserts values (argo-cd `applicationset/utils/utils.go`, `Replace`).

mod go;

pub(crate) use go::{normalized, printed};

use crate::diagnostic::Span;
use crate::input::yaml::{Node, Value};
use serde_json::Map;

/// The parameters that a generator makes.
pub(crate) type Parameters = Map<String, serde_json::Value>;

/// Why a template gives no text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unmade {
    /// Argo CD refuses it too.
    Refused(String),
    /// Argo CD's result is not known here.
    Unknown(String),
}

/// The template language of a set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Language {
    /// `goTemplate: true`
    pub(crate) is_go: bool,
    /// `goTemplateOptions: ["missingkey=error"]`
    pub(crate) is_strict: bool,
}

impl Language {
    pub(crate) fn render(self, template: &str, parameters: &Parameters) -> Result<String, Unmade> {
        match template.contains("{{") {
            false => Ok(template.to_owned()),
            true if self.is_go => go::render(template, parameters, self.is_strict),
            true => Ok(fill(template, parameters)),
        }
    }

    /// A tree with all its texts rendered, keys too. An error has the place of the text.
    pub(crate) fn render_node(
        self,
        node: &Node,
        parameters: &Parameters,
    ) -> Result<Node, (Unmade, Span)> {
        let text = |text: &str| {
            self.render(text, parameters)
                .map_err(|unmade| (unmade, node.span))
        };
        let tree = |it: &Node| self.render_node(it, parameters);
        let value = match &node.value {
            Value::Empty => Value::Empty,
            Value::Plain(plain) => Value::Plain(text(plain)?),
            Value::Quoted(quoted) => Value::Quoted(text(quoted)?),
            Value::List(items) => Value::List(items.iter().map(tree).collect::<Result<_, _>>()?),
            Value::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(key, value)| Ok((tree(key)?, tree(value)?)));
                Value::Map(entries.collect::<Result<_, _>>()?)
            }
        };
        Ok(Node {
            span: node.span,
            value,
        })
    }
}

/// Fills a template of the older form. A placeholder without a value stays as it is.
fn fill(template: &str, parameters: &Parameters) -> String {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, (tag, after))) = rest
        .split_once("{{")
        .and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
    {
        text.push_str(before);
        match parameters
            .get(tag.trim())
            .and_then(serde_json::Value::as_str)
        {
            Some(value) => text.push_str(value),
            None => text.extend(["{{", tag, "}}"]),
        }
        rest = after;
    }
    text + rest
}
