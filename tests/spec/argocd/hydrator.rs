//! The Source Hydrator commits to Git what a plugin prints. What it may have is decided on the stream, not on a setting.

use crate::harness::{
    Checkout, KUBECONFIG, Outcome, ROLES, Text, committed, document, documents, edited,
    kubeconfig_payload, sealed, seed_payload, terms,
};
use serde_json::json;

/// What the hydrator gets of a side.
fn hydrated(checkout: &Checkout, role: &str) -> Outcome {
    checkout
        .plugin(role)
        .env("KUBE_VERSION", "")
        .env("KUBE_API_VERSIONS", "")
        .run()
}

/// What is in the stream, and nothing that a Secret holds.
#[track_caller]
fn has_no_secret(outcome: &Outcome) -> String {
    let stream = outcome.stream();
    for object in documents(stream) {
        assert!(
            object["kind"] != "Secret" || object["data"].is_null(),
            "{}",
            object["metadata"]["name"]
        );
    }
    stream.to_owned()
}

/// The Source Hydrator runs plugins with an empty `KUBE_VERSION` and commits what they print.
#[test]
fn private_keys_are_not_printed_for_the_hydrator() {
    let checkout = Checkout::new();
    for role in ROLES {
        for run in [
            checkout.plugin(role).env("KUBE_VERSION", ""),
            checkout.plugin(role).without("KUBE_VERSION"),
        ] {
            run.run()
                .fails(3, "hydration")
                .says("KUBE_VERSION")
                .says("Source Hydrator")
                .says("--local");
        }
    }
}

/// A provider without networking has no secret in its stream, so it may be hydrated; the consumer has its credential.
#[test]
fn what_holds_no_secret_may_be_hydrated() {
    let checkout = Checkout::of(without_networking(&document()));
    let outcome = hydrated(&checkout, "provider");
    assert!(!has_no_secret(&outcome).contains("kind: \"Secret\""));
    assert_eq!(outcome.stderr, "", "nothing was opened");
    hydrated(&checkout, "consumer").fails(3, "hydration");
}

/// A peering without a tunnel, which needs no seed.
fn without_networking(document: &str) -> String {
    let seed = "  seed: { file: peering.seed.age } # made by `argocd-peering seed new`; both gateways' keys come from it\n";
    let start = document.find("  networking:\n").expect("networking");
    let end = document
        .find("  authentication:\n")
        .expect("authentication");
    format!("{}{}", &document[..start], &document[end..]).replacen(seed, "", 1)
}

/// The quickstart where sides have a delivery, with sealed files that have both certificates.
fn delivered(deliveries: &[(&str, &str)]) -> Checkout {
    let mut text = document();
    for (role, delivery) in deliveries {
        text = text.replacen(
            &format!("clusterID: {role}\n"),
            &format!("clusterID: {role}\n    {delivery}\n"),
            1,
        );
        assert!(text.contains(delivery), "{role}");
    }
    let checkout = Checkout::of(text);
    let mut bind = terms();
    let pem = |name: &str| committed(&format!("tests/certificates/{name}.crt"));
    bind["certificates"] = json!({ "consumer": pem("rome"), "provider": pem("milan") });
    checkout.write("peering.seed.age", sealed(&seed_payload(&bind)));
    checkout.write(
        "kubeconfig.age",
        sealed(&kubeconfig_payload(KUBECONFIG, &bind)),
    );
    checkout
}

#[test]
fn sealed_secrets_may_be_hydrated() {
    let checkout = delivered(&ROLES.map(|role| (role, "delivery: SealedSecret")));
    for (role, count) in [("consumer", 2), ("provider", 1)] {
        let stream = has_no_secret(&hydrated(&checkout, role));
        assert_eq!(
            stream.matches("kind: \"SealedSecret\"").count(),
            count,
            "{role}"
        );
        // and it is the same stream that Argo CD itself would get
        assert!(stream == checkout.plugin(role).run().stream(), "{role}");
    }
}

/// With a store and without, and with names that need no key.
#[test]
fn what_is_external_may_be_hydrated() {
    let keys = "keys: { privateKey: a, publicKey: b, kubeconfig: c }";
    let store = format!(
        "delivery: External\n    names: {{ keySecret: keys }}\n    external: {{ secretStoreRef: {{ name: vault }}, {keys} }}"
    );
    let checkout = delivered(&[
        ("consumer", &store),
        (
            "provider",
            "delivery: External\n    names: { keySecret: keys }",
        ),
    ]);
    let stream = has_no_secret(&hydrated(&checkout, "consumer"));
    assert_eq!(stream.matches("kind: \"ExternalSecret\"").count(), 2);
    let stream = has_no_secret(&hydrated(&checkout, "provider"));
    assert!(!stream.contains("Secret\"\n"), "nothing is in its place");
}

/// Each side is decided on its own; and a side has one way for all of its Secrets.
#[test]
fn one_side_may_be_hydrated_and_the_other_not() {
    for delivery in [
        "delivery: SealedSecret",
        "delivery: External\n    names: { keySecret: keys }",
    ] {
        for (role, peer) in [("consumer", "provider"), ("provider", "consumer")] {
            let checkout = delivered(&[(role, delivery)]);
            has_no_secret(&hydrated(&checkout, role));
            hydrated(&checkout, peer)
                .fails(3, "hydration")
                .says("delivery");
        }
    }
}

/// A credential that is not in the stream does not help the key that is; a Secret that Kubernetes fills has no data.
#[test]
fn the_secrets_with_data_decide() {
    let existing = edited("kubeconfig: { file: kubeconfig.age }", "existingSecret: {}");
    let checkout = Checkout::of(&existing);
    hydrated(&checkout, "consumer").fails(3, "hydration");
    let checkout = Checkout::of(without_networking(&existing));
    has_no_secret(&hydrated(&checkout, "consumer"));
    let account = existing.replacen("kind: User", "kind: ServiceAccount", 1);
    let stream = has_no_secret(&hydrated(
        &Checkout::of(without_networking(&account)),
        "provider",
    ));
    stream.has("kind: \"Secret\"").lacks("\ndata:");
}

/// `generate --public` opens nothing, so its Secrets hold nothing: a check of a pull request has no `KUBE_VERSION` either.
#[test]
fn placeholders_are_no_secrets() {
    let checkout = Checkout::new();
    for role in ROLES {
        let run = checkout.program(["generate", "--public", "--role", role]);
        let stream = run.run().stream().to_owned();
        for secret in documents(&stream)
            .iter()
            .filter(|it| it["kind"] == "Secret")
        {
            let data = secret["data"].as_object().expect("data");
            let known =
                |item: &str, value: &str| item == "publicKey" || value == "UExBQ0VIT0xERVI=";
            assert!(
                data.iter()
                    .all(|(item, value)| known(item, value.as_str().expect("text"))),
                "{role}"
            );
        }
    }
}
