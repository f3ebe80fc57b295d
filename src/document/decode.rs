//! How nodes of YAML become typed values. Problems are collected and the reading goes on, so that a person sees all of
//! them at once.

use super::{Field, Located};
use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::input::yaml::{Node, Plain, Value, boolean, read_plain};
use schemars::JsonSchema;
use std::str::FromStr;

/// A type that a field can have.
pub trait Decode: Sized + JsonSchema {
    /// The value, or nothing after at least one problem was pushed.
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self>;
}

/// A function that says in which other map a field belongs.
pub(super) type Places = fn(&str) -> Option<String>;

/// What was found while a document is read.
#[derive(Debug, Default)]
pub struct Decoder {
    /// What is wrong.
    pub problems: Problems,
    /// The fields in the document that older Liqo releases do not have.
    pub newer: Vec<Located<&'static Field>>,
    /// Says in which maps a field exists.
    pub(super) places: Option<Places>,
}

impl Decoder {
    /// A decoder that can say where else a field belongs: `places` gives the advice.
    pub fn new(places: Places) -> Self {
        Self {
            places: Some(places),
            ..Self::default()
        }
    }

    /// Reports a broken rule at a node.
    pub fn add(&mut self, node: &Node, rule: Rule) {
        self.problems.push(rule.mark(node.span));
    }

    /// As [`Self::add`]; returns no value.
    pub fn reject<T>(&mut self, node: &Node, rule: Rule) -> Option<T> {
        self.add(node, rule);
        None
    }

    /// The value of a node, unless it breaks a rule.
    pub fn valid<T>(&mut self, node: &Node, value: Result<T, Rule>) -> Option<T> {
        value.map_or_else(|rule| self.reject(node, rule), Some)
    }
}

/// What a node is, in words.
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

/// The way out where a value is missing.
pub(super) const NO_VALUE: &str = "write a value after the `:`, or remove it";

/// How [`wrong_type`] names a list.
const LIST: &str = "a list";

/// Pushes "this takes …, not …". The help shows how to write a list of one item, or one value instead of a list.
pub fn wrong_type<T>(node: &Node, takes: &str, decoder: &mut Decoder) -> Option<T> {
    let message = format!("this takes {takes}, not {}", kind_of(node));
    let rule = Rule::new(Code::WrongType, message);
    let rule = match &node.value {
        // words are named in the message, and this list may have none of them
        Value::List(_) if !takes.contains('`') => rule.help("write the value, without a list"),
        Value::Map(_) if takes == LIST => rule.help("begin each item with `- `"),
        Value::Plain(text) if is_null(text) => rule.help(NO_VALUE),
        Value::Plain(text) | Value::Quoted(text) if takes == LIST => rule.help(format!(
            "one item is written `[{}]`",
            quoted(text).trim_matches('`')
        )),
        _ => rule,
    };
    decoder.reject(node, rule)
}

/// A string: quoted, or plain and a string to every reader of YAML.
pub fn text<'n>(node: &'n Node, takes: &str, decoder: &mut Decoder) -> Option<&'n str> {
    let plain = match &node.value {
        Value::Quoted(text) => return Some(text),
        Value::Plain(text) => text,
        _ => return wrong_type(node, takes, decoder),
    };
    let rule = match read_plain(plain) {
        Plain::Text => return Some(plain),
        _ if is_null(plain) => ambiguous(plain, "means no value in YAML")
            .help(format!("remove the field, or write `\"{plain}\"`")),
        Plain::Ambiguous => ambiguous(plain, "is not a string to every reader of YAML"),
        _ => ambiguous(plain, "is not a string in YAML"),
    };
    decoder.reject(node, rule)
}

fn ambiguous(plain: &str, why: &str) -> Rule {
    Rule::new(Code::AmbiguousScalar, format!("{} {why}", quoted(plain))).quote(plain)
}

