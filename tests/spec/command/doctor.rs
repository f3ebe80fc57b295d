//! `doctor` through the real program, with a recorded `kubectl`: a pair of clusters where nothing is wrong, and one scenario
//! for each finding.

mod brought;
pub(crate) mod change;
pub(crate) mod clusters;
mod commits;
mod made;
mod record;
mod sound;

use self::clusters::{Clusters, time};
use crate::harness::{Outcome, Run, Schema, Text, parts, root};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use x509_cert::der::DateTime;

/// A change of the healthy clusters, and the finding that it must give: how its line begins, and words of it.
struct Scenario {
    line: &'static str,
    words: &'static str,
    changes: Vec<&'static str>,
}

fn scenarios() -> impl Iterator<Item = Scenario> {
    parts(include_str!("doctor/found.txt"))
        .into_iter()
        .map(|part| {
            let words = part[1]
                .strip_prefix("… ")
                .unwrap_or_else(|| panic!("{}: no words", part[0]));
            Scenario {
                line: part[0],
                words,
                changes: part[2..].to_vec(),
            }
        })
}

/// Checks whose scenarios need another document.
const BROUGHT: [&str; 4] = ["secret", "sealed-secret", "external-secret", "mtu-differs"];

fn policy(namespace: &str, ingress: &Value) -> Value {
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": { "name": "deny", "namespace": namespace },
        "spec": { "podSelector": {}, "policyTypes": ["Ingress"], "ingress": ingress },
    })
}

#[track_caller]
fn ends(outcome: &Outcome, code: i32) -> &str {
    outcome.ends(code);
    &outcome.stdout
}

#[test]
fn each_finding_is_found_and_says_what_to_do() {
    for Scenario {
        line,
        words,
        changes,
    } in scenarios()
    {
        let mut clusters = Clusters::healthy();
        clusters.change(&changes);
        finds_first(&clusters.doctor(), line, words);
    }
}

/// The finding with its help, and as the headline if it is an error: what else was found can follow from it.
#[track_caller]
pub(crate) fn finds_first(outcome: &Outcome, line: &str, words: &str) {
    let shown = ends(outcome, i32::from(outcome.stdout.contains("error[")));
    let lines: Vec<_> = shown.split_inclusive('\n').collect();
    let finding = lines
        .windows(2)
        .any(|it| it[0].starts_with(line) && it.concat().contains(words));
    assert!(finding, "{line}…{words} is not in:\n{shown}{outcome}");
    let severity = |word: &str| {
        lines
            .iter()
            .filter(|it| it.trim_start().starts_with(word))
            .count()
    };
    let counts = [severity("error["), severity("warning["), severity("note[")];
    assert!(shown.contains(&sum(counts)), "{counts:?}\n{shown}");
    let check = line.split(['[', ']']).nth(1).expect("a check");
    if line.starts_with("error[") {
        assert!(shown.starts_with("consumer-provider stops at "), "{shown}");
        shown.has(&format!("\n`argocd-peering explain {check}` says more\n"));
        assert!(
            lines[2].starts_with(line),
            "{line} is not the first finding:\n{shown}"
        );
    }
}

fn sum([errors, warnings, notes]: [usize; 3]) -> String {
    let s = |count: usize| if count == 1 { "" } else { "s" };
    format!(
        "\n{errors} error{}, {warnings} warning{}, {notes} note{}\n",
        s(errors),
        s(warnings),
        s(notes)
    )
}

/// Twice its age, and 1000 seconds at most from now.
#[test]
fn the_next_try_of_a_slice_is_bounded() {
    for (age, next) in [(60, 60), (429, 429), (7200, 1000)] {
        let mut clusters = Clusters::healthy();
        clusters.without("provider", "ResourceSlice");
        let slice = clusters.object("consumer", "ResourceSlice", "");
        slice["status"] = json!({});
        slice["metadata"]["creationTimestamp"] = json!(time(-age).to_string());
        let first = time(next);
        let outcome = clusters.doctor();
        let shown = ends(&outcome, 1);
        let (_, rest) = shown.split_once("by about ").expect("a time");
        let at: DateTime = rest
            .lines()
            .next()
            .expect("a line")
            .parse()
            .expect("a time");
        // an age grows while the program runs
        let least = first.unix_duration();
        assert!(
            (least..=least + Duration::from_secs(60)).contains(&at.unix_duration()),
            "{first}\n{shown}"
        );
    }
}

/// A sound pair has no finding of it, so each check is seen red and green.
#[test]
fn each_check_has_a_scenario() {
    let check = |line: &str| line.split(['[', ']']).nth(1).expect("a check").to_owned();
    let mut found: BTreeSet<_> = scenarios().map(|it| check(it.line)).collect();
    found.extend(BROUGHT.map(ToOwned::to_owned));
    let listed = Run::new(["doctor", "--list"]).run();
    let names = listed
        .done()
        .lines()
        .filter_map(|it| it.strip_prefix("  ")?.split_whitespace().next());
    let listed: BTreeSet<_> = names.map(ToOwned::to_owned).collect();
    let differ: Vec<_> = listed.symmetric_difference(&found).collect();
    assert!(
        differ.is_empty(),
        "only `doctor --list` or only doctor/found.txt has {differ:?}"
    );
}

