//! The playground's answers are what the commands print, byte for byte. `.ci/run playground` holds that the page shows these
//! answers; [`questions`] writes them for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bounds::documents::worst;
use crate::harness::library::answer;
use crate::harness::{
    Outcome, ROLES, Run, Sample, Text, committed, corpus, entries, put, read, root,
};

/// What the command calls a document on its standard input.
const INPUT: &str = "-";

fn ask(name: &str, document: &str, before: Option<&str>) -> Value {
    let question = json!({ "name": name, "document": document, "before": before });
    serde_json::from_str(&answer(&question.to_string()).expect("an answer")).expect("JSON")
}

/// A folder with a document in it and nothing else.
fn folder(document: &str) -> TempDir {
    let temp = crate::harness::machine::folder();
    put(temp.path().join("peering.yaml"), document);
    temp
}

fn run(arguments: &[&str], folders: &[&Path]) -> Outcome {
    let arguments = arguments.iter().map(OsString::from);
    Run::new(arguments.chain(folders.iter().map(|it| it.as_os_str().to_owned()))).run()
}

fn validate(document: &str, format: &str) -> Outcome {
    Run::new(["validate", INPUT, "--format", format])
        .given(document)
        .run()
}

/// Holds an answer against the commands.
fn check(what: &str, document: &str) {
    let answer = ask(INPUT, document, None);
    let temp = folder(document);
    let report = validate(document, "json");
    assert_eq!(answer["report"], report.stdout, "{what}");
    let text = validate(document, "text");
    assert_eq!(answer["screen"], text.stderr, "{what}");
    assert!(text.code != Some(0) || answer["consumer"] != "", "{what}");
    for role in ROLES {
        let stream = run(&["generate", "--public", "--role", role], &[temp.path()]);
        assert_eq!(answer[role], stream.stdout, "{what}: {role}");
    }
}

/// The documents of the examples, by their folders.
fn examples() -> Vec<(String, String)> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        found.extend(Some(folder.join("peering.yaml")).filter(|it| it.exists()));
        for entry in entries(folder).iter().filter(|it| it.is_dir()) {
            below(entry, found);
        }
    }
    let (all, mut found) = (root().join("examples"), Vec::new());
    below(&all, &mut found);
    assert!(found.len() > 15, "{found:?}");
    let name = |path: &Path| {
        path.parent()?
            .strip_prefix(&all)
            .ok()
            .map(|it| it.display().to_string())
    };
    found
        .iter()
        .map(|path| (name(path).expect("below"), read(path)))
        .collect()
}

#[test]
fn of_every_example_it_says_what_the_commands_say() {
    for (name, document) in examples() {
        check(&name, &document);
    }
}

#[test]
fn of_every_wrong_document_it_says_what_the_commands_say() {
    for case in Sample::new().of(corpus::shown()) {
        check(&case.name, case.text());
    }
}

#[test]
fn a_change_has_the_hazards_that_diff_names() {
    let before = committed("examples/quickstart/peering.yaml");
    for (name, after) in examples() {
        let answer = ask("peering.yaml", &after, Some(&before));
        let (old, new) = (folder(&before), folder(&after));
        let diff = run(&["diff"], &[old.path(), new.path()]);
        assert_eq!(answer["diff"], diff.stdout, "{name}");
        assert_eq!(
            name == "quickstart",
            diff.stdout.starts_with("No object changes"),
            "{name}"
        );
    }
    let after = before.replace("10.42.0.0/16", "10.43.0.0/16");
    let changed = ask("peering.yaml", &after, Some(&before));
    assert!(
        changed["diff"]
            .as_str()
            .expect("text")
            .contains("nterrupts traffic"),
        "{changed}"
    );
}

#[test]
fn a_secret_that_was_pasted_is_named_and_masked() {
    let identity = format!(
        "AGE-SECRET-KEY-1{}",
        "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE"
    );
    let pasted = format!(
        "{}  token: {identity}\n",
        committed("examples/quickstart/peering.yaml")
    );
    let answer = ask("peering.yaml", &pasted, Some(&pasted));
    assert_eq!(answer["secrets"], json!(["an age identity"]));
    answer.to_string().lacks("QPZRY9X8GF2TVDW0");
}

#[test]
fn what_is_too_large_or_no_question_is_refused() {
    let fits = "#".repeat(64 * 1024);
    let report = &ask(INPUT, &fits, Some(&fits))["report"];
    assert_eq!(report, &validate(&fits, "json").stdout);
    let document = "#".repeat(64 * 1024 + 1);
    let large = ask(INPUT, &document, None);
    assert_eq!(large["report"], validate(&document, "json").stdout);
    assert!(
        large["screen"]
            .as_str()
            .expect("text")
            .contains("larger than 65536 bytes"),
        "{large}"
    );
    // what is wrong alone is not compared
    assert_eq!(ask(INPUT, "a: 1", Some("a: 1"))["diff"], "");
    assert!(answer("{}").is_err());
}

/// Writes what the page is asked, with the answers of this build, to the file that `PLAYGROUND_QUESTIONS` names.
#[test]
#[ignore = "writes a file for .ci/run playground"]
fn questions() {
    let first = committed("examples/quickstart/peering.yaml");
    let mut asked: Vec<(String, String)> = examples();
    asked.extend(
        corpus::shown()
            .into_iter()
            .map(|case| (case.name.clone(), case.text().to_owned())),
    );
    asked.extend(
        worst()
            .into_iter()
            .map(|(what, document)| (format!("worst: {what}"), document)),
    );
    // an editor has no byte-order mark and no carriage return, and no text that is not Unicode
    asked.retain(|(_, document)| !document.contains(['\u{feff}', '\r', '\0']));
    let questions: Vec<Value> = asked
        .into_iter()
        .map(|(name, document)| {
            let answer = ask("peering.yaml", &document, Some(&first));
            json!({ "name": name, "document": document, "before": first, "answer": answer })
        })
        .collect();
    let file = std::env::var("PLAYGROUND_QUESTIONS").expect("PLAYGROUND_QUESTIONS");
    put(file, Value::from(questions).to_string());
}
