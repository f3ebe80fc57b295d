//! PARSE, first half: text to a tree of nodes that know where they stand.
//!
//! The only module that names the YAML crate for documents. The tree keeps what the text said (a plain `on` and
//! a quoted `"on"` differ); what it means is the business of [`crate::document`].

mod older;
mod path;
mod plain;
mod span;
mod syntax;

use crate::diagnostic::{Code, Problems, Rule, Span};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy, Spanned};
use std::fmt;

pub use plain::{Plain, read_plain};
use span::span_of;

/// A node of a YAML document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Where it stands; of a block map or list, where it begins.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing, as in `key:`.
    Empty,
    /// A scalar without quotes, as it was written.
    Plain(String),
    /// A scalar in quotes or a block scalar: a string, whatever it looks like.
    Quoted(String),
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the text; no key stands twice.
    Map(Vec<(Node, Node)>),
}

/// What a document may cost: far more than 64 KiB of a peering can need, far less than a bomb does.
const MAX_DEPTH: usize = 32;
const MAX_NODES: usize = 40_000;

/// Reads one document.
///
/// # Errors
/// When the text is not one YAML document without anchors, aliases, tags of its own and duplicate keys: one
/// diagnostic, since after a broken place the rest cannot be trusted.
pub fn parse(text: &str) -> Result<Node, Problems> {
    let options = serde_saphyr::options! {
        with_snippet: false,
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        reject_unsupported_tags: true,
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_anchors: 0,
            max_aliases: 0,
            max_documents: 1,
        },
    };
    let mut problems = Problems::default();
    match serde_saphyr::from_str_with_options::<Tree>(text, options) {
        Ok(tree) => match tree.into_node(text) {
            Err(tagged) => problems.push(syntax::tag().at(tagged)),
            Ok(Node { value: Value::Empty, .. }) => {
                problems.push(
                    Rule::new(Code::DocumentCount, "the file has no document in it")
                        .help("begin with `apiVersion: argocd-peering/v1alpha1` and `kind: Peering`")
                        .at(Span::default()),
                );
            }
            Ok(node) => {
                older::refuse(text, &node, &mut problems);
                if problems.is_empty() {
                    return Ok(node);
                }
            }
        },
        Err(error) => problems.push(syntax::explain(&error, text)),
    }
    Err(problems)
}

/// A node as the YAML crate hands it over: the value it resolved, and where.
struct Tree {
    location: serde_saphyr::Location,
    value: TreeValue,
}

enum TreeValue {
    Empty,
    /// A scalar that was resolved to a string.
    Text(String),
    /// A scalar that was resolved to something else; its text is read from its place.
    Resolved,
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    /// The node, or the place of a tagged scalar: one whose value is not what its text says. Recursion is bounded by
    /// [`MAX_DEPTH`].
    fn into_node(self, text: &str) -> Result<Node, Span> {
        let span = span_of(self.location, text);
        let written = text.get(span.start..span.end).unwrap_or_default();
        let quoted = written.starts_with(['"', '\'', '|', '>']);
        let value = match self.value {
            TreeValue::Empty if written.is_empty() => Value::Empty,
            TreeValue::Text(value) if quoted => Value::Quoted(value),
            // over several lines it is a string to every reader
            TreeValue::Text(value) if written.contains(['\n', '\r']) => Value::Quoted(value),
            TreeValue::Text(value) if value != written => return Err(span),
            TreeValue::Resolved | TreeValue::Empty if quoted => return Err(span),
            TreeValue::Text(_) | TreeValue::Resolved | TreeValue::Empty => Value::Plain(written.to_owned()),
            TreeValue::List(items) => {
                Value::List(items.into_iter().map(|item| item.into_node(text)).collect::<Result<_, _>>()?)
            }
            TreeValue::Map(entries) => {
                let node = |(key, value): (Self, Self)| Ok((key.into_node(text)?, value.into_node(text)?));
                Value::Map(entries.into_iter().map(node).collect::<Result<_, _>>()?)
            }
        };
        Ok(Node { span, value })
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Spanned::<TreeValue>::deserialize(deserializer)
            .map(|spanned| Self { location: spanned.referenced, value: spanned.value })
    }
}