#[test]
fn the_report_for_programs_has_its_form() {
    let schema = Schema::at("docs/report.schema.json");
    let mut clusters = Clusters::healthy();
    let healthy = clusters.doctor_with(&["--format=json"]).json();
    assert!(healthy.get("headline").is_none(), "{healthy:#}");
    let findings = healthy["findings"].as_array().expect("a list");
    assert!(
        findings.iter().all(|it| it["level"] == "note"),
        "{healthy:#}"
    );
    schema.takes(&healthy);
    clusters.without("provider", "Tenant");
    schema.takes(&clusters.doctor_with(&["--format=json"]).json());
}

/// Whoever writes to a cluster writes neither to the terminal nor much.
#[test]
fn what_a_cluster_says_is_masked_and_bounded() {
    let key = "uNBl5E0sIXKLSZ7n/LRCoDBM+NPJzD9Q46TfAhwx7EE=";
    let mut clusters = Clusters::healthy();
    let long = format!("\u{1b}[2J\nerror[forged]: {key} {}", "x".repeat(100_000));
    for number in 0..95 {
        let mut slice = clusters.object("consumer", "ResourceSlice", "").clone();
        slice["metadata"]["name"] = json!(format!("slice-{number}"));
        clusters.consumer.push(slice);
    }
    let status = &mut clusters.object("consumer", "ResourceSlice", "")["status"]["conditions"][1];
    *status = json!({ "type": "Resources", "status": "Denied", "message": long });
    clusters.object("consumer", "GatewayClient", "")["spec"]["endpoint"]["protocol"] = json!(key);
    for format in ["--format=text", "--format=json", "--format=github"] {
        clusters.arguments.push(format);
        let outcome = clusters.doctor();
        clusters.arguments.pop();
        let shown = ends(&outcome, 1);
        assert!(
            !shown.contains(key) && !shown.contains('\u{1b}') && !shown.contains("\nerror[forged]"),
            "{shown}"
        );
        assert!(shown.len() < 100_000, "{}", shown.len());
        assert!(
            shown.contains("1 more finding") || shown.contains("\"more\": 1,"),
            "{shown}"
        );
    }
}

/// The other cluster chooses how many slices there are; without a VirtualNode, each is looked for among all of them.
#[test]
fn many_objects_take_no_time() {
    let mut clusters = Clusters::healthy();
    clusters.without("consumer", "VirtualNode");
    for number in 0..20_000 {
        let name = format!("slice-{number}");
        let metadata = json!({ "name": name, "namespace": "liqo-tenant-provider" });
        let kinds = [
            ("authentication.liqo.io/v1beta1", "ResourceSlice"),
            ("networking.liqo.io/v1beta1", "GatewayClient"),
        ];
        for (version, kind) in kinds {
            clusters
                .consumer
                .push(json!({ "apiVersion": version, "kind": kind, "metadata": metadata }));
        }
    }
    let outcome = clusters.doctor();
    assert!(ends(&outcome, 1).contains("more findings\n"), "{outcome}");
}

/// Objects of no form that Kubernetes would give.
#[test]
fn odd_objects_are_no_panic() {
    for odd in [
        json!(null),
        json!(7),
        json!([]),
        json!({ "kind": "Tenant", "metadata": 7 }),
        json!({ "kind": ["x"] }),
    ] {
        let mut clusters = Clusters::healthy();
        for context in ["consumer", "provider", "argocd"] {
            for object in clusters.of(context) {
                for field in ["spec", "status"] {
                    if object["kind"] != "ConfigMap" {
                        object[field] = odd.clone();
                    }
                }
            }
        }
        ends(&clusters.doctor(), 1);
    }
}

#[test]
fn a_kubectl_that_gives_no_answer_is_3() {
    for (words, shown) in [
        (
            "error: context \"consumer\" does not exist\n",
            "context \"consumer\" does not exist",
        ),
        (
            "Unable to connect to the server: dial tcp 192.0.2.1:6443: i/o timeout\n",
            "i/o timeout",
        ),
    ] {
        let mut clusters = Clusters::healthy();
        clusters.refused = vec![("consumer", "configmap", words)];
        clusters.doctor().fails(3, "program").says(shown);
    }
    let missing =
        Run::new(["doctor", "examples/quickstart", "--consumer-context=a"]).within(root());
    missing
        .env("PATH", "bin:")
        .run()
        .fails(3, "program")
        .says("kubectl: it is not in PATH");
    let mut clusters = Clusters::healthy();
    clusters.refused = vec![(
        "provider",
        "namespaces+",
        "error: the server is currently unable to handle the request\n",
    )];
    clusters
        .doctor()
        .fails(3, "program")
        .says("unable to handle");
}
