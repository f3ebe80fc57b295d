//! The template engine: strict, and unable to print anything but whole scalars.

use super::scalar;
use crate::diagnostic::Bug;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{Environment, ErrorKind, Output, State, UndefinedBehavior, Value};
use serde::Serialize;
use zeroize::Zeroizing;

/// A template's name and text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Template {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

/// Compiles a template when it is first needed, and keeps it.
pub(super) struct Engine(Environment<'static>);

impl Engine {
    pub(super) fn new() -> Self {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // a block tag or a comment has its line to itself and leaves no trace of it
        let mut syntax = SyntaxConfig::builder();
        syntax.keep_trailing_newline(true).trim_blocks(true).lstrip_blocks(true);
        // it refuses wrong delimiters only, and these are the usual ones
        if let Ok(syntax) = syntax.build() {
            environment.set_syntax(syntax);
        }
        // stricter than JSON auto-escaping, which goes by the template's name, and which `safe` would switch off
        environment.set_formatter(format);
        Self(environment)
    }

    pub(super) fn render(
        &mut self,
        template: Template,
        view: &impl Serialize,
    ) -> Result<Zeroizing<String>, Bug> {
        // the engine's own words name the template and the line; without the `debug` feature they hold no value
        let bug = |error: minijinja::Error| Bug::new(error.to_string());
        if self.0.get_template(template.name).is_err() {
            self.0.add_template(template.name, template.text).map_err(bug)?;
        }
        let compiled = self.0.get_template(template.name).map_err(bug)?;
        compiled.render(Serde(view)).map(Zeroizing::new).map_err(bug)
    }
}

/// Every `{{ }}` is one whole scalar: a quoted string, an integer or a boolean.
fn format(output: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), minijinja::Error> {
    let refused = |what: &'static str| minijinja::Error::new(ErrorKind::BadSerialization, what);
    let written = match value.kind() {
        ValueKind::String => {
            output.write_str(&scalar::quote(value.as_str().ok_or_else(|| refused("a string"))?))
        }
        ValueKind::Number if value.is_integer() => output.write_str(&value.to_string()),
        ValueKind::Bool => output.write_str(if value.is_true() { "true" } else { "false" }),
        ValueKind::Undefined => return Err(minijinja::Error::from(ErrorKind::UndefinedError)),
        _ => return Err(refused("a template may print strings, integers and booleans only")),
    };
    written.map_err(minijinja::Error::from)
}

#[cfg(test)]
mod tests {
    use super::{Engine, Template};
    use std::collections::BTreeMap;

    fn render(text: &'static str, value: &str) -> Result<String, String> {
        let view = BTreeMap::from([("v", value)]);
        Engine::new()
            .render(Template { name: "test", text }, &view)
            .map(|text| text.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn every_way_to_print_a_string_quotes_it() {
        for template in ["{{ v }}", "{{ v|safe }}", "{{ v|string }}", "{{ v ~ '' }}"] {
            assert_eq!(render(template, "on").expect("text"), "\"on\"", "{template}");
        }
    }

    #[test]
    fn what_cannot_be_a_scalar_is_an_error_without_its_value() {
        for template in ["{{ nothing }}", "{{ [v] }}", "{{ {'a': v} }}", "{{ none }}", "{{ 1.5 }}"] {
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
