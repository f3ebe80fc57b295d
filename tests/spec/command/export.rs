//! `keys export`: private keys, for a person only, and where they go.

use crate::harness::team::{Needs, PATH, Team};
use crate::harness::{REPO, Terminal, Text, documents, encoded, entries, name_of, put};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];

fn team(terms: &[&str]) -> Team {
    Team::new(Needs::Both, &[&TERMS[..], terms].concat())
}

/// The command of a person in the team's folder.
fn export(team: &Team, more: &[&str]) -> Vec<String> {
    let identity = team.identity();
    let command = [
        "keys",
        "export",
        "--role",
        "consumer",
        "--identity-file",
        &identity,
    ];
    command
        .iter()
        .chain(more)
        .map(|word| (*word).to_owned())
        .collect()
}

#[test]
fn each_format_has_every_value_of_the_stream() {
    let team = team(&[]);
    let identity = team.identity();
    let generate = [
        "generate",
        "--local",
        "--role",
        "consumer",
        "--identity-file",
        &identity,
    ];
    let stream = documents(team.person(&generate).stream());
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
        let outcome = team.person(&export(&team, &["--format", format]));
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

/// Anything that Argo CD passes, also when it is empty.
#[test]
fn argo_cd_gets_nothing() {
    let team = team(&[]);
    for variable in "ARGOCD_APP_NAME ARGOCD_APP_PROJECT_NAME ARGOCD_APP_PARAMETERS".split(' ') {
        for (value, more) in [
            ("net", &[][..]),
            ("", &[]),
            ("net", &["--force"]),
            ("net", &["-o", "new"]),
        ] {
            let outcome = team
                .as_person(&export(&team, more))
                .env(variable, value)
                .run();
            outcome
                .fails(2, "flag")
                .says("keys export: ")
                .says("an ARGOCD_APP_… variable is set");
            assert!(!team.folder().join("new").exists(), "{variable}");
        }
    }
}

/// What a terminal shows stays in its history. What is typed there can go to a file all the same.
#[test]
fn a_terminal_gets_keys_with_force_only() {
    let team = team(&[]);
    let run = |more: &[&str]| {
        let words = export(&team, more);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Terminal::of(120).whole().run(&words, &team.folder(), &[])
    };
    for format in ["json", "secret"] {
        let seen = run(&["--format", format]);
        seen.ends(2);
        seen.shown
            .has("private keys would stay in the terminal's history")
            .has("with -o")
            .lacks("opened ");
        let forced = run(&["--format", format, "--force"]);
        let word = "\"privateKey\": \"";
        assert!(
            forced.code == Some(0) && forced.shown.contains(word) && !seen.shown.contains(word)
        );
    }
    let seen = run(&["-o", "rome.json"]);
    assert!(seen.code == Some(0) && seen.shown.lines().all(|line| line.contains("opened ")));
    assert!(
        fs::read_to_string(team.folder().join("rome.json"))
            .expect("it")
            .contains("privateKey")
    );
    assert_eq!(run(&["-o", "other.json", "--force"]).code, Some(2));
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
        "private keys would stay in the terminal's history",
        "`| kubectl diff",
        "--public",
        "set --force",
    ] {
        seen.shown.has(words);
    }
    seen.shown.lacks("kind:").lacks("opened ");
    let forced = run(&["--local", "--identity-file", &identity, "--force"]);
    let piped = team.person(&[
        "generate",
        "--role",
        "consumer",
        "--local",
        "--identity-file",
        &identity,
    ]);
    let stream = piped.stream().replace('\n', "\r\n");
    assert!(
        forced.code == Some(0) && forced.shown.contains(&stream),
        "another stream"
    );
    let public = run(&["--public"]);
    assert!(
        public.code == Some(0) && public.shown.contains("kind: "),
        "{}",
        public.shown
    );
    team.write(
        "peering.yaml",
        team.document().replace(
            "clusterID: rome",
            "clusterID: rome\n    delivery: External\n    names: { keySecret: keys }",
        ),
    );
    let external = run(&["--local", "--identity-file", &identity]);
    assert!(
        external.code == Some(0) && external.shown.contains("kind: "),
        "{}",
        external.shown
    );
}

