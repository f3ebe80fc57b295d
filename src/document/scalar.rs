//! Scalars in Kubernetes' own words, kept as they are written: they are the templates' too.

use super::decode::{Decode, integer, text, word};
use super::metadata::{label_value, plain_text, qualified};
use crate::diagnostic::{Code, Problems, Rule, quoted};
use crate::input::yaml::Node;
use crate::peering::name::{Namespace, ObjectName};

/// Declares a word of Kubernetes', kept as it is.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $($word:literal)|+;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
        pub struct $name(pub &'static str);

        impl Decode for $name {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                const WORDS: &[&str] = &[$($word),+];
                let index = word(node, WORDS, problems)?.value;
                WORDS.get(index).copied().map(Self)
            }
        })*
    };
}

words! {
    /// What a taint does.
    TaintEffect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
    /// How a toleration compares.
    TolerationOperator: "Exists" | "Equal";
    /// How a scope compares.
    ScopeOperator: "In" | "NotIn" | "Exists" | "DoesNotExist";
}

/// Declares a string with a rule.
macro_rules! strings {
    ($($(#[$doc:meta])* $name:ident($takes:literal): $check:expr;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
        pub struct $name(pub String);

        impl Decode for $name {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                let written = text(node, $takes, problems)?;
                let check: fn(&str) -> Result<(), Rule> = $check;
                match check(written) {
                    Ok(()) => Some(Self(written.to_owned())),
                    Err(rule) => {
                        problems.push(rule.at(node.span));
                        None
                    }
                }
            }
        })*
    };
}

strings! {
    /// A text of 1 to 1024 bytes.
    Text("a string"): plain_text;
    /// A key: `[domain/]name`.
    QualifiedName("a key"): qualified;
    /// A label's or taint's value.
    LabelValue("a value"): label_value;
    /// The kind of an object.
    ObjectKind("a kind"): kind;
    /// An object's `[group/]version`.
    ApiVersion("a group and version"): api_version;
    /// A time as Kubernetes writes it: RFC 3339, in UTC, whole seconds.
    Time("a time"): time;
}

fn kind(text: &str) -> Result<(), Rule> {
    let good = text.len() <= 63
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric());
    let rule = || Rule::new(Code::InvalidName, format!("{} is not a kind", quoted(text)));
    if good { Ok(()) } else { Err(rule().help("for example `WgGatewayServerTemplate`")) }
}

fn api_version(text: &str) -> Result<(), Rule> {
    let (group, version) = text.rsplit_once('/').unwrap_or(("a", text));
    let label = |text: &str| text.parse::<Namespace>().is_ok();
    let good = group.parse::<ObjectName>().is_ok() && label(version);
    let rule = || Rule::new(Code::InvalidName, format!("{} is not an API's group and version", quoted(text)));
    if good { Ok(()) } else { Err(rule().help("for example `networking.liqo.io/v1beta1`")) }
}

fn time(text: &str) -> Result<(), Rule> {
    const FORM: &[u8] = b"0000-00-00T00:00:00Z";
    let alike =
        |(found, form): (u8, &u8)| if *form == b'0' { found.is_ascii_digit() } else { found == *form };
    let number = |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse::<u8>().ok());
    let within = |range, least: u8, most: u8| number(range).is_some_and(|it| (least..=most).contains(&it));
    let good = text.len() == FORM.len()
        && text.bytes().zip(FORM).all(alike)
        && within(5..7, 1, 12)
        && within(8..10, 1, days(text))
        && within(11..13, 0, 23)
        && within(14..16, 0, 59)
        && within(17..19, 0, 59);
    let rule = || Rule::new(Code::InvalidText, format!("{} is not a time", quoted(text)));
    if good {
        Ok(())
    } else {
        Err(rule().help("as Kubernetes writes it, in quotes: `\"2026-01-31T12:00:00Z\"`"))
    }
}

/// How many days the month of a time has.
fn days(time: &str) -> u8 {
    let number = |range: std::ops::Range<usize>| time.get(range).and_then(|part| part.parse::<u16>().ok());
    let year = number(0..4).unwrap_or_default();
    match number(5..7) {
        Some(2) if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        Some(2) => 28,
        Some(4 | 6 | 9 | 11) => 30,
        _ => 31,
    }
}

/// Declares an integer with a range.
macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident($range:expr): $what:literal;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
        pub struct $name(pub i64);

        impl Decode for $name {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                let number = integer(node, problems)?;
                let range: std::ops::RangeInclusive<i64> = $range;
                if range.contains(&number) {
                    return Some(Self(number));
                }
                let message = format!("`{number}` is not {}: {} to {}", $what, range.start(), range.end());
                problems.push(Rule::new(Code::Quantity, message).at(node.span));
                None
            }
        })*
    };
}

integers! {
    /// How much a preference counts.
    Weight(1..=100): "a weight";
    /// A time.
    Seconds(0..=i64::MAX): "a time in seconds";
    /// A size.
    Bytes(0..=i64::MAX): "a size in bytes";
}
