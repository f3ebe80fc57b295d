//! `--save`, `--from` and `--wait`.

use super::clusters::Clusters;
use super::ends;
use crate::harness::terminal::Terminal;
use crate::harness::{Run, Text, committed, encoded, put};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// What must not get into a record, wherever it stands.
const CANARIES: [&str; 5] = [
    "uNBl5E0sIXKLSZ7n/LRCoDBM+NPJzD9Q46TfAhwx7EE=",
    "AGE-SECRET-KEY-1QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSKQZ6GN",
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJl",
    "AKIAIOSFODNN7EXAMPLE",
    "-----BEGIN PRIVATE KEY-----",
];

/// A canary in each place that anyone can write.
fn with_canaries() -> Clusters {
    let mut clusters = Clusters::healthy();
    for context in ["consumer", "provider", "argocd"] {
        for object in clusters.of(context) {
            let all = CANARIES.join("\n");
            // a message is shown, so it has only what is recognised
            let recognised = CANARIES[..3].join("\n");
            let tools = json!({ "kubectl.kubernetes.io/last-applied-configuration": all, "example.org/object": all });
            if object["metadata"]["annotations"].is_null() {
                object["metadata"]["annotations"] = json!({});
            }
            object["metadata"]["annotations"]
                .as_object_mut()
                .expect("a map")
                .extend(tools.as_object().expect("a map").clone());
            object["metadata"]["managedFields"] = json!([{ "manager": all }]);
            match object["kind"].as_str().expect("a kind") {
                "Deployment" => {
                    object["spec"]["template"]["spec"]["containers"][0]["env"] =
                        json!([{ "name": "A", "value": all }]);
                    object["spec"]["template"]["spec"]["containers"][0]["args"] = json!([all]);
                }
                "Pod" => object["spec"]["containers"] = json!([{ "env": [{ "value": all }] }]),
                "VirtualNode" => object["spec"]["template"] = json!({ "spec": { "args": [all] } }),
                "Application" => {
                    object["spec"]["source"]["helm"] = json!({ "values": all });
                    object["spec"]["info"] = json!([{ "name": "a", "value": all }]);
                    object["operation"] = json!({ "sync": { "manifests": [all] } });
                    object["status"]["operationState"]["operation"] =
                        json!({ "sync": { "manifests": [all] } });
                    object["status"]["history"] =
                        json!([{ "source": { "helm": { "values": all } } }]);
                    object["status"]["operationState"]["message"] = json!(recognised);
                }
                "Secret" => {
                    object["data"] = json!({ "privateKey": CANARIES[0], "kubeconfig": all });
                }
                "ResourceSlice" => {
                    object["status"]["authParams"]["awsConfig"] =
                        json!({ "awsSecretAccessKey": CANARIES[3] });
                    object["status"]["conditions"][0]["message"] = json!(recognised);
                }
                "ConfigMap" => object["data"]["OTHER"] = json!(all),
                _ => {}
            }
        }
    }
    let another = json!({
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": { "name": "another", "namespace": "argocd" },
        "spec": { "source": { "path": "x", "helm": { "parameters": [{ "name": "password", "value": CANARIES[3] }] } } },
    });
    clusters.argocd.push(another);
    clusters
}

fn save(clusters: &mut Clusters, temp: &tempfile::TempDir) -> String {
    let folder = temp.path().join("reading");
    let argument: &'static str = Box::leak(format!("--save={}", folder.display()).into_boxed_str());
    clusters.arguments.push(argument);
    let outcome = clusters.run_in(temp, "peerings/consumer-provider");
    clusters.arguments.pop();
    outcome.stdout
}

fn judge(temp: &tempfile::TempDir) -> crate::harness::run::Outcome {
    let checkout = temp.path().join("peerings/consumer-provider");
    let from = format!("--from={}", temp.path().join("reading").display());
    Run::new(["doctor".into(), checkout.into_os_string()])
        .arg(from)
        .run()
}

fn texts(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|it| it.expect("an entry").path());
    entries
        .map(|it| {
            (
                it.display().to_string(),
                fs::read_to_string(&it).expect("text"),
            )
        })
        .collect()
}

