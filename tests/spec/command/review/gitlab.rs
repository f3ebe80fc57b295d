//! The template of `.gitlab/review.yml`: its script, in a checkout, with a stand-in of curl.

use serde_json::Value;

use super::runner::{CHANGES, DOCUMENT, Runner};
use crate::harness::{Outcome, Text, committed, put};

/// What `curl` is here: it serves the release, and of the API what lies in `answers`. It writes down what it is asked, and the
/// file of configuration, which has the token.
const CURL: &str = r#"#!/bin/bash
here=$(dirname "$0")/..
printf '%s\n' "$*" >>"$here/asked"
while [ $# -gt 1 ]; do
    case $1 in
    --output) output=$2 ;;
    --config) cp "$2" "$here/curlrc"; stat -c %a "$2" >"$here/mode" ;;
    --data-urlencode) cp "${2#body@}" "$here/sent" ;;
    --request) [ ! -e "$here/answers/refused" ] || exit 22 ;;
    esac
    shift
done
case $1 in
*/releases/download/*) cp "$here/answers/release/${1##*/}" "$output" ;;
*/user) echo '{"id": 7}' ;;
*page=1) cat "$here/answers/notes" ;;
*page=*) echo '[]' ;;
esac
"#;

const TOKEN: &str = "glpat-of-a-test";

/// A merge request on GitLab.
struct Merge(Runner);

impl Merge {
    fn new() -> Self {
        let merge = Self(Runner::new(&[("curl", CURL)]));
        merge.0.write("answers/notes", "[]");
        // the program that is tested takes the place of the release's
        let name = merge.0.release("argocd-peering-0.1.0-linux-amd64");
        assert!(
            merge
                .0
                .temp("answers/release")
                .join(format!("{name}.tar.gz"))
                .exists()
        );
        merge
    }

    fn checksum(&self) -> String {
        let sums = self.0.text("answers/release/SHA256SUMS");
        sums.split_whitespace()
            .next()
            .expect("a checksum")
            .to_owned()
    }

    /// The job's script, with the inputs' defaults. The release's program gives the work to the one that is tested.
    fn job(&self, variables: &[(&str, &str)]) -> Outcome {
        let [base, head] = self.0.base_and_head();
        let checksum = self.checksum();
        let given = [
            ("VERSION", "v0.1.0"),
            ("SHA256", checksum.as_str()),
            ("FOLDER", "peerings"),
            ("FAIL_ON", "loses-protection"),
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.as_str()),
            ("CI_COMMIT_SHA", head.as_str()),
            ("CI_API_V4_URL", "https://gitlab.example.org/api/v4"),
            ("CI_MERGE_REQUEST_PROJECT_ID", "42"),
            ("CI_MERGE_REQUEST_IID", "3"),
        ];
        // PATH has the release's program before it
        let script = script().replace(
            "PATH=$program/$name:$PATH",
            "[ -x \"$program/$name/argocd-peering\" ]",
        );
        assert_ne!(script, self::script());
        self.0
            .bash(&script, given.into_iter().chain(variables.iter().copied()))
    }

    fn made(&self, name: &str) -> String {
        let path = self.0.repository.root().join(name);
        std::fs::read_to_string(path).expect(name)
    }
}

/// The template's two documents: the inputs, and the job.
fn template() -> [Value; 2] {
    let text = committed(".gitlab/review.yml");
    let documents: Vec<Value> = serde_saphyr::from_multiple(&text).expect("YAML");
    documents.try_into().expect("two documents")
}

