//! Thousands of problems: the first of each document are shown and the rest are counted, so that a report costs as much as
//! the documents are long.

use crate::harness::{Outcome, Run, put};
use serde_json::Value;
use tempfile::TempDir;

/// What is shown of one document.
const SHOWN: usize = 50;

fn folder(documents: &[String]) -> TempDir {
    let root = crate::harness::machine::folder();
    for (number, document) in documents.iter().enumerate() {
        let folder = root.path().join(number.to_string());
        put(folder.join("peering.yaml"), document);
    }
    root
}

fn validate(root: &TempDir, format: &str) -> Outcome {
    let outcome = Run::new(["validate", "--format", format, "."])
        .within(root.path())
        .run();
    outcome.ends(1);
    outcome
}

/// Both reports show as much of the last document as of any, and count the rest.
#[track_caller]
fn shows_the_first(documents: &[String], code: &str, problems: usize) {
    let root = folder(documents);
    let rest = format!(
        "{} more problems in ./{}/peering.yaml",
        problems - SHOWN,
        documents.len() - 1
    );
    let text = validate(&root, "text");
    assert_eq!(
        text.says(&rest)
            .stderr
            .matches(&format!("error[{code}]"))
            .count(),
        SHOWN,
        "{text}"
    );
    let report: Value = serde_json::from_str(&validate(&root, "json").stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list");
    let shown = findings
        .iter()
        .filter(|finding| finding["code"] == code)
        .count();
    assert_eq!((shown, findings.len()), (SHOWN, SHOWN + 1));
    let last = &findings[SHOWN];
    assert_eq!(
        (&last["code"], &last["message"]),
        (&"document".into(), &rest.into())
    );
}

fn peering(provider: &str, lists: &str) -> String {
    format!(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: {{ name: rome-{provider} }}\nspec:\n  \
         consumer: {{ clusterID: rome }}\n  provider: {{ clusterID: {provider} }}\n  \
         authentication: {{ subject: {{ kind: User, name: rome }}, credential: {{ existingSecret: {{}} }} }}\n  \
         offloading:\n    {lists}\n"
    )
}

fn namespaces(count: usize) -> String {
    let items: Vec<String> = (0..count)
        .map(|it| format!("{{ name: n{it}, clusters: all }}"))
        .collect();
    format!("namespaces: [{}]", items.join(", "))
}

#[test]
fn between_two_documents() {
    let documents = ["milan", "turin"].map(|provider| peering(provider, &namespaces(1900)));
    shows_the_first(&documents, "namespace-taken", 1900);
}

/// A person reads the first four; a program gets some of each.
#[test]
fn between_many_documents() {
    let documents: Vec<String> = (0..9)
        .map(|it| peering(&format!("c{it}"), &namespaces(100)))
        .collect();
    let root = folder(&documents);
    let text = validate(&root, "text");
    text.says("error: problems of 4 more documents; `--format json` reports them\n");
    assert_eq!(text.stderr.matches("error[").count(), 4 * SHOWN, "{text}");
    let report: Value = serde_json::from_str(&validate(&root, "json").stdout).expect("JSON");
    assert_eq!(
        report["findings"].as_array().map(Vec::len),
        Some(8 * (SHOWN + 1))
    );
}

#[test]
fn within_a_document() {
    let lists = format!("resourceSlices: [{}]", "{ name: a }, ".repeat(1900));
    shows_the_first(&[peering("milan", &lists)], "duplicate-name", 1899);
}

#[test]
fn in_a_text_that_is_no_yaml() {
    shows_the_first(
        &["a: b\n".to_owned() + &"\t\n".repeat(32_000)],
        "syntax",
        32_000,
    );
}
