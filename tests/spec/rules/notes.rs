//! Notes: what is likely a mistake is shown, and fails with `--strict` only.

use crate::harness::library::{self, Code};
use crate::harness::{Checkout, corpus, document};

/// The quickstart, whose client dials another port: one note.
fn noted() -> String {
    document().replace(
        "addresses: [172.16.183.16]",
        "addresses: [172.16.183.16], port: 1",
    )
}

#[test]
fn a_note_passes_but_not_strictly() {
    let checkout = Checkout::of(noted());
    let outcome = checkout.program(["validate", "."]).run();
    outcome
        .says("note[client-address]: ")
        .says("1 peering: nothing is wrong; 1 note\n")
        .silent_on("error")
        .done();
    let strict = checkout.program(["validate", "--strict", "."]).run();
    strict
        .fails(1, "client-address")
        .says("1 problem\n")
        .silent_on("note[");
}

#[test]
fn a_sound_peering_has_no_note() {
    Checkout::of(document())
        .program(["validate", "--strict", "."])
        .run()
        .says("1 peering: nothing is wrong\n")
        .done();
}

/// There is nothing to mend in the document, so it can pass.
#[test]
fn an_announcement_stays_a_note() {
    let checkout = Checkout::of(corpus::case("unsigned").text());
    let outcome = checkout.program(["validate", "--strict", "."]).run();
    outcome.says("note[unsigned]: ").says("1 note\n");
}

#[test]
fn a_program_reads_the_level() {
    let levels = |text: String, strict: &[&str]| {
        let outcome = Checkout::of(text)
            .program(["validate", "--format", "json", "."])
            .args(strict.iter().copied())
            .run();
        let report = outcome.json();
        let findings = report["findings"].as_array().expect("a list").clone();
        let levels: Vec<_> = findings
            .iter()
            .map(|it| it["level"].as_str().unwrap_or("").to_owned())
            .collect();
        (outcome.code, levels)
    };
    let wrong = noted().replace("nodePort: 32750", "nodePort: 1");
    let one = |level: &str| vec![level.to_owned()];
    assert_eq!(
        levels(wrong, &[]),
        (Some(1), one("error")),
        "notes come when nothing is wrong"
    );
    assert_eq!(levels(noted(), &[]), (Some(0), one("note")));
    assert_eq!(levels(noted(), &["--strict"]), (Some(1), one("error")));
}

/// `generate` neither looks for them nor shows them.
#[test]
fn argo_cd_sees_none() {
    Checkout::of(noted())
        .plugin("consumer")
        .run()
        .silent_on("note");
}

/// The pages of notes have tables of what comes close too.
#[test]
fn what_comes_close_has_no_note() {
    for code in Code::ALL
        .iter()
        .filter(|code| code.can_be_note())
        .map(|code| code.name())
    {
        for (name, text) in corpus::taken()
            .into_iter()
            .filter(|(name, _)| name.starts_with(code))
        {
            assert!(library::notes(&text, code).is_ok(), "{name}");
        }
    }
}
