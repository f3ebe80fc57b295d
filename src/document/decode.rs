//! How nodes become typed values: problems are pushed and the reading goes on, so that a person sees all of
//! them at once.

use crate::diagnostic::{Code, Problems, Rule, Span, nearest, one_of, quote_it, quoted};
use crate::input::yaml::{Node, Plain, Value, read_plain};
use std::str::FromStr;

pub use super::fields::{Fields, entries};

/// A value and its place in the document. Equal by value, and serialized as the value: two documents that mean the
/// same are the same peering, wherever their fields are. A rotation compares them after an edit that moved everything
/// below it ([`crate::custody::rotation`]).
#[derive(Debug, Clone, Copy)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place, which does not count when two are compared.
    pub span: Span,
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Located<T> {}

impl<T> Located<T> {
    /// A rule broken by this value.
    pub fn broken(&self, code: Code, message: impl Into<String>) -> crate::diagnostic::Diagnostic {
        Rule::new(code, message).at(self.span)
    }
}

impl<T: serde::Serialize> serde::Serialize for Located<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// A type that a node can be read as.
pub trait Decode: Sized {
    /// The value, or nothing after at least one problem was pushed.
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self>;
}

/// What a node is, in words.
#[must_use]
pub fn kind_of(node: &Node) -> &'static str {
    match &node.value {
        Value::Empty => "nothing",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
        Value::Quoted(_) => "a string",
        Value::Plain(text) => match read_plain(text) {
            Plain::Integer(_) => "a number",
            Plain::Fraction => "a fraction",
            Plain::Boolean(_) => "a boolean",
            Plain::Ambiguous if is_null(text) => "nothing",
            Plain::Text | Plain::Ambiguous => "a string",
        },
    }
}

/// YAML's words for nothing.
fn is_null(plain: &str) -> bool {
    matches!(plain.to_ascii_lowercase().as_str(), "" | "~" | "null")
}

/// Pushes "this takes …, not …", with the way out if it is a list of one thing or one thing for a list.
pub fn wrong_type(node: &Node, takes: &str, problems: &mut Problems) {
    let rule = Rule::new(Code::WrongType, format!("this takes {takes}, not {}", kind_of(node)));
    let rule = match &node.value {
        Value::List(_) => rule.help("there is one of it: write it without brackets and without `-`"),
        Value::Plain(text) | Value::Quoted(text) if takes == LIST => {
            rule.help(format!("a list of one is written `[{}]`", quoted(text).trim_matches('`')))
        }
        _ => rule,
    };
    problems.push(rule.at(node.span));
}

/// What a list is called in [`wrong_type`].
const LIST: &str = "a list";

/// A string: quoted, or plain and a string to every reader of YAML.
pub fn text<'n>(node: &'n Node, takes: &str, problems: &mut Problems) -> Option<&'n str> {
    match &node.value {
        Value::Quoted(text) => return Some(text),
        Value::Plain(text) => match read_plain(text) {
            Plain::Text => return Some(text),
            _ if is_null(text) => {
                problems.push(
                    Rule::new(Code::AmbiguousScalar, format!("{} means nothing to YAML", quoted(text)))
                        .help(format!(
                            "leave it out, or quote it if these very characters are meant: `\"{text}\"`"
                        ))
                        .at(node.span),
                );
            }
            found => {
                let other = if found == Plain::Ambiguous {
                    "is a string to some readers of YAML and something else to others (Argo CD reads YAML 1.1)"
                } else {
                    "is not a string to YAML"
                };
                problems.push(
                    Rule::new(Code::AmbiguousScalar, format!("{} {other}", quoted(text)))
                        .help(quote_it(text))
                        .at(node.span),
                );
            }
        },
        _ => wrong_type(node, takes, problems),
    }
    None
}

