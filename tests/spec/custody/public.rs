//! `inspect` and `keys` for programs: what is public of what they open, by their schemas, and nothing else.

use super::team::{Needs, TOKEN, Team};
use crate::harness::{Outcome, Schema, Text};
use serde_json::Value;

/// The report, which has the form that a schema of `docs` says.
#[track_caller]
fn report(outcome: &Outcome, schema: &str) -> Value {
    let (schema, report) = (Schema::at(schema), outcome.ends(0).json());
    schema.takes(&report);
    let mut broken = report.clone();
    broken["version"] = "1".into();
    assert!(!schema.is_valid(&broken), "the schema says what a version is");
    assert!(!outcome.everything().contains(TOKEN) && !outcome.everything().contains("SEED-1"));
    report
}

#[test]
fn a_sealed_file_is_told_to_programs() {
    let team = Team::new(
        Needs::Both,
        &["--project", "net", "--repo", "https://git.example.org/net.git", "--path", "a"],
    );
    let inspect = |file: &str| {
        let words = ["inspect", file, "--identity-file", &team.identity(), "--format", "json"];
        report(&team.person(&words), "docs/inspect.schema.json")
    };
    let seed = inspect("peering.seed.age");
    assert_eq!((&seed["kind"], &seed["recipients"]), (&"seed".into(), &1.into()));
    assert_eq!(seed["terms"][0]["clusters"][0], serde_json::json!(["milan", "rome"]));
    assert_eq!(seed["terms"][0]["values"]["projects"], serde_json::json!(["net"]));
    let text = team.person(&["inspect", "peering.seed.age", "--identity-file", &team.identity()]);
    for cluster in ["rome", "milan"] {
        let key = seed["keys"][0]["keys"][cluster].as_str().expect("a key");
        text.done().has(&format!("  {cluster}: {key}\n"));
    }
    let kubeconfig = inspect("kubeconfig.age");
    assert_eq!(kubeconfig["credential"]["server"], "https://192.0.2.1:6443");
    assert_eq!(kubeconfig["credential"]["by"], "token");
    assert!(kubeconfig.get("keys").is_none(), "{kubeconfig}");
}

#[test]
fn public_keys_are_told_to_programs() {
    let team = Team::new(Needs::Both, &[]);
    let identity = team.identity();
    let words = ["keys", "--identity-file", &identity];
    let json = [&words[..], &["--format", "json"]].concat();
    let keys = report(&team.person(&json), "docs/keys.schema.json");
    let text = team.person(&words);
    for side in ["consumer", "provider"] {
        let key = keys[side]["publicKey"].as_str().expect("a key");
        text.done().has(&format!("  public key: {key}\n"));
        assert_eq!((&keys[side]["derived"], &keys[side]["keyGeneration"]), (&true.into(), &1.into()));
    }
    assert!(
        text.done().ends_with(&format!("agreement: {}\n", keys["agreement"].as_str().expect("a digest")))
    );
    // a key that is only written is not derived, whoever asks
    let key = keys["provider"]["publicKey"].as_str().expect("a key");
    let line = format!("clusterID: milan\n    publicKey: {key}");
    let both = team.document().replacen("clusterID: milan", &line, 1);
    team.write(
        "peering.yaml",
        both.replacen("  seed: { file: peering.seed.age } # sealed\n", "", 1).replacen(
            "clusterID: rome",
            "clusterID: rome\n    seed: { file: peering.seed.age }",
            1,
        ),
    );
    let keys = report(&team.person(&json), "docs/keys.schema.json");
    assert_eq!((&keys["consumer"]["derived"], &keys["provider"]["derived"]), (&true.into(), &false.into()));
}

/// A person who names the folder is told what to name.
#[test]
fn a_folder_names_its_sealed_files() {
    let team = Team::new(Needs::Both, &[]);
    let identity = team.identity();
    let outcome = team.person(&["inspect", ".", "--identity-file", &identity]);
    outcome.fails(2, "flag").says("name one of its sealed files: ./kubeconfig.age, ./peering.seed.age");
    let empty = team.folder().join("empty");
    std::fs::create_dir(empty).expect("a folder");
    team.person(&["inspect", "empty", "--identity-file", &identity])
        .fails(2, "flag")
        .says("a folder without a sealed file");
}
