//! Two live clusters after `liqoctl peer`, by a `kubectl` that prints what was recorded.

use std::collections::BTreeSet;
use std::fs;
use std::rc::Rc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::streams;
use crate::harness::{
    Id, Outcome, Run, Text as _, committed, differences, documents, machine, put, root,
};

/// It has all objects of a context in `FOLDER/CONTEXT.json`, and prints them for each kind that is asked for once.
const KUBECTL: &str = r#"#!/bin/sh
echo "$*" >> "$0.log"
context=${1#--context=}
case "$*" in
  *" get secrets "*" -o go-template="*) cat "DATA/$context.secrets" ;;
  *" get secrets"*) echo "a Secret's values are not to be asked for" >&2; exit 1 ;;
  *" get configmaps "*) cat "$0.$context.json" ;;
  *) echo '{"kind":"List","items":[]}' ;;
esac
"#;

const CONTEXTS: [&str; 2] = ["rome", "milan"];

const FORBIDDEN: &str = "echo 'Error from server (Forbidden): secrets is forbidden' >&2; exit 1";

/// A kubectl that may not read Secrets.
fn denied() -> String {
    KUBECTL.replace("cat \"DATA/$context.secrets\"", FORBIDDEN)
}

/// A run with a kubectl that has these objects, and no right to read Secrets.
pub(super) fn kubectl(objects: &[Vec<Value>; 2]) -> Run {
    run_of(&denied(), objects).0
}

/// A run with a kubectl, and its folder.
fn run(kubectl: &str) -> (Run, Rc<TempDir>) {
    run_of(kubectl, &CONTEXTS.map(recorded))
}

fn run_of(kubectl: &str, objects: &[Vec<Value>; 2]) -> (Run, Rc<TempDir>) {
    let temp = Rc::new(crate::harness::machine::folder());
    let program = temp.path().join("kubectl");
    let data = root().join("tests/liqoctl");
    machine::script(&program, kubectl.replace("DATA", &data.to_string_lossy()));
    for (context, items) in CONTEXTS.into_iter().zip(objects) {
        let list = json!({ "kind": "List", "items": items }).to_string();
        put(temp.path().join(format!("kubectl.{context}.json")), list);
    }
    let line = "import --consumer-context rome --provider-context milan";
    let path = format!("{}:/usr/bin:/bin", temp.path().display());
    let run = Run::new(line.split(' ')).env("PATH", path);
    (run.keep(Rc::clone(&temp)), temp)
}

/// The objects of `tests/liqoctl`.
fn recorded(context: &str) -> Vec<Value> {
    let mut lists = documents(&committed(&format!("tests/liqoctl/{context}.yaml")));
    lists[0]["items"].take().as_array().expect("a list").clone()
}

/// What differs, and why.
const EXPLAINED: [(&str, &str); 9] = [
    // Liqo fills it in where Git does not say it, and then leaves it alone (configuration_controller.go)
    ("Configuration", ".spec.local: missing"),
    // the tenant's controller has what it needs; an offered key is not looked at again (tenant_controller.go)
    ("Tenant", ".spec.csr: missing"),
    ("Tenant", ".spec.publicKey: missing"),
    ("Tenant", ".spec.signature: missing"),
    // in the other mode Liqo would make the credential itself (tenant_controller.go)
    (
        "Tenant",
        ".spec.authzPolicy: expected \"KeysExchange\", found \"TolerateNoHandshake\"",
    ),
    // the Secret that Liqo generated, by its name (external-network/wireguard/utils.go)
    (
        "GatewayClient",
        ".spec.secretRef.name: expected \"\", found \"gw-milan\"",
    ),
    (
        "GatewayServer",
        ".spec.secretRef.name: expected \"\", found \"gw-rome\"",
    ),
    // the consumer's controller fills them in (localresourceslice_controller.go)
    ("ResourceSlice", ".spec.consumerClusterID: missing"),
    ("ResourceSlice", ".spec.csr: missing"),
];

#[test]
fn what_liqoctl_made_is_imported_and_stays() {
    let (run, temp) = run(KUBECTL);
    let outcome = run.run();
    let streams = streams(outcome.done());
    // of Liqo's own kinds all are read, and of namespaces those with its label
    let calls = fs::read_to_string(temp.path().join("kubectl.log")).expect("the calls");
    let of_all: Vec<_> = calls.lines().filter(|it| !it.contains(" -l ")).collect();
    let is_read = |kind: &str| of_all.iter().any(|it| it.contains(kind));
    assert!(
        is_read(" gatewayservers.") || is_read(",gatewayservers."),
        "{calls}"
    );
    assert!(!is_read(" namespaces"), "{calls}");
    for (context, stream) in CONTEXTS.into_iter().zip(streams) {
        let recorded = recorded(context);
        assert!(stream.len() >= 5);
        for ours in stream {
            let id = Id::of(&ours);
            // Liqo's summary was not asked for when the objects were recorded, and no hook is there before a deletion
            if ["ForeignCluster", "ResourceQuota"].contains(&&*id.kind) {
                continue;
            }
            let theirs = recorded
                .iter()
                .find(|it| Id::of(it) == id)
                .unwrap_or_else(|| panic!("{id} is new"));
            let found = differences(&theirs.clone(), &without_argo_cd(ours));
            for (path, what) in found {
                let kubernetes =
                    path.starts_with(".status") || path == ".spec.finalizers" || path == ".spec";
                let difference = format!("{path}: {what}");
                let metadata = [
                    ".uid",
                    ".creationTimestamp",
                    ".finalizers",
                    ".ownerReferences",
                ];
                let is_theirs = kubernetes
                    || metadata.iter().any(|it| path == format!(".metadata{it}"))
                    || path == ".metadata.labels.kubernetes.io/metadata.name";
                let explained = EXPLAINED.contains(&(id.kind.as_str(), difference.as_str()));
                assert!(is_theirs || explained, "{id}: {difference}");
            }
        }
    }
    // nothing of the other peer, of Liqo's own objects or of the replicated slice is imported
    for other in ["turin", "resourceslice-milan", "virtualNodes", "reverse"] {
        outcome.omits(other);
    }
    outcome.says("+ kubectl --context=rome get configmaps");
    outcome.says("Tenant.authentication.liqo.io liqo-tenant-rome/rome: spec.signature is left out");

    assert_eq!(calls.lines().count(), 10, "{calls}");
    for call in calls.lines() {
        call.has(" --request-timeout=30s get ");
    }
}