/// What a runner makes of `script`: one text for one shell (gitlab-runner `shells/bash.go`).
fn script() -> String {
    let [_, jobs] = template();
    let lines = jobs["argocd-peering review"]["script"]
        .as_array()
        .expect("a list")
        .clone();
    lines
        .iter()
        .map(|part| part.as_str().expect("a text"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_change_is_shown_and_what_endangers_is_red() {
    for (from, to, fail_on, code) in CHANGES {
        let merge = Merge::new();
        merge.0.change(from, to);
        let outcome = merge.job(&[("FAIL_ON", fail_on)]);
        assert_eq!(outcome.code, Some(code), "{to}, {fail_on}: {outcome}");
        let table = merge.made("argocd-peering-review.md");
        assert!(
            table.starts_with("<!-- argocd-peering review -->\n**Changes in 1 of 1 peering"),
            "{table}"
        );
        let asked = merge.0.text("asked");
        assert!(!asked.contains("/api/v4"), "there is no token: {asked}");
    }
}

/// Through a link, the table would take the place of a program of the job's image, which then runs with the token.
#[test]
fn a_pushed_link_is_not_written_through() {
    let merge = Merge::new();
    let victim = merge.0.temp("victim");
    put(&victim, "a program");
    let name = merge.0.repository.root().join("argocd-peering-review.md");
    std::os::unix::fs::symlink(&victim, name).expect("a link");
    merge.0.change(CHANGES[0].0, CHANGES[0].1);
    merge.job(&[("FAIL_ON", CHANGES[0].2), ("ARGOCD_PEERING_TOKEN", TOKEN)]);
    assert_eq!(std::fs::read_to_string(&victim).expect("it"), "a program");
    assert!(
        merge
            .made("argocd-peering-review.md")
            .starts_with("<!-- argocd-peering review -->\n")
    );
    assert_eq!(merge.0.text("sent"), merge.made("argocd-peering-review.md"));
}

#[test]
fn a_wrong_document_is_in_the_report_and_red() {
    let merge = Merge::new();
    merge
        .0
        .change("clusterID: consumer\n", "clusterID: Consumer!\n");
    merge
        .job(&[("ARGOCD_PEERING_TOKEN", TOKEN)])
        .ends(2)
        .says("error[cluster-id]");
    // the note of an older commit would say that nothing changes
    let words = "<!-- argocd-peering review -->\n**Commit ";
    let sent = merge.0.text("sent");
    assert!(
        sent.starts_with(words) && sent.contains(" could not be compared.**"),
        "{sent}"
    );
}

#[test]
fn one_note_is_written_and_then_brought_up_to_date() {
    let merge = Merge::new();
    merge.0.change("nodePort: 32750", "nodePort: 32751");
    let with_token = [("ARGOCD_PEERING_TOKEN", TOKEN), ("FAIL_ON", "deletes-data")];
    let outcome = merge.job(&with_token);
    outcome.ends(0);
    let asked = merge.0.text("asked");
    let notes = "https://gitlab.example.org/api/v4/projects/42/merge_requests/3/notes";
    assert!(
        asked
            .lines()
            .any(|line| line.contains("--request POST") && line.ends_with(notes)),
        "{asked}"
    );
    assert!(
        !asked.contains(TOKEN) && !outcome.to_string().contains(TOKEN),
        "a token of the command line is everyone's"
    );
    assert!(merge.0.text("curlrc").contains(TOKEN));
    assert_eq!(merge.0.text("mode").trim(), "600");
    assert_eq!(merge.0.text("sent"), merge.made("argocd-peering-review.md"));

    let mark = "<!-- argocd-peering review -->";
    // the same mark in another author's note, and another note of our own
    let others = format!(
        r#"[{{"id":1,"author":{{"id":8}},"body":"{mark}"}},{{"id":2,"author":{{"id":7}},"body":"x"}},{{"id":3,"author":{{"id":7}},"body":"{mark}\nold"}}]"#
    );
    merge.0.write("answers/notes", &others);
    merge.0.write("asked", "");
    assert_eq!(merge.job(&with_token).code, Some(0));
    let asked = merge.0.text("asked");
    assert!(
        asked
            .lines()
            .any(|line| line.contains("--request PUT") && line.ends_with(&format!("{notes}/3"))),
        "{asked}"
    );
    asked.lacks("POST");
    // a token that only reads is no failure of the review
    merge.0.write("answers/refused", "");
    merge
        .job(&with_token)
        .ends(0)
        .says("the note could not be written");
}

/// GitLab runs a line of a note that begins with `/` as a command, with the rights of the note's author.
#[test]
fn hostile_names_are_only_text() {
    let merge = Merge::new();
    let evil = "$(touch${IFS}evil);`touch${IFS}evil`";
    let folder = merge.0.repository.root().join("peerings").join(evil);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy(
        merge.0.repository.root().join(DOCUMENT),
        folder.join("peering.yaml"),
    )
    .expect("a document");
    let annotated =
        "  commonMetadata: { annotations: { a: \"x\\n/merge\\r/approve\" } }\n  liqoVersion:";
    merge.0.change("  liqoVersion:", annotated);
    let outcome = merge.job(&[("ARGOCD_PEERING_TOKEN", TOKEN)]);
    let table = merge.0.text("sent");
    table.has("/merge");
    assert!(
        !table
            .split(['\n', '\r'])
            .any(|line| line.trim_start().starts_with('/')),
        "{table}"
    );
    for folder in [
        merge.0.repository.root(),
        merge.0.temp("."),
        merge.0.temp("runner"),
    ] {
        assert!(!folder.join("evil").exists(), "{outcome}");
    }
}

#[test]
fn another_archive_is_not_unpacked() {
    let merge = Merge::new();
    merge.0.change("memory: 1Gi", "memory: 2Gi");
    let other = "0".repeat(64);
    let outcome = merge.job(&[("SHA256", &other)]);
    assert_ne!(outcome.code, Some(0), "{outcome}");
    let table = merge.0.repository.root().join("argocd-peering-review.md");
    assert!(!table.exists());
}

/// An input reaches the script as a variable. What a template puts into a script is a command.
#[test]
fn no_input_is_in_the_script() {
    assert!(!script().contains("$[["), "{}", script());
    let [inputs, jobs] = template();
    let inputs = inputs["spec"]["inputs"]
        .as_object()
        .expect("inputs")
        .clone();
    for (name, input) in &inputs {
        assert!(
            input["description"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{name}"
        );
        let bounded = input.get("regex").is_some() || input.get("options").is_some();
        assert!(
            bounded || ["stage", "image"].contains(&name.as_str()),
            "{name} is any text"
        );
    }
    let used = jobs.to_string();
    for name in inputs.keys() {
        assert!(
            used.contains(&format!("$[[ inputs.{name} ]]")),
            "{name} is not used"
        );
    }
}
