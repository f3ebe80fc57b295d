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
use crate::harness::{Outcome, Run, Sample, Schema, Text, parts, root};
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
fn nothing_is_wrong_with_a_healthy_pair() {
    let mut clusters = Clusters::healthy();
    assert!(!clusters.doctor().stderr.contains("kubectl"));
    clusters.arguments.push("--verbose");
    let outcome = clusters.doctor();
    let shown = ends(&outcome, 0);
    shown
        .lacks("error[")
        .lacks("warning[")
        .has("help: Liqo measured a latency of 4ms");
    shown.has("pod: `10.42.0.0/16` is `10.71.0.0/16` here");
    let last = "\n0 errors, 0 warnings, 4 notes\nall is well: compared 10 objects of the consumer, 8 objects of the provider, Argo CD; packets \
                pass through the tunnel\n";
    assert!(shown.ends_with(last), "{shown}");
    // each command is shown, under its cluster, and what kubectl warns of is not taken for JSON
    let order = [
        "consumer: consumer\n+ kubectl --context=consumer get configmap/",
        "provider: provider\n",
        "Argo CD: argocd\n",
    ];
    let places: Vec<_> = order
        .iter()
        .map(|it| {
            outcome
                .stderr
                .find(it)
                .unwrap_or_else(|| panic!("{it}: {outcome}"))
        })
        .collect();
    assert!(places.is_sorted(), "{outcome}");
    // it only reads, and of Secrets no values
    let commands: Vec<_> = outcome
        .stderr
        .lines()
        .filter(|it| it.starts_with("+ "))
        .collect();
    assert!(commands.iter().all(|it| it.contains(" get ")), "{outcome}");
    let of_secrets: Vec<_> = commands
        .iter()
        .filter(|it| it.contains("secrets"))
        .collect();
    assert_eq!(of_secrets.len(), 2, "{outcome}");
    assert!(
        of_secrets
            .iter()
            .all(|it| it.ends_with(" -o go-template=…")),
        "{outcome}"
    );
}

#[test]
fn each_finding_is_found_and_says_what_to_do() {
    for Scenario {
        line,
        words,
        changes,
    } in Sample::of_written().of(scenarios())
    {
        let mut clusters = Clusters::healthy();
        clusters.change(&changes);
        finds_first(&clusters, line, words);
    }
}