/// An integer as JSON writes it.
pub fn integer(node: &Node, decoder: &mut Decoder) -> Option<i64> {
    let plain = match &node.value {
        Value::Plain(text) => text,
        Value::Quoted(_) => {
            let rule = Rule::new(Code::WrongType, "this takes an integer, not a string");
            return decoder.reject(node, rule.help("remove the quotes"));
        }
        _ => return wrong_type(node, "an integer", decoder),
    };
    match read_plain(plain) {
        Plain::Integer(integer) => Some(integer),
        Plain::Ambiguous => {
            let what = "the same number to every reader of YAML";
            let rule = Rule::wrong_value(Code::AmbiguousScalar, plain, what);
            decoder.reject(node, rule.help("write only decimal digits"))
        }
        _ => wrong_type(node, "an integer", decoder),
    }
}

/// A string that is parsed by the type's own rule.
pub fn parsed<T: FromStr<Err = Rule>>(
    node: &Node,
    takes: &str,
    decoder: &mut Decoder,
) -> Option<T> {
    let text = text(node, takes, decoder)?;
    let value = text.parse().map_err(|rule: Rule| Rule {
        help: typed_by_an_editor(text).or(rule.help),
        ..rule
    });
    decoder.valid(node, value)
}

/// Advice about a character that a word processor or a web page writes in place of a quote or a space. It looks right,
/// but no value contains it.
pub(super) fn typed_by_an_editor(text: &str) -> Option<String> {
    if let Some(quote) = text.chars().find(|c| "“”„‟‘’‚«»".contains(*c)) {
        let help = format!("`{quote}` is typographic: write `\"`, or no quotes");
        return Some(help);
    }
    for c in text.chars() {
        let name = match c {
            '\u{a0}' | '\u{202f}' => "a no-break space",
            '\u{200b}' | '\u{feff}' => "a space of no width",
            '\u{2000}'..='\u{200a}' | '\u{3000}' => "a wide or narrow space",
            _ => continue,
        };
        let code = u32::from(c);
        let help = format!("remove {name} (U+{code:04X}), or write a plain space");
        return Some(help);
    }
    None
}

/// The entries of a map, whose keys are still to be checked. Merge keys are refused.
pub fn entries<'n>(node: &'n Node, decoder: &mut Decoder) -> Option<&'n [(Node, Node)]> {
    let Value::Map(entries) = &node.value else {
        return wrong_type(node, "a map", decoder);
    };
    for (key, _) in entries {
        if matches!(&key.value, Value::Plain(text) if text == "<<") {
            let rule = Rule::new(Code::Syntax, "merge keys are not supported");
            return decoder.reject(key, rule.help("write the fields in each place"));
        }
    }
    Some(entries)
}

/// Reads every item, so that each problem is reported. None if any item is wrong.
pub fn decode_all<I, T>(items: &[I], read: impl FnMut(&I) -> Option<T>) -> Option<Vec<T>> {
    let read: Vec<Option<T>> = items.iter().map(read).collect();
    read.into_iter().collect()
}

impl Decode for bool {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let text = match &node.value {
            Value::Plain(text) => text,
            _ => "",
        };
        match (read_plain(text), boolean(text)) {
            (Plain::Boolean(boolean), _) => Some(boolean),
            (_, None) => wrong_type(node, "`true` or `false`", decoder),
            (_, Some(meant)) => {
                let message = format!("`{text}` is not a boolean to every reader of YAML");
                let rule = Rule::new(Code::AmbiguousScalar, message);
                decoder.reject(node, rule.help(format!("write `{meant}`")))
            }
        }
    }
}

/// A list, each item decoded. An empty list is valid here; whether a field may be empty is its own rule.
impl<T: Decode> Decode for Vec<T> {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let Value::List(items) = &node.value else {
            return wrong_type(node, LIST, decoder);
        };
        decode_all(items, |item| T::decode(item, decoder))
    }
}

impl<T: Decode> Decode for Located<T> {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        Some(Self::new(T::decode(node, decoder)?, node.span))
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        T::decode(node, decoder).map(Self::new)
    }
}
