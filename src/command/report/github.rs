//! Findings as annotations of a GitHub workflow: one workflow command a finding, which the runner reads from the log.

use super::{Entry, NOT_JUDGED, Place};
use crate::diagnostic::secrecy::printed;
use crate::diagnostic::{Judged, Severity};

/// One line for each finding. It begins with its own command, and what comes from a document has no line break left, so that
/// no document writes a command (actions/runner `src/Runner.Common/ActionCommand.cs`: `::` counts at the beginning of a line,
/// and `##[` only where that is not there).
pub fn text(findings: &[Entry], judged: &Judged) -> String {
    let last = judged.line().map(|line| format!("::notice title={NOT_JUDGED}::{}\n", data(&printed(&line))));
    findings.iter().map(command).chain(last).collect()
}

fn command(finding: &Entry) -> String {
    let word = if finding.level == Severity::Note.word() { "notice" } else { "error" };
    let place = finding.place.as_ref().map(place).unwrap_or_default();
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {}", help.masked())).unwrap_or_default();
    let message = data(&(finding.message.masked() + &help));
    format!("::{word} {place}title={}::{message}\n", property(finding.code))
}

/// Lines count from 1, and the end of a column is inclusive. A column is taken only where the finding is on one line.
fn place(Place { file, range, .. }: &Place) -> String {
    let file = file.masked();
    let file = property(file.strip_prefix("./").unwrap_or(&file));
    let (first, last) = (range.line, range.end_line);
    let columns = if first == last {
        format!("col={},endColumn={},", range.column, range.end_column.saturating_sub(1).max(range.column))
    } else {
        String::new()
    };
    format!("file={file},line={first},endLine={last},{columns}")
}

/// (actions/toolkit `packages/core/src/command.ts`, `escapeData`.)
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// (the same file, `escapeProperty`.)
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
