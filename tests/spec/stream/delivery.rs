//! The three ways of delivery: what a stream has in place of a Secret with data, and what it does not have.

use crate::harness::library::{self, Role};
use crate::harness::{Peering, ROLES, Text, committed, documents, encoded, read, root};
use serde_json::Value;

/// The quickstart where both sides have a delivery.
fn document(delivery: &str) -> String {
    let both = format!("    delivery: {delivery}\n    podCIDRs:");
    read(&root().join("examples/quickstart/peering.yaml")).replace("    podCIDRs:", &both)
}

/// The kinds and names of a stream, a Secret's under each of the kinds that stand for it.
fn names(stream: &str) -> Vec<(String, Value, Value)> {
    let row = |object: Value| {
        let kind = object["kind"]
            .as_str()
            .expect("a kind")
            .replace("SealedSecret", "Secret");
        let wave = object["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"].clone();
        (
            kind.replace("ExternalSecret", "Secret"),
            object["metadata"]["name"].clone(),
            wave,
        )
    };
    documents(stream).into_iter().map(row).collect()
}

#[test]
fn the_default_is_a_secret() {
    let written = library::streams(&document("Secret")).expect("streams");
    let left_out = library::streams(&read(&root().join("examples/quickstart/peering.yaml")));
    assert_eq!(written, left_out.expect("streams"));
}

#[test]
fn a_sealed_secret_stands_where_the_secret_stood_and_shows_no_secret() {
    let pem = committed("tests/certificates/rome.crt");
    let kubeconfig = b"a kubeconfig with a token";
    for role in [Role::Consumer, Role::Provider] {
        let material = || library::material(kubeconfig);
        let plain =
            library::delivered(&document("Secret"), role, &material(), None).expect("a stream");
        let controller = library::sealer(&pem);
        let sealed = library::delivered(
            &document("SealedSecret"),
            role,
            &material(),
            Some(&controller),
        );
        let sealed = sealed.expect("a stream");
        assert_eq!(names(&plain), names(&sealed), "order, names and waves stay");
        sealed.lacks("kind: \"Secret\"");
        for secret in [&library::PRIVATE_KEY[..], kubeconfig] {
            let hex = secret
                .iter()
                .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
            for shown in [
                encoded(secret),
                hex,
                String::from_utf8_lossy(secret).into_owned(),
            ] {
                assert!(!sealed.contains(&shown), "{role}");
            }
        }
        for (secret, sealed) in documents(&plain).iter().zip(documents(&sealed)) {
            if secret["kind"] != "Secret" {
                assert_eq!(*secret, sealed);
                continue;
            }
            let template = &sealed["spec"]["template"];
            assert_eq!(template["metadata"]["labels"], secret["metadata"]["labels"]);
            // also where the Secret leaves it to Kubernetes
            assert_eq!(
                (template["type"].as_str(), &template["immutable"]),
                (Some("Opaque"), &secret["immutable"])
            );
            let items = |map: &Value| {
                map.as_object()
                    .expect("items")
                    .keys()
                    .cloned()
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                items(&sealed["spec"]["encryptedData"]),
                items(&secret["data"])
            );
            let [template, own] =
                [template, &sealed].map(|it| it["metadata"]["annotations"].to_string());
            assert!(
                !template.contains("argocd.argoproj.io")
                    && !own.contains("sealedsecrets.bitnami.com")
            );
        }
    }
}

#[test]
fn a_secret_is_never_sealed_to_no_one() {
    let material = library::material(b"k");
    library::delivered(&document("SealedSecret"), Role::Consumer, &material, None)
        .expect_err("a bug");
    let [public, _] = library::streams(&document("SealedSecret")).expect("streams");
    assert_eq!(
        public.matches(&encoded("PLACEHOLDER")).count(),
        3 + 1,
        "the PublicKey's is the fourth"
    );
}

