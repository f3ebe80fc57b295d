//! The action of `.github/actions/review`: its scripts, in a checkout, with a stand-in of the code host's client.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use crate::harness::repository::Repository;
use crate::harness::run::Outcome;
use crate::harness::{committed, root};

const FOLDER: &str = "peerings/consumer-provider";
const DOCUMENT: &str = "peerings/consumer-provider/peering.yaml";

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

/// A runner after a checkout of a pull request.
struct Runner {
    repository: Repository,
}

impl Runner {
    fn new() -> Self {
        let runner = Self { repository: Repository::new(FOLDER) };
        for folder in ["bin", "runner", "answers/release"] {
            fs::create_dir_all(runner.temp(folder)).expect("a folder");
        }
        let gh = runner.temp("bin/gh");
        fs::write(&gh, GH).expect("a script");
        fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).expect("a mode");
        for empty in ["answers/mine", "asked", "summary", "path"] {
            fs::write(runner.temp(empty), "").expect("a file");
        }
        runner
    }

    fn temp(&self, name: &str) -> PathBuf {
        self.repository.temp().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.temp(name)).expect(name)
    }

    /// One of the action's scripts, with the variables of its step.
    fn step(&self, script: &str, variables: &[(&str, &str)]) -> Outcome {
        let script = root().join(".github/actions/review").join(script);
        let bin = self.temp("bin");
        let start = format!(
            "ln -sf \"$0\" {0}/argocd-peering && PATH={0}:$PATH && {1}",
            bin.display(),
            script.display()
        );
        let mut run = self.repository.diff(&[]).through(&["/bin/bash", "-c", &start]);
        for (name, file) in
            [("RUNNER_TEMP", "runner"), ("GITHUB_STEP_SUMMARY", "summary"), ("GITHUB_PATH", "path")]
        {
            run = run.env(name, self.temp(file));
        }
        variables.iter().fold(run, |run, (name, value)| run.env(name, value)).run()
    }

    fn review(&self, fail_on: &str) -> Outcome {
        let [base, head] = ["HEAD~1", "HEAD"].map(|revision| self.repository.git(&["rev-parse", revision]));
        self.step("review", &[("FOLDER", "peerings"), ("FAIL_ON", fail_on), ("BASE", &base), ("HEAD", &head)])
    }

    fn comment(&self) -> Outcome {
        self.step("comment", &[("REPOSITORY", "rome/net"), ("NUMBER", "7")])
    }

    fn change(&self, from: &str, to: &str) {
        self.repository.edit(DOCUMENT, from, to);
        self.repository.commit();
    }
}

#[test]
fn a_change_is_shown_and_what_endangers_is_red() {
    for (from, to, fail_on, code) in [
        ("memory: 1Gi", "memory: 2Gi", "loses-protection", 0),
        ("nodePort: 32750", "nodePort: 32751", "loses-protection", 1),
        ("nodePort: 32750", "nodePort: 32751", "deletes-data", 0),
        ("nodePort: 32750", "nodePort: 32751", "no-class", 2),
    ] {
        let runner = Runner::new();
        runner.change(from, to);
        let outcome = runner.review(fail_on);
        assert_eq!(outcome.code, Some(code), "{to}, {fail_on}: {outcome}");
        assert!(
            runner.text("summary").starts_with("**Changes in 1 of 1 peering"),
            "{}",
            runner.text("summary")
        );
        assert_eq!(outcome.stdout.contains("::error::"), code == 1, "{}", outcome.stdout);
    }
}

#[test]
fn a_wrong_document_is_annotated() {
    let runner = Runner::new();
    runner.change("clusterID: consumer\n", "clusterID: Consumer!\n");
    let outcome = runner.review("deletes-data");
    assert_ne!(outcome.code, Some(0));
    assert!(
        outcome.stdout.contains("::error file=peerings/consumer-provider/peering.yaml"),
        "{}",
        outcome.stdout
    );
}

/// Names of branches, titles and documents are other people's words: none becomes a command, of the shell or of the runner.
#[test]
fn hostile_names_are_only_text() {
    let runner = Runner::new();
    let evil = "$(touch${IFS}evil);`touch${IFS}evil`";
    runner.repository.git(&["checkout", "-q", "-b", "x;touch${IFS}evil"]);
    fs::create_dir_all(runner.repository.root().join("peerings").join(evil)).expect("a folder");
    fs::copy(
        runner.repository.root().join(DOCUMENT),
        runner.repository.root().join("peerings").join(evil).join("peering.yaml"),
    )
    .expect("a document");
    runner.change("name: demo\n", "name: \"::set-output name=x::y\"\n");
    let outcome = runner.review("deletes-data");
    assert!(!outcome.stdout.lines().any(|line| line.starts_with("::set-output")), "{}", outcome.stdout);
    runner.comment();
    for folder in [runner.repository.root(), runner.temp("runner"), runner.temp(".")] {
        assert!(!folder.join("evil").exists(), "{}", folder.display());
    }
    for wrong in [("BASE", "--output=evil"), ("BASE", ""), ("HEAD", "HEAD")] {
        let head = runner.repository.git(&["rev-parse", "HEAD"]);
        let mut variables =
            vec![("FOLDER", "peerings"), ("FAIL_ON", "deletes-data"), ("BASE", &head), ("HEAD", &head)];
        variables.push(wrong);
        assert_eq!(runner.step("review", &variables).code, Some(1), "{wrong:?}");
    }
}

