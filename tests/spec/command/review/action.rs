//! The action of `.github/actions/review`: its scripts, in a checkout, with a stand-in of the code host's client.

use std::fs;

use super::runner::{CHANGES, DOCUMENT, Runner};
use crate::harness::{Outcome, committed, root};

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
        self.step(
            "review",
            &[
                ("FOLDER", "peerings"),
                ("FAIL_ON", fail_on),
                ("BASE", &base),
                ("HEAD", &head),
            ],
        )
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
        assert!(
            runner
                .text("summary")
                .starts_with("**Changes in 1 of 1 peering"),
            "{}",
            runner.text("summary")
        );
        assert_eq!(
            outcome.stdout.contains("::error::"),
            code == 1,
            "{}",
            outcome.stdout
        );
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
    assert_eq!(runner.review("deletes-data").code, Some(2));
    let head = runner.repository.git(&["rev-parse", "HEAD"]);
    let words = format!("**Commit {} could not be compared.**", head.trim());
    assert!(
        runner.text("summary").starts_with(&words),
        "{}",
        runner.text("summary")
    );
    runner.write("answers/mine", "4711\n");
    assert_eq!(runner.comment().code, Some(0));
    assert!(
        runner.text("asked").contains("--method PATCH"),
        "{}",
        runner.text("asked")
    );
    assert!(
        runner.text("sent").contains(&words),
        "{}",
        runner.text("sent")
    );
}

/// Names of branches, titles and documents are other people's words: none becomes a command, of the shell or of the runner.
#[test]
fn hostile_names_are_only_text() {
    let runner = Pull::new();
    let evil = "$(touch${IFS}evil);`touch${IFS}evil`";
    runner
        .repository
        .git(&["checkout", "-q", "-b", "x;touch${IFS}evil"]);
    fs::create_dir_all(runner.repository.root().join("peerings").join(evil)).expect("a folder");
    fs::copy(
        runner.repository.root().join(DOCUMENT),
        runner
            .repository
            .root()
            .join("peerings")
            .join(evil)
            .join("peering.yaml"),
    )
    .expect("a document");
    runner.change("name: demo\n", "name: \"::set-output name=x::y\"\n");
    let outcome = runner.review("deletes-data");
    assert!(
        !outcome
            .stdout
            .lines()
            .any(|line| line.starts_with("::set-output")),
        "{}",
        outcome.stdout
    );
    runner.comment();
    for folder in [
        runner.repository.root(),
        runner.temp("runner"),
        runner.temp("."),
    ] {
        assert!(!folder.join("evil").exists(), "{}", folder.display());
    }
    for wrong in [("BASE", "--output=evil"), ("BASE", ""), ("HEAD", "HEAD")] {
        let head = runner.repository.git(&["rev-parse", "HEAD"]);
        let mut variables = vec![
            ("FOLDER", "peerings"),
            ("FAIL_ON", "deletes-data"),
            ("BASE", &head),
            ("HEAD", &head),
        ];
        variables.push(wrong);
        assert_eq!(runner.step("review", &variables).code, Some(1), "{wrong:?}");
    }
}

#[test]
fn one_comment_is_written_and_then_brought_up_to_date() {
    let runner = Pull::new();
    runner.change("nodePort: 32750", "nodePort: 32751");
    assert_eq!(runner.comment().code, Some(0), "no review, no comment");
    assert_eq!(runner.text("asked"), "");
    runner.review("deletes-data");
    assert_eq!(runner.comment().code, Some(0));
    assert!(
        runner
            .text("asked")
            .contains("api --method POST repos/rome/net/issues/7/comments"),
        "{}",
        runner.text("asked")
    );
    let sent: serde_json::Value = serde_json::from_str(&runner.text("sent")).expect("JSON");
    let body = sent["body"].as_str().expect("a text");
    assert!(
        body.starts_with("<!-- argocd-peering review -->\n**Changes in 1 of 1 peering"),
        "{body}"
    );
    runner.write("answers/mine", "4711\n4712\n");
    runner.comment();
    assert!(
        runner
            .text("asked")
            .contains("api --method PATCH repos/rome/net/issues/comments/4711"),
        "{}",
        runner.text("asked")
    );
    // a token that only reads is no failure of the review
    runner.write("answers/refused", "");
    runner.comment().ends(0).prints("::warning::");
}

#[test]
fn a_program_is_used_only_if_checksum_and_provenance_are_right() {
    let install = |runner: &Pull, version: &str| {
        runner.step(
            "install",
            &[("VERSION", version), ("REPOSITORY", "rome/argocd-peering")],
        )
    };
    let arch = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "amd64"
    };
    let release = |runner: &Pull| runner.release(&format!("argocd-peering-0.1.0-linux-{arch}"));
    let runner = Pull::new();
    let name = release(&runner);
    assert_eq!(install(&runner, "v0.1.0").code, Some(0));
    assert!(
        runner.text("path").trim_end().ends_with(&name),
        "{}",
        runner.text("path")
    );
    let verified = format!(
        "attestation verify {name}.tar.gz --repo rome/argocd-peering --signer-workflow \
         rome/argocd-peering/.github/workflows/release.yml --source-ref refs/tags/v0.1.0"
    );
    assert!(
        runner.text("asked").contains(&verified),
        "{}",
        runner.text("asked")
    );

    let forged = Pull::new();
    release(&forged);
    forged.write("answers/forged", "");
    let damaged = Pull::new();
    let name = release(&damaged);
    damaged.write(&format!("answers/release/{name}.tar.gz"), "other");
    let unlisted = Pull::new();
    release(&unlisted);
    unlisted.write("answers/release/SHA256SUMS", "");
    let refused = [
        ("forged", &forged, "tar.gz: OK"),
        ("damaged", &damaged, "computed checksum did NOT match"),
        ("unlisted", &unlisted, "no properly formatted"),
    ];
    for (what, runner, words) in refused {
        let outcome = install(runner, "v0.1.0");
        assert_eq!(outcome.code, Some(1), "{what}: {outcome}");
        assert!(
            outcome.everything().contains(words),
            "{what}: {}",
            outcome.everything()
        );
        assert_eq!(runner.text("path"), "", "{what}");
    }
    let versions = [
        ("main", "is a release"),
        ("v1", "is a release"),
        ("0.1.0;touch evil", "is a release"),
        ("", "VERSION"),
    ];
    for (version, words) in versions {
        let outcome = install(&runner, version);
        assert!(
            outcome.code != Some(0) && outcome.everything().contains(words),
            "{version}: {outcome}"
        );
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