/// The finding with its help, and as the headline if it is an error: what else was found can follow from it.
#[track_caller]
fn finds_first(clusters: &Clusters, line: &str, words: &str) {
    let outcome = clusters.doctor();
    let shown = ends(&outcome, i32::from(outcome.stdout.contains("error[")));
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
        let (_, rest) = shown.split_once("no later than about ").expect("a time");
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

/// What is not known of the other cluster is not missing there.
#[test]
fn a_slice_without_the_other_cluster_is_not_withdrawn() {
    let changes: [fn(&mut Clusters); 4] = [
        |it| it.arguments.retain(|it| !it.starts_with("--provider")),
        |it| it.object("provider", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("oslo"),
        |it| {
            it.change(&[
                "! provider namespaces+ forbidden",
                "! provider resourceslices forbidden",
            ]);
        },
        |it| {
            let metadata = &mut it.object("consumer", "ResourceSlice", "")["metadata"];
            metadata["deletionTimestamp"] = json!(time(-9).to_string());
        },
    ];
    for change in changes {
        let mut clusters = Clusters::healthy();
        clusters.without("provider", "ResourceSlice");
        change(&mut clusters);
        clusters.doctor().omits("error[withdrawn]");
    }
}

/// A sync that fails explains what is missing, and here Liqo's webhook explains the sync.
#[test]
fn what_comes_first_follows_from_nothing_that_was_found() {
    let mut clusters = Clusters::healthy();
    clusters.without("provider", "Tenant");
    clusters.object("provider", "Deployment", "webhook")["status"] = json!({ "replicas": 1 });
    let status = &mut clusters.object("argocd", "Application", "provider-provider")["status"];
    status["sync"]["status"] = json!("OutOfSync");
    status["operationState"] = json!({ "phase": "Failed", "message": "failed calling webhook" });
    let outcome = clusters.doctor();
    let shown = ends(&outcome, 1);
    assert!(
        shown.starts_with(
            "consumer-provider stops at Liqo: a program of Liqo does not run\n\nerror[liqo-down]"
        ),
        "{shown}"
    );
    let (_, following) = shown
        .split_once("these can follow from it")
        .expect("what follows");
    following.has("error[sync]").has("error[missing]");
}

/// A packet is lost on the way only where nothing else is known to keep the answer back.
#[test]
fn what_else_explains_the_silence_is_no_lost_packet() {
    let changes: [fn(&mut Clusters); 6] = [
        |it| it.object("consumer", "Connection", "")["status"]["value"] = json!("Connected"),
        |it| it.without("provider", "Connection"),
        |it| it.object("provider", "GatewayServer", "")["status"]["internalEndpoint"] = Value::Null,
        |it| {
            it.object("consumer", "PublicKey", "")["spec"]["publicKey"] =
                json!("ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=");
        },
        |it| it.twin("consumer", "Secret", "gw-keys"),
        |it| it.arguments.retain(|it| !it.starts_with("--provider")),
    ];
    for change in changes {
        let mut clusters = Clusters::healthy();
        clusters.change(&["& silent"]);
        change(&mut clusters);
        let outcome = clusters.doctor();
        assert!(
            !ends(&outcome, 1).contains("kubectl debug"),
            "{}",
            outcome.stdout
        );
    }
}

/// A cluster writes the node's name, and a person copies the line.
#[test]
fn a_capture_is_a_line_for_each_side_and_a_node_is_no_command_of_a_shell() {
    let mut clusters = Clusters::healthy();
    clusters.change(&["& silent"]);
    let outcome = clusters.doctor();
    let capture = |role| {
        format!(
            "\n    {role}: kubectl debug node/node-1 -it --profile=netadmin --image=nicolaka/netshoot -- tcpdump -ni any udp port 32750 or udp port 51840\n"
        )
    };
    let shown = ends(&outcome, 1);
    assert!(
        shown.contains(&capture("consumer")) && shown.contains(&capture("provider")),
        "{shown}"
    );
    clusters.object("provider", "GatewayServer", "")["status"]["internalEndpoint"]["node"] =
        json!("x;reboot");
    let outcome = clusters.doctor();
    let shown = ends(&outcome, 1);
    shown.has("provider: kubectl debug node/NODE -it");
    assert!(
        !shown
            .lines()
            .any(|line| line.contains("kubectl debug") && line.contains("reboot")),
        "{shown}"
    );
}

/// A sound pair has no finding of it, so each check is seen red and green.
#[test]
fn each_check_has_a_scenario() {
    let check = |line: &str| line.split(['[', ']']).nth(1).expect("a check").to_owned();
    let mut found: BTreeSet<_> = scenarios().map(|it| check(it.line)).collect();
    found.extend(BROUGHT.map(ToOwned::to_owned));
    let listed = Run::new(["doctor", "--list"]).run();
    let listed = listed
        .done()
        .lines()
        .filter_map(|it| it.strip_prefix("  ")?.split_whitespace().next());
    assert_eq!(
        listed.map(ToOwned::to_owned).collect::<BTreeSet<_>>(),
        found
    );
}

/// The other organisation's cluster is often out of reach.
#[test]
fn one_side_alone_is_checked() {
    for role in ["consumer", "provider"] {
        let mut clusters = Clusters::healthy();
        clusters
            .arguments
            .retain(|argument| argument.starts_with(&format!("--{role}")));
        let outcome = clusters.doctor();
        assert!(
            !ends(&outcome, 0).contains("warning["),
            "{}",
            outcome.stdout
        );
        outcome.silent_on(&format!("--context={}", crate::harness::peer(role)));
    }
    let mut clusters = Clusters::healthy();
    clusters.arguments.clear();
    assert_eq!(clusters.doctor().code, Some(2));
}

#[test]
fn the_report_for_programs() {
    let mut clusters = Clusters::healthy();
    clusters.arguments.push("--format=json");
    let report = |clusters: &Clusters, code| -> Value {
        serde_json::from_str(ends(&clusters.doctor(), code)).expect("JSON")
    };
    let healthy = report(&clusters, 0);
    assert_eq!(
        (
            &healthy["version"],
            &healthy["peerings"],
            &healthy["more"],
            healthy.get("headline")
        ),
        (&json!(1), &json!(1), &json!(0), None)
    );
    assert!(
        healthy["findings"]
            .as_array()
            .expect("a list")
            .iter()
            .all(|it| it["level"] == "note"),
        "{healthy:#}"
    );
    clusters.without("provider", "Tenant");
    let finding = report(&clusters, 1)["findings"][0].take();
    let help = finding["help"].as_str().expect("help");
    assert!(
        help.starts_with("sync the Application `consumer-provider-provider`"),
        "{help}"
    );
    let expected = json!({
        "level": "error",
        "code": "missing",
        "role": "provider",
        "object": "Tenant liqo-tenant-consumer/consumer",
        "message": "it is not there",
        "help": help,
    });
    assert_eq!(finding, expected);
    let schema = Schema::at("docs/report.schema.json");
    for report in [&healthy, &report(&clusters, 1)] {
        schema.takes(report);
    }
}

/// What code hosts show: a check has a page as a code of a document has one, and an object no line.
#[test]
fn code_hosts_get_what_was_found_and_what_was_not_judged() {
    let report = |format: &'static str| {
        let mut clusters = Clusters::healthy();
        clusters.arguments.retain(|it| !it.starts_with("--argocd"));
        clusters.arguments.push(format);
        clusters.without("provider", "Tenant");
        ends(&clusters.doctor(), 1).to_owned()
    };
    let missing = "provider: Tenant liqo-tenant-consumer/consumer: it is not there";
    let github = report("--format=github");
    assert!(
        github.starts_with(&format!(
            "::error title=missing::{missing}%0Ahelp: sync the"
        )),
        "{github}"
    );
    let last =
        "::notice title=not-judged::2 clusters judged; not Argo CD: its context is not named\n";
    assert!(github.ends_with(last), "{github}");
}

/// A side that is another cluster's was to be judged, and was not.
#[test]
fn the_last_line_has_what_was_not_judged() {
    let mut clusters = Clusters::healthy();
    clusters.arguments.retain(|it| !it.starts_with("--argocd"));
    clusters.object("consumer", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("oslo");
    let outcome = clusters.doctor();
    let last = "1 of 2 clusters judged; not the consumer: its context leads to another cluster; not Argo CD: its context is not named\n";
    assert!(ends(&outcome, 1).ends_with(last), "{outcome}");
}

/// Whoever writes to a cluster writes neither to the terminal nor much.
#[test]
fn what_a_cluster_says_is_masked_and_bounded() {
    let key = "uNBl5E0sIXKLSZ7n/LRCoDBM+NPJzD9Q46TfAhwx7EE=";
    let mut clusters = Clusters::healthy();
    let long = format!("\u{1b}[2J\nerror[forged]: {key} {}", "x".repeat(100_000));
    for number in 0..300 {
        let mut slice = clusters.object("consumer", "ResourceSlice", "").clone();
        slice["metadata"]["name"] = json!(format!("slice-{number}"));
        clusters.consumer.push(slice);
    }
    let status = &mut clusters.object("consumer", "ResourceSlice", "")["status"]["conditions"][1];
    *status = json!({ "type": "Resources", "status": "Denied", "message": long });
    clusters.object("consumer", "GatewayClient", "")["spec"]["endpoint"]["protocol"] = json!(key);
    for format in ["--format=text", "--format=json"] {
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
            shown.contains("more findings\n") || shown.contains("\"more\": 2"),
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
        .says("kubectl: it is not in a folder of PATH");
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
