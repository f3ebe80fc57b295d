//! Findings as data, for `validate --format json`. The form is [`VERSION`]'s and documented in `docs/diagnostics.md`; its
//! schema is `docs/report.schema.json`.

pub mod github;
pub mod gitlab;
pub mod sarif;

use crate::command::error::{Error, tally};
use crate::diagnostic::secrecy::Shown;
use crate::diagnostic::{Bug, Diagnostic, Invalid, Judged, Label, Severity, Source};
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the form. A field may be added to it; nothing else changes.
pub const VERSION: u32 = 1;

/// The code of what was not judged, where a form has no other place for it.
const NOT_JUDGED: &str = "not-judged";

/// What `validate --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// The version of this form: 1. A later program may add fields to it.
    pub version: u32,
    /// How many peerings were checked.
    pub peerings: usize,
    /// What is wrong, and what is likely a mistake; empty if nothing is.
    pub findings: Vec<Entry>,
    /// What was judged, and what was not.
    #[serde(flatten)]
    pub judged: Judged,
}

/// A report as it is printed.
///
/// # Errors
/// Only for a bug.
pub(crate) fn pretty(report: &impl Serialize) -> Result<String, Bug> {
    serde_json::to_string_pretty(report).map(|json| json + "\n").map_err(|_| Bug::new("the report"))
}

/// The JSON Schema of a report (draft 2020-12), as text that ends with a line break.
pub(crate) fn schema<R: JsonSchema>(command: &str) -> String {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<R>();
    schema.insert("title".into(), format!("The report of argocd-peering {command} --format json").into());
    // a value of this type serializes
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

impl Report {
    /// The report of so many peerings.
    pub fn new(peerings: usize, errors: &[Error], judged: Judged) -> Self {
        Self { version: VERSION, peerings, findings: findings(errors), judged }
    }
}

/// How many findings a report has; the others are counted. Of each there can be a page of Markdown in some formats.
const FINDINGS_MAX: usize = 10_000;

/// The findings of these errors, each made only if it is kept.
pub(super) fn findings(errors: &[Error]) -> Vec<Entry> {
    let mut findings = Vec::new();
    for (number, error) in errors.iter().enumerate() {
        if findings.len() >= FINDINGS_MAX {
            findings.extend(errors.get(number..).and_then(Entry::of_more));
            break;
        }
        findings.extend(Entry::from_error(error));
    }
    findings
}

/// One thing that is wrong, or likely a mistake. Nothing secret in it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Finding")]
pub struct Entry {
    /// The stable name of the rule; `argocd-peering explain` has it.
    code: &'static str,
    /// `error`, or `note` for what is likely a mistake and is taken.
    level: &'static str,
    /// One sentence.
    message: Shown,
    /// Where. Left out if the finding is about no document.
    #[serde(flatten)]
    place: Option<Place>,
    /// Other places that the message speaks of, also in other files.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    related: Vec<Related>,
    /// The way out.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Shown>,
}

/// A place in a document.
#[derive(Debug, Serialize, JsonSchema)]
struct Place {
    /// The file, as it was named or found.
    file: Shown,
    /// The field: `spec.consumer.podCIDRs[0]`. Left out for the document itself, and in a file that is not YAML.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Shown>,
    /// The characters.
    range: Range,
}

/// Lines and columns from 1; columns in characters; the end is exclusive.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Range {
    /// The first line.
    line: usize,
    /// The first column.
    column: usize,
    /// The last line.
    end_line: usize,
    /// The column after the last.
    end_column: usize,
}

/// Another place that the message speaks of.
#[derive(Debug, Serialize, JsonSchema)]
struct Related {
    /// A few words, or none.
    message: Shown,
    /// Where.
    #[serde(flatten)]
    place: Place,
}

impl Entry {
    /// The findings of an error: one for each diagnostic of a document that is shown, and one that counts the rest.
    pub fn from_error(error: &Error) -> Vec<Self> {
        let Error::Document(invalid) = error else { return vec![Self::of_run(error, error.to_string())] };
        let (shown, more) = invalid.shown();
        let shown = shown.map(|diagnostic| Self::from_diagnostic(diagnostic, invalid));
        shown.chain(more.map(|message| Self::of_run(error, message))).collect()
    }

    /// How many findings of these errors are not reported, at the level of the worst.
    fn of_more(errors: &[Error]) -> Option<Self> {
        let is_note = |it: &&Error| matches!(it, Error::Document(it) if it.severity == Severity::Note);
        let worst = errors.iter().find(|it| !is_note(it)).or(errors.first())?;
        let message = format!("{} more are not in this report: name fewer folders at once", tally(errors));
        Some(Self::of_run(worst, message))
    }

    /// A finding without a place.
    fn of_run(error: &Error, message: String) -> Self {
        let level = match error {
            Error::Document(invalid) => invalid.severity.word(),
            _ => Severity::Error.word(),
        };
        let help = error.help().map(Into::into);
        Self { code: error.code(), level, message: message.into(), place: None, related: Vec::new(), help }
    }

    fn from_diagnostic(diagnostic: &Diagnostic, Invalid { severity, source, paths, .. }: &Invalid) -> Self {
        let here = diagnostic.secondary.iter().map(|label| relate(source, paths.to(label.span), label));
        let elsewhere =
            diagnostic.elsewhere.iter().map(|it| relate(&it.source, it.path.as_deref(), &it.label));
        Self {
            code: diagnostic.code.name(),
            level: severity.word(),
            message: diagnostic.message.clone().into(),
            place: Some(place(source, paths.to(diagnostic.primary.span), &diagnostic.primary)),
            related: here.chain(elsewhere).collect(),
            help: diagnostic.help.clone().map(Into::into),
        }
    }
}

fn place(source: &Source, path: Option<&str>, label: &Label) -> Place {
    let (line, column) = source.position(label.span.start);
    let (end_line, end_column) = source.position(label.span.end);
    Place {
        file: source.name().to_owned().into(),
        path: path.map(|path| path.to_owned().into()),
        range: Range { line, column, end_line, end_column },
    }
}

fn relate(source: &Source, path: Option<&str>, label: &Label) -> Related {
    Related { message: label.text.clone().into(), place: place(source, path, label) }
}
