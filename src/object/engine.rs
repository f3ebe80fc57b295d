//! The template engine: strict, and able to print only whole scalars.

use super::quote::push_quoted;
use crate::diagnostic::Bug;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Object, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value};

/// The engine. It compiles a template when it is first needed, and keeps it.
pub struct Engine(Environment<'static>);

impl Engine {
    /// An engine that knows no filter but `block` and no test but `none`.
    ///
    /// # Errors
    /// Only for a bug in its syntax.
    pub fn new() -> Result<Self, Bug> {
        let mut environment = Environment::empty();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // a block tag or a comment is on its own line, which is removed
        let mut syntax = SyntaxConfig::builder();
        syntax
            .keep_trailing_newline(true)
            .trim_blocks(true)
            .lstrip_blocks(true);
        environment.set_syntax(syntax.build().map_err(bug)?);
        // stricter than JSON auto-escaping, which depends on the template's name and which `safe` would switch off
        environment.set_formatter(format);
        environment.add_filter("block", block);
        environment.add_test("none", Value::is_none);
        Ok(Self(environment))
    }

    /// The text of a template.
    ///
    /// # Errors
    /// Only for a bug in the template.
    pub fn render(
        &mut self,
        name: &'static str,
        text: &'static str,
        view: impl Into<Value>,
    ) -> Result<String, Bug> {
        if self.0.get_template(name).is_err() {
            self.0.add_template(name, text).map_err(bug)?;
        }
        let compiled = self.0.get_template(name).map_err(bug)?;
        compiled.render(view).map_err(bug)
    }
}

/// A bug with the engine's own message. Without minijinja's `debug` feature, the message has no value in it.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` calls it")]
fn bug(error: minijinja::Error) -> Bug {
    Bug::new(error.to_string())
}

/// Every `{{ }}` is one whole scalar (a quoted string, an integer or a boolean), or whole lines.
fn format(
    output: &mut Output<'_>,
    _: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), minijinja::Error> {
    let mut text = String::new();
    let lines = match value.downcast_object_ref::<WholeLines>() {
        Some(WholeLines(lines)) => lines,
        None => push_scalar(value, &mut text)?,
    };
    output.write_str(lines).map_err(minijinja::Error::from)
}

/// Whole lines, with their indentation. The line break of the last one is in the template.
#[derive(Debug)]
pub(super) struct WholeLines(pub(super) String);

impl Object for WholeLines {}

impl WholeLines {
    pub(super) fn to_value(text: String) -> Value {
        Value::from_object(Self(text))
    }
}

/// The filter `{{ terms|block(6) }}`: the items of a list, or the fields of a record or a map, indented by this number of spaces.
pub(super) fn block(value: &Value, indent: usize) -> Result<Value, Error> {
    // most blocks fit, so that the text is allocated once
    let mut text = String::with_capacity(64);
    write(value, indent, &mut text)?;
    text.truncate(text.trim_end_matches('\n').len());
    Ok(WholeLines::to_value(text))
}

/// Writes the items or fields of a value. A record is a list that begins with `null`, and then has names and values in turn: a map of the
/// engine would be sorted. A record's names are the program's own, so they are not quoted, and a field without a value is left out. The
/// keys of a map are the user's.
fn write(value: &Value, indent: usize, text: &mut String) -> Result<(), Error> {
    let mut items = value.try_iter()?;
    if value.kind() == ValueKind::Map {
        for key in items {
            pad(indent, text);
            push_scalar(&key, text)?;
            end_line(": ", &value.get_item(&key)?, text)?;
        }
        return Ok(());
    }
    let mut next = items.next();
    if next.as_ref().is_some_and(Value::is_none) {
        while let (Some(name), Some(content)) = (items.next(), items.next()) {
            write_field(name.as_str().unwrap_or_default(), &content, indent, text)?;
        }
        return Ok(());
    }
    while let Some(item) = next {
        if is_nested(&item) {
            let start = text.len();
            write(&item, indent + 2, text)?;
            // the dash replaces a space in the indentation of the item's first field
            text.replace_range(start + indent..=start + indent, "-");
        } else {
            pad(indent, text);
            end_line("- ", &item, text)?;
        }
        next = items.next();
    }
    Ok(())
}

fn write_field(name: &str, content: &Value, indent: usize, text: &mut String) -> Result<(), Error> {
    let start = text.len();
    pad(indent, text);
    text.push_str(name);
    if is_nested(content) {
        text.push_str(":\n");
        let inside = text.len();
        write(content, indent + 2, text)?;
        if text.len() == inside {
            text.truncate(start);
        }
    } else if content.is_none() || content.as_str() == Some("") {
        text.truncate(start);
    } else {
        end_line(": ", content, text)?;
    }
    Ok(())
}

fn pad(indent: usize, text: &mut String) {
    text.extend(std::iter::repeat_n(' ', indent));
}

/// Adds a mark and a scalar, and ends the line.
fn end_line(mark: &str, scalar: &Value, text: &mut String) -> Result<(), Error> {
    text.push_str(mark);
    push_scalar(scalar, text)?;
    text.push('\n');
    Ok(())
}

fn is_nested(value: &Value) -> bool {
    matches!(
        value.kind(),
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map
    )
}

fn refused(what: &'static str) -> Error {
    Error::new(ErrorKind::BadSerialization, what)
}

/// Adds the scalar to a text, and returns the text.
pub(super) fn push_scalar<'t>(value: &Value, text: &'t mut String) -> Result<&'t str, Error> {
    match value.kind() {
        ValueKind::String => push_quoted(value.as_str().ok_or_else(|| refused("a string"))?, text),
        ValueKind::Number if value.is_integer() => text.push_str(&value.to_string()),
        ValueKind::Bool => text.push_str(if value.is_true() { "true" } else { "false" }),
        ValueKind::Undefined => return Err(Error::from(ErrorKind::UndefinedError)),
        _ => {
            return Err(refused(
                "a template may print strings, integers and booleans only",
            ));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::Engine;
    use minijinja::Value;
    use std::collections::BTreeMap;

    fn render(text: &'static str, value: &'static str) -> Result<String, String> {
        let view = BTreeMap::from([("v", Value::from(value))]);
        let mut engine = Engine::new().expect("an engine");
        engine
            .render("test", text, view)
            .map_err(|bug| bug.to_string())
    }

    #[test]
    fn every_way_to_print_a_string_quotes_it() {
        for template in ["{{ v }}", "{{ v ~ '' }}"] {
            assert_eq!(
                render(template, "on").expect("text"),
                "\"on\"",
                "{template}"
            );
        }
        for template in ["{{ v|safe }}", "{{ v|string }}"] {
            render(template, "on").expect_err("there is no such filter");
        }
    }

    #[test]
    fn what_cannot_be_a_scalar_is_an_error_without_its_value() {
        for template in [
            "{{ nothing }}",
            "{{ [v] }}",
            "{{ {'a': v} }}",
            "{{ none }}",
            "{{ 1.5 }}",
        ] {
            let error = render(template, "hush").expect_err(template);
            assert!(!error.contains("hush"), "{error}");
        }
    }

    #[test]
    fn an_error_does_not_show_the_view() {
        let error = render("{{ v.missing.field }}", "hush").expect_err("undefined");
        assert!(!error.contains("hush"), "{error}");
    }
}
