//! Events to a tree. The lists and maps that are open are on a stack, so nothing nested is a recursion here.

use super::{Node, Value, argocd_reader, syntax};
use crate::diagnostic::{Code, Diagnostic, Problems, Rule, Span, quoted};
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StructureStyle};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a document may cost: far more than 64 KiB of a peering can need, far less than a bomb does.
const MAX_DEPTH: usize = 32;
const MAX_NODES: usize = 40_000;

/// The document's root; none if the document is empty. What only Argo CD refuses is added to `problems`; anything else
/// ends the reading.
pub(super) fn tree(text: &str, problems: &mut Problems) -> Result<Option<Node>, Box<Diagnostic>> {
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = Builder {
        text,
        problems,
        open: Vec::new(),
        root: None,
        nodes: 0,
        scalar_end: 0,
    };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, place) = next.map_err(|error| explain(&error, text))?;
        if event.tag().is_some() {
            let rule = syntax(
                "tags such as `!name` have no meaning here",
                "remove the tag",
            );
            return Err(rule.mark(span(place.tag_span().unwrap_or(place))).into());
        }
        builder.take(event, span(place))?;
    }
    Ok(builder.root)
}

/// The parser reads a `&str`, so it knows the byte of each place.
fn span(place: granit_parser::Span) -> Span {
    let range = place.byte_range().unwrap_or_default();
    Span::new(range.start, range.end)
}

struct Builder<'t, 'p> {
    text: &'t str,
    problems: &'p mut Problems,
    /// The lists and maps that are not closed yet, outermost first.
    open: Vec<Open<'t>>,
    root: Option<Node>,
    nodes: usize,
    /// Where the last scalar ended. Only layout and comments are between it and the next scalar.
    scalar_end: usize,
}

