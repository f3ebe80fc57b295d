//! The Liqo Argo CD guide's manifests and the program's two streams say the same, field by field, in both directions.
//!
//! `tests/guide/peering.yaml` describes the guide's peering with the guide's own names. What may differ is named below,
//! in `expected` and `emitted`, and nothing else may.

use std::collections::BTreeMap;
use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::harness::{Id, Peering, ROLES, differences, documents, entries, root};

#[test]
fn both_streams_are_the_guides() {
    for role in ROLES {
        let differences = compare(guide(role), documents(&Peering::guide().stream(role)));
        assert!(
            differences.is_empty(),
            "{role}:\n{}",
            differences.join("\n")
        );
    }
}

/// The guide's objects for one cluster.
pub(crate) fn guide(role: &str) -> Vec<Value> {
    let files = entries(&root().join("tests/guide").join(role));
    let texts = files
        .iter()
        .map(|file| fs::read_to_string(file).expect("a manifest can be read"));
    let objects: Vec<_> = texts.flat_map(|text| documents(&text)).collect();
    assert!(
        objects.len() >= 7,
        "{role}: the guide has more objects than these: {}",
        objects.len()
    );
    objects
}

// ---- what may differ ------------------------------------------------------------------------

/// What is put where both sides have a key, each its own.
const A_KEY: &str = "(a WireGuard key)";

/// The guide's object, without what Git need not say.
fn expected(mut object: Value) -> Value {
    remove(&mut object, "", "status");
    remove(&mut object, "/metadata", "creationTimestamp");
    // the API server's typed Namespace is the same with `spec: {}` and without it: `spec` is a struct that may be empty
    if object["kind"] == "Namespace" && object["spec"] == json!({}) {
        remove(&mut object, "", "spec");
    }
    decoded(object)
}

/// The program's object, without what it has beyond the guide: Argo CD's annotations, and the labels that let a
/// namespace run privileged pods, which Liqo sets itself since 1.1.
fn emitted(mut object: Value) -> Value {
    for annotation in "argocd.argoproj.io/sync-wave argocd.argoproj.io/sync-options".split(' ') {
        remove(&mut object, "/metadata/annotations", annotation);
    }
    if object["metadata"]["annotations"] == json!({}) {
        remove(&mut object, "/metadata", "annotations");
    }
    if object["kind"] == "Namespace" {
        for mode in ["audit", "enforce", "warn"] {
            let label = format!("pod-security.kubernetes.io/{mode}");
            if object["metadata"]["labels"][&label] == "privileged" {
                remove(&mut object, "/metadata/labels", &label);
            }
        }
    }
    decoded(object)
}

/// The object with its keys' values made equal, as long as they are keys, and with its kubeconfig as a value: the
/// program writes that anew, in its own order and quoting.
fn decoded(mut object: Value) -> Value {
    for pointer in ["/data/privateKey", "/data/publicKey", "/spec/publicKey"] {
        if let Some(value) = object.pointer_mut(pointer)
            && is_key(value)
        {
            *value = json!(A_KEY);
        }
    }
    if let Some(kubeconfig) = object.pointer_mut("/data/kubeconfig") {
        let text = kubeconfig
            .as_str()
            .and_then(|text| STANDARD.decode(text).ok());
        let text = text
            .and_then(|text| String::from_utf8(text).ok())
            .expect("base64 of a text");
        *kubeconfig = json!(documents(&text));
    }
    object
}

/// 32 bytes in base64, as `wg` prints them.
fn is_key(value: &Value) -> bool {
    value
        .as_str()
        .and_then(|text| STANDARD.decode(text).ok())
        .is_some_and(|bytes| bytes.len() == 32)
}

/// Removes a field of the map at `pointer`, if both are there.
fn remove(object: &mut Value, pointer: &str, key: &str) {
    if let Some(Value::Object(map)) = object.pointer_mut(pointer) {
        map.remove(key);
    }
}

// ---- the comparison -------------------------------------------------------------------------

/// What differs: objects, and fields by their path. Liqo makes the ForeignCluster, and Argo CD the ResourceQuota of a
/// deletion: a guide has neither.
pub(crate) fn compare(guide: Vec<Value>, ours: Vec<Value>) -> Vec<String> {
    let (guide, mut ours) = (by_id(guide, expected), by_id(ours, emitted));
    ours.retain(|id, _| !["ForeignCluster", "ResourceQuota"].contains(&&*id.kind));
    let mut found = Vec::new();
    for (id, guide) in guide {
        match ours.remove(&id) {
            Some(ours) => {
                let fields = differences(&guide, &ours);
                found.extend(
                    fields
                        .iter()
                        .map(|(path, what)| format!("{id}: {path}: {what}")),
                );
            }
            None => found.push(format!("{id}: missing")),
        }
    }
    found.extend(ours.into_keys().map(|id| format!("{id}: extra")));
    found
}

