//! What a run found, in each form that it is printed in. Each form is written once, for all commands, and knows none of them.

pub(crate) mod changes;
mod format;
mod github;
mod wrap;

use crate::diagnostic::{Bug, Finding, Judged, counted};
use clap::builder::styling::Style;
pub use format::{Format, ReportFormat};
use schemars::JsonSchema;
use serde::Serialize;
pub(crate) use wrap::wrap;

/// The version of all forms in JSON. A field may be added to them; nothing else changes.
const VERSION: u32 = 1;

/// The code for a note that is not a finding, where a form has no other place for it.
pub(crate) const NOT_JUDGED: &str = "not-judged";

/// A text in this style, where the output has colours.
pub(crate) fn paint(text: &str, style: Style, is_coloured: bool) -> String {
    if is_coloured {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

/// A report in JSON.
#[derive(Serialize, JsonSchema)]
struct Versioned<'r, R> {
    /// The version of this form: 1. A later program may add fields to it.
    version: u32,
    #[serde(flatten)]
    report: &'r R,
}

/// A report as it is printed in JSON.
///
/// # Errors
/// Only for a bug.
pub fn json(report: &impl Serialize) -> Result<String, Bug> {
    pretty(&Versioned {
        version: VERSION,
        report,
    })
}

/// Any JSON as it is printed.
///
/// # Errors
/// Only for a bug.
pub fn pretty(json: &impl Serialize) -> Result<String, Bug> {
    match serde_json::to_string_pretty(json) {
        Ok(json) => Ok(json + "\n"),
        Err(_) => Err(Bug::new("the report")),
    }
}

/// The JSON Schema of a report (draft 2020-12), as text that ends with a line break.
pub fn schema<R: JsonSchema + 'static>(commands: &str) -> String {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Versioned<'static, R>>();
    let title = format!("The report of argocd-peering {commands} --format json");
    schema.insert("title".into(), title.into());
    schema.remove("description");
    // a value of this type serializes
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// How many peerings were looked at.
    pub peerings: usize,
    /// Of `doctor`: the code of what to mend first. Left out if nothing is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headline: Option<&'static str>,
    /// What is wrong, and what is likely a mistake; empty if nothing is.
    pub findings: Vec<Finding>,
    /// How many more findings there are.
    pub more: usize,
    /// What was judged, and what was not.
    #[serde(flatten)]
    pub judged: Judged,
}

/// How a report is printed for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Json,
    /// Annotations of a GitHub workflow.
    Github,
}

impl Report {
    /// The report as it is printed.
    ///
    /// # Errors
    /// Only for a bug.
    pub fn print(&self, form: Form) -> Result<String, Bug> {
        match form {
            Form::Json => json(self),
            Form::Github => Ok(github::text(self)),
        }
    }

    fn omissions(&self) -> Option<String> {
        (self.more > 0).then(|| format!("not shown: {}", counted(self.more, "more finding")))
    }
}
