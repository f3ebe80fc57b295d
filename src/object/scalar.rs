//! Scalars of a template.

use super::quote::push_quoted;
use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};

/// Adds the scalar to a text, and gives the text.
pub(super) fn push_scalar<'t>(value: &Value, text: &'t mut String) -> Result<&'t str, Error> {
    let refused = |what: &'static str| Error::new(ErrorKind::BadSerialization, what);
    match value.kind() {
        ValueKind::String => push_quoted(value.as_str().ok_or_else(|| refused("a string"))?, text),
        ValueKind::Number if value.is_integer() => text.push_str(&value.to_string()),
        ValueKind::Bool => text.push_str(if value.is_true() { "true" } else { "false" }),
        ValueKind::Undefined => return Err(Error::from(ErrorKind::UndefinedError)),
        _ => return Err(refused("a template may print strings, integers and booleans only")),
    }
    Ok(text)
}
