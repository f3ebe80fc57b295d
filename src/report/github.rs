//! Findings as annotations of a GitHub workflow: one workflow command a finding, which the runner reads from the log.

use super::{NOT_JUDGED, Report};
use crate::diagnostic::{Finding, Place, Severity, printed};

/// One line for each finding. It begins with its own command, and text from a document has no line break left, so that no document can
/// write a command (actions/runner `src/Runner.Common/ActionCommand.cs`: `::` counts at the beginning of a line, and `##[` only in a line
/// without `::` there).
pub(super) fn text(report: &Report) -> String {
    // GitHub shows at most ten notices of a step, so everything that was not judged is one notice
    let last = report.omissions().into_iter().chain(report.judged.line());
    let mut text: String = report.findings.iter().map(annotation).collect();
    for words in last {
        let words = escape_data(&printed(&words));
        text += &format!("::notice title={NOT_JUDGED}::{words}\n");
    }
    text
}

fn annotation(finding: &Finding) -> String {
    let word = match finding.level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = finding.place.as_ref().map(place_properties);
    let place = place.unwrap_or_default();
    let title = escape_property(finding.code);
    let message = escape_data(&finding.words("\nhelp: "));
    format!("::{word} {place}title={title}::{message}\n")
}

/// Lines count from 1, and the end column is inclusive. GitHub accepts columns only for a finding on one line.
fn place_properties(Place { file, range, .. }: &Place) -> String {
    let file = file.masked();
    let file = escape_property(file.strip_prefix("./").unwrap_or(&file));
    let (first, last) = (range.line, range.end_line);
    let mut properties = format!("file={file},line={first},endLine={last},");
    if first == last {
        let end = range.end_column.saturating_sub(1).max(range.column);
        properties += &format!("col={},endColumn={end},", range.column);
    }
    properties
}

/// (actions/toolkit `packages/core/src/command.ts`, `escapeData`.)
fn escape_data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// (the same file, `escapeProperty`.)
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}