#[test]
fn a_file_is_new_and_its_owners() {
    let team = team(&[]);
    let path = team.folder().join("rome.json");
    let file = export(&team, &["-o", "rome.json"]);
    let printed = team.person(&export(&team, &[]));
    assert_eq!(team.person(&file).done(), "");
    assert!(fs::read_to_string(&path).expect("it") == printed.done());
    assert_eq!(
        fs::metadata(&path).expect("it").permissions().mode() & 0o7777,
        0o600
    );

    for content in ["an older export", ""] {
        put(&path, content);
        team.person(&file)
            .fails(3, "file")
            .says("rome.json: it already exists")
            .says("another name");
        assert!(fs::read_to_string(&path).expect("it") == content);
    }
    std::os::unix::fs::symlink("elsewhere.json", team.folder().join("link.json")).expect("a link");
    for (name, reason) in [
        ("link.json", "already exists"),
        (".", "already exists"),
        ("no/rome.json", "its folder does not exist"),
    ] {
        team.person(&export(&team, &["-o", name]))
            .fails(3, "file")
            .says(reason);
    }
    assert!(!team.folder().join("elsewhere.json").exists());
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
    let words = export(&team, &["-o", "rome.json"]);
    let limit = ["sh", "-c", "ulimit -f 0; exec \"$0\" \"$@\""];
    let outcome = team.as_person(&words).through(&limit).run();
    assert_eq!(outcome.code, None, "a signal: {outcome}");
    assert_eq!(names(), before);
    team.person(&words).done();
    assert_eq!(names().len(), before.len() + 1);
}

/// What a person takes to a cluster or to a vault is delivered as `External`. The document does not matter: that is where a
/// side's way from one delivery to another begins.
#[test]
fn terms_that_demand_another_delivery_refuse_it() {
    for (allowed, taken) in [
        (&["--delivery", "SealedSecret"][..], false),
        (&["--delivery", "Secret"], false),
        (&["--delivery", "External"], true),
        (
            &["--delivery", "SealedSecret", "--delivery", "External"],
            true,
        ),
    ] {
        let team = team(allowed);
        let document = team.document();
        for delivery in ["Secret", "SealedSecret", "External"] {
            let side = format!(
                "clusterID: rome\n    delivery: {delivery}\n    names: {{ keySecret: keys }}"
            );
            team.write(
                "peering.yaml",
                document.replacen("clusterID: rome", &side, 1),
            );
            let outcome = team.person(&export(&team, &[]));
            if taken {
                let json = outcome.ends(0).json();
                assert_eq!(json["secrets"][0]["name"], "keys", "{allowed:?}");
            } else {
                outcome
                    .fails(3, "delivery-denied")
                    .says("the delivery `External`")
                    .says("--delivery");
            }
        }
    }
}

/// A key that is written gives the Secret its name; it must be the one that the seed gives.
#[test]
fn the_vault_gets_the_key_that_the_document_has() {
    let team = team(&[]);
    let other = encoded([9; 32]);
    let side = format!("clusterID: rome\n    publicKey: {other}\n    delivery: External");
    team.write(
        "peering.yaml",
        team.document().replacen("clusterID: rome", &side, 1),
    );
    team.person(&export(&team, &[])).fails(1, "unexpected-key");
    let both = team
        .document()
        .replacen("  seed: { file: peering.seed.age } # sealed\n", "", 1);
    let side = format!("clusterID: milan\n    publicKey: {}", encoded([8; 32]));
    team.write("peering.yaml", both.replacen("clusterID: milan", &side, 1));
    team.person(&export(&team, &[])).fails(1, "seed-elsewhere");
}

#[test]
fn a_side_without_secrets_has_nothing_to_export() {
    let team = Team::new(Needs::Kubeconfig, &TERMS);
    let words = export(&team, &["--format", "secret"]);
    let provider: Vec<String> = words
        .iter()
        .map(|word| word.replace("consumer", "provider"))
        .collect();
    let outcome = team.person(&provider);
    assert_eq!(outcome.done(), "");
    outcome.says("nothing to export").silent_on("opened ");
}
