//! Findings as a report of GitLab's Code Quality, which merge requests show beside the lines
//! (docs.gitlab.com/ci/testing/code_quality, "Code Quality report format").

use super::{NOT_JUDGED, Report, pretty};
use crate::diagnostic::{Bug, Finding, Severity, Shown};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// The whole report: a list.
///
/// # Errors
/// Only for a bug.
pub(super) fn text(report: &Report) -> Result<String, Bug> {
    let mut seen = BTreeMap::new();
    let entries = report
        .findings
        .iter()
        .map(|finding| entry(finding, &mut seen));
    pretty(
        &entries
            .chain(report.remarks().map(|it| remark(&it)))
            .collect::<Vec<Value>>(),
    )
}

/// A note that is not a finding: it has no line and no severity.
fn remark(description: &str) -> Value {
    json!({
        "fingerprint": format!("{:x}", Sha256::digest(description)),
        "description": description,
        "check_name": NOT_JUDGED,
        "severity": "info",
        "location": { "path": ".", "lines": { "begin": 1 } },
    })
}

/// GitLab accepts only a finding with a place. For a finding of the whole run, that is the repository's root.
fn entry(finding: &Finding, seen: &mut BTreeMap<String, usize>) -> Value {
    let file = finding
        .place
        .as_ref()
        .map_or_else(|| ".".to_owned(), |place| place.file.masked());
    json!({
        "description": finding.words("; "),
        "check_name": finding.code,
        "fingerprint": fingerprint(finding, &file, seen),
        "severity": match finding.level {
            Severity::Error => "critical",
            Severity::Warning => "major",
            Severity::Note => "minor",
        },
        "location": {
            "path": file.strip_prefix("./").unwrap_or(&file),
            "lines": { "begin": finding.place.as_ref().map_or(1, |place| place.range.line) },
        },
    })
}

/// A finding keeps its fingerprint if only its lines move: GitLab shows what is new by comparing fingerprints. Of findings with one
/// fingerprint GitLab would show only the first, so equal ones are counted.
fn fingerprint(finding: &Finding, file: &str, seen: &mut BTreeMap<String, usize>) -> String {
    let path = finding
        .place
        .as_ref()
        .and_then(|place| place.path.as_ref())
        .map(Shown::masked);
    let alike = [
        file,
        finding.code.name,
        &path.unwrap_or_default(),
        &finding.sentence(),
    ]
    .join("\0");
    let count = seen.entry(alike.clone()).or_default();
    *count += 1;
    format!("{:x}", Sha256::digest(format!("{alike}\0{count}")))
}
