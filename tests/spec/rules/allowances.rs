//! Notes that a file accepts: only notes, only here, only with a reason, and never in silence.

use crate::command::validate::application;
use crate::harness::{Checkout, PATH, copy_of, document, put};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

const USER: &str = " # argocd-peering: allow example-value, because this peering is the example\n";

/// The quickstart, whose three notes are about `schema-line`, an address and a name.
fn accepted() -> Checkout {
    let top =
        "# argocd-peering: allow schema-line, example-value, because this folder is an example\n";
    Checkout::of(format!("{top}{}", document()))
}

#[test]
fn a_note_is_accepted_at_the_top_and_counted() {
    let checkout = accepted();
    let outcome = checkout.program(["validate", "--strict", "."]).run();
    outcome
        .says("1 peering: nothing is wrong\n")
        .says("; 3 notes accepted\n")
        .silent_on("note[")
        .done();
}

/// A certificate begins as a document's marker does, and a comment can be on the marker's line.
#[test]
fn the_top_holds_to_the_next_document() {
    let block = "spec:\n  commonMetadata:\n    annotations:\n      example.org/ca: |\n        -----BEGIN CERTIFICATE-----\n        MIIB\n";
    let with = |top: &str| format!("{top}{}", document().replace("spec:\n", block));
    let words =
        "# argocd-peering: allow schema-line, example-value, because this folder is an example\n";
    for top in [
        words.to_owned(),
        format!("--- {words}"),
        format!("# a page\n---  {words}"),
    ] {
        let outcome = Checkout::of(with(&top))
            .program(["validate", "--strict", "."])
            .run();
        outcome
            .says("; 3 notes accepted\n")
            .silent_on("unused-allowance")
            .done();
    }
}

/// One comment costs what it is long.
#[test]
fn a_code_that_is_named_often_is_one() {
    let line = |names: &str| {
        format!(
            "# argocd-peering: allow {names} because {}\n",
            "a reason ".repeat(100)
        )
    };
    let often = line(&"example-value, ".repeat(200));
    let outcome = Checkout::of(format!("{often}{}", document()))
        .program(["validate", "."])
        .run();
    outcome
        .says("; 2 notes accepted\n")
        .silent_on("unused-allowance")
        .done();
    let others: String = (0..200).map(|number| format!("code-{number}, ")).collect();
    let outcome = Checkout::of(format!("{}{}", line(&others), document()))
        .program(["validate", "."])
        .run();
    outcome
        .fails(1, "allowance")
        .says("more codes than there are");
    assert_eq!(outcome.stderr.matches("error[").count(), 1, "{outcome}");
}

/// The same code on another line is still found.
#[test]
fn a_comment_on_a_line_accepts_that_line_only() {
    let line = document()
        .lines()
        .find(|line| line.contains("myuser"))
        .expect("a line")
        .to_owned();
    let checkout = Checkout::of(document().replace(&format!("{line}\n"), &format!("{line}{USER}")));
    let outcome = checkout.program(["validate", "."]).run();
    outcome
        .says("1 peering: nothing is wrong; 2 notes\n")
        .says("; 1 note accepted\n");
    outcome
        .says("note[example-value]: `172.16.183.16`")
        .silent_on("note[example-value]: `myuser`")
        .done();
    let strict = checkout.program(["validate", "--strict", "."]).run();
    strict.fails(1, "example-value").says("; 1 note accepted\n");
}

#[test]
fn an_error_is_an_error_with_each_comment() {
    let text = document().replace(
        "port: 51840, nodePort: 32750 }\n",
        "port: 0, nodePort: 32750 } # argocd-peering: allow port, because it is chosen later\n",
    );
    assert_ne!(text, document());
    let outcome = Checkout::of(&text).program(["validate", "."]).run();
    outcome
        .fails(1, "port")
        .says("error[allowance]: no comment accepts `port`");
}

/// A seed of another peering is a note, a credential an error: one code.
#[test]
fn a_code_that_is_an_error_elsewhere_is_not_accepted_there() {
    let checkout = Checkout::of(document());
    let copy = checkout.folder().with_file_name("copy");
    copy_of(&checkout.folder(), &copy);
    let top = "# argocd-peering: allow sealed-file-reused, because both have one seed\n";
    let other = document()
        .replace("clusterID: consumer", "clusterID: other")
        .replace("name: quickstart", "name: other");
    put(copy.join("peering.yaml"), format!("{top}{other}"));
    let outcome = checkout.program(["validate", ".."]).run();
    outcome
        .says("error[sealed-file-reused]")
        .silent_on("note[sealed-file-reused]")
        .says("note accepted");
    outcome.ends(1);
    checkout
        .program(["validate", "../copy"])
        .run()
        .silent_on("unused-allowance");
}

