//! A folder beside live clusters, whose `kubectl` is a script that prints what it was given.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{
    Id, Outcome, Peering, ROLES, Run, Text, machine, put, quickstart, read, replaced, text_at,
};

/// Two clusters, each with the objects of its role.
struct Clusters(tempfile::TempDir);

impl Clusters {
    fn of(objects: [&[Value]; 2]) -> Self {
        let temp = crate::harness::machine::folder();
        let folder = temp.path().display();
        // --context=CONTEXT --request-timeout=30s get RESOURCE, and then -n NAMESPACE or -o json
        let script = format!(
            "#!/bin/sh\necho \"$*\" >> \"{folder}/log\"\nfile=\"{folder}/$1.$4.$6\"\n\
             [ -e \"$file\" ] && exec /bin/cat \"$file\"\necho '{{\"items\": []}}'\n"
        );
        let kubectl = temp.path().join("kubectl");
        machine::script(&kubectl, script);
        for (role, objects) in ROLES.into_iter().zip(objects) {
            let mut lists: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
            for object in objects {
                let id = Id::of(object);
                let resource = match text_at(object, "/apiVersion").split_once('/') {
                    Some((group, version)) => format!("{}.{version}.{group}", id.kind),
                    None => id.kind,
                };
                let last = if id.namespace.is_empty() {
                    "json"
                } else {
                    &id.namespace
                };
                lists
                    .entry(format!("--context={role}.{resource}.{last}"))
                    .or_default()
                    .push(object);
            }
            for (file, items) in lists {
                put(
                    temp.path().join(file),
                    json!({ "items": items }).to_string(),
                );
            }
        }
        Self(temp)
    }

    fn diff(&self, folder: &Path) -> Outcome {
        let contexts: Vec<&str> = "--consumer-context consumer --provider-context provider"
            .split(' ')
            .collect();
        Run::new(["diff"])
            .arg(folder)
            .args(contexts)
            .env("PATH", self.0.path())
            .within("/")
            .run()
    }
}

fn live(peering: &Peering) -> [Vec<Value>; 2] {
    ROLES.map(|role| peering.golden(role).1)
}

/// What the API server and Liqo add is not a difference, and no identity is needed. A Secret is looked for by its name alone.
#[test]
fn a_cluster_after_its_sync_is_the_same() {
    let mut secrets = 0;
    for peering in Peering::examples() {
        let mut objects = live(&peering);
        for object in objects.iter_mut().flatten() {
            object["metadata"]["uid"] = json!("1");
            object["metadata"]["labels"]["other"] = json!("x");
            object["status"] = json!({ "value": 1 });
            if !object["spec"].is_null() {
                object["spec"]["filledIn"] = json!(true);
            }
        }
        let clusters = Clusters::of([&objects[0], &objects[1]]);
        let outcome = clusters.diff(&peering.folder);
        assert_eq!(
            outcome.done(),
            "No object changes in 1 peering.\n",
            "{}",
            peering.folder.display()
        );
        outcome.says("+ kubectl --context=consumer get ");
        let log = fs::read_to_string(clusters.0.path().join("log")).expect("the calls");
        for call in log.lines() {
            call.has(" --request-timeout=30s get ");
            let of_secrets = call.contains("get Secret ");
            assert_eq!(of_secrets, call.contains(" -o go-template="), "{call}");
        }
        secrets += log.matches(" get Secret ").count();
    }
    assert!(secrets > 10, "{secrets}");
}

/// The table knows every field that a stream has: whichever changes, there are words for it.
#[test]
fn every_field_of_every_stream_has_an_effect() {
    let mut fields = 0;
    for peering in Peering::examples() {
        let mut objects = live(&peering);
        for object in objects.iter_mut().flatten() {
            let metadata = &object["metadata"];
            let name = json!({ "name": metadata["name"], "namespace": metadata["namespace"] });
            *object = json!({ "apiVersion": object["apiVersion"], "kind": object["kind"], "metadata": name });
        }
        let outcome = Clusters::of([&objects[0], &objects[1]]).diff(&peering.folder);
        outcome.ends(1);
        let unknown = outcome.stdout.find("Unknown here");
        assert!(
            unknown.is_none(),
            "{}",
            &outcome.stdout[..unknown.unwrap_or_default()]
        );
        fields += outcome.stdout.matches(": added ").count();
    }
    assert!(fields > 500, "{fields}");
}

