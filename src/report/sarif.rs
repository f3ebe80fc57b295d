//! Findings as SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), which code hosts show beside the lines.

use super::{Report, pretty};
use crate::diagnostic::{Bug, Finding, Page, Place, Related};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The whole log: one run of this program.
///
/// # Errors
/// Only for a bug.
pub(super) fn text(report: &Report) -> Result<String, Bug> {
    let pages: BTreeSet<Page> = report.findings.iter().map(|it| it.code).collect();
    let rules: Vec<Value> = pages.into_iter().map(rule).collect();
    let results: Vec<Value> = report.findings.iter().map(result).collect();
    // what was not judged is not a result (SARIF 3.20.21)
    let notifications = report
        .remarks()
        .map(|it| json!({ "level": "note", "message": { "text": it } }));
    let notifications: Vec<Value> = notifications.collect();
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "argocd-peering",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
        }],
    }))
}

/// What a code is about, with its page.
fn rule(page: Page) -> Value {
    json!({
        "id": page,
        "shortDescription": { "text": page.title() },
        "help": { "text": page.text, "markdown": page.text },
    })
}

fn result(finding: &Finding) -> Value {
    let locations: Vec<Value> = finding
        .place
        .iter()
        .map(|place| json!({ "physicalLocation": physical(place) }))
        .collect();
    let related: Vec<Value> = finding.related.iter().map(related_location).collect();
    json!({
        "ruleId": finding.code,
        "level": finding.level,
        "message": { "text": finding.words("\nhelp: ") },
        "locations": locations,
        "relatedLocations": related,
    })
}

fn related_location(Related { message, place }: &Related) -> Value {
    json!({ "physicalLocation": physical(place), "message": { "text": message.masked() } })
}

/// As in our own report, columns are characters, and the end is exclusive (SARIF 3.30.8).
fn physical(Place { file, range, .. }: &Place) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&file.masked()) },
        "region": {
            "startLine": range.line,
            "startColumn": range.column,
            "endLine": range.end_line,
            "endColumn": range.end_column,
        },
    })
}

/// A path as a reference (RFC 3986, section 4.2): relative to where the program runs, or `file://` and the whole path. Bytes
/// that a segment does not have, and `:`, are written as `%XX`.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = if path.starts_with('/') {
        "file://".to_owned()
    } else {
        String::new()
    };
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}
