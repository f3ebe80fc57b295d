//! Notes: what is likely a mistake is shown, and fails with `--strict` only.

use crate::harness::library::{self, Code};
use crate::harness::{Checkout, corpus, document, put};

/// The quickstart without the values of the examples.
fn own() -> String {
    document()
        .replace("172.16.183.16", "172.20.0.16")
        .replace("myuser", "consumer")
        .replace("../../docs/peering.schema.json", "peering.schema.json")
}

#[test]
fn a_copied_example_is_valid_and_its_values_are_noted() {
    let checkout = Checkout::of(document());
    let outcome = checkout.program(["validate", "."]).run();
    outcome
        .says("note[example-value]: `myuser`")
        .says("note[schema-line]: ");
    outcome
        .says("1 peering: nothing is wrong; 3 notes\n")
        .silent_on("error")
        .done();
    let strict = checkout.program(["validate", "--strict", "."]).run();
    strict
        .fails(1, "example-value")
        .says("error[schema-line]")
        .says("3 problems\n")
        .silent_on("note[");
}

#[test]
fn a_peering_of_ones_own_has_no_note() {
    let checkout = Checkout::of(own());
    put(checkout.folder().join("peering.schema.json"), "{}");
    checkout
        .program(["validate", "--strict", "."])
        .run()
        .says("1 peering: nothing is wrong\n")
        .done();
}

/// There is nothing to mend in the document, so it can pass.
#[test]
fn an_announcement_stays_a_note() {
    let text = own().replace(
        "    clusterID: provider\n",
        "    clusterID: provider\n    names: { tenant: my-tenant }\n",
    );
    let checkout =
        Checkout::of(text.replace("# yaml-language-server: $schema=peering.schema.json\n", ""));
    let outcome = checkout.program(["validate", "--strict", "."]).run();
    outcome
        .says("note[adopted-namespace]: ")
        .says("1 note\n")
        .done();
}

#[test]
fn a_program_reads_the_level() {
    let checkout = Checkout::of(document().replace("nodePort: 32750", "nodePort: 1"));
    let levels = |checkout: &Checkout, strict: &[&str]| {
        let outcome = checkout
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
    assert_eq!(
        levels(&checkout, &[]),
        (Some(1), vec!["error".to_owned()]),
        "notes come when nothing is wrong"
    );
    let checkout = Checkout::of(document());
    assert_eq!(
        levels(&checkout, &[]),
        (Some(0), vec!["note".to_owned(); 3])
    );
    assert_eq!(
        levels(&checkout, &["--strict"]),
        (Some(1), vec!["error".to_owned(); 3])
    );
}

/// `generate` neither looks for them nor shows them.
#[test]
fn argo_cd_sees_none() {
    Checkout::of(document())
        .plugin("consumer")
        .run()
        .silent_on("note");
}

/// The pages of notes have tables of what comes close too.
#[test]
fn what_comes_close_has_no_note() {
    for code in Code::ALL
        .iter()
        .filter(|code| code.is_note())
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
