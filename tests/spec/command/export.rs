//! `keys export`: private keys, for a person only, and where they go.

use crate::harness::team::{Needs, PATH, Team};
use crate::harness::{REPO, Terminal, Text, documents, entries, name_of, read};
use serde_json::Value;

const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];

fn team(terms: &[&str]) -> Team {
    Team::new(Needs::Both, &[&TERMS[..], terms].concat())
}

/// The command of a person in the team's folder.
fn export(team: &Team, more: &str) -> Vec<String> {
    let identity = team.identity();
    let line = format!("keys export --role consumer --identity-file {identity} {more}");
    line.split_whitespace().map(ToOwned::to_owned).collect()
}

#[test]
fn each_format_has_every_value_of_the_stream() {
    let team = team(&[]);
    let generate = "generate --local --role consumer --identity-file ID";
    let stream = documents(team.types(generate).stream());
    let secrets: Vec<Value> = stream
        .into_iter()
        .filter(|it| it["kind"] == "Secret")
        .collect();
    assert_eq!(secrets.len(), 2);
    let values: Vec<&str> = secrets
        .iter()
        .flat_map(|it| it["data"].as_object().expect("data").values())
        .map(|value| value.as_str().expect("base64"))
        .collect();
    assert_eq!(values.len(), 3);
    let printed = |format: &str| {
        let outcome = team.person(&export(&team, &format!("--format {format}")));
        outcome
            .says("opened peering.seed.age for")
            .says("opened kubeconfig.age for");
        assert!(!values.iter().any(|value| outcome.stderr.contains(value)));
        outcome.done().to_owned()
    };
    assert!(documents(&printed("secret")) == secrets);
    let json: Value = serde_json::from_str(&printed("json")).expect("JSON");
    let exported = json["secrets"].as_array().expect("a list");
    assert_eq!(exported.len(), secrets.len());
    for (one, secret) in exported.iter().zip(&secrets) {
        assert!(one["name"] == secret["metadata"]["name"] && one["data"] == secret["data"]);
    }
}

/// What a terminal shows stays in its history. What is typed there can go to a file all the same.
#[test]
fn a_terminal_gets_keys_with_force_only() {
    let team = team(&[]);
    let run = |more: &str| {
        let words = export(&team, more);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Terminal::of(120).whole().run(&words, &team.folder(), &[])
    };
    for format in ["json", "secret"] {
        let seen = run(&format!("--format {format}"));
        seen.ends(2);
        seen.shown
            .has("the terminal's history would keep private keys")
            .has("with -o")
            .lacks("opened ");
        let forced = run(&format!("--format {format} --force"));
        let word = "\"privateKey\": \"";
        assert!(
            forced.code == Some(0) && forced.shown.contains(word) && !seen.shown.contains(word)
        );
    }
    let seen = run("-o rome.json");
    assert!(seen.code == Some(0) && seen.shown.lines().all(|line| line.contains("opened ")));
    read(&team.folder().join("rome.json")).has("privateKey");
    assert_eq!(run("-o other.json --force").code, Some(2));
}

/// One rule for both commands. What a pipe gets is the stream; one without private keys is for every eye.
#[test]
fn a_terminal_gets_a_stream_with_keys_with_force_only() {
    let team = team(&[]);
    let identity = team.identity();
    let run = |words: &[&str]| {
        let words = [&["generate", "--role", "consumer"], words].concat();
        Terminal::of(120).whole().run(&words, &team.folder(), &[])
    };
    let seen = run(&["--local", "--identity-file", &identity]);
    seen.ends(2);
    for words in [
        "the terminal's history would keep private keys",
        "write them to a file or a pipe",
        "--public",
        "set --force",
    ] {
        seen.shown.has(words);
    }
    seen.shown.lacks("kind:").lacks("opened ");
    let forced = run(&["--local", "--identity-file", &identity, "--force"]);
    let piped = team.types("generate --role consumer --local --identity-file ID");
    let stream = piped.stream().replace('\n', "\r\n");
    assert!(
        forced.code == Some(0) && forced.shown.contains(&stream),
        "another stream"
    );
    let public = run(&["--public"]);
    public.ends(0);
    public.shown.has("kind: ");
    team.write(
        "peering.yaml",
        team.document().replace(
            "clusterID: rome",
            "clusterID: rome\n    delivery: External\n    names: { keySecret: keys }",
        ),
    );
    let external = run(&["--local", "--identity-file", &identity]);
    external.ends(0);
    external.shown.has("kind: ");
}

/// The operating system stops it at the first byte: of a file that may not grow (setrlimit(2), RLIMIT_FSIZE and SIGXFSZ).
#[test]
fn a_run_that_is_stopped_leaves_nothing() {
    let team = team(&[]);
    let names = || {
        entries(&team.folder())
            .iter()
            .map(|path| name_of(path))
            .collect::<Vec<_>>()
    };
    let before = names();
    let words = export(&team, "-o rome.json");
    let limit = ["sh", "-c", "ulimit -f 0; exec \"$0\" \"$@\""];
    let outcome = team.as_person(&words).through(&limit).run();
    assert_eq!(outcome.code, None, "a signal: {outcome}");
    assert_eq!(names(), before);
    team.person(&words).done();
    assert_eq!(names().len(), before.len() + 1);
}