#[test]
fn a_record_has_nothing_secret_and_says_the_same() {
    let temp = crate::harness::machine::folder();
    let shown = save(&mut with_canaries(), &temp);
    let files = texts(&temp.path().join("reading"));
    assert_eq!(files.len(), 3, "{files:?}");
    for (name, text) in &files {
        for canary in CANARIES {
            assert!(!text.contains(canary), "{name} has {canary}");
        }
        assert!(
            !text.contains("last-applied")
                && !text.contains("\"env\"")
                && !text.contains("another"),
            "{name}"
        );
    }
    let outcome = judge(&temp);
    // of Helm's values only that they are there
    assert_eq!(
        ends(&outcome, 1),
        shown,
        "the record is judged as the clusters were"
    );
    shown.has("beside `plugin` its source has `helm`");
    outcome.silent_on("kubectl");
}

/// Also each fault, and at the time at which it was read.
#[test]
fn a_fault_is_found_in_a_record() {
    for fault in [
        &["= consumer Connection /status/value \"Connecting\""][..],
        &["- provider Tenant"],
        &["= consumer PublicKey /spec/publicKey \"ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=\""],
        &["= provider Deployment/webhook /metadata/name \"another\""],
        &[
            "! provider namespaces+ unknown",
            "! provider tenants unknown",
        ],
        &["! consumer secrets forbidden"],
    ] {
        let mut clusters = Clusters::healthy();
        clusters.change(fault);
        let temp = crate::harness::machine::folder();
        let shown = save(&mut clusters, &temp);
        assert!(
            shown.contains("error[") || shown.contains("warning["),
            "{shown}"
        );
        assert_eq!(judge(&temp).stdout, shown);
    }
}

