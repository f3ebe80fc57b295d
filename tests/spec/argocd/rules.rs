//! What Argo CD or the plugin refuses of an Application, and what is likely a mistake: given once, and asked in each command.

use crate::command::doctor::clusters::Clusters;
use crate::harness::repository::Repository;
use crate::harness::run::{Outcome, Run};
use serde_json::{Value, json};

const FOLDER: &str = "peerings/consumer-provider";

/// A change of the consumer's Application, and what each command writes of it.
type Row = (fn(&mut Value), &'static str);

#[rustfmt::skip] // a table
const ROWS: &[Row] = &[
    (|it| source(it)["helm"] = json!({ "valueFiles": ["values.yaml"] }), "beside `plugin` its source has `helm`: Argo CD refuses more than one type"),
    (|it| source(it)["kustomize"] = json!({ "namePrefix": "a-" }), "beside `plugin` its source has `kustomize`"),
    (|it| source(it)["directory"] = json!({ "recurse": true }), "beside `plugin` its source has `directory`"),
    (|it| it["spec"]["sources"] = json!([{ "repoURL": "https://git.example.org/a", "path": "a" }]), "`sources` is set, so Argo CD does not read the `source`"),
    (|it| it["spec"]["destination"]["server"] = json!("https://192.0.2.1"), "its destination has both a `name` and a `server`"),
    (|it| it["spec"]["destination"] = json!({ "namespace": "a" }), "its destination has neither a `name` nor a `server`"),
    (|it| it["spec"]["destination"] = json!({ "server": "https://kubernetes.default.svc" }), "its destination is `in-cluster`, and the consumer of the document is `consumer`"),
    (|it| it["spec"]["destination"]["name"] = json!("provider"), "its destination is `provider`, and the consumer of the document is `consumer`"),
    (|it| it["metadata"]["name"] = json!("Consumer_1"), "`Consumer_1` is not a name that Kubernetes accepts"),
    (|it| parameters(it).push(json!({ "name": "namespace", "string": "a" })), "there is no plugin parameter `namespace`"),
    (|it| parameters(it).push(json!({ "name": "role", "string": "consumer" })), "the plugin parameter `role` is given twice"),
    (|it| parameters(it).push(json!({ "name": "valueFiles", "array": ["a"] })), "there is no plugin parameter `valueFiles`"),
    (|it| parameters(it)[1] = json!({ "name": "cluster", "map": { "a": "b" } }), "the plugin parameter `cluster` must be a `string`, not a `map`"),
    (|it| parameters(it)[0] = json!({ "name": "role", "string": "Consumer" }), "the plugin parameter `role` is `Consumer`, which is not a role"),
    (|it| drop(parameters(it).remove(0)), "the plugin parameter `role` is missing"),
    (|it| source(it)["plugin"]["name"] = json!("argocd-peerings-v1"), "its plugin is `argocd-peerings-v1`, and the name in plugin.yaml is `argocd-peering`"),
    (|it| source(it)["plugin"]["name"] = json!("argo-peering"), "its plugin is `argo-peering`, and the name in plugin.yaml is `argocd-peering`"),
    (|it| source(it)["plugin"]["name"] = json!("liqo"), "its plugin is `liqo`, and the name in plugin.yaml is `argocd-peering`"),
    (|it| it["spec"]["project"] = json!("default"), "its project is `default`"),
    (|it| drop(annotations(it).remove(SCALE)), "it has no annotation `argocd.argoproj.io/manifest-generate-paths`"),
    (|it| drop(annotations(it).insert(SCALE.into(), json!("/peerings/other"))), "`/peerings/other`, which is not its folder"),
    (|it| drop(annotations(it).insert(SCALE.into(), json!("../other;/a"))), "`../other;/a`, which is not its folder"),
    (|it| it["spec"]["ignoreDifferences"] = json!([{ "kind": "Secret", "jsonPointers": ["/data"] }]), "`ignoreDifferences` has `/data` of Secrets"),
    (|it| it["spec"]["ignoreDifferences"] = json!([{ "group": "*", "kind": "*", "jqPathExpressions": [".data.kubeconfig"] }]), "`ignoreDifferences` has `.data.kubeconfig` of Secrets"),
    (|it| it["spec"]["syncPolicy"]["automated"] = json!({ "selfHeal": true }), "it does not prune"),
    (|it| it["spec"]["syncPolicy"]["automated"]["allowEmpty"] = json!(true), "`allowEmpty` is set"),
    (|it| it["spec"]["syncPolicy"]["automated"] = Value::Null, "it is synced by hand"),
    (|it| it["spec"]["syncPolicy"]["automated"]["enabled"] = json!(false), "it is synced by hand"),
    (|it| it["spec"]["syncPolicy"]["syncOptions"] = json!(["Prune=false"]), "`Prune=false` is set"),
    (|it| it["metadata"]["finalizers"] = json!(["resources-finalizer.argocd.argoproj.io/background"]), "it has the finalizer `resources-finalizer.argocd.argoproj.io/background`"),
];

/// What is beside an error, and is none.
#[rustfmt::skip] // a table
const SOUND: &[fn(&mut Value)] = &[
    |_| {},
    |it| drop(annotations(it).insert(SCALE.into(), json!("/peerings"))),
    |it| drop(annotations(it).insert(SCALE.into(), json!("/shared;."))),
    |it| drop(annotations(it).insert(SCALE.into(), json!("../consumer-provider"))),
    |it| it["spec"]["ignoreDifferences"] = json!([{ "kind": "Secret", "jsonPointers": ["/metadata/labels"] }, { "group": "apps", "kind": "Deployment", "jsonPointers": ["/data"] }]),
    |it| { let one = source(it).clone(); it["spec"]["source"] = Value::Null; it["spec"]["sources"] = json!([{ "repoURL": "https://git.example.org/a", "path": "a" }, one]); },
    |it| { parameters(it).remove(0); source(it)["plugin"]["env"] = json!([{ "name": "ROLE", "value": "consumer" }]); },
    |it| it["spec"]["source"]["path"] = json!("./peerings/consumer-provider/"),
];

const SCALE: &str = "argocd.argoproj.io/manifest-generate-paths";

fn source(it: &mut Value) -> &mut Value {
    &mut it["spec"]["source"]
}

fn parameters(it: &mut Value) -> &mut Vec<Value> {
    source(it)["plugin"]["parameters"].as_array_mut().expect("a list")
}

fn annotations(it: &mut Value) -> &mut serde_json::Map<String, Value> {
    it["metadata"]["annotations"].as_object_mut().expect("a map")
}

/// What doctor writes of live Applications, validate of the same in files, and diff of a commit that brings them.
fn ask(change: fn(&mut Value)) -> [(&'static str, Outcome); 2] {
    let mut clusters = Clusters::healthy();
    change(clusters.object("argocd", "Application", "provider-consumer"));
    let repository = Repository::new(FOLDER);
    let applications = |clusters: &Clusters| -> Vec<Value> {
        let of_kind = clusters.argocd.iter().filter(|it| it["kind"] == "Application");
        of_kind
            .cloned()
            .map(|mut it| {
                it.as_object_mut().expect("an object").remove("status");
                it
            })
            .collect()
    };
    for (number, application) in applications(&clusters).iter().enumerate() {
        repository.write(&format!("apps/{number}.json"), application.to_string());
    }
    let validate = Run::new(["validate", "."]).within(repository.root()).run();
    [("doctor", clusters.doctor()), ("validate", validate)]
}

fn shown(outcome: &Outcome) -> String {
    format!("{}{}", outcome.stdout, outcome.stderr)
}

#[test]
fn each_rule_is_heard_in_each_command() {
    for (change, words) in ROWS {
        for (command, outcome) in ask(*change) {
            assert!(shown(&outcome).contains(words), "{command} does not write `{words}`: {outcome}");
        }
    }
}

#[test]
fn what_is_sound_is_silent_in_each_command() {
    for change in SOUND {
        for (command, outcome) in ask(*change) {
            let shown = shown(&outcome);
            for code in ["[application", "[applications", "[sync-options"] {
                assert!(!shown.contains(code), "{command}: {outcome}");
            }
        }
    }
}
