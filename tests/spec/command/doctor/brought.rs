//! Secrets that somebody else brings, and what stands between two clusters.

use super::clusters::Clusters;
use super::{ends, finds_first, policy};
use crate::harness::{Text, committed};
use serde_json::{Value, json};

const CREDENTIAL: &str = "credential: { kubeconfig: { file: kubeconfig.age } }";
const CONSUMER: &str = "    clusterID: consumer\n";

fn secret(name: &str, labels: &Value, annotations: &Value) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "Opaque",
        "metadata": {
            "name": name,
            "namespace": "liqo-tenant-provider",
            "labels": labels,
            "annotations": annotations,
        },
    })
}

fn credential() -> Value {
    let labels =
        json!({ "liqo.io/identity-type": "ControlPlane", "liqo.io/remote-cluster-id": "provider" });
    secret(
        "mine",
        &labels,
        &json!({ "liqo.io/remote-tenant-namespace": "liqo-tenant-consumer" }),
    )
}

#[track_caller]
fn is_sound(clusters: &Clusters) {
    let outcome = clusters.doctor();
    ends(&outcome, 0).lacks("error[").lacks("warning[");
}

/// (liqo issues 3046, 3053)
#[test]
fn an_existing_secret_has_liqos_labels() {
    let mut clusters = Clusters::with_document(CREDENTIAL, "credential: { existingSecret: {} }");
    finds_first(
        &clusters,
        "error[secret]: consumer: no Secret in `liqo-tenant-provider`",
        "without them are none",
    );
    clusters
        .consumer
        .push(secret("mine", &json!({}), &json!({})));
    finds_first(
        &clusters,
        "error[secret]: consumer: ",
        "without them are mine",
    );
    clusters.consumer.pop();
    clusters.consumer.push(credential());
    is_sound(&clusters);
    let annotations = &mut clusters.object("consumer", "Secret", "mine")["metadata"]["annotations"];
    annotations["liqo.io/remote-tenant-namespace"] = json!("elsewhere");
    finds_first(
        &clusters,
        "error[secret]: consumer: Secret liqo-tenant-provider/mine: ",
        "is `elsewhere`",
    );
}

/// The stream calls it so.
#[test]
fn a_secret_whose_name_ends_as_a_field_is_named() {
    let document = committed("examples/service-account/peering.yaml");
    let document = document
        .replace("ravenna", "consumer")
        .replace("rimini", "provider");
    let mut clusters = Clusters::of_document(&document);
    clusters
        .provider
        .retain(|it| it["metadata"]["name"] != "consumer-controlplane-token");
    let named = "error[missing]: provider: Secret liqo-tenant-consumer/consumer-controlplane-token: it is not there";
    clusters.doctor().prints(named);
}

#[test]
fn a_secret_that_is_not_unsealed_comes_first() {
    let mut clusters = Clusters::with_document(
        CONSUMER,
        "    clusterID: consumer\n    delivery: SealedSecret\n",
    );
    for object in clusters
        .consumer
        .iter_mut()
        .filter(|it| it["kind"] == "SealedSecret")
    {
        object["status"] = json!({ "conditions": [{ "type": "Synced", "status": "True" }] });
    }
    let brought: Vec<_> = clusters
        .consumer
        .iter()
        .filter(|it| it["kind"] == "SealedSecret")
        .cloned()
        .collect();
    assert_eq!(brought.len(), 2, "the key and the credential");
    for sealed in brought {
        let mut secret = sealed["spec"]["template"].clone();
        secret["apiVersion"] = json!("v1");
        secret["kind"] = json!("Secret");
        secret["metadata"]["name"] = sealed["metadata"]["name"].clone();
        secret["metadata"]["namespace"] = sealed["metadata"]["namespace"].clone();
        clusters.consumer.push(secret);
    }
    is_sound(&clusters);
    let condition =
        json!({ "type": "Synced", "status": "False", "message": "no key could decrypt secret" });
    clusters.object("consumer", "SealedSecret", "")["status"]["conditions"] = json!([condition]);
    clusters.consumer.retain(|it| it["kind"] != "Secret");
    clusters.object("consumer", "GatewayClient", "")["status"] = json!({});
    clusters.object("consumer", "Connection", "")["status"]["value"] = json!("Connecting");
    finds_first(
        &clusters,
        "error[sealed-secret]: consumer: SealedSecret ",
        "no key could decrypt secret",
    );
    let outcome = clusters.doctor();
    let (_, following) = outcome
        .stdout
        .split_once("these can follow from it")
        .expect("what follows");
    for check in ["secret", "gateway-pod", "connection"] {
        following.has(&format!("  error[{check}]: consumer: "));
    }
}

#[test]
fn an_external_secret_that_is_not_filled_comes_first() {
    let external = "    clusterID: consumer
    publicKey: ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=
    delivery: External
    external:
      secretStoreRef: { name: vault, kind: ClusterSecretStore }
      keys: { privateKey: a, publicKey: b, kubeconfig: c }
";
    let mut clusters = Clusters::with_document(CONSUMER, external);
    let failed = json!({ "type": "Ready", "status": "False", "reason": "SecretSyncedError", "message": "no key a" });
    for object in clusters
        .consumer
        .iter_mut()
        .filter(|it| it["kind"] == "ExternalSecret")
    {
        object["status"] = json!({ "conditions": [failed] });
    }
    finds_first(
        &clusters,
        "error[external-secret]: consumer: ExternalSecret ",
        "the operator has not filled it: no key a",
    );
}

/// A public key is masked like a private one: two rows of stars would say nothing.
#[test]
fn another_public_key_than_the_written_one() {
    let written = "    clusterID: consumer
    publicKey: ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=
";
    let mut clusters = Clusters::with_document(CONSUMER, written);
    clusters.object("provider", "PublicKey", "")["spec"]["publicKey"] =
        json!("/ncgs0Hx4j80dwrwNq+x7JG5KJoxUDzTAV2z0r7jVg4=");
    let words = "`spec.publicKey` is another one than the document's";
    finds_first(
        &clusters,
        "error[different]: provider: PublicKey liqo-tenant-consumer/gw-publickey: ",
        words,
    );
}

#[test]
fn two_mtus_are_told() {
    let mut clusters = Clusters::healthy();
    clusters.object("consumer", "GatewayClient", "")["spec"]["mtu"] = json!(1400);
    let outcome = clusters.doctor();
    ends(&outcome, 1).has("error[mtu-differs]: the gateway's MTU is 1400 on the consumer and 1340");
}

/// A policy alone is a warning: not every cluster's network enforces it. Where the tunnel is down, it is the first to look at.
#[test]
fn a_policy_explains_a_tunnel_that_is_down() {
    let mut clusters = Clusters::healthy();
    clusters
        .provider
        .push(policy("liqo-tenant-consumer", &json!([])));
    clusters.object("provider", "Connection", "")["status"]["value"] = json!("Error");
    let outcome = clusters.doctor();
    let shown = ends(&outcome, 1);
    let lines: Vec<_> = shown.lines().collect();
    assert!(
        lines[2].starts_with("warning[network-policy]: provider: NetworkPolicy "),
        "{shown}"
    );
    shown.has("\n  error[connection]: provider: ");
    assert!(
        shown.ends_with("`argocd-peering explain network-policy` says more\n"),
        "{shown}"
    );
}
