//! No document of 64 KiB needs more than 64 MiB, or shows more than a person reads.

use super::documents::{CAP, worst};
use crate::harness::library::{check, diagnostics};
use crate::harness::machine::command;
use crate::harness::{Sample, program, put};
use std::path::Path;

/// What the program may have of its own, its threads' stacks too: in KiB.
const MOST: &str = "65536";
/// The most bytes on standard error.
const SHOWN: usize = 1 << 20;

/// The exit code and what is on standard error of a run in this memory, however long it takes on a busy machine.
pub(super) fn run(arguments: &[&str], folder: &Path) -> (Option<i32>, String) {
    let mut command = command("sh");
    command
        .args(["-c", &format!("ulimit -d {MOST}; exec \"$0\" \"$@\"")])
        .arg(program());
    let output = command
        .args(arguments)
        .arg(".")
        .current_dir(folder)
        .env_clear()
        .output()
        .expect("a run");
    (
        output.status.code(),
        String::from_utf8(output.stderr).expect("UTF-8"),
    )
}

#[test]
fn of_the_worst_documents() {
    let folder = crate::harness::machine::folder();
    for (what, document) in Sample::of_written().of(worst()) {
        assert!(document.len() <= CAP, "{what}: {} bytes", document.len());
        put(folder.path().join("peering.yaml"), document);
        // of a document that is taken, only the sealed files are missing
        if bounded(what, &["validate"], folder.path()).contains("error[sealed-file]") {
            bounded(
                what,
                &["generate", "--public", "--role", "consumer"],
                folder.path(),
            );
        }
    }
}

/// Of more problems the first are kept, and the others counted.
#[test]
fn a_hundred_problems_of_a_document_are_kept() {
    let (_, unknown_fields) = worst().swap_remove(0);
    let error = check(&unknown_fields).expect_err("it is wrong");
    assert_eq!(diagnostics(error).len(), 100);
}

fn bounded(what: &str, arguments: &[&str], folder: &Path) -> String {
    let (code, shown) = run(arguments, folder);
    assert!(
        matches!(code, Some(0 | 1)),
        "{what}, {arguments:?}: {code:?}\n{shown}"
    );
    assert!(
        shown.len() < SHOWN,
        "{what}, {arguments:?}: {} bytes",
        shown.len()
    );
    shown
}
