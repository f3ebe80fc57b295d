//! The template engine: strict, and unable to print anything but whole scalars.

use super::block::{Lines, block};
use super::scalar::push_scalar;
use crate::diagnostic::Bug;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Output, State, UndefinedBehavior, Value};

/// Compiles a template when it is first needed, and keeps it.
pub struct Engine(Environment<'static>);

impl Engine {
    /// An engine that knows no filter but `block` and no test but `none`.
    ///
    /// # Errors
    /// Only for a bug in its syntax.
    pub fn new() -> Result<Self, Bug> {
        let mut environment = Environment::empty();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // a block tag or a comment has its own line and leaves nothing of it
        let mut syntax = SyntaxConfig::builder();
        syntax.keep_trailing_newline(true).trim_blocks(true).lstrip_blocks(true);
        environment.set_syntax(syntax.build().map_err(bug)?);
        // stricter than JSON auto-escaping, which depends on the template's name and which `safe` would switch off
        environment.set_formatter(format);
        environment.add_filter("block", block);
        environment.add_test("none", |value: &Value| value.is_none());
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

/// The engine's own words. Without minijinja's `debug` feature they hold no value.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` calls it")]
fn bug(error: minijinja::Error) -> Bug {
    Bug::new(error.to_string())
}

/// Every `{{ }}` is one whole scalar (a quoted string, an integer or a boolean), or whole lines.
fn format(output: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), minijinja::Error> {
    let mut text = String::new();
    let lines = match value.downcast_object_ref::<Lines>() {
        Some(Lines(lines)) => lines,
        None => push_scalar(value, &mut text)?,
    };
    output.write_str(lines).map_err(minijinja::Error::from)
}

#[cfg(test)]
mod tests {
    use super::Engine;
    use minijinja::Value;
    use std::collections::BTreeMap;

    fn render(text: &'static str, value: &'static str) -> Result<String, String> {
        let view = BTreeMap::from([("v", Value::from(value))]);
        let mut engine = Engine::new().expect("an engine");
        engine.render("test", text, view).map_err(|bug| bug.to_string())
    }

    #[test]
    fn every_way_to_print_a_string_quotes_it() {
        for template in ["{{ v }}", "{{ v ~ '' }}"] {
            assert_eq!(render(template, "on").expect("text"), "\"on\"", "{template}");
        }
        for template in ["{{ v|safe }}", "{{ v|string }}"] {
            render(template, "on").expect_err("there is no such filter");
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
