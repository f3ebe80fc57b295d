//! Edits a text that a person wrote: it sets values at the end of paths. All other bytes stay as they are.

use super::build::line_start;
use super::{Node, Plain, Value as Yaml, parse, read_plain};
use crate::diagnostic::Span;
use serde_json::Value;

/// A field and its value. Without a value, the field is removed. Of a text that is edited, the value is a scalar and no part of the path
/// is in a list; a new document has both.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    pub(crate) path: Vec<String>,
    pub(crate) value: Option<Value>,
    /// Where a new field belongs: after the first of these fields that its map has.
    after: &'static [&'static str],
}

impl Setting {
    pub(crate) fn new(path: &str, value: Value) -> Self {
        Self {
            value: Some(value),
            ..Self::absent(path)
        }
    }

    pub(crate) fn absent(path: &str) -> Self {
        Self {
            path: path.split('.').map(ToOwned::to_owned).collect(),
            value: None,
            after: &[],
        }
    }

    pub(crate) const fn after(mut self, after: &'static [&'static str]) -> Self {
        self.after = after;
        self
    }
}

/// The text with these settings. `None` if a field is written in a way that cannot be edited: with a comment in a list, or without a value.
pub(crate) fn edit(before: &str, settings: &[Setting]) -> Option<String> {
    let (mut root, mut text) = (parse(before).ok()?, before.to_owned());
    for setting in settings {
        if has_setting(&root, setting) {
            continue;
        }
        text = apply(&text, &root, setting)?;
        root = parse(&text).ok()?;
        // the edit must have set what was meant
        has_setting(&root, setting).then_some(())?;
    }
    Some(text)
}

fn has_setting(root: &Node, setting: &Setting) -> bool {
    match (root.find(&setting.path), &setting.value) {
        (Some(node), Some(value)) => is_value(node, value),
        (None, None) => true,
        _ => false,
    }
}

/// Whether a node has this value: the same text, whether it is quoted or not.
fn is_value(node: &Node, value: &Value) -> bool {
    match (value, &node.value) {
        (Value::String(text), _) => node.text() == Some(text),
        (Value::Number(number), Yaml::Plain(text)) => {
            number.as_i64().is_some_and(|it| text.parse() == Ok(it))
        }
        _ => false,
    }
}

/// The text after the setting is applied.
fn apply(text: &str, root: &Node, setting: &Setting) -> Option<String> {
    let Some(value) = &setting.value else {
        return remove(text, root, &setting.path);
    };
    let mut node = root;
    for (depth, key) in setting.path.iter().enumerate() {
        let below = flow(setting.path.get(depth + 1..)?, value);
        let Some(next) = node.get(key) else {
            return insert(text, node, key, &below, setting.after);
        };
        // `gatewayClient: pending`
        if matches!(next.value, Yaml::Plain(_) | Yaml::Quoted(_)) {
            return splice(text, next.span, &below);
        }
        node = next;
    }
    None // a map or a list is no place for a scalar
}

/// A scalar as text: without quotes if every reader of YAML takes it for a string, else as JSON, which is also YAML.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain_text(text) => text.clone(),
        _ => value.to_string(),
    }
}

/// Whether a text needs no quotes.
fn is_plain_text(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric)
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "./_-".contains(c))
        && matches!(read_plain(text), Plain::Text)
}

/// A value below a path, in flow style on one line.
fn flow(path: &[String], value: &Value) -> String {
    match path.split_first() {
        None => scalar(value),
        Some((key, rest)) => format!("{{ {key}: {} }}", flow(rest, value)),
    }
}

/// The text with `new` in place of what is at a place.
fn splice(text: &str, Span { start, end }: Span, new: &str) -> Option<String> {
    Some([text.get(..start)?, new, text.get(end..)?].concat())
}

/// The text with a new field in a map. The field goes after the first of the `after` fields that
/// the map has, else after the map's first field, which names the map. If that field is more than a scalar, the new one goes before it.
fn insert(text: &str, map: &Node, key: &str, value: &str, after: &[&str]) -> Option<String> {
    let named = after.iter().find_map(|name| map.entry(name));
    let (name, before) = named.or(map.entries().first())?;
    let field = format!("{key}: {value}");
    let is_scalar = before.text().is_some();
    // the span of a block scalar ends after its line break
    let end = text.get(..before.span.end)?.trim_end().len();
    let (at, new) = if text.get(map.span.start..)?.starts_with('{') {
        if is_scalar {
            (end, format!(", {field}"))
        } else {
            (name.span.start, format!("{field}, "))
        }
    } else {
        let line = line_start(text, name.span.start)?;
        let indent = " ".repeat(text.get(line..name.span.start)?.chars().count());
        let lines = line_break(text);
        match text.get(end..)?.find('\n') {
            _ if !is_scalar => (name.span.start, format!("{field}{lines}{indent}")),
            Some(rest) => (end + rest + 1, format!("{indent}{field}{lines}")),
            None => (text.len(), format!("{lines}{indent}{field}{lines}")),
        }
    };
    splice(text, Span { start: at, end: at }, &new)
}