/// A file of the folder has no place for a comment, and so has the document.
#[test]
fn the_top_of_the_document_accepts_the_files_beside_it() {
    let top = "# argocd-peering: allow unused-file, because the old seed is kept until the move\n";
    let checkout = Checkout::of(format!("{top}{}", document()));
    let seed = checkout.folder().join("peering.seed.age");
    fs::copy(seed, checkout.folder().join("old.seed.age")).expect("a copy");
    let outcome = checkout.program(["validate", "."]).run();
    outcome
        .says("1 note accepted\n")
        .silent_on("unused-file")
        .silent_on("unused-allowance");
    fs::remove_file(checkout.folder().join("old.seed.age")).expect("gone");
    checkout
        .program(["validate", "."])
        .run()
        .says("note[unused-allowance]: no note `unused-file`");
    // of a document on standard input no file is looked at, nor whether there is a schema
    let schema = "# argocd-peering: allow schema-line, because the schema is elsewhere\n";
    for top in [top, schema] {
        let input = checkout
            .program(["validate", "-"])
            .given(format!("{top}{}", document()))
            .run();
        input
            .says("1 peering: nothing is wrong")
            .silent_on("unused-allowance");
    }
}

#[test]
fn an_application_accepts_in_its_own_file() {
    let checkout = Checkout::of(document());
    let written = application("consumer", "consumer", ".");
    let application = |line: &str, top: &str| {
        format!(
            "{top}{}",
            written.replace(
                "project: peering-consumer",
                &format!("project: default{line}")
            )
        )
    };
    let found = |text: &str| {
        checkout.write("apps.yaml", text);
        checkout.program(["validate", "."]).run()
    };
    found(&application("", "")).says("note[application-setting]: its project is `default`");
    let words = "# argocd-peering: allow application-setting, because there is one team\n";
    let line = application(&format!(" {}", words.trim_end()), "");
    found(&line)
        .silent_on("its project is `default`")
        .says("1 note accepted");
    found(&application("", words))
        .silent_on("note[application-setting]")
        .silent_on("unused-allowance");
    // a comment at the top of one document holds for that document
    let two = format!("{words}kind: Other\n---\n{}", application("", ""));
    found(&two)
        .says("note[application-setting]: its project")
        .says("note[unused-allowance]");
    // all of a set is looked at that can be evaluated
    let set = "# argocd-peering: allow sync-retry, because it is ours\napiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: s }\nspec:\n  generators: [{ list: { elements: [{}] } }]\n  template: { metadata: { name: of-set }, spec: { project: p, source: { repoURL: https://git.example.org/net/peerings.git, targetRevision: refs/heads/main, path: PATH, plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] } }, destination: { name: consumer, namespace: liqo-tenant } } }\n";
    found(&set.replace("PATH", PATH)).says("note[unused-allowance]");
    // of two names that look the same, one accepts nothing of the other
    found("");
    for (name, text) in [
        (b"a\xfe.yaml", application("", "")),
        (b"a\xff.yaml", application("", words)),
    ] {
        fs::write(checkout.folder().join(OsStr::from_bytes(name)), text).expect("written");
    }
    found("").silent_on("accepted");
}

#[test]
fn each_form_counts_them() {
    let checkout = accepted();
    let report = |form: &str| {
        checkout
            .program(["validate", "--format", form, "."])
            .run()
            .stdout
    };
    let json: Value = serde_json::from_str(&report("json")).expect("JSON");
    assert_eq!(json["findings"], serde_json::json!([]));
    assert_eq!(json["accepted"].as_array().map(Vec::len), Some(3));
    assert_eq!(json["accepted"][0]["because"], "this folder is an example");
    assert_eq!(json["accepted"][0]["level"], "note");
    let sarif: Value = serde_json::from_str(&report("sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let reasons = results
        .iter()
        .map(|it| &it["suppressions"][0]["justification"]);
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        vec!["this folder is an example"; 3]
    );
    for form in ["github", "gitlab"] {
        assert!(report(form).contains("3 notes accepted"), "{form}");
    }
}

/// What a comment has is shown masked, as everything else of a document.
#[test]
fn a_key_in_a_reason_is_not_printed() {
    let key = "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=";
    let top = format!("# argocd-peering: allow example-value, because key {key}\n");
    let checkout = Checkout::of(format!("{top}{}", document()));
    for form in ["text", "json", "github", "gitlab", "sarif"] {
        checkout
            .program(["validate", "--format", form, "."])
            .run()
            .silent_on(key)
            .omits(key);
    }
}