/// A list or a map that is not closed yet.
struct Open<'t> {
    node: Node,
    in_brackets: bool,
    /// Of a map: the place of each key, and the key whose value comes next.
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
                let help = "give each peering its own folder";
                let rule = syntax("the file has more than one document", help);
                return Err(rule.mark(span).into());
            }
            Event::DocumentStart(..) => {
                let before = self.text.get(..span.start).unwrap_or_default();
                argocd_reader::refuse_early_end(before, self.problems);
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) | Event::Anchor(..) => {
                let help = "write the value in each place";
                let rule = syntax("anchors and aliases are not taken", help);
                return Err(rule.mark(span).into());
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
                let rest = self.scalar_end..self.text.len();
                argocd_reader::refuse_tabs(self.text, rest, self.problems);
            }
            // the beginning of the stream, the end of a document
            _ => {}
        }
        if self.nodes > MAX_NODES {
            let message = "the document is larger than a peering can be";
            return Err(Rule::new(Code::Syntax, message).mark(span).into());
        }
        Ok(())
    }

    fn scalar(
        &mut self,
        value: Cow<'t, str>,
        style: ScalarStyle,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        argocd_reader::refuse_tabs(self.text, self.scalar_end..span.start, self.problems);
        self.scalar_end = span.end;
        let mut open = self.open.last_mut();
        let in_brackets = matches!(&open, Some(open) if open.in_brackets);
        argocd_reader::refuse_scalar(self.text, span, style, in_brackets, self.problems);
        if let Some(open) = &mut open
            && open.expects_key()
        {
            if in_brackets {
                argocd_reader::refuse_key_in_brackets(self.text, span, style, self.problems);
            }
            if let Some(first) = open.keys.insert(value.clone(), span) {
                return Err(duplicate_key(&value, first, span).into());
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

    fn open(
        &mut self,
        value: Value,
        style: StructureStyle,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        if self.open.last().is_some_and(Open::expects_key) {
            let help = "quote a text that begins with `{` or `[`; templates are not filled in";
            let rule = syntax("not YAML: a list or a map cannot be a key", help);
            return Err(rule.mark(span).into());
        }
        if self.open.len() == MAX_DEPTH {
            return Err(too_deep().mark(span).into());
        }
        let in_brackets = style == StructureStyle::Flow;
        let node = Node { span, value };
        self.open.push(Open {
            node,
            in_brackets,
            keys: BTreeMap::new(),
            key: None,
        });
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

/// The parser's error as a diagnostic. The parser's own words are used where this program has none that are better:
/// they never quote a scalar.
fn explain(error: &ScanError, text: &str) -> Diagnostic {
    let start = error.marker().byte_offset().unwrap_or_default();
    let start = start.min(text.trim_end().len());
    let (before, rest) = text.split_at_checked(start).unwrap_or((text, ""));
    let end = start + rest.chars().next().map_or(0, char::len_utf8);
    if let Some(marker) = conflict_marker(text) {
        let help = "keep one version, and remove Git's markers";
        return syntax("a conflict marker of Git", help).mark(marker);
    }
    let rule = match error.kind() {
        ErrorKind::RecursionLimitExceeded => too_deep(),
        ErrorKind::DirectiveDisallowed => {
            let line = rest.lines().next().unwrap_or_default();
            let message = "directives such as `%YAML` have no meaning here";
            let span = Span::new(start, start + line.trim_end().len());
            return syntax(message, "remove the line").mark(span);
        }
        ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate => argocd_reader::surrogate(),
        ErrorKind::UnexpectedCharacter { character } if character.is_ascii_punctuation() => {
            not_yaml(
                error,
                &format!("quote a text that begins with `{character}`"),
            )
        }
        ErrorKind::UnexpectedCharacter { .. } => {
            not_yaml(error, "remove the character: it cannot be seen")
        }
        kind => {
            if let Some(tab) = tab_at(kind, start, text) {
                return tab;
            }
            let line = before.rsplit('\n').next().unwrap_or_default();
            not_yaml(
                error,
                if *kind == ErrorKind::MappingValueNotAllowed && line.contains(": ") {
                    "quote a text that has `: ` in it"
                } else if text.contains('\u{a0}') {
                    "replace the no-break spaces (U+00A0) with spaces"
                } else {
                    "check this line and the one above: indentation, quotes, brackets"
                },
            )
        }
    };
    rule.mark(Span { start, end })
}

fn not_yaml(error: &ScanError, help: &str) -> Rule {
    syntax(format!("not YAML: {}", error.kind()), help)
}

/// The first line that Git writes around a conflict (git `xdiff/xmerge.c`, seven characters).
fn conflict_marker(text: &str) -> Option<Span> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<< ")
            || line.starts_with(">>>>>>> ")
            || line.trim_end() == "======="
        {
            return Some(Span::new(start, start + line.trim_end().len()));
        }
        start += line.len();
    }
    None
}

/// Where the line begins that has this byte.
pub(super) fn line_start(text: &str, at: usize) -> Option<usize> {
    Some(at - text.get(..at)?.rsplit('\n').next()?.len())
}

/// The tab of a line's indentation, if the parser reports it or stopped because of it.
fn tab_at(kind: &ErrorKind, start: usize, text: &str) -> Option<Diagnostic> {
    let line = line_start(text, start)?;
    let rest = text.get(line..)?;
    let searched = match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => rest,
        _ => rest.get(..rest.len() - rest.trim_start_matches([' ', '\t']).len())?,
    };
    Some(argocd_reader::tab(line + searched.find('\t')?))
}

fn too_deep() -> Rule {
    let message = "this is nested deeper than 32 levels";
    syntax(message, "close the brackets and braces before it")
}

fn duplicate_key(key: &str, first: Span, second: Span) -> Diagnostic {
    let message = format!("the key {} appears twice in this map", quoted(key));
    let rule = Rule::new(Code::DuplicateKey, message);
    rule.help("keep one of them")
        .mark(second)
        .also(first, "the first")
}