#[test]
fn one_comment_is_written_and_then_brought_up_to_date() {
    let runner = Runner::new();
    runner.change("nodePort: 32750", "nodePort: 32751");
    assert_eq!(runner.comment().code, Some(0), "no review, no comment");
    assert_eq!(runner.text("asked"), "");
    runner.review("deletes-data");
    assert_eq!(runner.comment().code, Some(0));
    assert!(
        runner.text("asked").contains("api --method POST repos/rome/net/issues/7/comments"),
        "{}",
        runner.text("asked")
    );
    let sent: serde_json::Value = serde_json::from_str(&runner.text("sent")).expect("JSON");
    let body = sent["body"].as_str().expect("a text");
    assert!(body.starts_with("<!-- argocd-peering review -->\n**Changes in 1 of 1 peering"), "{body}");
    fs::write(runner.temp("answers/mine"), "4711\n4712\n").expect("written");
    runner.comment();
    assert!(
        runner.text("asked").contains("api --method PATCH repos/rome/net/issues/comments/4711"),
        "{}",
        runner.text("asked")
    );
    // a token that only reads is no failure of the review
    fs::write(runner.temp("answers/refused"), "").expect("written");
    let refused = runner.comment();
    assert_eq!(refused.code, Some(0));
    assert!(refused.stdout.contains("::warning::"), "{}", refused.stdout);
}

#[test]
fn a_program_is_used_only_if_checksum_and_provenance_are_right() {
    let install = |runner: &Runner, version: &str| {
        runner.step("install", &[("VERSION", version), ("REPOSITORY", "rome/argocd-peering")])
    };
    let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    let release = |runner: &Runner| {
        let name = format!("argocd-peering-0.1.0-linux-{arch}");
        let script = format!(
            "mkdir {name} && printf '#!/bin/sh\\n' >{name}/argocd-peering && chmod +x {name}/argocd-peering && \
             tar czf {name}.tar.gz {name} && rm -r {name} && sha256sum {name}.tar.gz >SHA256SUMS"
        );
        let made =
            Command::new("sh").args(["-c", &script]).current_dir(runner.temp("answers/release")).status();
        assert!(made.expect("a shell").success());
        name
    };
    let runner = Runner::new();
    let name = release(&runner);
    assert_eq!(install(&runner, "v0.1.0").code, Some(0));
    assert!(runner.text("path").trim_end().ends_with(&name), "{}", runner.text("path"));
    let verified = format!(
        "attestation verify {name}.tar.gz --repo rome/argocd-peering --signer-workflow \
         rome/argocd-peering/.github/workflows/release.yml --source-ref refs/tags/v0.1.0"
    );
    assert!(runner.text("asked").contains(&verified), "{}", runner.text("asked"));

    let forged = Runner::new();
    release(&forged);
    fs::write(forged.temp("answers/forged"), "").expect("written");
    let damaged = Runner::new();
    let name = release(&damaged);
    fs::write(damaged.temp("answers/release").join(format!("{name}.tar.gz")), "other").expect("written");
    let unlisted = Runner::new();
    release(&unlisted);
    fs::write(unlisted.temp("answers/release/SHA256SUMS"), "").expect("written");
    for (what, runner) in [("forged", &forged), ("damaged", &damaged), ("unlisted", &unlisted)] {
        assert_ne!(install(runner, "v0.1.0").code, Some(0), "{what}");
        assert_eq!(runner.text("path"), "", "{what}");
    }
    for version in ["main", "v1", "0.1.0;touch evil", ""] {
        assert_ne!(install(&runner, version).code, Some(0), "{version}");
    }
}

/// Every input reaches a script as a variable: what stands in `run` is no template.
#[test]
fn no_script_has_a_template_in_it() {
    let action = committed(".github/actions/review/action.yml");
    let runs: Vec<&str> = action.lines().filter_map(|line| line.trim().strip_prefix("run: ")).collect();
    assert_eq!(runs.len(), 3, "{runs:?}");
    for run in runs {
        assert!(!run.contains("${{") && run.starts_with("'\"$GITHUB_ACTION_PATH/"), "{run}");
    }
}
