//! Events to a tree. The lists and maps that are open are on a stack, so nothing nested is a recursion here.

use super::{Node, Value, argocd, syntax};
use crate::diagnostic::{Code, Diagnostic, Problems, Rule, Span};
use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a document may cost: far more than 64 KiB of a peering can need, far less than a bomb does.
const MAX_DEPTH: usize = 32;
const MAX_NODES: usize = 40_000;

/// What a document is, and how many values it can have.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its `kind`.
    pub kind: &'static str,
    /// The most values.
    pub values: usize,
}

/// `peering.yaml`.
pub(super) const PEERING: Format = Format { kind: "Peering", values: MAX_NODES };

/// The document's root, if there is one. What only Argo CD refuses is collected; anything else ends the reading.
pub(super) fn tree(
    text: &str,
    format: Format,
    problems: &mut Problems,
) -> Result<Option<Node>, Box<Diagnostic>> {
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder =
        Builder { text, format, problems, open: Vec::new(), root: None, nodes: 0, scalar_end: 0 };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, place) = next.map_err(|error| syntax::explain(&error, text))?;
        if event.tag().is_some() {
            return Err(syntax::tag().at(span(place.tag_span().unwrap_or(place))).into());
        }
        builder.take(event, span(place))?;
    }
    Ok(builder.root)
}

/// A parser that reads a `&str` knows the byte of each place.
fn span(place: granit_parser::Span) -> Span {
    place.byte_range().map_or_else(Span::default, |range| Span { start: range.start, end: range.end })
}

struct Builder<'t, 'p> {
    text: &'t str,
    format: Format,
    problems: &'p mut Problems,
    /// The lists and maps that are not closed yet, outermost first.
    open: Vec<Open<'t>>,
    root: Option<Node>,
    nodes: usize,
    /// Where the last scalar ended: from there to the next one is no text.
    scalar_end: usize,
}

/// A list or a map that is not closed yet.
struct Open<'t> {
    node: Node,
    in_brackets: bool,
    /// Of a map: where each key is, and the one whose value comes next.
    keys: BTreeMap<Cow<'t, str>, Span>,
    key: Option<Node>,
}

impl Open<'_> {
    fn expects_key(&self) -> bool {
        matches!(self.node.value, Value::Map(_)) && self.key.is_none()
    }
}

impl<'t> Builder<'t, '_> {
    fn take(&mut self, event: Event<'t>, span: Span) -> Result<(), Box<Diagnostic>> {
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                return Err(syntax::second_document().at(span).into());
            }
            Event::DocumentStart(..) => {
                let before = self.text.get(..span.start).unwrap_or_default();
                argocd::refuse_early_end(before, self.problems);
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) | Event::Anchor(..) => {
                return Err(syntax::alias().at(span).into());
            }
            Event::Scalar(value, style, ..) => self.scalar(value, style, span)?,
            Event::SequenceStart(style, ..) => self.open(Value::List(Vec::new()), style, span)?,
            Event::MappingStart(style, ..) => self.open(Value::Map(Vec::new()), style, span)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(closed) = self.open.pop() {
                    self.add(closed.node);
                }
            }
            Event::StreamEnd => {
                argocd::refuse_tabs(self.text, self.scalar_end..self.text.len(), self.problems);
            }
            // the beginning of the stream, the end of a document
            _ => {}
        }
        if self.nodes > self.format.values {
            let what = self.format.kind.to_lowercase();
            let message = format!("the document is larger than a {what} can be");
            return Err(Rule::new(Code::Syntax, message).at(span).into());
        }
        Ok(())
    }

    fn scalar(&mut self, value: Cow<'t, str>, style: ScalarStyle, span: Span) -> Result<(), Box<Diagnostic>> {
        argocd::refuse_tabs(self.text, self.scalar_end..span.start, self.problems);
        self.scalar_end = span.end;
        let in_brackets = self.open.last().is_some_and(|open| open.in_brackets);
        argocd::refuse_scalar(self.text, span, style, in_brackets, self.problems);
        if let Some(open) = self.open.last_mut().filter(|open| open.expects_key()) {
            if in_brackets {
                argocd::refuse_key_in_brackets(self.text, span, style, self.problems);
            }
            if let Some(first) = open.keys.insert(value.clone(), span) {
                return Err(syntax::duplicate_key(&value, first, span).into());
            }
        }
        let value = match style {
            ScalarStyle::Plain if span.start == span.end => Value::Empty,
            ScalarStyle::Plain => Value::Plain(value.into_owned()),
            _ => Value::Quoted(value.into_owned()),
        };
        self.add(Node { span, value });
        Ok(())
    }

    fn open(&mut self, value: Value, style: StructureStyle, span: Span) -> Result<(), Box<Diagnostic>> {
        if self.open.last().is_some_and(Open::expects_key) {
            return Err(syntax::no_scalar_key().at(span).into());
        }
        if self.open.len() == MAX_DEPTH {
            return Err(syntax::too_deep().at(span).into());
        }
        let in_brackets = style == StructureStyle::Flow;
        self.open.push(Open { node: Node { span, value }, in_brackets, keys: BTreeMap::new(), key: None });
        Ok(())
    }

    fn add(&mut self, node: Node) {
        self.nodes += 1;
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match (&mut open.node.value, open.key.take()) {
            (Value::Map(entries), Some(key)) => entries.push((key, node)),
            (Value::List(items), _) => items.push(node),
            _ => open.key = Some(node),
        }
    }
}
