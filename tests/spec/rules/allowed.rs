//! Notes that `--allow` leaves out: only notes, and never in silence.

use crate::harness::{Checkout, document};
use serde_json::Value;

/// The quickstart has three notes: on its schema, an address and a name.
fn all_notes(arguments: &[&str]) -> crate::harness::Outcome {
    let flags = ["--allow", "schema-line", "--allow", "example-value"];
    Checkout::of(document())
        .program([&["validate"], arguments, &flags, &["."]].concat())
        .run()
}

#[test]
fn allowed_notes_are_left_out_and_counted() {
    all_notes(&["--strict"])
        .says("1 peering: nothing is wrong\n")
        .says("; 3 notes allowed\n")
        .silent_on("note[")
        .done();
    let json: Value = serde_json::from_str(&all_notes(&["--format", "json"]).stdout).expect("JSON");
    assert_eq!(json["findings"], serde_json::json!([]));
    assert_eq!(json["allowed"], 3);
    let github = all_notes(&["--format", "github"]).stdout;
    assert!(github.contains("3 notes allowed"), "{github}");
}

#[test]
fn a_note_of_another_code_stays() {
    let checkout = Checkout::of(document());
    let outcome = checkout
        .program(["validate", "--strict", "--allow", "schema-line", "."])
        .run();
    outcome
        .fails(1, "example-value")
        .says("; 1 note allowed\n")
        .silent_on("schema-line");
}

#[test]
fn an_error_and_a_code_that_does_not_exist_are_not_allowed() {
    let checkout = Checkout::of(document());
    for code in ["port", "large-mut"] {
        let outcome = checkout.program(["validate", "--allow", code, "."]).run();
        outcome.says(&format!("'{code}'")).ends(2);
    }
}
