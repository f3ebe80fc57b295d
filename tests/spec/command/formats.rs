//! Findings for programs of others: annotations of a GitHub workflow. And a document on standard input.

use crate::harness::{Outcome, Run, Text, committed, put, replaced, root};
use std::path::Path;

const QUICKSTART: &str = "examples/quickstart/peering.yaml";

fn validate(folder: &Path, arguments: &[&str]) -> Outcome {
    Run::new(["validate"])
        .args(arguments.iter().copied())
        .within(folder)
        .run()
}

/// A folder with a wrong document, whose comments are none of the program's business.
fn wrong(name: &str, text: &str) -> tempfile::TempDir {
    let temp = crate::harness::machine::folder();
    put(temp.path().join(name).join("peering.yaml"), text);
    temp
}

#[test]
fn a_workflow_gets_one_command_a_finding() {
    let text = replaced(&committed(QUICKSTART), "mtu: 1340", "mtu: 9");
    let folder = wrong("a,b:c%d", &text);
    let outcome = validate(folder.path(), &["--format", "github"]);
    outcome.ends(1);
    assert_eq!(outcome.stderr, "");
    let errors: Vec<&str> = outcome
        .stdout
        .lines()
        .filter(|line| line.starts_with("::error "))
        .collect();
    let [error] = errors.as_slice() else {
        panic!("{}", outcome.stdout)
    };
    assert!(
        error.starts_with("::error file=a%2Cb%3Ac%25d/peering.yaml,line="),
        "{error}"
    );
    error.has(",col=").has(",title=mtu::");
    let quiet = validate(
        &root().join("examples"),
        &["quickstart", "--format", "github"],
    );
    let (judged, notes): (Vec<_>, Vec<_>) = quiet
        .done()
        .lines()
        .partition(|line| line.starts_with("::notice title=not-judged::1 peering "));
    assert_eq!(
        (notes.len(), judged.len()),
        (0, 1),
        "the quickstart has no note: {quiet}"
    );
}

/// Whoever can push writes the text of a message. The runner takes `::` at the beginning of a line, and `##[` anywhere in one
/// that is no command yet.
#[test]
fn no_document_writes_a_command() {
    for hostile in [
        "\"x\\n::error file=a::b\"",
        "\"x\\r::set-output name=a::b\"",
        "\"##[error]x\"",
        "\"%0A::error::x\"",
        "\"\\u2028::error::x\"",
    ] {
        for field in [
            "name: consumer-provider",
            "mtu: 1340",
            "clusterID: provider",
        ] {
            let (key, _) = field.split_once(": ").expect("a field");
            let document = committed(QUICKSTART);
            let at = document.find(field).expect("the field");
            let text = format!(
                "{}{key}: {hostile}{}",
                &document[..at],
                &document[at + field.len()..]
            );
            let outcome = validate(wrong("a", &text).path(), &["--format", "github"]);
            assert_eq!(outcome.code, Some(1), "{hostile}: {outcome}");
            for line in outcome
                .stdout
                .split(['\n', '\r'])
                .filter(|line| !line.is_empty())
            {
                assert!(
                    line.starts_with("::error file=a/peering.yaml,line=")
                        || line.starts_with("::notice file=")
                        || line.starts_with("::notice title=not-judged::"),
                    "{hostile}: {line}"
                );
                let (_, message) = line.split_once("title=").expect("a title");
                assert!(
                    !message.contains("%0A::") || message.contains("%250A::"),
                    "{hostile}: {line}"
                );
            }
        }
    }
}

fn typed(text: &str, arguments: &[&str]) -> Outcome {
    Run::new(["validate"])
        .args(arguments.iter().copied())
        .within("/")
        .given(text)
        .run()
}

#[test]
fn a_document_comes_from_standard_input() {
    let good = committed(QUICKSTART);
    let outcome = typed(&good, &["-"]);
    outcome.says("1 peering: nothing is wrong");
    outcome
        .says("not the files beside it: the document is from standard input")
        .done();
    let wrong = replaced(&good, "mtu: 1340", "mtu: 9");
    typed(&wrong, &["-"])
        .ends(1)
        .says("error[mtu]: ")
        .says(" --> -:");
    let report = typed(&wrong, &["-", "--format", "json"]).json();
    assert_eq!(report["findings"][0]["file"], "-");
    let long = typed(&"#".repeat(70_000), &["-"]);
    assert_eq!((long.code, long.stdout.as_str()), (Some(1), ""), "{long}");
    long.says("-: it is larger than 65536 bytes");
    typed("", &["-"]).says("error[");
    typed(&good, &["-", "examples"])
        .fails(2, "flag")
        .says("name it alone");
}
