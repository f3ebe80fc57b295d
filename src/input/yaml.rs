//! PARSE, first half: text to a tree of nodes that know their place.
//!
//! The tree is built from the events of the parser, the only crate that reads documents. It keeps what the text has (a
//! plain `on` and a quoted `"on"` differ); what that means is the business of [`crate::document`].

mod argocd_reader;
mod build;
#[cfg(feature = "workstation")]
mod edit;
mod path;
mod plain;

use crate::diagnostic::{Code, Diagnostic, Problems, Rule, Span};

#[cfg(feature = "workstation")]
pub(crate) use edit::{Setting, edit, write_below};
pub(crate) use plain::boolean;
pub use plain::{Plain, read_plain};

/// A node of a YAML document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Where the node is. A map or a list: where it begins.
    pub span: Span,
    pub value: Value,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing, as in `key:`.
    Empty,
    /// A scalar without quotes; if it has several lines, they are joined by spaces.
    Plain(String),
    /// A scalar in quotes or a block scalar: a string, whatever it looks like.
    Quoted(String),
    List(Vec<Node>),
    /// A map, in the order of the text; no key is in it twice, and each is a scalar.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// A map's key, as it is written, and its value.
    fn entry(&self, key: &str) -> Option<&(Self, Self)> {
        let mut entries = self.entries().iter();
        entries.find(|(name, _)| name.text() == Some(key))
    }

    /// The value of a map's key.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        Some(&self.entry(key)?.1)
    }

    /// The value at a path of keys.
    pub(crate) fn find(&self, keys: &[impl AsRef<str>]) -> Option<&Self> {
        keys.iter()
            .try_fold(self, |node, key| node.get(key.as_ref()))
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The items of the list under a key.
    pub(crate) fn items_of(&self, key: &str) -> &[Self] {
        self.get(key).map_or(&[], Self::items)
    }

    /// The text under a key.
    pub(crate) fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The keys of a map, with their values.
    pub(crate) fn entries(&self) -> &[(Self, Self)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    pub(crate) const fn is_map(&self) -> bool {
        matches!(self.value, Value::Map(_))
    }

    /// Whether the value is empty, as in `key:` and `key: null`.
    pub(crate) fn is_empty(&self) -> bool {
        match &self.value {
            Value::Plain(text) => matches!(text.as_str(), "null" | "~"),
            value => *value == Value::Empty,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Plain(text) | Value::Quoted(text) => Some(text),
            Value::Empty | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Moves all places of the node forward by this many bytes.
    fn shift(&mut self, by: usize) {
        self.span = Span::new(self.span.start + by, self.span.end + by);
        match &mut self.value {
            Value::Empty | Value::Plain(_) | Value::Quoted(_) => {}
            Value::List(items) => items.iter_mut().for_each(|item| item.shift(by)),
            Value::Map(entries) => {
                for (key, value) in entries {
                    key.shift(by);
                    value.shift(by);
                }
            }
        }
    }
}

/// An object that the API server returned. It has no places.
impl From<&serde_json::Value> for Node {
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value as Json;
        let span = Span::default();
        let value = match value {
            Json::Null => Value::Empty,
            Json::String(text) => Value::Quoted(text.clone()),
            Json::Bool(_) | Json::Number(_) => Value::Plain(value.to_string()),
            Json::Array(items) => Value::List(items.iter().map(Self::from).collect()),
            Json::Object(fields) => {
                let mut entries = Vec::new();
                for (name, field) in fields {
                    let value = Value::Quoted(name.clone());
                    entries.push((Self { span, value }, field.into()));
                }
                Value::Map(entries)
            }
        };
        Self { span, value }
    }
}

/// Scalars become strings: Argo CD's types decide what they mean.
impl From<&Node> for serde_json::Value {
    fn from(node: &Node) -> Self {
        match &node.value {
            Value::Empty => Self::Null,
            Value::Plain(text) | Value::Quoted(text) => text.as_str().into(),
            Value::List(items) => items.iter().map(Self::from).collect(),
            Value::Map(entries) => entries
                .iter()
                .filter_map(|(key, value)| Some((key.text()?, Self::from(value))))
                .collect(),
        }
    }
}

/// Reads one `peering.yaml`.
///
/// # Errors
/// When the text is not one YAML document without anchors, aliases, tags and duplicate keys, or Argo CD would read it in
/// another way. After the first place that is not YAML the rest cannot be trusted, so nothing more is reported.
pub fn parse(text: &str) -> Result<Node, Problems> {
    let mut problems = Problems::default();
    // they decide what a line is
    argocd_reader::refuse_characters(text, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    match build::tree(text, &mut problems) {
        Err(diagnostic) => problems.push(*diagnostic),
        Ok(Some(node)) if node.value != Value::Empty => {
            if problems.is_empty() {
                return Ok(node);
            }
        }
        Ok(_) => {
            let help = "begin with `apiVersion: argocd-peering/v1alpha1` and `kind: Peering`";
            let rule = syntax("the file has no document", help);
            problems.push(rule.mark(Span::default()));
        }
    }
    Err(problems)
}

/// What a text breaks that is not the YAML of a peering.
fn syntax(message: impl Into<String>, help: impl Into<String>) -> Rule {
    Rule::new(Code::Syntax, message).help(help)
}

/// The documents of a text that is not a peering's, with their places in the whole text. A document that is not YAML, or has anchors or
/// tags, is left out: for example a template of another tool.
pub(crate) fn documents(text: &str) -> impl Iterator<Item = Node> {
    read_documents(text).filter_map(|(_, node)| node.ok())
}

/// All documents of a text, each with its own text. A document that cannot be read is an error with the reason, whose place is
/// in that document.
pub(crate) fn read_documents(
    text: &str,
) -> impl Iterator<Item = (&str, Result<Node, Box<Diagnostic>>)> {
    parts(text).into_iter().filter_map(read_part)
}

/// The document of a part of a text, which begins at this byte; `None` if it is empty.
fn read_part((start, part): (usize, &str)) -> Option<(&str, Result<Node, Box<Diagnostic>>)> {
    let mut read = build::tree(part, &mut Problems::default()).transpose()?;
    if let Ok(node) = &mut read {
        node.shift(start);
    }
    Some((part, read))
}

/// A line that begins with `---` ends a document wherever it is (YAML 1.2.2, 9.1.2, c-forbidden).
fn parts(text: &str) -> Vec<(usize, &str)> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        if is_marker(line) {
            parts.push((start, text.get(start..at).unwrap_or_default()));
            start = at;
        }
        at += line.len();
    }
    parts.push((start, text.get(start..).unwrap_or_default()));
    parts
}

/// Whether a line begins a document. Only at the first column: in a block scalar, a certificate begins with `---` as well.
pub(crate) fn is_marker(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.trim_start() != rest || rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Node, Value, parse};
    use crate::diagnostic::Code;

    fn values(text: &str) -> Vec<(String, Value)> {
        let Ok(Node {
            value: Value::Map(entries),
            ..
        }) = parse(text)
        else {
            panic!("not a map: {text}")
        };
        entries
            .into_iter()
            .map(|(key, node)| {
                let (Value::Plain(key) | Value::Quoted(key)) = key.value else {
                    panic!("not a key")
                };
                (key, node.value)
            })
            .collect()
    }

    fn code(text: &str) -> Code {
        let problems = parse(text).expect_err("a problem");
        problems.iter().next().expect("one").code
    }

    fn plain(text: &str) -> Value {
        Value::Plain(text.into())
    }

    fn quoted(text: &str) -> Value {
        Value::Quoted(text.into())
    }

    #[test]
    fn scalars_keep_what_was_written() {
        let text = "a: on\nb: \"on\"\nc: 0x10\nd: 1_000\ne: 'it''s'\nf:\ng: ~\nh: |\n  x\n  y\ni: one\n  two\nj: .nan\né: \"\\u00e9\"\nk: 99999999999999999999999999999999999999999\n";
        let found: Vec<Value> = values(text).into_iter().map(|(_, value)| value).collect();
        assert_eq!(
            found,
            [
                plain("on"),
                quoted("on"),
                plain("0x10"),
                plain("1_000"),
                quoted("it's"),
                Value::Empty,
                plain("~"),
                quoted("x\ny\n"),
                plain("one two"),
                plain(".nan"),
                quoted("é"),
                plain("99999999999999999999999999999999999999999"),
            ]
        );
    }

    #[test]
    fn spans_are_those_of_the_text() {
        let text = "# é\na: [1, \"b\"]\n";
        let Ok(Node {
            value: Value::Map(entries),
            ..
        }) = parse(text)
        else {
            panic!("a map")
        };
        let (key, list) = entries.first().expect("one entry");
        assert_eq!(&text[key.span.start..key.span.end], "a");
        let Value::List(items) = &list.value else {
            panic!("a list")
        };
        let written: Vec<&str> = items
            .iter()
            .map(|item| &text[item.span.start..item.span.end])
            .collect();
        assert_eq!(written, ["1", "\"b\""]);
    }

    /// The primary place of the first problem, and the others that it names.
    fn places(text: &str) -> Vec<&str> {
        let problems = parse(text).expect_err("a problem");
        let problem = problems.iter().next().expect("one");
        let others = problem.secondary.iter().map(|label| label.span);
        [problem.primary.span]
            .into_iter()
            .chain(others)
            .map(|span| &text[span.start..span.end])
            .collect()
    }

    #[test]
    fn problems_are_where_they_were_written() {
        assert_eq!(
            places("a: 1\nb: { c: 2, 'a': 3, \"\\x61\": 4 }\n"),
            ["\"\\x61\"", "'a'"]
        );
        assert_eq!(
            places("- a: 1\n  # a: 2\n  b:\n    a: 3\n  a: 4\n"),
            ["a", "a"]
        );
        assert_eq!(places("a: &x\n  b: c\n"), ["&x"]);
        assert_eq!(places("a: b\nc: *d\n"), ["*d"]);
        assert_eq!(places("a: !!map\n  b: c\n"), ["!!map"]);
        assert_eq!(places("# a\n%YAML 1.1\n---\na: b\n"), ["%YAML 1.1"]);
        assert_eq!(places("a: b\n--- # c\nd: e\n"), ["---"]);
        assert_eq!(places("# a\n... # b\nc: d\n"), ["... # b"]);
        assert_eq!(places("a: b\n# \t\nc: [d,\te]\n"), ["\t"]);
        assert_eq!(places("{{ .Values.a }}"), ["{"]);
    }

    #[test]
    fn what_is_not_one_plain_document() {
        for (text, expected) in [
            ("", Code::Syntax),
            ("# only a comment\n", Code::Syntax),
            ("a: 1\n---\nb: 2\n", Code::Syntax),
            ("a: 1\na: 2\n", Code::DuplicateKey),
            ("a: &x 1\n", Code::Syntax),
            ("a: *x\n", Code::Syntax),
            ("a: !foo 1\n", Code::Syntax),
            ("a: [\n", Code::Syntax),
            ("a: \"b\n", Code::Syntax),
            ("a:\n\tb: 1\n", Code::Syntax),
            ("[a]: 1\n", Code::Syntax),
            ("a: !!binary aGk=\n", Code::Syntax),
            ("a: !!int \"5\"\n", Code::Syntax),
            ("a: \0\n", Code::Syntax),
        ] {
            assert_eq!(code(text), expected, "{text:?}");
        }
    }

    #[test]
    fn bombs_are_refused_fast() {
        assert_eq!(code(&"[".repeat(10_000)), Code::Syntax);
        assert_eq!(
            code(&format!("a: {}{}", "[".repeat(100), "]".repeat(100))),
            Code::Syntax
        );
        assert_eq!(code(&format!("a: [{}]", "1,".repeat(60_000))), Code::Syntax);
        assert_eq!(code(&"- ".repeat(30_000)), Code::Syntax);
        assert_eq!(code(&format!("a: {}", "{a: ".repeat(10_000))), Code::Syntax);
        assert_eq!(code(&"? ".repeat(30_000)), Code::Syntax);
        let nested: Vec<String> = (0..300)
            .map(|depth| format!("{}a:\n", " ".repeat(depth)))
            .collect();
        assert_eq!(code(&nested.concat()), Code::Syntax);
        let keys: Vec<String> = (0..9_000).map(|key| format!("{key}:\n")).collect();
        assert!(
            parse(&keys.concat()).is_ok(),
            "many keys are looked up, and not searched"
        );
    }
}
