//! What Argo CD or the plugin refuses of an Application, and what is likely a mistake: given once, and asked in each command.

use crate::command::doctor::clusters::Clusters;
use crate::harness::{Outcome, Repository, Run, committed};
use serde_json::{Value, json};

const FOLDER: &str = "peerings/consumer-provider";

/// A rule, a change of the consumer's Application that breaks it, and what each command writes of that. What is not in `RULES`
/// is of its `syncPolicy` and metadata, or of its document.
type Row = (&'static str, fn(&mut Value), &'static str);

#[rustfmt::skip] // a table
const ROWS: &[Row] = &[
    ("types", |it| source(it)["helm"] = json!({ "valueFiles": ["values.yaml"] }), "beside `plugin` its source has `helm`: Argo CD refuses more than one type"),
    ("types", |it| source(it)["kustomize"] = json!({ "namePrefix": "a-" }), "beside `plugin` its source has `kustomize`"),
    ("types", |it| source(it)["directory"] = json!({ "recurse": true }), "beside `plugin` its source has `directory`"),
    ("hidden", |it| it["spec"]["sources"] = json!([{ "repoURL": "https://git.example.org/a", "path": "a" }]), "`sources` is set, so Argo CD does not read the `source`"),
    ("destination", |it| it["spec"]["destination"]["server"] = json!("https://192.0.2.1"), "its destination has both a `name` and a `server`"),
    ("destination", |it| it["spec"]["destination"] = json!({ "namespace": "a" }), "its destination has neither a `name` nor a `server`"),
    ("document", |it| it["spec"]["destination"] = json!({ "server": "https://kubernetes.default.svc" }), "its destination is `in-cluster`, and the consumer of the document is `consumer`"),
    ("document", |it| it["spec"]["destination"]["name"] = json!("provider"), "its destination is `provider`, and the consumer of the document is `consumer`"),
    ("path", |it| source(it)["path"] = json!("/peerings/consumer-provider"), "its `path` `/peerings/consumer-provider` is absolute"),
    ("second", |it| { let one = source(it).clone(); it["spec"]["source"] = Value::Null; it["spec"]["sources"] = json!([one, one]); }, "two sources of one Application are sides of peerings"),
    ("name", |it| it["metadata"]["name"] = json!("Consumer_1"), "`Consumer_1` is not a name that Kubernetes accepts"),
    ("asked", |it| parameters(it).push(json!({ "name": "namespace", "string": "a" })), "there is no plugin parameter `namespace`"),
    ("asked", |it| parameters(it).push(json!({ "name": "role", "string": "consumer" })), "the plugin parameter `role` is given twice"),
    ("asked", |it| parameters(it).push(json!({ "name": "valueFiles", "array": ["a"] })), "there is no plugin parameter `valueFiles`"),
    ("asked", |it| parameters(it)[1] = json!({ "name": "cluster", "map": { "a": "b" } }), "the plugin parameter `cluster` must be a `string`, not a `map`"),
    ("asked", |it| parameters(it)[0] = json!({ "name": "role", "string": "Consumer" }), "the plugin parameter `role` is `Consumer`, which is not a role"),
    ("asked", |it| drop(parameters(it).remove(0)), "the plugin parameter `role` is missing"),
    ("plugin", |it| source(it)["plugin"]["name"] = json!("argocd-peerings-v1"), "its plugin is `argocd-peerings-v1`, and the name in plugin.yaml is `argocd-peering`"),
    ("plugin", |it| source(it)["plugin"]["name"] = json!("argo-peering"), "its plugin is `argo-peering`, and the name in plugin.yaml is `argocd-peering`"),
    ("plugin", |it| source(it)["plugin"]["name"] = json!("liqo"), "its plugin is `liqo`, and the name in plugin.yaml is `argocd-peering`"),
    ("plugin", |it| source(it)["plugin"] = json!({ "name": "liqo", "env": [{ "name": "ROLE", "value": "consumer" }] }), "its plugin is `liqo`, and the name in plugin.yaml is `argocd-peering`"),
    ("project", |it| it["spec"]["project"] = json!("default"), "its project is `default`"),
    ("generate_paths", |it| drop(annotations(it).remove(SCALE)), "it has no annotation `argocd.argoproj.io/manifest-generate-paths`"),
    ("other_paths", |it| drop(annotations(it).insert(SCALE.into(), json!("/peerings/other"))), "`/peerings/other`, which is not its folder"),
    ("other_paths", |it| drop(annotations(it).insert(SCALE.into(), json!("../other;/a"))), "`../other;/a`, which is not its folder"),
    ("retries", |it| it["spec"]["syncPolicy"]["retry"]["refresh"] = Value::Null, "`syncPolicy.retry.refresh` is not `true`"),
    ("retries", |it| it["spec"]["syncPolicy"]["retry"] = Value::Null, "`syncPolicy.retry.refresh` is not `true`"),
    ("retries", |it| it["spec"]["syncPolicy"]["retry"]["refresh"] = json!(false), "a commit that mends a failed sync is not synced"),
    ("ignored", |it| it["spec"]["ignoreDifferences"] = json!([{ "kind": "Secret", "jsonPointers": ["/data"] }]), "`ignoreDifferences` has `/data` of `Secret`"),
    ("ignored", |it| it["spec"]["ignoreDifferences"] = json!([{ "group": "*", "kind": "*", "jqPathExpressions": [".data.kubeconfig"] }]), "`ignoreDifferences` has `.data.kubeconfig` of `*`"),
    ("ignored", |it| ignored(it).push(json!({ "kind": "Secret", "name": "kubeconfig-controlplane-provider", "namespace": "liqo-tenant-provider", "jsonPointers": ["/data"] })), "has `/data` of `Secret`"),
    ("ignored", |it| ignored(it).push(json!({ "group": "*", "kind": "*", "managedFieldsManagers": ["argocd-controller"] })), "has `argocd-controller` of `*`"),
    ("ignored", |it| ignored(it).push(json!({ "group": "*.liqo.io", "kind": "Gateway*", "jsonPointers": ["/spec"] })), "has `/spec` of `Gateway*`"),
    ("ignored", |it| ignored(it).push(json!({ "group": "networking.liqo.io", "kind": "PublicKey", "jsonPointers": ["/spec/publicKey"] })), "has `/spec/publicKey` of `PublicKey`"),
    ("ignored", |it| ignored(it).push(json!({ "kind": "Secret", "jqPathExpressions": [".[\"data\"]"] })), "of `Secret`"),
    ("sync", |it| it["spec"]["syncPolicy"]["automated"] = json!({ "selfHeal": true }), "it does not prune"),
    ("sync", |it| it["spec"]["syncPolicy"]["automated"]["allowEmpty"] = json!(true), "`allowEmpty` is set"),
    ("sync", |it| it["spec"]["syncPolicy"]["automated"] = Value::Null, "it is synced by hand"),
    ("sync", |it| it["spec"]["syncPolicy"]["automated"]["enabled"] = json!(false), "it is synced by hand"),
    ("sync", |it| it["spec"]["syncPolicy"]["syncOptions"] = json!(["Prune=false"]), "`Prune=false` is set"),
    ("sync", |it| options(it).push(json!("Prune=confirm")), "`Prune=confirm` is set"),
    ("sync", |it| it["spec"]["syncPolicy"]["retry"] = json!({ "refresh": true }), "`syncPolicy.retry` has no `limit`, or 0, so a sync that fails is not tried again"),
    ("sync", |it| drop(annotations(it).insert("argocd.argoproj.io/skip-reconcile".into(), json!("true"))), "it has the annotation `argocd.argoproj.io/skip-reconcile`"),
    ("sync", |it| options(it).push(json!("Delete=false")), "`Delete=false` is set"),
    ("sync", |it| it["metadata"]["finalizers"] = json!(["resources-finalizer.argocd.argoproj.io/background"]), "it has the finalizer `resources-finalizer.argocd.argoproj.io/background`"),
];

