//! No document of 64 KiB needs more than 64 MiB, or shows more than a person reads.

use super::documents::{CAP, worst};
use crate::harness::run::{Outcome, Run};
use std::fs;
use std::path::Path;

/// What the program may have of its own, its threads' stacks too: in KiB.
const MOST: &str = "65536";
/// The most bytes on standard error.
const SHOWN: usize = 1 << 20;

fn within(arguments: &[&str], folder: &Path) -> Run {
    let words = format!("ulimit -d {MOST}; exec \"$0\" \"$@\"");
    Run::new(arguments.iter().copied()).arg(folder).typed(folder).through(&["/bin/sh", "-c", &words])
}

#[test]
fn of_the_worst_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    for (what, document) in worst() {
        assert!(document.len() <= CAP, "{what}: {} bytes", document.len());
        fs::write(folder.path().join("peering.yaml"), document).expect("written");
        // of a document that is taken, only the sealed files are missing
        let checked = bounded(what, &["validate"], folder.path());
        if checked.stderr.contains("error[sealed-file]") {
            bounded(what, &["generate", "--public", "--role", "consumer"], folder.path());
        }
    }
}

fn bounded(what: &str, arguments: &[&str], folder: &Path) -> Outcome {
    let outcome = within(arguments, folder).run();
    assert!(matches!(outcome.code, Some(0 | 1)), "{what}, {arguments:?}: {outcome}");
    assert!(outcome.stderr.len() < SHOWN, "{what}, {arguments:?}: {} bytes", outcome.stderr.len());
    outcome
}