/// An integer as JSON writes it.
pub fn integer(node: &Node, problems: &mut Problems) -> Option<i64> {
    match &node.value {
        Value::Plain(text) => match read_plain(text) {
            Plain::Integer(integer) => return Some(integer),
            Plain::Ambiguous => problems.push(
                Rule::new(
                    Code::AmbiguousScalar,
                    format!("{} is not the same number to every reader of YAML", quoted(text)),
                )
                .help("write it with decimal digits only")
                .at(node.span),
            ),
            _ => wrong_type(node, "an integer", problems),
        },
        Value::Quoted(_) => {
            problems.push(
                Rule::new(Code::WrongType, "this takes an integer, not a string")
                    .help("remove the quotes")
                    .at(node.span),
            );
        }
        _ => wrong_type(node, "an integer", problems),
    }
    None
}

/// A string that is parsed by the type's own rules.
pub fn parsed<T: FromStr<Err = Rule>>(
    node: &Node,
    takes: &str,
    problems: &mut Problems,
) -> Option<Located<T>> {
    let text = text(node, takes, problems)?;
    checked(text.parse(), node, problems)
}

/// An integer that is checked by the type's own rules.
pub fn ranged<T: TryFrom<i64, Error = Rule>>(node: &Node, problems: &mut Problems) -> Option<Located<T>> {
    let integer = integer(node, problems)?;
    checked(T::try_from(integer), node, problems)
}

fn checked<T>(result: Result<T, Rule>, node: &Node, problems: &mut Problems) -> Option<Located<T>> {
    match result {
        Ok(value) => Some(Located { value, span: node.span }),
        Err(rule) => {
            problems.push(rule.at(node.span));
            None
        }
    }
}

/// One word of a fixed set.
pub fn word(node: &Node, words: &[&'static str], problems: &mut Problems) -> Option<Located<usize>> {
    word_or(node, words, &one_of(words), problems)
}

/// One word of a fixed set, where something else than a word may stand as well; `takes` names all of it.
pub fn word_or(
    node: &Node,
    words: &[&'static str],
    takes: &str,
    problems: &mut Problems,
) -> Option<Located<usize>> {
    let written = text(node, takes, problems)?;
    if let Some(index) = words.iter().position(|word| *word == written) {
        return Some(Located { value: index, span: node.span });
    }
    let help = match nearest(written, words) {
        Some(word) => format!("did you mean `{word}`? it is {takes}"),
        None => format!("it is {takes}"),
    };
    problems.push(
        Rule::new(Code::UnknownValue, format!("{} is not known here", quoted(written)))
            .help(help)
            .at(node.span),
    );
    None
}

/// A list, each item decoded. An empty one is taken; whether it may be empty is another rule.
impl<T: Decode> Decode for Vec<T> {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Value::List(items) = &node.value else {
            wrong_type(node, LIST, problems);
            return None;
        };
        let decoded: Vec<Option<T>> = items.iter().map(|item| T::decode(item, problems)).collect();
        decoded.into_iter().collect()
    }
}

impl<T: Decode> Decode for Located<T> {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        T::decode(node, problems).map(|value| Self { value, span: node.span })
    }
}

/// Declares a map of the document: the struct, and how its fields are read. The only list of its fields.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $name:ident {
            $( $(#[$field_doc:meta])* $key:literal => $field:ident: $kind:ident $type:ty, )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, schemars::JsonSchema)]
        #[schemars(deny_unknown_fields)]
        pub struct $name {
            $( $(#[$field_doc])* #[schemars(rename = $key)] pub $field: $crate::document::decode::record!(@type $kind $type), )*
        }

        impl $name {
            /// The names of its fields, in the order of the documentation.
            pub const FIELDS: &'static [&'static str] = &[$($key),*];
        }

        impl $crate::document::decode::Decode for $name {
            fn decode(node: &$crate::input::yaml::Node, problems: &mut $crate::diagnostic::Problems) -> Option<Self> {
                let mut fields = $crate::document::decode::Fields::among(Self::FIELDS, node, problems)?;
                $( let $field = fields.$kind($key, problems); )*
                fields.finish(problems)?;
                Some(Self { $( $field: $crate::document::decode::record!(@value $kind $field), )* })
            }
        }
    };
    (@type required $type:ty) => { $type };
    (@type optional $type:ty) => { Option<$type> };
    (@value required $field:ident) => { $field? };
    (@value optional $field:ident) => { $field };
}
pub(crate) use record;
