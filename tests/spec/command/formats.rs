//! Findings for programs of others: annotations of a GitHub workflow, and SARIF. And a document on standard input.

use crate::harness::library::{Form, Judged, print};
use crate::harness::{Outcome, Run, Schema, Text, committed, failures, put, replaced, root};
use serde_json::Value;
use std::collections::BTreeSet;
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
    let temp = tempfile::tempdir().expect("a folder");
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
        .partition(|line| line.starts_with("::notice title=not-judged::1 peering judged; not "));
    assert!(
        notes
            .iter()
            .all(|line| line.starts_with("::notice file=quickstart/peering.yaml,line=")),
        "{quiet}"
    );
    assert_eq!(
        (notes.len(), judged.len()),
        (2, 1),
        "the quickstart's two example values: {quiet}"
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

/// All mistakes of the corpus and all failures of a run, by SARIF's own schema.
#[test]
fn every_log_is_sarif() {
    // one of its patterns is none (`…{2}]?$`), of a property that we do not write
    let schema = committed("tests/sarif/sarif-schema-2.1.0.json").replace("{2}]?$", "{2}$");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let schema = Schema::of(&schema);
    let mut judged = Judged::default();
    judged.pass_over(
        "folder",
        "the files beside it",
        "the document is from standard input",
    );
    let mut places = 0;
    for (_, error) in failures::and_mistakes() {
        let log: Value =
            serde_json::from_str(&print(&[error], judged.clone(), Form::Sarif)).expect("JSON");
        schema.takes(&log);
        let run = &log["runs"][0];
        for result in run["results"].as_array().expect("results") {
            let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
            let rule = rules
                .iter()
                .find(|rule| rule["id"] == result["ruleId"])
                .expect("a rule for each result");
            assert!(
                rule["shortDescription"]["text"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{rule}"
            );
            places += result["locations"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(places > 100, "only {places} results have a place");
    let mut broken: Value = serde_json::from_str(&print(&[], judged, Form::Sarif)).expect("JSON");
    assert!(schema.is_valid(&broken), "nothing is wrong");
    broken["runs"][0]["results"] = "none".into();
    assert!(
        !schema.is_valid(&broken),
        "the schema says what results are"
    );
}

#[test]
fn sarif_leads_to_lines_and_files() {
    let text = replaced(&committed(QUICKSTART), "mtu: 1340", "mtu: 9");
    let folder = wrong("with space:ü", &text);
    let outcome = validate(folder.path(), &["--format", "sarif"]);
    assert_eq!(
        (outcome.code, outcome.stderr.as_str()),
        (Some(1), ""),
        "{outcome}"
    );
    let log = outcome.json();
    let results = log["runs"][0]["results"].as_array().expect("results");
    let result = results
        .iter()
        .find(|result| result["ruleId"] == "mtu")
        .expect("the mistake");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        place["artifactLocation"]["uri"],
        "with%20space%3A%C3%BC/peering.yaml"
    );
    let line = text
        .lines()
        .position(|line| line.contains("mtu: 9"))
        .expect("the line")
        + 1;
    assert_eq!(place["region"]["startLine"], line);
    assert_eq!(result["level"], "error");
    let notes = validate(&root().join("examples/quickstart"), &["--format", "sarif"]);
    let log = notes.ends(0).json();
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(
        results.len() == 2 && results.iter().all(|result| result["level"] == "note"),
        "{results:?}"
    );
}

/// What GitLab takes: a list of findings, each with these five, and no fingerprint twice.
#[test]
fn every_report_is_code_quality() {
    let mut places = 0;
    for (name, error) in failures::and_mistakes() {
        let findings = error.findings();
        let report: Value =
            serde_json::from_str(&print(&[error], Judged::default(), Form::Gitlab)).expect("JSON");
        let report = report.as_array().expect("a list");
        assert_eq!(report.len(), findings.len(), "{name}");
        let mut fingerprints: BTreeSet<&str> = BTreeSet::new();
        for finding in report {
            for text in ["description", "check_name", "fingerprint"] {
                assert!(
                    finding[text].as_str().is_some_and(|text| !text.is_empty()),
                    "{name}: {finding}"
                );
            }
            assert!(
                ["critical", "minor"].contains(&finding["severity"].as_str().expect("a word")),
                "{name}: {finding}"
            );
            let place = &finding["location"];
            assert!(
                place["path"]
                    .as_str()
                    .is_some_and(|path| !path.starts_with("./")),
                "{name}: {finding}"
            );
            assert!(
                place["lines"]["begin"]
                    .as_u64()
                    .is_some_and(|line| line > 0),
                "{name}: {finding}"
            );
            let fingerprint = finding["fingerprint"].as_str().expect("a text");
            assert!(fingerprints.insert(fingerprint), "{name}: twice: {finding}");
            places += usize::from(place["path"] != ".");
        }
    }
    assert!(places > 100, "only {places} findings have a place");
}

#[test]
fn a_fingerprint_stays_where_only_lines_move() {
    let text = replaced(&committed(QUICKSTART), "mtu: 1340", "mtu: 9");
    let report = |text: &str| -> Vec<Value> {
        let outcome = validate(wrong("a", text).path(), &["--format", "gitlab"]);
        assert_eq!(
            (outcome.code, outcome.stderr.as_str()),
            (Some(1), ""),
            "{outcome}"
        );
        outcome.json().as_array().expect("a list").clone()
    };
    let (before, after) = (report(&text), report(&format!("# one line more\n{text}")));
    let of = |report: &[Value], part: &str| -> Vec<Value> {
        report.iter().map(|it| it[part].clone()).collect()
    };
    assert_eq!(of(&before, "fingerprint"), of(&after, "fingerprint"));
    assert_ne!(of(&before, "location"), of(&after, "location"));
    let other = report(&replaced(&text, "mtu: 9", "mtu: 8"));
    assert_ne!(of(&before, "fingerprint"), of(&other, "fingerprint"));
    // two that are alike are two
    let folder = wrong("a", &text);
    let key = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33\n";
    put(folder.path().join("a/notes.txt"), key.repeat(2));
    let alike = validate(folder.path(), &["--format", "gitlab"]).json();
    let alike = alike
        .as_array()
        .expect("a list")
        .iter()
        .filter(|it| it["check_name"] == "plaintext-secret");
    let alike: BTreeSet<_> = alike.map(|it| it["fingerprint"].to_string()).collect();
    assert_eq!(alike.len(), 2);
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
        .silent_on("schema-line");
    outcome.done();
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