/// What is beside an error, and is none.
#[rustfmt::skip] // a table
const SOUND: &[fn(&mut Value)] = &[
    |_| {},
    |it| drop(annotations(it).insert(SCALE.into(), json!("/peerings"))),
    |it| drop(annotations(it).insert(SCALE.into(), json!("/shared;."))),
    |it| drop(annotations(it).insert(SCALE.into(), json!("../consumer-provider"))),
    |it| it["spec"]["info"] = json!([{ "name": "a", "value": "b" }]),
    |it| it["spec"]["revisionHistoryLimit"] = json!(2),
    |it| it["spec"]["syncPolicy"]["managedNamespaceMetadata"] = json!({ "labels": { "a": "b" } }),
    |it| options(it).push(json!("CreateNamespace=true")),
    |it| ignored(it).push(json!({ "group": "offloading.liqo.io", "kind": "VirtualNode", "jqPathExpressions": [".spec.template.spec"] })),
    |it| ignored(it).push(json!({ "kind": "Secret", "name": "other", "jsonPointers": ["/data"] })),
    // of kinds that the stream does not have
    |it| ignored(it).push(json!({ "group": "networking.liqo.io", "kind": "GatewayServer", "jsonPointers": ["/spec"] })),
    |it| ignored(it).push(json!({ "group": "authentication.liqo.io", "kind": "Identity", "jsonPointers": ["/spec/authParams"] })),
    |it| ignored(it).push(json!({ "group": "rbac.authorization.k8s.io", "kind": "RoleBinding", "jqPathExpressions": [".subjects[0].name"] })),
    |it| ignored(it).push(json!({ "kind": "Secret", "namespace": "kube-system", "jsonPointers": ["/data"] })),
    |it| ignored(it).push(json!({ "group": "apps", "kind": "Deployment", "jsonPointers": ["/spec/replicas"] })),
    |it| { let one = source(it).clone(); it["spec"]["source"] = Value::Null; it["spec"]["sources"] = json!([{ "repoURL": "https://git.example.org/a", "path": "a" }, one]); },
    |it| { parameters(it).remove(0); source(it)["plugin"]["env"] = json!([{ "name": "ROLE", "value": "consumer" }]); },
    |it| it["spec"]["syncPolicy"]["automated"]["enabled"] = Value::Null,
    |it| it["spec"]["source"]["path"] = json!("./peerings/consumer-provider/"),
];

