//! Findings as data, for `--format json`.

use crate::diagnostic::{Label, mask};
use crate::error::Error;
use crate::source::Source;
use serde::Serialize;

/// One thing that is wrong. Nothing secret in it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    code: &'static str,
    message: String,
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

/// Lines and columns from 1; columns in characters; the end is exclusive.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

/// Another place that the message speaks of.
#[derive(Debug, Serialize)]
struct Related {
    message: String,
    range: Range,
}

impl Finding {
    /// The findings of an error: one for each diagnostic of a document.
    #[must_use]
    pub fn of(error: &Error) -> Vec<Self> {
        let Error::Document { problems, text } = error else {
            let message = mask(&error.to_string(), &[]);
            return vec![Self {
                code: error.code(),
                message,
                file: None,
                range: None,
                related: Vec::new(),
                help: error.help().map(|help| mask(&help, &[])),
            }];
        };
        let finding = |diagnostic: &crate::diagnostic::Diagnostic| Self {
            code: diagnostic.code.name(),
            message: mask(&diagnostic.message, &[]),
            file: Some(text.name().to_owned()),
            range: Some(range(text, &diagnostic.primary)),
            related: diagnostic
                .secondary
                .iter()
                .map(|label| Related { message: mask(&label.text, &[]), range: range(text, label) })
                .collect(),
            help: diagnostic.help.as_deref().map(|help| mask(help, &[])),
        };
        problems.iter().map(finding).collect()
    }
}

fn range(text: &Source, label: &Label) -> Range {
    let ((line, column), (end_line, end_column)) =
        (text.position(label.span.start), text.position(label.span.end));
    Range { line, column, end_line, end_column }
}
