//! `validate --fix`: what a help says to write, where one edit fits and no other.

use std::fs;

use crate::harness::{Outcome, Run, Sample, corpus, put};

/// A document alone, and what became of it.
fn fixed(text: &str) -> (Outcome, String) {
    let temp = tempfile::tempdir().expect("a folder");
    let file = temp.path().join("peering.yaml");
    put(&file, text);
    let outcome = Run::new(["validate", "peering.yaml", "--fix"])
        .within(temp.path())
        .run();
    (outcome, fs::read_to_string(&file).expect("a document"))
}

/// The document is right then, or it is as it was.
#[test]
fn every_wrong_document_is_valid_afterwards_or_unchanged() {
    let (mut valid, mut sample) = (0, Sample::new());
    let cases = corpus::all();
    for case in cases.iter().filter(|_| sample.takes()) {
        let (outcome, after) = fixed(case.text());
        if after == case.text() {
            outcome.silent_on("fixed ");
            continue;
        }
        valid += 1;
        let again = tempfile::tempdir().expect("a folder");
        put(again.path().join("document.yaml"), &after);
        let run = Run::new(["validate", "document.yaml"])
            .within(again.path())
            .run();
        assert_eq!(run.code, Some(0), "{}: {run}\n{after}", case.name);
        outcome.says("fixed peering.yaml: ");
    }
    assert!(
        valid > sample.share(20),
        "{valid} of {} were fixed",
        cases.len()
    );
}
