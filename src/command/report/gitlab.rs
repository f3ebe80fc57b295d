//! Findings as a report of GitLab's Code Quality, which merge requests show beside the lines
//! (docs.gitlab.com/ci/testing/code_quality, "Code Quality report format").

use super::{Entry, NOT_JUDGED, pretty};
use crate::diagnostic::secrecy::Shown;
use crate::diagnostic::{Bug, Judged, NotJudged, Severity};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// The whole report: a list.
///
/// # Errors
/// Only for a bug.
pub fn text(findings: &[Entry], judged: &Judged) -> Result<String, Bug> {
    let mut seen = BTreeMap::new();
    let entries = findings.iter().map(|finding| entry(finding, &mut seen));
    let report: Vec<Value> = entries.chain(judged.not_judged().map(not_judged)).collect();
    pretty(&report)
}

/// What was not judged has no line, and no severity either.
fn not_judged(it: &NotJudged) -> Value {
    let description = it.to_string();
    json!({
        "fingerprint": format!("{:x}", Sha256::digest(&description)),
        "description": description,
        "check_name": NOT_JUDGED,
        "severity": "info",
        "location": { "path": ".", "lines": { "begin": 1 } },
    })
}

/// GitLab takes only a finding with a place. The repository's root stands for a run.
fn entry(finding: &Entry, seen: &mut BTreeMap<String, usize>) -> Value {
    let file = finding.place.as_ref().map_or_else(|| ".".to_owned(), |place| place.file.masked());
    let help = finding.help.as_ref().map(|help| format!("; {}", help.masked())).unwrap_or_default();
    let message = finding.message.masked();
    json!({
        "description": format!("{message}{help}"),
        "check_name": finding.code,
        "fingerprint": fingerprint(finding, &file, &message, seen),
        "severity": if finding.level == Severity::Note.word() { "minor" } else { "critical" },
        "location": {
            "path": file.strip_prefix("./").unwrap_or(&file),
            "lines": { "begin": finding.place.as_ref().map_or(1, |place| place.range.line) },
        },
    })
}

/// A finding keeps its fingerprint if only its lines move: GitLab shows what is new by comparing fingerprints. Of findings that
/// are alike it would show the first alone, so they are counted.
fn fingerprint(finding: &Entry, file: &str, message: &str, seen: &mut BTreeMap<String, usize>) -> String {
    let path = finding.place.as_ref().and_then(|place| place.path.as_ref()).map(Shown::masked);
    let alike = [file, finding.code, &path.unwrap_or_default(), message].join("\0");
    let count = seen.entry(alike.clone()).or_default();
    *count += 1;
    format!("{:x}", Sha256::digest(format!("{alike}\0{count}")))
}