fn by_id(objects: Vec<Value>, clean: fn(Value) -> Value) -> BTreeMap<Id, Value> {
    let mut by_id = BTreeMap::new();
    for object in objects {
        let id = Id::of(&object);
        assert!(
            by_id.insert(id.clone(), clean(object)).is_none(),
            "{id} stands there twice"
        );
    }
    by_id
}

// ---- the comparison itself is tested --------------------------------------------------------

fn of_kind<'o>(objects: &'o mut [Value], kind: &str) -> &'o mut Value {
    objects
        .iter_mut()
        .find(|object| object["kind"] == kind)
        .expect("there is one")
}

/// A change of the guide's own objects, as if they were the program's, and what is found then.
type Change<'c> = (fn(&mut [Value]), &'c [String]);

#[test]
fn what_differs_is_found_and_nothing_else() {
    const BINDING: &str = "RoleBinding.rbac.authorization.k8s.io liqo-tenant-consumer/liqo-binding-liqo-remote-controlplane";
    const CONFIGURATION: &str = "Configuration.networking.liqo.io liqo-tenant-consumer/consumer";
    const KEY: &str = "PublicKey.networking.liqo.io liqo-tenant-consumer/gw-publickey";
    let changes: [Change<'_>; 5] = [
        (
            |it| of_kind(it, "GatewayServer")["spec"]["endpoint"]["nodePort"] = json!("32750"),
            &[r#"GatewayServer.networking.liqo.io liqo-tenant-consumer/server: .spec.endpoint.nodePort: expected 32750, found "32750""#.to_owned()],
        ),
        (
            |it| {
                let binding = of_kind(it, "RoleBinding");
                binding["subjects"][0]["namespace"] = json!("default");
                remove(binding, "/metadata/labels", "liqo.io/remote-cluster-id");
            },
            &[
                format!("{BINDING}: .metadata.labels.liqo.io/remote-cluster-id: missing"),
                format!("{BINDING}: .subjects[0].namespace: extra"),
            ],
        ),
        (|it| of_kind(it, "PublicKey")["spec"]["publicKey"] = json!(STANDARD.encode([7; 32])), &[]),
        (
            |it| of_kind(it, "PublicKey")["spec"]["publicKey"] = json!("no key"),
            &[format!(r#"{KEY}: .spec.publicKey: expected "{A_KEY}", found "no key""#)],
        ),
        // three labels and two annotations of ours, and no other
        (
            |it| {
                let metadata = &mut of_kind(it, "Namespace")["metadata"];
                metadata["labels"]["pod-security.kubernetes.io/enforce"] = json!("baseline");
                metadata["labels"]["pod-security.kubernetes.io/warn"] = json!("privileged");
                metadata["annotations"] =
                    json!({ "argocd.argoproj.io/sync-wave": "0", "argocd.argoproj.io/hook": "PreSync" });
            },
            &["labels.pod-security.kubernetes.io/enforce", "annotations"]
                .map(|it| format!("Namespace liqo-tenant-consumer: .metadata.{it}: extra")),
        ),
    ];
    for (change, differences) in changes {
        let mut ours: Vec<Value> = guide("provider").into_iter().map(expected).collect();
        change(&mut ours);
        assert_eq!(compare(guide("provider"), ours), differences);
    }
    assert_eq!(
        compare(guide("provider"), guide("provider")),
        [
            "Namespace liqo-tenant-consumer: .spec: extra",
            &format!("{CONFIGURATION}: .metadata.creationTimestamp: extra"),
            &format!("{CONFIGURATION}: .status: extra"),
        ]
    );
}

#[test]
fn a_kubeconfig_is_compared_as_a_value() {
    let with = |text: &str| {
        let object = json!({ "kind": "Secret", "data": { "kubeconfig": STANDARD.encode(text) } });
        vec![object]
    };
    let guide = || with("{kind: Config, users: [{user: {token: a}}]}");
    let same = with("kind: \"Config\"\nusers:\n  - user:\n      token: \"a\"\n");
    assert_eq!(compare(guide(), same), Vec::<String>::new());

    let other = with("{kind: Config, users: [{user: {token: b}}]}");
    let path = ".data.kubeconfig[0].users[0].user.token";
    assert_eq!(
        compare(guide(), other),
        [format!(r#"Secret : {path}: expected "a", found "b""#)]
    );
}
