//! The action of `.github/actions/review`: its scripts, in a checkout, with a stand-in of the code host's client.

use std::fs;

use super::runner::{CHANGES, DOCUMENT, Runner};
use crate::harness::{Outcome, Text as _, committed, root};

/// What `gh` is here: it writes down what it is asked, and gives what lies in `answers`.
const GH: &str = r#"#!/bin/sh
here=$(dirname "$0")/..
printf '%s\n' "$*" >>"$here/asked"
case "$1 $2" in
"release download") cp "$here"/answers/release/* . ;;
"attestation verify") [ ! -e "$here/answers/forged" ] ;;
"api --paginate") cat "$here/answers/mine" ;;
api*) for last; do [ "$before" != --input ] || cp "$last" "$here/sent"; before=$last; done; [ ! -e "$here/answers/refused" ] ;;
esac
"#;

/// A pull request on GitHub.
struct Pull(Runner);

impl std::ops::Deref for Pull {
    type Target = Runner;

    fn deref(&self) -> &Runner {
        &self.0
    }
}

impl Pull {
    fn new() -> Self {
        let runner = Runner::new(&[("gh", GH)]);
        for empty in ["answers/mine", "asked", "summary", "path"] {
            runner.write(empty, "");
        }
        Self(runner)
    }

    /// One of the action's scripts, with the variables of its step.
    fn step(&self, script: &str, variables: &[(&str, &str)]) -> Outcome {
        let script = root().join(".github/actions/review").join(script);
        let files = [
            ("RUNNER_TEMP", "runner"),
            ("GITHUB_STEP_SUMMARY", "summary"),
            ("GITHUB_PATH", "path"),
        ];
        let files = files.map(|(name, file)| (name, self.temp(file).display().to_string()));
        let variables = files
            .iter()
            .map(|(name, file)| (*name, file.as_str()))
            .chain(variables.iter().copied());
        self.bash(&format!("'{}'", script.display()), variables)
    }

    fn review(&self, fail_on: &str) -> Outcome {
        let [base, head] = self.base_and_head();
        self.review_of(&base, &head, fail_on)
    }

    fn review_of(&self, base: &str, head: &str, fail_on: &str) -> Outcome {
        let commits = [("BASE", base), ("HEAD", head)];
        let settings = [("FOLDER", "peerings"), ("FAIL_ON", fail_on)];
        self.step("review", &[settings, commits].concat())
    }

    fn summarises(&self, words: &str) {
        let summary = self.text("summary");
        assert!(summary.starts_with(words), "{summary}");
    }

    fn comment(&self) -> Outcome {
        self.step("comment", &[("REPOSITORY", "rome/net"), ("NUMBER", "7")])
    }
}

#[test]
fn a_change_is_shown_and_what_endangers_is_red() {
    let no_class = ("nodePort: 32750", "nodePort: 32751", "no-class", 2);
    for (from, to, fail_on, code) in CHANGES.into_iter().chain([no_class]) {
        let runner = Pull::new();
        runner.change(from, to);
        let outcome = runner.review(fail_on);
        assert_eq!(outcome.code, Some(code), "{to}, {fail_on}: {outcome}");
        runner.summarises("**Changes in 1 of 1 peering");
        let is_red = outcome.stdout.contains("::error::");
        assert_eq!(is_red, code == 1, "{outcome}");
    }
}

#[test]
fn a_wrong_document_is_annotated() {
    let runner = Pull::new();
    runner.change("clusterID: consumer\n", "clusterID: Consumer!\n");
    runner
        .review("deletes-data")
        .ends(2)
        .prints("::error file=peerings/consumer-provider/peering.yaml");
}

/// The comment of an older commit would say that nothing changes.
#[test]
fn what_could_not_be_compared_is_written_too() {
    let runner = Pull::new();
    runner.change("clusterID: consumer\n", "clusterID: Consumer!\n");
    runner.review("deletes-data").ends(2);
    let head = runner.repository.git(&["rev-parse", "HEAD"]);
    let words = format!("**Commit {} could not be compared.**", head.trim());
    runner.summarises(&words);
    runner.write("answers/mine", "4711\n");
    runner.comment().ends(0);
    runner.text("asked").has("--method PATCH");
    runner.text("sent").has(&words);
}

/// Names of branches, titles and documents are other people's words: none becomes a command, of the shell or of the runner.
#[test]
fn hostile_names_are_only_text() {
    let runner = Pull::new();
    let evil = "$(touch${IFS}evil);`touch${IFS}evil`";
    runner
        .repository
        .git(&["checkout", "-q", "-b", "x;touch${IFS}evil"]);
    let document = fs::read(runner.repository.root().join(DOCUMENT)).expect("a document");
    let copy = format!("peerings/{evil}/peering.yaml");
    runner.repository.write(&copy, document);
    runner.change("name: demo\n", "name: \"::set-output name=x::y\"\n");
    let outcome = runner.review("deletes-data");
    format!("\n{}", outcome.stdout).lacks("\n::set-output");
    runner.comment();
    for folder in ["repository/evil", "runner/evil", "evil"] {
        assert!(!runner.temp(folder).exists(), "{folder}");
    }
    let head = runner.repository.git(&["rev-parse", "HEAD"]);
    for (base, head) in [("--output=evil", &*head), ("", &head), (&head, "HEAD")] {
        let outcome = runner.review_of(base, head, "deletes-data");
        assert_eq!(outcome.code, Some(1), "{base:?} {head:?}");
    }
}

#[test]
fn one_comment_is_written_and_then_brought_up_to_date() {
    let runner = Pull::new();
    runner.change("nodePort: 32750", "nodePort: 32751");
    runner.comment().ends(0);
    assert_eq!(runner.text("asked"), "", "no review, no comment");
    runner.review("deletes-data");
    runner.comment().ends(0);
    let asked = runner.text("asked");
    asked.has("api --method POST repos/rome/net/issues/7/comments");
    let sent: serde_json::Value = serde_json::from_str(&runner.text("sent")).expect("JSON");
    let body = sent["body"].as_str().expect("a text");
    assert!(
        body.starts_with("<!-- argocd-peering review -->\n**Changes in 1 of 1 peering"),
        "{body}"
    );
    runner.write("answers/mine", "4711\n4712\n");
    runner.comment();
    let asked = runner.text("asked");
    asked.has("api --method PATCH repos/rome/net/issues/comments/4711");
    // a token that only reads is no failure of the review
    runner.write("answers/refused", "");
    runner.comment().ends(0).prints("::warning::");
}

#[test]
fn a_program_is_used_only_if_checksum_and_provenance_are_right() {
    const REPOSITORY: (&str, &str) = ("REPOSITORY", "rome/argocd-peering");
    let install =
        |runner: &Pull, version: &str| runner.step("install", &[("VERSION", version), REPOSITORY]);
    let is_arm = cfg!(target_arch = "aarch64");
    let name = ["amd64", "arm64"][usize::from(is_arm)];
    let name = format!("argocd-peering-0.1.0-linux-{name}");
    let runner = Pull::new();
    runner.release(&name);
    install(&runner, "v0.1.0").ends(0);
    runner.text("path").has(&format!("{name}\n"));
    let verified = format!(
        "attestation verify {name}.tar.gz --repo rome/argocd-peering --signer-workflow \
         rome/argocd-peering/.github/workflows/release.yml --source-ref refs/tags/v0.1.0"
    );
    runner.text("asked").has(&verified);

    let archive = format!("release/{name}.tar.gz");
    for (file, text, words) in [
        ("forged", "", "tar.gz: OK"),
        (&archive, "other", "computed checksum did NOT match"),
        ("release/SHA256SUMS", "", "no properly formatted"),
    ] {
        let runner = Pull::new();
        runner.release(&name);
        runner.write(&format!("answers/{file}"), text);
        install(&runner, "v0.1.0").ends(1).everything().has(words);
        assert_eq!(runner.text("path"), "", "{file}");
    }
    for version in ["main", "v1", "0.1.0;touch evil", ""] {
        let outcome = install(&runner, version);
        assert_ne!(outcome.code, Some(0), "{version}: {outcome}");
        let words = ["is a release", "VERSION"][usize::from(version.is_empty())];
        outcome.everything().has(words);
    }
}

/// Every input reaches a script as a variable: what stands in `run` is no template.
#[test]
fn no_script_has_a_template_in_it() {
    let action = committed(".github/actions/review/action.yml");
    let runs: Vec<&str> = action
        .lines()
        .filter_map(|line| line.trim().strip_prefix("run: "))
        .collect();
    assert_eq!(runs.len(), 3, "{runs:?}");
    for run in runs {
        assert!(
            !run.contains("${{") && run.starts_with("'\"$GITHUB_ACTION_PATH/"),
            "{run}"
        );
    }
}
