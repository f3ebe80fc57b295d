//! Texts in the form of Kubernetes' own fields, emitted as they are written.

use super::labels::{LABEL_VALUE, check_qualified, label_value};
use super::name::{Namespace, ObjectName, QUALIFIED, is_qualified_part};
use crate::diagnostic::{Code, Rule, quoted};
use crate::document::{integers, texts};

texts! {
    /// A text of 1 to 1024 bytes on one line, for fields without a form of their own.
    Text, takes "a string", schema { "type": "string", "minLength": 1, "maxLength": 1024 }, check_text;

    /// A key: `[domain/]name`.
    QualifiedName, takes "a key",
    schema { "type": "string", "pattern": QUALIFIED, "minLength": 1, "maxLength": 317 },
    check_qualified;

    /// A label's or taint's value; may be empty.
    LabelValue, takes "a value", schema { "type": "string", "pattern": LABEL_VALUE }, label_value;

    /// The kind of an object.
    ObjectKind, takes "a kind",
    schema { "type": "string", "pattern": "^[A-Z][A-Za-z0-9]*$", "minLength": 1, "maxLength": 63 },
    check_kind;

    /// An object's `[group/]version`.
    ApiVersion, takes "a group and version",
    schema {
        "type": "string",
        "pattern": "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        "examples": ["networking.liqo.io/v1beta1"],
    },
    check_api_version;

    /// A slice's class: a label's value in Liqo's own code, free text in its CRD.
    Class, takes "a class",
    schema {
        "type": "string", "pattern": "^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$", "minLength": 1, "maxLength": 63,
    },
    check_class;
}

fn check_text(text: &str) -> Result<(), Rule> {
    const MAX: usize = 1024;
    let message = match text {
        "" => "this text is empty".to_owned(),
        _ if text.len() > MAX => format!("{} is too long: {MAX} bytes at most", quoted(text)),
        _ if text.chars().any(char::is_control) => {
            format!("{} has control characters", quoted(text))
        }
        _ => return Ok(()),
    };
    Err(Rule::new(Code::InvalidText, message))
}

fn check_kind(text: &str) -> Result<(), Rule> {
    if text.len() <= 63
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.as_bytes().iter().all(u8::is_ascii_alphanumeric)
    {
        return Ok(());
    }
    let rule = Rule::wrong_value(Code::InvalidName, text, "a kind");
    Err(rule.help("for example `WgGatewayServerTemplate`"))
}

fn check_api_version(text: &str) -> Result<(), Rule> {
    let (group, version) = text.rsplit_once('/').unwrap_or(("a", text));
    if group.parse::<ObjectName>().is_ok() && version.parse::<Namespace>().is_ok() {
        return Ok(());
    }
    let rule = Rule::wrong_value(Code::InvalidName, text, "an API's group and version");
    Err(rule.help("for example `networking.liqo.io/v1beta1`"))
}

fn check_class(text: &str) -> Result<(), Rule> {
    if is_qualified_part(text) {
        return Ok(());
    }
    let help = "letters, digits; between them `-`, `_` and `.`; at most 63";
    Err(Rule::wrong_value(Code::InvalidName, text, "the name of a class").help(help))
}

impl Class {
    /// Liqo's own class.
    pub fn liqo() -> Self {
        Self("default".to_owned())
    }
}

integers! {
    /// How much a preference counts.
    Weight(i64), 1..=100, Code::Quantity, "a weight", "use a number from 1 to 100";

    /// A time.
    Seconds(i64), 0..=i64::MAX, Code::Quantity, "a time in seconds", "use zero or more";

    /// A size.
    Bytes(i64), 0..=i64::MAX, Code::Quantity, "a size in bytes", "use zero or more";
}
