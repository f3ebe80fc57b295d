//! Notes that `--allow` leaves out: only notes, and never in silence.

use crate::harness::{Checkout, Text, document};
use serde_json::Value;

/// A document with two notes: on the port that the client dials, and on the MTU.
fn noted() -> String {
    document()
        .replace(
            "addresses: [172.16.183.16]",
            "addresses: [172.16.183.16], port: 1",
        )
        .replace("mtu: 1340", "mtu: 1480")
}

fn all_notes(arguments: &[&str]) -> crate::harness::Outcome {
    let flags = ["--allow", "client-address", "--allow", "mtu"];
    Checkout::of(noted())
        .program([&["validate"], arguments, &flags, &["."]].concat())
        .run()
}

#[test]
fn allowed_notes_are_left_out_and_counted() {
    all_notes(&["--strict"])
        .says("1 peering: nothing is wrong\n")
        .says("; 2 notes allowed\n")
        .silent_on("note[")
        .done();
    let json: Value = serde_json::from_str(&all_notes(&["--format", "json"]).stdout).expect("JSON");
    assert_eq!(json["findings"], serde_json::json!([]));
    assert_eq!(json["allowed"], 2);
    let github = all_notes(&["--format", "github"]).stdout;
    github.has("2 notes allowed");
}

#[test]
fn a_note_of_another_code_stays() {
    let checkout = Checkout::of(noted());
    let outcome = checkout
        .program(["validate", "--strict", "--allow", "mtu", "."])
        .run();
    outcome
        .fails(1, "client-address")
        .says("; 1 note allowed\n")
        .silent_on("[mtu]");
}

#[test]
fn an_error_and_a_code_that_does_not_exist_are_not_allowed() {
    let checkout = Checkout::of(document());
    for code in ["port", "large-mut"] {
        let outcome = checkout.program(["validate", "--allow", code, "."]).run();
        outcome.says(&format!("'{code}'")).ends(2);
    }
}
