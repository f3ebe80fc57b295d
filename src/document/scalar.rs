//! Single values: texts and integers with a rule, and words of a fixed set. Each is declared once: the type, how it is
//! read, how it is written, and its JSON Schema.

use super::decode::{Decoder, text as read_text};
use crate::diagnostic::{Code, Rule, nearest};
use crate::input::yaml::Node;

/// The index of a word in a fixed set. `takes` names everything that the field accepts, which may be more than these
/// words.
pub fn word_or(
    node: &Node,
    words: &[&'static str],
    takes: &str,
    decoder: &mut Decoder,
) -> Option<usize> {
    let written = read_text(node, takes, decoder)?;
    if let Some(index) = words.iter().position(|word| *word == written) {
        return Some(index);
    }
    let rule = Rule::wrong_value(Code::UnknownValue, written, "a known value");
    let rule = match nearest(written, words) {
        Some(word) => rule.help(format!("did you mean `{word}`? the field takes {takes}")),
        None => rule.help(format!("the field takes {takes}")),
    };
    decoder.reject(node, rule)
}

/// Declares fixed sets of words: for each an enum, its words, how it is read and printed, its schema.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $( $(#[$variant_doc:meta])* $variant:ident = $word:literal, )+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( $(#[$variant_doc])* $variant, )+
        }

        impl $name {
            /// All variants.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The words of the variants, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The variant with exactly this word.
            #[allow(dead_code)] // not all of them are looked up
            pub fn find(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.word() == word)
            }

            /// The word, as Liqo or Kubernetes writes it.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.word())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl $crate::document::Decode for $name {
            fn decode(node: &$crate::input::yaml::Node, decoder: &mut $crate::document::Decoder) -> Option<Self> {
                let takes = $crate::diagnostic::list_or(Self::WORDS);
                let index = $crate::document::word_or(node, Self::WORDS, &takes, decoder)?;
                Self::ALL.get(index).copied()
            }
        }

        $crate::document::schema!($name, { "type": "string", "enum": Self::WORDS });
    )+};
}
pub(crate) use words;

/// Declares how a type is read, shown and written, and its schema. `takes` completes the message "this takes …". `plain` is true for the
/// texts that mean a value of this type although they are not strings to every reader of YAML.
macro_rules! scalar {
    ($name:ident, takes $takes:literal, $(plain $plain:expr,)? read $read:expr, shown |$it:ident| $shown:expr, schema $schema:tt) => {
        impl std::str::FromStr for $name {
            type Err = $crate::diagnostic::Rule;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let read: fn(&str) -> Result<Self, Self::Err> = $read;
                read(text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $it = self;
                std::fmt::Display::fmt(&$shown, formatter)
            }
        }

        impl $crate::document::Decode for $name {
            fn decode(
                node: &$crate::input::yaml::Node,
                decoder: &mut $crate::document::Decoder,
            ) -> Option<Self> {
                $(
                    if let $crate::input::yaml::Value::Plain(text) = &node.value
                        && $plain(text)
                    {
                        return decoder.valid(node, text.parse());
                    }
                )?
                $crate::document::parsed(node, $takes, decoder)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        $crate::document::schema!($name, $schema);
    };
}
pub(crate) use scalar;

/// Declares texts with a rule: types that are made only by `FromStr`.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, takes $takes:literal, schema $schema:tt, $check:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        // not every type uses all of these functions
        #[allow(dead_code)]
        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        $crate::document::scalar!($name, takes $takes, read |text| {
            let check: fn(&str) -> Result<(), $crate::diagnostic::Rule> = $check;
            check(text)?;
            Ok(Self(text.to_owned()))
        }, shown |it| it.0, schema $schema);
    )+};
}
pub(crate) use texts;

/// Declares integers with a range.
macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident($inner:ty), $range:expr, $code:expr, $what:literal, $help:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        pub struct $name($inner);

        impl $name {
            /// The number.
            #[allow(dead_code, reason = "some go unused")]
            pub const fn get(self) -> $inner {
                self.0
            }
        }

        impl TryFrom<i64> for $name {
            type Error = $crate::diagnostic::Rule;

            fn try_from(number: i64) -> Result<Self, Self::Error> {
                let range: std::ops::RangeInclusive<$inner> = $range;
                if let Ok(number) = <$inner>::try_from(number)
                    && range.contains(&number)
                {
                    return Ok(Self(number));
                }
                let message = format!("`{number}` is not {}: {} to {}", $what, range.start(), range.end());
                Err($crate::diagnostic::Rule::new($code, message).help($help))
            }
        }

        impl $crate::document::Decode for $name {
            fn decode(node: &$crate::input::yaml::Node, decoder: &mut $crate::document::Decoder) -> Option<Self> {
                let number = $crate::document::integer(node, decoder)?;
                decoder.valid(node, number.try_into())
            }
        }

        $crate::document::schema!($name, {
            "type": "integer", "minimum": (*($range).start()), "maximum": (*($range).end()),
        });
    )+};
}
pub(crate) use integers;