impl<'de> Deserialize<'de> for TreeValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

/// A resolved scalar's own text is read from its place, so its value is dropped here.
macro_rules! resolved {
    ($($visit:ident: $type:ty),*) => {
        $(fn $visit<E>(self, _: $type) -> Result<TreeValue, E> {
            Ok(TreeValue::Resolved)
        })*
    };
}

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = TreeValue;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    resolved!(visit_bool: bool, visit_i64: i64, visit_i128: i128, visit_u64: u64, visit_u128: u128, visit_f64: f64);

    fn visit_str<E>(self, text: &str) -> Result<TreeValue, E> {
        Ok(TreeValue::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<TreeValue, E> {
        Ok(TreeValue::Empty)
    }

    fn visit_none<E>(self) -> Result<TreeValue, E> {
        Ok(TreeValue::Empty)
    }

    fn visit_bytes<E: serde::de::Error>(self, _: &[u8]) -> Result<TreeValue, E> {
        Err(E::custom("binary values have no meaning here"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<TreeValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(TreeValue::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<TreeValue, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = access.next_entry::<Tree, Tree>()? {
            if matches!(key.value, TreeValue::List(_) | TreeValue::Map(_)) {
                return Err(A::Error::custom("a list or a map cannot be a key"));
            }
            entries.push((key, value));
        }
        Ok(TreeValue::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, Value, parse};
    use crate::diagnostic::Code;

    fn values(text: &str) -> Vec<(String, Value)> {
        let Ok(Node { value: Value::Map(entries), .. }) = parse(text) else { panic!("not a map: {text}") };
        entries
            .into_iter()
            .map(|(key, node)| {
                let (Value::Plain(key) | Value::Quoted(key)) = key.value else { panic!("not a key") };
                (key, node.value)
            })
            .collect()
    }

    fn code(text: &str) -> Code {
        let problems = parse(text).expect_err("a problem");
        problems.iter().next().expect("one").code
    }

    #[test]
    fn scalars_keep_what_was_written() {
        let text = "a: on\nb: \"on\"\nc: 0x10\nd: 1_000\ne: 'it''s'\nf:\ng: ~\nh: |\n  x\n  y\ni: one\n  two\nj: .nan\né: \"\\u00e9\"\nk: 99999999999999999999999999999999999999999\n";
        let plain = |text: &str| Value::Plain(text.into());
        let quoted = |text: &str| Value::Quoted(text.into());
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
                quoted("one two"),
                plain(".nan"),
                quoted("é"),
                plain("99999999999999999999999999999999999999999"),
            ]
        );
    }

    #[test]
    fn spans_are_those_of_the_text() {
        let text = "# é\na: [1, \"b\"]\n";
        let Ok(Node { value: Value::Map(entries), .. }) = parse(text) else { panic!("a map") };
        let (key, list) = entries.first().expect("one entry");
        assert_eq!(&text[key.span.start..key.span.end], "a");
        let Value::List(items) = &list.value else { panic!("a list") };
        let written: Vec<&str> = items.iter().map(|item| &text[item.span.start..item.span.end]).collect();
        assert_eq!(written, ["1", "\"b\""]);
    }

    #[test]
    fn what_is_not_one_plain_document() {
        for (text, expected) in [
            ("", Code::DocumentCount),
            ("# only a comment\n", Code::DocumentCount),
            ("a: 1\n---\nb: 2\n", Code::DocumentCount),
            ("a: 1\na: 2\n", Code::DuplicateKey),
            ("a: &x 1\n", Code::Alias),
            ("a: *x\n", Code::Alias),
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
        assert_eq!(code(&format!("a: {}{}", "[".repeat(100), "]".repeat(100))), Code::Syntax);
        assert_eq!(code(&format!("a: [{}]", "1,".repeat(60_000))), Code::Syntax);
    }
}
