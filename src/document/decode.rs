//! How nodes become typed values: problems are pushed and the reading goes on, so that a person sees all of
//! them at once.

use crate::diagnostic::{Code, Problems, Rule, Span, nearest, one_of, quoted};
use crate::yaml::{Node, Plain, Value, read_plain};
use std::str::FromStr;

/// A value and where it stands in the document. Serialized as the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

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

/// Pushes "this takes …, found …".
pub fn wrong_type(node: &Node, takes: &str, problems: &mut Problems) {
    let found = match &node.value {
        Value::Empty => "nothing",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
        Value::Quoted(_) => "a string",
        Value::Plain(text) => match read_plain(text) {
            Plain::Integer(_) | Plain::Fraction => "a number",
            Plain::Boolean(_) => "a boolean",
            Plain::Text | Plain::Ambiguous => "a string",
        },
    };
    problems.push(Rule::new(Code::WrongType, format!("this takes {takes}, not {found}")).at(node.span));
}

/// A string: quoted, or plain and a string to every reader of YAML.
pub fn text<'n>(node: &'n Node, takes: &str, problems: &mut Problems) -> Option<&'n str> {
    match &node.value {
        Value::Quoted(text) => return Some(text),
        Value::Plain(text) => match read_plain(text) {
            Plain::Text => return Some(text),
            found => {
                let other = if found == Plain::Ambiguous {
                    "is a string to some readers of YAML and something else to others (Argo CD reads YAML 1.1)"
                } else {
                    "is not a string to YAML"
                };
                problems.push(
                    Rule::new(Code::AmbiguousScalar, format!("{} {other}", quoted(text)))
                        .help(format!("quote it: `\"{}\"`", quoted(text).trim_matches('`')))
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
    let written = text(node, &one_of(words), problems)?;
    if let Some(index) = words.iter().position(|word| *word == written) {
        return Some(Located { value: index, span: node.span });
    }
    let help = match nearest(written, words) {
        Some(word) => format!("did you mean `{word}`? it is one of {}", one_of(words)),
        None => format!("it is one of {}", one_of(words)),
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
            wrong_type(node, "a list", problems);
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

/// The fields of a map while they are taken one by one.
pub struct Fields<'n> {
    span: Span,
    entries: Vec<(&'n str, &'n Node, &'n Node)>,
    known: Vec<&'static str>,
    complete: bool,
}

impl<'n> Fields<'n> {
    /// The fields of a node, if it is a map with strings as keys.
    pub fn of(node: &'n Node, problems: &mut Problems) -> Option<Self> {
        let Value::Map(map) = &node.value else {
            wrong_type(node, "a map", problems);
            return None;
        };
        let mut complete = true;
        let mut entries = Vec::with_capacity(map.len());
        for (key, value) in map {
            match text(key, "a field's name", problems) {
                Some(name) => entries.push((name, key, value)),
                None => complete = false,
            }
        }
        Some(Self { span: node.span, entries, known: Vec::new(), complete })
    }

    /// A field that must be there.
    pub fn required<T: Decode>(&mut self, name: &'static str, problems: &mut Problems) -> Option<T> {
        let before = self.known.len();
        let taken = self.optional(name, problems);
        if taken.is_none() && self.known.len() > before && !self.has(name) {
            problems
                .push(Rule::new(Code::MissingField, format!("the field `{name}` is missing")).at(self.span));
        }
        if taken.is_none() {
            self.complete = false;
        }
        taken
    }

    /// A field that may be left out; `key:` with nothing behind it is a mistake, not a default.
    pub fn optional<T: Decode>(&mut self, name: &'static str, problems: &mut Problems) -> Option<T> {
        self.known.push(name);
        let (_, key, value) = self.entries.iter().find(|(key, _, _)| *key == name)?;
        if value.value == Value::Empty {
            problems.push(
                Rule::new(Code::MissingField, format!("the field `{name}` has no value"))
                    .help("give it one, or leave it out")
                    .at(key.span),
            );
            self.complete = false;
            return None;
        }
        let taken = T::decode(value, problems);
        self.complete &= taken.is_some();
        taken
    }

    /// Whether the map has this field.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(key, _, _)| *key == name)
    }

    /// Whether everything was taken and well: pushes a problem for each field that nobody asked for.
    pub fn finish(self, problems: &mut Problems) -> Option<()> {
        let mut complete = self.complete;
        for (name, key, _) in &self.entries {
            if !self.known.contains(name) {
                let mut rule =
                    Rule::new(Code::UnknownField, format!("there is no field {} here", quoted(name)));
                rule.help = Some(match nearest(name, &self.known) {
                    Some(known) => format!("did you mean `{known}`?"),
                    None if self.known.is_empty() => "nothing can be said here".to_owned(),
                    None => format!("the fields here are {}", one_of(&self.known).replace(" or ", " and ")),
                });
                problems.push(rule.at(key.span));
                complete = false;
            }
        }
        complete.then_some(())
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

        impl $crate::document::decode::Decode for $name {
            fn decode(node: &$crate::yaml::Node, problems: &mut $crate::diagnostic::Problems) -> Option<Self> {
                let mut fields = $crate::document::decode::Fields::of(node, problems)?;
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

/// Declares how scalars are read: strings by `FromStr`, integers by `TryFrom<i64>`.
macro_rules! scalars {
    (text: $($text:ty => $takes:literal),*; integer: $($integer:ty),*) => {
        $(impl Decode for $text {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                parsed(node, $takes, problems).map(|located| located.value)
            }
        })*
        $(impl Decode for $integer {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                ranged(node, problems).map(|located| located.value)
            }
        })*
    };
}

mod scalars {
    use super::{Decode, Located, parsed, ranged};
    use crate::diagnostic::Problems;
    use crate::keys::PublicKey;
    use crate::peering::cidr::Cidr;
    use crate::peering::endpoint::{Address, Generation, Mtu, NodePort, Port};
    use crate::peering::name::{
        ClusterId, FileName, GatewayName, Namespace, ObjectName, SecretName, SliceName, SubjectName, Title,
    };
    use crate::peering::version::LiqoVersion;
    use crate::yaml::Node;

    scalars! {
        text:
            ClusterId => "a cluster ID",
            Namespace => "a namespace's name",
            ObjectName => "an object's name",
            GatewayName => "a gateway's name",
            SecretName => "a Secret's name",
            SliceName => "a ResourceSlice's name",
            SubjectName => "a subject's name",
            Title => "a name",
            FileName => "a file's name",
            LiqoVersion => "a version in quotes",
            Cidr => "an IPv4 network",
            PublicKey => "a WireGuard public key",
            Address => "an address";
        integer: Port, NodePort, Mtu, Generation
    }

    /// A location is kept where a later rule needs it.
    impl<T> AsRef<T> for Located<T> {
        fn as_ref(&self) -> &T {
            &self.value
        }
    }
}
