//! Findings as annotations of a GitHub workflow: one workflow command a finding, which the runner reads from the log.

use super::{NOT_JUDGED, Report};
use crate::diagnostic::{Finding, Place, Severity, printed};

/// One line for each finding. It begins with its own command, and text from a document has no line break left, so that no document can
/// write a command (actions/runner `src/Runner.Common/ActionCommand.cs`: `::` counts at the beginning of a line, and `##[` only in a line
/// without `::` there).
pub(super) fn text(report: &Report) -> String {
    // GitHub shows at most ten notices of a step, so everything that was not judged is one notice
    let last = report.omissions().into_iter().chain(report.judged.line());
    let last = last.map(|words| {
        format!(
            "::notice title={NOT_JUDGED}::{}\n",
            escape_data(&printed(&words))
        )
    });
    report.findings.iter().map(annotation).chain(last).collect()
}

fn annotation(finding: &Finding) -> String {
    let word = match finding.level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = finding
        .place
        .as_ref()
        .map(place_properties)
        .unwrap_or_default();
    let message = escape_data(&finding.words("\nhelp: "));
    format!(
        "::{word} {place}title={}::{message}\n",
        escape_property(finding.code)
    )
}

/// Lines count from 1, and the end column is inclusive. GitHub accepts columns only for a finding on one line.
fn place_properties(Place { file, range, .. }: &Place) -> String {
    let file = file.masked();
    let file = escape_property(file.strip_prefix("./").unwrap_or(&file));
    let (first, last) = (range.line, range.end_line);
    let columns = if first == last {
        format!(
            "col={},endColumn={},",
            range.column,
            range.end_column.saturating_sub(1).max(range.column)
        )
    } else {
        String::new()
    };
    format!("file={file},line={first},endLine={last},{columns}")
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