#[test]
fn what_is_external_needs_no_seed_and_leaves_nothing() {
    let example = Peering::example("external");
    let without_seed = example
        .text()
        .replace("  seed: { file: peering.seed.age }", "  #");
    let streams = library::streams(&without_seed).expect("streams without any identity");
    for (role, stream) in ROLES.iter().zip(&streams) {
        let (path, golden) = example.golden(role);
        assert_eq!(documents(stream), golden, "{path}: with and without a seed");
        stream.lacks("kind: \"Secret\"").lacks("PLACEHOLDER");
        let gateway = golden
            .iter()
            .find(|it| it["spec"]["secretRef"].is_object())
            .expect("a gateway");
        let name = gateway["spec"]["secretRef"]["name"]
            .as_str()
            .expect("a name");
        assert!(name.starts_with("gw-keys-"), "{name}");
    }
    assert!(
        !streams[1].contains("ExternalSecret"),
        "the provider has no store"
    );
}

/// The operator would fill the new, immutable Secret from the old value, and only deleting it would help.
#[test]
fn an_external_secret_waits_for_the_key_of_the_document() {
    let text = Peering::example("external").text();
    let key = "8xKyBHqWjfsLwXi926MLxkNgg19bKgtW/Jg14Sd88x0=";
    let unknown = text.replace(&format!("publicKey: {key}"), "names: { keySecret: keys }");
    for (text, expected) in [(&text, Some(key)), (&unknown, None)] {
        let [stream, _] = library::streams(text).expect("streams");
        let objects = documents(&stream)
            .into_iter()
            .filter(|it| it["kind"] == "ExternalSecret");
        let templates: Vec<Value> = objects
            .map(|it| it["spec"]["target"]["template"].clone())
            .collect();
        let [keys, kubeconfig] = &templates[..] else {
            panic!("{templates:?}")
        };
        assert!(kubeconfig["data"].is_null() && kubeconfig["mergePolicy"].is_null());
        let checks = keys["data"]["publicKey"].as_str();
        assert_eq!(checks.is_some(), expected.is_some(), "{keys:#}");
        assert_eq!(
            keys["mergePolicy"] == "Merge",
            expected.is_some(),
            "{keys:#}"
        );
        if let (Some(checks), Some(key)) = (checks, expected) {
            let begin = format!(
                "{{{{ if ne (.publicKey | b64enc) \"{key}\" }}}}{{{{ fail \"the store has another"
            );
            assert!(
                checks.starts_with(&begin) && checks.ends_with("{{ end }}{{ .publicKey }}"),
                "{checks}"
            );
            // the operator puts the error into events and a status that many may read
            assert_eq!(checks.matches("{{ .").count(), 1, "{checks}");
        }
    }
}

/// Controllers copy a Secret where its annotations and labels name, so the document has no say in them, also where no one here
/// knows the controller. external-secrets runs annotations as Go templates that
/// see the values.
#[test]
fn what_carries_a_secret_takes_no_label_and_no_annotation_of_the_document() {
    let common = "spec:\n  commonMetadata:\n    labels: { free.example.org/label: mine }\n    annotations:\n      \
                  copier.example.org/reflection-auto-enabled: 'true'\n      \
                  copier.example.org/replicate-to: free\n      a: 'x{{ .privateKey }}'\n";
    let account = "    metadata: { serviceAccount: { annotations: { example.org/free: 'true' } } }\n    podCIDRs:";
    let ours = ["free", "replicate-to", "reflection-auto-enabled", "x{{"];
    for text in [
        document("Secret"),
        document("SealedSecret"),
        Peering::example("external").text(),
    ] {
        let text = text
            .replacen("spec:\n", common, 1)
            .replace("kind: User, name: ", "kind: ServiceAccount, name: of-");
        let (consumer, provider) = text
            .rsplit_once("    podCIDRs:")
            .expect("the provider's networks");
        let text = format!("{consumer}{account}{provider}");
        let mut secrets = 0;
        for object in library::streams(&text)
            .expect("streams")
            .iter()
            .flat_map(|stream| documents(stream))
        {
            let kind = object["kind"].as_str().expect("a kind").to_owned();
            let found = ours.iter().any(|it| object.to_string().contains(it));
            secrets += usize::from(kind.ends_with("Secret"));
            assert_eq!(
                found,
                !kind.ends_with("Secret") && kind != "PublicKey",
                "{object:#}"
            );
        }
        assert!(secrets > 2, "{secrets}");
    }
}