#[test]
fn what_a_sync_would_change_is_shown() {
    let peering = Peering::at(&quickstart());
    let [mut consumer, mut provider] = live(&peering);
    consumer.retain(|object| object["kind"] != "ResourceSlice" && object["kind"] != "Secret");
    for object in &mut provider {
        if object["kind"] == "Configuration" {
            object["spec"]["remote"]["cidr"] = json!({ "pod": ["10.42.0.0/16", "10.96.0.0/16"] });
        }
        if object["kind"] == "GatewayServer" {
            object["metadata"]["annotations"]["argocd.argoproj.io/tracking-id"] =
                json!("own:networking.liqo.io/GatewayServer:liqo-tenant-consumer/wg-consumer");
            object["spec"]["endpoint"]["nodePort"] = json!(30000);
        }
        if object["kind"] == "RoleBinding" {
            object["subjects"][0]["name"] = json!("\u{1b}[31mred");
        }
    }
    let outcome = Clusters::of([&consumer, &provider]).diff(&quickstart());
    outcome.ends(1);
    for words in [
        "+ consumer: ResourceSlice liqo-tenant-provider/provider\n",
        "+ consumer: Secret liqo-tenant-provider/gw-keys-…\n",
        "+ consumer: Secret liqo-tenant-provider/kubeconfig-controlplane-provider\n",
        "~ provider: GatewayServer liqo-tenant-consumer/wg-consumer\n    spec.endpoint.nodePort: 30000 → 32750\n",
        "    spec.remote.cidr.external: added [\"10.70.0.0/16\"]\n    spec.remote.cidr.pod: [\"10.42.0.0/16\",\"10.96.0.0/16\"] → [\"10.42.0.0/16\"]\n",
        "3 objects changed, 3 objects added.",
    ] {
        outcome.prints(words);
    }
    assert!(
        !outcome.stdout.contains("To let go"),
        "the document's own Application: {}",
        outcome.stdout
    );
    assert!(
        !outcome.stdout.contains('\u{1b}'),
        "an escape sequence of a cluster reaches the terminal"
    );
}

/// Who else applies an object is named where nothing else differs.
#[test]
fn another_owner_is_named_alone() {
    let [mut consumer, provider] = live(&Peering::at(&quickstart()));
    consumer[0]["metadata"]["annotations"]["meta.helm.sh/release-name"] = json!("old");
    let outcome = Clusters::of([&consumer, &provider]).diff(&quickstart());
    outcome.ends(1);
    outcome.prints("consumer: the Helm release `old` has 1 object of the peering.");
}

/// An adopted gateway: Liqo found the Secret by its labels, and now its name is written.
#[test]
fn a_gateway_that_has_the_secret_does_not_restart() {
    let temp = crate::harness::machine::folder();
    let document = read(&quickstart().join("peering.yaml"));
    let named = replaced(
        &document,
        "  consumer:\n",
        "  consumer:\n    names: { keySecret: gw-milan }\n",
    );
    put(temp.path().join("peering.yaml"), named);
    for (status, mtu, words) in [
        (
            "gw-milan",
            1340,
            "The gateway has this Secret already: it does not restart.",
        ),
        // what else changes restarts it
        (
            "gw-milan",
            1400,
            "Interrupts traffic. The gateway restarts: the tunnel is down",
        ),
        ("gw-other", 1340, "The gateway restarts with its new key."),
    ] {
        let [mut consumer, provider] = live(&Peering::at(&quickstart()));
        let client = consumer
            .iter_mut()
            .find(|it| it["kind"] == "GatewayClient")
            .expect("a gateway");
        client["spec"]["secretRef"] = json!({ "name": "" });
        client["spec"]["mtu"] = json!(mtu);
        client["status"] = json!({ "secretRef": { "name": status } });
        let outcome = Clusters::of([&consumer, &provider]).diff(temp.path());
        outcome.ends(1);
        outcome.prints("    spec.secretRef.name: \"\" → gw-milan\n  ");
        outcome.prints(words);
    }
}