/// Where a value ends: in flow style at its closing bracket, in block style where its last value ends.
fn end_of(text: &str, value: &Node) -> Option<usize> {
    let (last, [open, close]) = match &value.value {
        Yaml::List(items) => (items.last()?, ['[', ']']),
        Yaml::Map(entries) => (&entries.last()?.1, ['{', '}']),
        _ => return Some(value.span.end),
    };
    let end = end_of(text, last)?;
    if !text.get(value.span.start..)?.starts_with(open) {
        return Some(end);
    }
    Some(end + text.get(end..)?.find(close)? + 1)
}

/// The lines of a field of a map in block style, from the beginning of its first line. None if anything but a comment on the last line
/// shares these lines. A comment there is included.
fn lines_of(text: &str, (name, value): &(Node, Node)) -> Option<Span> {
    let start = text.get(..name.span.start)?.rfind('\n')? + 1;
    let end = end_of(text, value)?;
    let rest = text.get(end..)?.lines().next().unwrap_or_default();
    let is_whole = text.get(start..name.span.start)?.trim_start().is_empty()
        && (rest.trim_start().is_empty() || rest.trim_start().starts_with('#'));
    is_whole.then_some(Span::new(start, end + rest.len()))
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The comments of a field between its scalars, up to `end`; each with whether it is on the line of the field's key.
fn comments<'t>(
    text: &'t str,
    (name, value): &(Node, Node),
    end: usize,
) -> Option<Vec<(bool, &'t str)>> {
    let (mut scalars, mut found, mut at) = (Vec::new(), Vec::new(), name.span.end);
    add_spans(value, &mut scalars);
    scalars.push(Span { start: end, end });
    for scalar in scalars {
        let mut line = at;
        for part in text.get(at..scalar.start)?.split_inclusive('\n') {
            if let Some(hash) = part.find('#')
                && let Some(before) = text.get(name.span.end..line + hash)
                && let Some(comment) = part.get(hash..)
            {
                found.push((!before.contains('\n'), comment.trim_end()));
            }
            line += part.len();
        }
        at = scalar.end;
    }
    Some(found)
}

/// The scalars of a value, in their order. A valid document has no `#` in a key.
fn add_spans(node: &Node, all: &mut Vec<Span>) {
    match &node.value {
        Yaml::Empty => {}
        Yaml::Plain(_) | Yaml::Quoted(_) => all.push(node.span),
        Yaml::List(items) => items.iter().for_each(|item| add_spans(item, all)),
        Yaml::Map(entries) => entries.iter().for_each(|(_, value)| add_spans(value, all)),
    }
}

/// The text with a map in brackets in block style, a line for each of its fields.
fn to_block_style(text: &str, map: &Node, path: &[String]) -> Option<String> {
    let mut fields = Vec::new();
    for (key, value) in map.entries() {
        let field = text.get(key.span.start..end_of(text, value)?)?;
        // a value of several lines may contain a comment
        if field.contains('\n') {
            return None;
        }
        fields.push(field.to_owned());
    }
    write_below(text, path, &fields)
}

/// The text with these lines as the value of an existing field, in block style, indented below the field. Comments stay: the one on the
/// field's line stays there, those below it go above the new lines. Maps around the field are changed to block style as well.
pub(crate) fn write_below(text: &str, path: &[String], lines: &[String]) -> Option<String> {
    let (key, parents) = path.split_last()?;
    let root = parse(text).ok()?;
    let map = root.find(parents)?;
    if text.get(map.span.start..)?.starts_with('{') {
        return write_below(&to_block_style(text, map, parents)?, path, lines);
    }
    let entry = map.entry(key)?;
    let span = lines_of(text, entry)?;
    let mut field = format!("{}:", text.get(span.start..entry.0.span.end)?);
    let mut below = String::new();
    let indent = entry.0.span.start - span.start + 2;
    let margin = line_break(text).to_owned() + &" ".repeat(indent);
    for (is_beside, comment) in comments(text, entry, span.end)? {
        if is_beside {
            field.extend([" ", comment]);
        } else {
            below.extend([margin.as_str(), comment]);
        }
    }
    for line in lines {
        below.extend([margin.as_str(), line]);
    }
    splice(text, span, &(field + &below))
}

/// The text without a field of a map in block style: its lines and the comment on it are removed.
fn remove(text: &str, root: &Node, path: &[String]) -> Option<String> {
    let (key, parents) = path.split_last()?;
    let Span { start, end } = lines_of(text, root.find(parents)?.entry(key)?)?;
    let line_end = text.get(end..)?.find('\n');
    let end = line_end.map_or(text.len(), |at| end + at + 1);
    splice(text, Span { start, end }, "")
}
