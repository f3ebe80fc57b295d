//! `inspect` and `keys` for programs: what is public of what they open, by their schemas, and nothing else.

use crate::harness::team::{Needs, TERMS, TOKEN, Team};
use crate::harness::{Outcome, Schema, Text};
use serde_json::Value;

/// The report, which has the form that a schema of `docs` says.
#[track_caller]
fn report(outcome: &Outcome, schema: &str) -> Value {
    let (schema, report) = (Schema::at(schema), outcome.ends(0).json());
    schema.takes(&report);
    let mut broken = report.clone();
    broken["version"] = "1".into();
    assert!(
        !schema.is_valid(&broken),
        "the schema says what a version is"
    );
    assert!(!outcome.everything().contains(TOKEN) && !outcome.everything().contains("SEED-1"));
    report
}

#[test]
fn a_sealed_file_is_told_to_programs() {
    let team = Team::new(Needs::Both, &TERMS);
    let inspect = |file: &str| {
        let line = format!("inspect {file} --identity-file ID --format json");
        report(&team.types(&line), "docs/inspect.schema.json")
    };
    let seed = inspect("peering.seed.age");
    assert_eq!(
        (&seed["kind"], &seed["recipients"]),
        (&"seed".into(), &1.into())
    );
    assert_eq!(
        seed["terms"][0]["clusters"][0],
        serde_json::json!(["milan", "rome"])
    );
    assert_eq!(
        seed["terms"][0]["values"]["projects"],
        serde_json::json!(["net=rome", "net=milan"])
    );
    let text = team.inspected("peering.seed.age");
    for cluster in ["rome", "milan"] {
        let key = seed["keys"][0]["keys"][cluster].as_str().expect("a key");
        text.has(&format!("  {cluster}: {key}\n"));
    }
    let kubeconfig = inspect("kubeconfig.age");
    assert_eq!(kubeconfig["credential"]["server"], "https://192.0.2.1:6443");
    assert_eq!(kubeconfig["credential"]["by"], "token");
    assert!(kubeconfig.get("keys").is_none(), "{kubeconfig}");
}

#[test]
fn public_keys_are_told_to_programs() {
    let team = Team::new(Needs::Both, &[]);
    let keys = || {
        report(
            &team.types("keys --identity-file ID --format json"),
            "docs/keys.schema.json",
        )
    };
    let (json, text) = (keys(), team.types("keys --identity-file ID"));
    for side in ["consumer", "provider"] {
        let key = json[side]["publicKey"].as_str().expect("a key");
        text.done().has(&format!("  public key: {key}\n"));
        assert_eq!(
            (&json[side]["derived"], &json[side]["keyGeneration"]),
            (&true.into(), &1.into())
        );
    }
    let digest = json["agreement"].as_str().expect("a digest");
    assert!(text.done().ends_with(&format!("agreement: {digest}\n")));
    // a key that is only written is not derived, whoever asks
    let key = json["provider"]["publicKey"].as_str().expect("a key");
    let seed = "seed: { file: peering.seed.age }";
    let document = team
        .document()
        .replacen(&format!("  {seed} # sealed\n"), "", 1);
    let document = document.replace("clusterID: rome", &format!("clusterID: rome\n    {seed}"));
    let written = format!("clusterID: milan\n    publicKey: {key}");
    team.write(
        "peering.yaml",
        document.replace("clusterID: milan", &written),
    );
    let json = keys();
    assert_eq!(
        (&json["consumer"]["derived"], &json["provider"]["derived"]),
        (&true.into(), &false.into())
    );
}

#[test]
fn a_folder_is_no_sealed_file() {
    let team = Team::new(Needs::Both, &[]);
    let outcome = team.types("inspect . --identity-file ID");
    outcome
        .fails(2, "flag")
        .says("is a folder: name a sealed file");
}
