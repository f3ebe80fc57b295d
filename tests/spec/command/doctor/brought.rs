//! Secrets that somebody else brings, and what stands between two clusters.

use super::clusters::Clusters;
use super::{ends, finds_first};
use crate::harness::{Text, committed};
use serde_json::json;

const CONSUMER: &str = "    clusterID: consumer\n";

#[track_caller]
fn is_sound(clusters: &Clusters) {
    let outcome = clusters.doctor();
    ends(&outcome, 0).lacks("error[").lacks("warning[");
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
    let named = "error[missing]: provider: Secret liqo-tenant-consumer/consumer-controlplane-token: it is missing";
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
        &clusters.doctor(),
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