/// What keys are exchanged with is public, so a record has it. A secret in its place is masked, and still another one.
#[test]
fn another_handshake_is_found_in_a_record() {
    let (nonce, signature) = (encoded("0123456789abcdef0123456789"), encoded([7; 64]));
    for (kind, place, value) in [
        ("Secret", "/data/nonce", nonce.as_str()),
        ("Secret", "/data/nonce", CANARIES[1]),
        ("Tenant", "/spec/signature", &signature),
        ("Tenant", "/spec/signature", CANARIES[1]),
        ("Tenant", "/spec/csr", CANARIES[2]),
    ] {
        let mut clusters = Clusters::of_document(&committed("examples/keys-exchange/peering.yaml"));
        clusters.object("consumer", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("pavia");
        clusters.object("provider", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("lodi");
        let object = clusters.object(
            "provider",
            kind,
            if kind == "Secret" { "liqo-nonce" } else { "" },
        );
        *object
            .pointer_mut(place)
            .unwrap_or_else(|| panic!("{kind} has no {place}")) = json!(value);
        let temp = crate::harness::machine::folder();
        let shown = save(&mut clusters, &temp);
        let path = place[1..].replace('/', ".");
        assert!(shown.contains(&format!("`{path}` is ")), "{value}: {shown}");
        assert_eq!(judge(&temp).stdout, shown, "{value}");
        let record = fs::read_to_string(temp.path().join("reading/provider.json")).expect("text");
        assert!(
            CANARIES.iter().all(|canary| !record.contains(canary)),
            "{value}"
        );
    }
}

/// Two values that are masked look the same: that they were not compared is said.
#[test]
fn what_a_record_masks_is_not_judged() {
    let document = committed("examples/quickstart/peering.yaml");
    let label = "  consumer:\n    metadata: { tenantNamespace: { labels: { example.org/part: uNBl5E0sIXKLSZ7nLRCoDBMNPJzD9Q46TfAhwx7EE } } }\n";
    let mut clusters = Clusters::of_document(&document.replacen("  consumer:\n", label, 1));
    let temp = crate::harness::machine::folder();
    let namespace = clusters.object("consumer", "Namespace", "liqo-tenant");
    namespace["metadata"]["labels"]["example.org/part"] =
        json!("uNBl5E0sIXKLSZ7nLRCoDBMNPJzD9Q46TfAhwx7EF");
    let shown = save(&mut clusters, &temp);
    assert!(
        shown.contains("example.org/part") && shown.contains("error["),
        "{shown}"
    );
    let shown = judge(&temp).stdout;
    let words = "2 clusters judged; not `metadata.labels[example.org/part]` of Namespace liqo-tenant-provider: the record masks it";
    shown.has(words);
}

#[test]
fn what_is_no_record_is_refused() {
    let temp = crate::harness::machine::folder();
    save(&mut Clusters::healthy(), &temp);
    let file = temp.path().join("reading/consumer.json");
    let good = fs::read_to_string(&file).expect("text");
    let wrong = |text: &str, words: &str| {
        put(&file, text);
        judge(&temp).fails(2, "flag").says(words);
    };
    wrong("{}", "consumer.json is no record of doctor's");
    wrong("[1", "is no record of doctor's");
    wrong(
        &good.replacen("\"version\": 1", "\"version\": 2", 1),
        "is no record of doctor's",
    );
    wrong(
        &good.replacen("\"read\": \"2", "\"read\": \"x2", 1),
        "has no time",
    );
    let large = fs::File::create(&file).expect("a file");
    large.set_len(64 * 1024 * 1024 + 1).expect("a length");
    judge(&temp)
        .fails(3, "file")
        .says("larger than 67108864 bytes");
    let mut odd: Value = serde_json::from_str(&good).expect("JSON");
    odd["objects"][0] = json!(7);
    wrong(&odd.to_string(), "is no record of doctor's");
    fs::remove_dir_all(temp.path().join("reading")).expect("removed");
    judge(&temp)
        .fails(2, "flag")
        .says("has no consumer.json, provider.json or argocd.json");
    // a folder that exists stays as it is
    fs::create_dir(temp.path().join("reading")).expect("a folder");
    let argument: &'static str =
        Box::leak(format!("--save={}", temp.path().join("reading").display()).into_boxed_str());
    let mut clusters = Clusters::healthy();
    clusters.arguments.push(argument);
    clusters
        .run_in(&temp, "peerings/consumer-provider")
        .fails(3, "file")
        .says("exist");
}

#[test]
fn waiting_ends_when_it_is_sound_or_cannot_become_so() {
    let mut clusters = Clusters::healthy();
    clusters.arguments.push("--wait=1h");
    ends(&clusters.doctor(), 0);
    // nobody but a person mends it
    clusters.object("provider", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("oslo");
    ends(&clusters.doctor(), 1);
    let mut clusters = Clusters::healthy();
    clusters.arguments.extend(["--wait=2s", "--verbose"]);
    clusters.object("consumer", "Connection", "")["status"]["value"] = json!("Connecting");
    let start = Instant::now();
    let outcome = clusters.doctor();
    assert!(ends(&outcome, 1).contains("error[connection]"), "{outcome}");
    assert!(start.elapsed().as_secs() >= 2, "it did not wait");
    outcome.says("s: not yet: connection");
    // each command is shown once
    let count = outcome
        .stderr
        .matches("--context=consumer get configmap/")
        .count();
    assert_eq!(count, 1, "{outcome}");
    for wrong in "--wait=5 --wait=0s --wait=0h --wait=25h --wait=m --wait=-1m".split(' ') {
        let mut clusters = Clusters::healthy();
        clusters.arguments.push(wrong);
        assert_eq!(clusters.doctor().code, Some(2), "{wrong}");
    }
}

/// As `validate` has them.
#[test]
fn a_finding_has_the_colour_of_its_level() {
    let mut clusters = Clusters::healthy();
    clusters.change(&[
        "= provider Deployment/webhook /status { \"replicas\": 1 }",
        "= consumer VirtualNode /status/conditions/0/status \"Creating\"",
    ]);
    let temp = crate::harness::machine::folder();
    save(&mut clusters, &temp);
    let command = ["doctor", "peerings/consumer-provider", "--from=reading"];
    let terminal = Terminal::of(200).whole();
    let seen = terminal.run(&command, temp.path(), &[("TERM", "xterm")]);
    for head in "91merror[liqo-down] 33mwarning[virtual-node] 92mnote[remapped]".split(' ') {
        seen.shown
            .has(&format!("\u{1b}[1m\u{1b}[{head}\u{1b}[0m: "));
    }
}