fn without_argo_cd(mut object: Value) -> Value {
    if let Some(metadata) = object["metadata"].as_object_mut() {
        if let Some(annotations) = metadata["annotations"].as_object_mut() {
            annotations.retain(|key, _| !key.starts_with("argocd.argoproj.io/"));
        }
        if metadata["annotations"] == json!({}) {
            metadata.remove("annotations");
        }
    }
    object
}

/// Their names are the gateways', their public keys the other side's objects'.
#[test]
fn secrets_need_not_be_readable() {
    let (allowed, _) = run(KUBECTL);
    let (denied, _) = run(&denied());
    let denied = denied.run();
    assert_eq!(denied.done(), allowed.run().done());
    denied.says("note: you may not read Secrets");
}

/// Whoever may write a Secret chooses its type and its annotations, and `js` of Go's templates writes what JSON does not know.
#[test]
fn what_is_in_a_secret_is_one_value() {
    let (plain, _) = run(KUBECTL);
    let odd = r#"sed 's/"type":"Opaque"/"type":"\\u000A\\'"'"'\\"},{"/' "DATA/$context.secrets""#;
    let (odd, _) = run(&KUBECTL.replace("cat \"DATA/$context.secrets\"", odd));
    assert_eq!(odd.run().done(), plain.run().done());
}

/// No value, and no label or annotation of a tool's, is printed by kubectl.
#[test]
fn of_a_secret_kubectl_prints_what_is_public() {
    let (run, temp) = run(KUBECTL);
    run.run().done();
    let commands = fs::read_to_string(temp.path().join("kubectl.log")).expect("a log");
    let mut of_secrets = commands.lines().filter(|it| it.contains(" get secrets "));
    let (_, template) = of_secrets
        .next()
        .and_then(|it| it.split_once(" -o go-template="))
        .expect("a template");
    let actions = template
        .split("{{")
        .skip(1)
        .filter_map(|it| it.split_once("}}"))
        .map(|(action, _)| action);
    let reads: BTreeSet<_> = actions
        .flat_map(|it| it.split(' '))
        .filter(|it| it.starts_with('.') || it.contains('/'))
        .collect();
    let expected = r#". .annotations .data .deletionTimestamp .finalizers .items .labels .metadata
        .name .namespace .nonce .ownerReferences .publicKey .type
        "liqo.io/identity-type" "liqo.io/nonce" "liqo.io/remote-cluster-id"
        "liqo.io/remote-tenant-namespace" "networking.liqo.io/gateway-resource""#;
    assert_eq!(reads, expected.split_whitespace().collect());
    // all of a map, and all of an item
    for whole in ".annotations .labels .data .metadata .ownerReferences".split(' ') {
        let uses = template.matches(&format!("{whole}}}}}")).count();
        assert_eq!(
            uses,
            template.matches(&format!("{{{{with {whole}}}}}")).count(),
            "{whole}"
        );
    }
    assert_eq!(template.matches("\"s\" .}}").count(), 1, "the finalizers");
}

/// How `import` fails with this kubectl.
fn failed(script: &str) -> Outcome {
    let outcome = run(&format!("#!/bin/sh\n{script}\n")).0.run();
    outcome.fails(3, "program");
    outcome
}

#[test]
fn a_program_that_fails_is_quoted_to_an_end() {
    failed("exec head -c 67108864 /dev/zero").says("its output is not a list of objects");
    failed("exec head -c 67108865 /dev/zero").says("it printed more than 64 MiB");
    let outcome = failed("yes no | head -c 200000 >&2\nexit 1");
    let lines = outcome.stderr.lines().filter(|it| it.ends_with("no"));
    assert_eq!(lines.count(), 1, "the last one is enough: {outcome}");
    let outcome = failed("head -c 200000 /dev/zero | tr '\\0' x >&2\nexit 1");
    let length = outcome.stderr.len();
    assert!(length < 4096, "{length} bytes");
    let unknown = "the server doesn't have a resource type";
    failed(&format!("echo \"error: {unknown} 'tenants'\" >&2\nexit 1")).says(unknown);
}