/// The name of a field that no judge looks at, and a change that sets it.
type Field = (&'static str, fn(&mut Value));

#[rustfmt::skip] // a table
const PASSED_OVER: &[Field] = &[
    ("spec.syncPolicy.syncOptions.Novel", |it| options(it).push(json!("Novel=true"))),
    ("spec.novel", |it| it["spec"]["novel"] = json!({ "a": 1 })),
    ("spec.source.novel", |it| source(it)["novel"] = json!([1])),
    ("spec.source.tagPrefix", |it| source(it)["tagPrefix"] = json!("a/")),
    ("spec.syncPolicy.novel", |it| it["spec"]["syncPolicy"]["novel"] = json!(1)),
    ("spec.source.plugin.novel", |it| source(it)["plugin"]["novel"] = json!(1)),
    ("operation", |it| it["operation"] = json!({ "sync": { "prune": true } })),
    ("spec.destination.novel", |it| it["spec"]["destination"]["novel"] = json!(1)),
    ("spec.ignoreDifferences", |it| ignored(it).push(json!({ "kind": "Secret", "jsonPointers": ["/metadata/labels"] }))),
    ("spec.ignoreDifferences", |it| ignored(it).push(json!({ "kind": "Secret", "managedFieldsManagers": ["a"] }))),
];

const SCALE: &str = "argocd.argoproj.io/manifest-generate-paths";

fn source(it: &mut Value) -> &mut Value {
    &mut it["spec"]["source"]
}

fn options(it: &mut Value) -> &mut Vec<Value> {
    it["spec"]["syncPolicy"]["syncOptions"].as_array_mut().expect("a list")
}

fn ignored(it: &mut Value) -> &mut Vec<Value> {
    it["spec"]["ignoreDifferences"].as_array_mut().expect("a list")
}

fn parameters(it: &mut Value) -> &mut Vec<Value> {
    source(it)["plugin"]["parameters"].as_array_mut().expect("a list")
}

fn annotations(it: &mut Value) -> &mut serde_json::Map<String, Value> {
    it["metadata"]["annotations"].as_object_mut().expect("a map")
}

/// What doctor writes of live Applications, validate of a commit with the same in files, and diff of that commit.
fn ask(change: fn(&mut Value)) -> [(&'static str, Outcome); 3] {
    let mut clusters = Clusters::healthy();
    let repository = Repository::new(FOLDER);
    let commit = |clusters: &Clusters| {
        let applications = clusters.argocd.iter().filter(|it| it["kind"] == "Application");
        for (number, application) in applications.enumerate() {
            let mut application = application.clone();
            application.as_object_mut().expect("an object").remove("status");
            repository.write(&format!("apps/{number}.json"), application.to_string());
        }
        repository.commit();
    };
    commit(&clusters);
    change(clusters.object("argocd", "Application", "provider-consumer"));
    // a row that changes nothing is a commit, too
    repository.write("README.md", "a change");
    commit(&clusters);
    let validate = Run::new(["validate", "."]).within(repository.root()).run();
    let diff = repository.diff(&[".", "--from", "HEAD~1", "--to", "HEAD"]).run();
    [("doctor", clusters.doctor()), ("validate", validate), ("diff", diff)]
}

/// Without the marks of code, of which diff has none inside of others.
fn shown(outcome: &Outcome) -> String {
    format!("{}{}", outcome.stdout, outcome.stderr).replace('`', "'")
}

#[test]
fn each_rule_is_heard_in_each_command() {
    for (_, change, words) in ROWS {
        for (command, outcome) in ask(*change) {
            assert!(
                shown(&outcome).contains(&words.replace('`', "'")),
                "{command} does not write `{words}`: {outcome}"
            );
        }
    }
}

#[test]
fn what_no_judge_looks_at_is_said() {
    for (path, change) in PASSED_OVER {
        let [doctor, validate, _] = ask(*change);
        // of a live Application it is the sync that runs
        let commands = if *path == "operation" { vec![validate] } else { vec![doctor, validate] };
        for (command, outcome) in commands {
            assert!(shown(&outcome).contains(&format!("not '{path}' of ")), "{command}: {path}: {outcome}");
        }
    }
}

/// A rule without a row would be heard in no command that anyone has tried.
#[test]
fn each_rule_has_a_row() {
    let text = committed("src/judge/applications/application_rules.rs");
    let (_, rules) =
        text.split_once("const RULES").and_then(|(_, rest)| rest.split_once("= [")).expect("the list");
    let (rules, _) = rules.split_once("];").expect("its end");
    for rule in rules.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        assert!(ROWS.iter().any(|(name, ..)| *name == rule), "`{rule}` has no row");
    }
}

#[test]
fn what_is_sound_is_silent_in_each_command() {
    for change in SOUND {
        for (command, outcome) in ask(*change) {
            let shown = shown(&outcome);
            for code in ["[application", "[applications", "[sync-options", "apps/"] {
                assert!(!shown.contains(code), "{command}: {outcome}");
            }
        }
    }
}
