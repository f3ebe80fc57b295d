//! `validate --fix`: what a help says to write, where one edit fits and no other.

use std::fs;

use crate::harness::{Outcome, Repository, Run, Sample, Text, committed, corpus, put};

const DOCUMENT: &str = "peerings/consumer-provider/peering.yaml";

/// A document alone, and what became of it.
fn fixed(text: &str) -> (Outcome, String) {
    let temp = tempfile::tempdir().expect("a folder");
    let file = temp.path().join("peering.yaml");
    put(&file, text);
    let outcome = Run::new(["validate", "peering.yaml", "--fix"]).within(temp.path()).run();
    (outcome, fs::read_to_string(&file).expect("a document"))
}

fn good() -> String {
    committed("tests/diagnostics/good.yaml")
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
        let run = Run::new(["validate", "document.yaml"]).within(again.path()).run();
        assert_eq!(run.code, Some(0), "{}: {run}\n{after}", case.name);
        outcome.says("fixed peering.yaml: ");
    }
    assert!(valid > sample.share(20), "{valid} of {} were fixed", cases.len());
}

#[test]
fn comments_line_ends_and_the_byte_order_mark_stay() {
    let good = good();
    let wrong = format!("\u{feff}# ours\n{good}# the end\n")
        .replace("10.42.0.0/16", "10.42.3.0/16")
        .replace('\n', "\r\n");
    let (outcome, after) = fixed(&wrong);
    assert_eq!(after, wrong.replace("10.42.3.0/16", "10.42.0.0/16"));
    outcome.says("fixed peering.yaml: 1 line").says("- ").says("+     podCIDRs: [10.42.0.0/16]");
}

#[test]
fn several_slips_are_mended_together_and_one_that_is_left_leaves_all() {
    let two = good().replace("clusterID: rome", "clusterId: rome").replace("10.42.0.0/16", "10.42.3.0/16");
    let (outcome, after) = fixed(&two);
    assert_eq!(after, good());
    outcome.says("fixed peering.yaml: 2 lines");
    let three = two.replace("externalCIDR: 10.70.0.0/16", "externalCIDR: somewhere");
    let (outcome, after) = fixed(&three);
    assert_eq!((outcome.code, after), (Some(1), three));
}

#[test]
fn a_document_with_changes_that_are_not_committed_is_left_alone() {
    let repository = Repository::new("peerings/consumer-provider");
    repository.edit(DOCUMENT, "serviceType: NodePort", "serviceType: Nodeport");
    let file = repository.root().join(DOCUMENT);
    let edited = fs::read_to_string(&file).expect("a document");
    let fix = |more: &[&str]| {
        let arguments = ["validate", DOCUMENT, "--fix"].iter().chain(more).copied();
        Run::new(arguments)
            .within(repository.root())
            .env("PATH", std::env::var_os("PATH").expect("a PATH"))
            .run()
    };
    fix(&[]).says("so it was not fixed");
    assert_eq!(fs::read_to_string(&file).expect("a document"), edited);
    fix(&["--allow-dirty"]).says("fixed ");
    assert_ne!(fs::read_to_string(&file).expect("a document"), edited);
}

#[test]
fn standard_input_cannot_be_fixed() {
    Run::new(["validate", "-", "--fix"]).run().fails(2, "flag").says("--fix: standard input");
}

/// A terminal would write over the line, and a log would take what follows for a line of its own.
#[test]
fn a_carriage_return_of_the_document_is_shown_as_a_sign() {
    let line = "  commonMetadata: { anotations: { a: \"x\r::error::forged\r y\" } }\n";
    let (outcome, after) = fixed(&good().replace("spec:\n", &format!("spec:\n{line}")));
    after.has("annotations: { a: \"x\r");
    outcome.says("x?::error::forged? y");
    assert!(!outcome.stderr.contains('\r'), "{:?}", outcome.stderr);
}
