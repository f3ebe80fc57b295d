//! Changes of the recorded clusters, as `found.txt` and `sound.txt` have them; `found.txt` says how they are written.

use super::clusters::{Clusters, signed, time};
use super::policy;
use crate::harness::replaced;
use serde_json::{Value, json};

pub(super) const FORBIDDEN: &str = "Error from server (Forbidden): x is forbidden: User \"anna\" cannot list resource \"x\" in API group \"\" at the cluster scope\n";
pub(super) const UNKNOWN: &str = "error: the server doesn't have a resource type \"tenants\"\n";

impl Clusters {
    pub(crate) fn change(&mut self, lines: &[&'static str]) {
        for line in lines {
            let (how, rest) = line.split_once(' ').expect("a sign");
            let (context, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            let (what, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            let (kind, name) = what.split_once('/').unwrap_or((what, ""));
            match how {
                "-" => {
                    let is_it = |it: &Value| {
                        it["kind"] == kind && it["metadata"]["name"].to_string().contains(name)
                    };
                    let before = self.of(context).len();
                    self.of(context).retain(|it| !is_it(it));
                    assert!(self.of(context).len() < before, "{line}");
                }
                "2" => self.twin(context, kind, name),
                "+" => self.of(context).push(value(&format!("{what} {rest}"))),
                "=" => {
                    set_all(self.object(context, kind, name), &[rest]);
                }
                "!" => {
                    self.refused.push((
                        context,
                        what,
                        if rest == "forbidden" {
                            FORBIDDEN
                        } else {
                            UNKNOWN
                        },
                    ));
                }
                _ => named(self, context),
            }
        }
    }
}

/// With these values, each after its place.
pub(crate) fn set_all(object: &mut Value, lines: &[&str]) {
    for line in lines {
        let (place, new) = line
            .split_once(' ')
            .unwrap_or_else(|| panic!("no value: {line}"));
        set(object, place, new);
    }
}

fn set(object: &mut Value, place: &str, new: &str) {
    let (parents, field) = place.rsplit_once('/').expect("a place");
    let mut at = object;
    for part in parents.split('/').skip(1) {
        at = within(at, part);
    }
    if new == "absent" {
        at.as_object_mut()
            .expect("a map")
            .remove(&field.replace("~1", "/"));
    } else {
        *within(at, field) = value(new);
    }
}

fn within<'a>(value: &'a mut Value, part: &str) -> &'a mut Value {
    match (part, part.parse::<usize>()) {
        (_, Ok(number)) if value.is_array() => &mut value[number],
        // one more (RFC 6901, section 4)
        ("-", _) => {
            let list = value.as_array_mut().expect("a list");
            list.push(Value::Null);
            list.last_mut().expect("it is there")
        }
        _ => &mut value[part.replace("~1", "/")],
    }
}

fn value(text: &str) -> Value {
    let Some(made) = text.strip_prefix("\"@") else {
        return serde_json::from_str(text).expect(text);
    };
    let made = made.trim_end_matches('"');
    let number = |text: &str| text.parse::<i64>().expect("a number");
    match made.split_once(' ') {
        None => json!(time(number(made)).to_string()),
        Some(("signed", end)) => json!(signed(end)),
        Some(("third", days)) => ending(elapsed() / 3 + number(days)),
        Some((_, days)) => ending(number(days)),
    }
}

/// Days since 2020 began, which is when the certificates of these tests begin.
fn elapsed() -> i64 {
    let seconds = time(0).unix_duration().as_secs() - 1_577_836_800;
    i64::try_from(seconds).expect("a time") / 86_400
}

/// The certificate of a kind, which ends in so many days.
fn ending(days: i64) -> Value {
    let end = time(days * 86_400);
    json!(signed(&format!(
        "{:02}{:02}{:02}000000Z",
        end.year() - 2000,
        end.month(),
        end.day()
    )))
}

/// A change that takes more than a line.
fn named(it: &mut Clusters, name: &str) {
    match name {
        "drained" => drained(it),
        "released" => released(it),
        "silent" => silent(it),
        "namespace_deleted" => namespace_deleted(it),
        "liqo_elsewhere" => {
            for object in it
                .consumer
                .iter_mut()
                .filter(|it| it["metadata"]["namespace"] == "liqo")
            {
                object["metadata"]["namespace"] = json!("liqo-system");
            }
        }
        "never_synced" => {
            it.consumer
                .retain(|it| it["metadata"]["namespace"] == "liqo" || it["kind"] == "InternalNode");
        }
        "one_destination" => {
            let one =
                it.object("argocd", "Application", "provider-consumer")["spec"]["destination"]
                    .clone();
            it.object("argocd", "Application", "provider-provider")["spec"]["destination"] = one;
        }
        "identity" => it.consumer.push(json!({
            "apiVersion": "authentication.liqo.io/v1beta1",
            "kind": "Identity",
            "metadata": { "name": "mine", "namespace": "liqo-tenant-provider" },
            "spec": { "type": "ControlPlane" },
            "status": { "kubeconfigSecretRef": { "name": "mine" } },
        })),
        "server_policy" => it.provider.push(policy("liqo-tenant-consumer", &json!([]))),
        // its block is another than the server's
        "egress_policy" => {
            let mut policy = policy("liqo-tenant-provider", &json!([]));
            policy["metadata"]["name"] = json!("egress");
            let to = json!([{ "ipBlock": { "cidr": "192.0.2.0/24", "except": [] } }]);
            let egress = json!([{ "ports": [{ "port": 32750, "protocol": "UDP" }], "to": to }]);
            policy["spec"] =
                json!({ "podSelector": {}, "policyTypes": ["Egress"], "egress": egress });
            it.consumer.push(policy);
        }
        "labels_of_others" => {
            for object in it.consumer.iter_mut().chain(&mut it.provider) {
                object["metadata"]["annotations"]["example.org/note"] = json!("x");
                object["metadata"]["labels"]["example.org/team"] = json!("net");
            }
        }
        _ => panic!("no change is called {name}"),
    }
}

/// The first commit of a removal is synced, and Liqo has done nothing yet.
fn drained(it: &mut Clusters) {
    it.document = replaced(&it.document, "\nspec:\n", "\nspec:\n  state: Drained\n");
    it.provider.push(json!({
        "apiVersion": "v1", "kind": "Namespace",
        "metadata": { "name": "demo-consumer", "labels": { "liqo.io/remote-cluster-id": "consumer" } },
    }));
}

/// Liqo has released what the consumer used.
fn released(it: &mut Clusters) {
    const USED: [&str; 5] = [
        "NamespaceOffloading",
        "VirtualNode",
        "ResourceSlice",
        "NamespaceMap",
        "Node",
    ];
    let is_left = |it: &Value| {
        let name = it["metadata"]["name"].as_str().unwrap_or_default();
        let is_used = USED.iter().any(|kind| it["kind"] == **kind);
        !is_used && name != "demo-consumer" && !name.starts_with("kubeconfig-controlplane")
    };
    it.consumer.retain(is_left);
    it.provider.retain(is_left);
}

/// Some seconds after `kubectl delete namespace`: much of it is gone, and the sync of the rest has failed.
fn namespace_deleted(it: &mut Clusters) {
    it.consumer.retain(|it| {
        !matches!(
            it["kind"].as_str(),
            Some("Configuration" | "GatewayClient" | "Connection")
        )
    });
    let metadata = &mut it.object("consumer", "Namespace", "liqo-tenant")["metadata"];
    metadata["deletionTimestamp"] = json!(time(-30).to_string());
    let status = &mut it.object("argocd", "Application", "provider-consumer")["status"];
    status["sync"]["status"] = json!("OutOfSync");
    let message =
        "configurations.networking.liqo.io \"provider\" is forbidden: unable to create new content";
    status["operationState"] = json!({ "phase": "Failed", "message": message });
}

/// Both sides have the keys of each other, and no ping is answered.
fn silent(it: &mut Clusters) {
    for role in ["consumer", "provider"] {
        it.object(role, "Connection", "")["status"]["value"] = json!("Error");
    }
}
