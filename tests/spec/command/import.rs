//! `import`: what exists becomes a document, whose streams are what exists again. What may differ is listed, here as in the
//! program's notes.

mod cluster;
mod contradiction;
pub(crate) mod folder;
mod forms;
mod secrets;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{
    Outcome, Peering, Run, annotation, committed, documents, library, put, replaced, root,
};
use crate::stream::guide::{compare, guide};

/// The program with two files of manifests.
fn import(consumer: &Path, provider: &Path) -> Run {
    let [consumer, provider] = [consumer, provider].map(|path| path.as_os_str().to_owned());
    Run::new([
        "import".into(),
        "--consumer".into(),
        consumer,
        "--provider".into(),
        provider,
    ])
}

/// The manifests in `tests/guide`, as texts for both sides, which a test may change.
fn guides() -> [String; 2] {
    ["consumer", "provider"].map(|role| {
        let folder = root().join("tests/guide").join(role);
        let files = crate::harness::entries(&folder);
        files
            .iter()
            .map(|file| format!("---\n{}\n", fs::read_to_string(file).expect("a manifest")))
            .collect()
    })
}

/// Both texts in files, imported.
fn imported(texts: &[String; 2], arguments: &[&str]) -> Outcome {
    let temp = crate::harness::machine::folder();
    let [consumer, provider] = written(&temp, texts);
    import(&consumer, &provider).args(arguments).run()
}

fn written(temp: &TempDir, texts: &[String; 2]) -> [PathBuf; 2] {
    let paths = ["consumer.yaml", "provider.yaml"].map(|name| temp.path().join(name));
    for (path, text) in paths.iter().zip(texts) {
        put(path, text);
    }
    paths
}

/// Both streams of a document, without any identity.
#[track_caller]
fn streams(document: &str) -> [Vec<Value>; 2] {
    let streams =
        library::streams(document).unwrap_or_else(|error| panic!("{}\n{document}", error.brief()));
    streams.map(|stream| documents(&stream))
}

/// Cluster dumps are large, and a run ends.
#[test]
fn a_file_of_manifests_has_an_end() {
    let [consumer, provider] = guides();
    let large = format!("{consumer}# {}\n", "#".repeat(16 << 20));
    imported(&[large, provider.clone()], &[])
        .fails(3, "file")
        .says("larger than 16777216 bytes");
    let deep = |levels: usize| {
        format!(
            "{consumer}---\nx: {}{}\n",
            "[".repeat(levels),
            "]".repeat(levels)
        )
    };
    imported(&[deep(60), provider.clone()], &[]).done();
    imported(&[deep(64), provider.clone()], &[])
        .fails(1, "manifests")
        .says("not YAML of Kubernetes objects");
    let many = format!("{consumer}{}", "---\n".repeat(100_001));
    imported(&[many, provider.clone()], &[])
        .fails(1, "manifests")
        .says("not YAML of Kubernetes objects");
    let long = format!("{consumer}---\nx: [{}]\n", "1,".repeat(2_000_001));
    imported(&[long, provider], &[])
        .fails(1, "manifests")
        .says("more than 2000000 values");
}

/// What is printed is never larger than what the other commands read.
#[test]
fn a_document_of_the_largest_size_is_imported() {
    let [consumer, provider] = guides();
    let lines: String = (0..62)
        .map(|at| format!("    a{at}: {}\n", "x".repeat(1000)))
        .collect();
    let import = |last: usize| {
        let last = "x".repeat(last);
        let with = format!("  name: client\n  annotations:\n    last: {last}\n{lines}");
        let client = replaced(&consumer, "  name: client\n", &with);
        imported(&[client, provider.clone()], &[])
    };
    let last = 65_537 - import(1).done().len();
    assert_eq!(import(last).done().len(), 65_536);
    import(last + 1)
        .fails(1, "manifests")
        .says("has 65537 bytes of at most 65536");
}

/// The guide, imported with its keys: everything is as it was, and the Secrets are not in the streams.
#[test]
fn the_guide_is_imported_and_stays() {
    let outcome = import(
        &root().join("tests/guide/consumer"),
        &root().join("tests/guide/provider"),
    )
    .run();
    let [consumer, provider] = streams(outcome.done());
    let untouched = [
        // `delivery: External`: nothing is printed in its place, and Argo CD leaves it alone
        "Secret liqo-tenant-provider/gw-keys: missing",
        // `existingSecret`
        "Secret liqo-tenant-provider/cplane-secret: missing",
    ];
    let mut differences = compare(guide("consumer"), consumer);
    differences.sort_by_key(|it| !it.contains("gw-keys"));
    assert_eq!(differences, untouched);
    let key = "SU+Ba3jBNgofBrZtVHwad1VJotcVs4TmgpOdFQhx/UE=";
    assert_eq!(
        compare(guide("provider"), provider),
        ["Secret liqo-tenant-consumer/gw-keys: missing"]
    );
    assert!(
        outcome.stdout.contains(&format!("publicKey: {key}")),
        "the guide's own key is kept"
    );

    // facts: Liqo itself sets them on the namespaces that it makes, since 1.1 (`pkg/tenantNamespace/namespaceManager.go`)
    let (new, notes): (Vec<&str>, Vec<&str>) = outcome
        .stderr
        .lines()
        .partition(|it| it.contains(": ForeignCluster.core.liqo.io "));
    assert!(
        new.len() == 2 && new.iter().all(|it| it.ends_with(" is new")),
        "{outcome}"
    );
    let only_pod_security = notes
        .iter()
        .all(|it| it.contains("metadata.labels[pod-security.kubernetes.io/"));
    assert!(notes.len() == 6 && only_pod_security, "{outcome}");
}

/// With sealed files, which `tests/guide` has under these names, nothing differs but the keys.
#[test]
fn the_guide_is_imported_with_new_keys() {
    let outcome = import(
        &root().join("tests/guide/consumer"),
        &root().join("tests/guide/provider"),
    )
    .args(["--secrets", "seal"])
    .run();
    let peering = Peering::guide().edited(|_| outcome.done().to_owned());
    for role in ["consumer", "provider"] {
        assert_eq!(
            compare(guide(role), documents(&peering.stream(role))),
            Vec::<String>::new(),
            "{role}"
        );
    }
    outcome
        .says("spec.publicKey becomes the new seed's")
        .says("restart both gateways after the first sync");
    for lines in [
        "\n  # both gateways' keys come from it\n  seed:\n    file: peering.seed.age\n",
        "\n\n  consumer:\n    clusterID: consumer\n    podCIDRs: [10.42.0.0/16]\n",
        "\n    credential:\n      # make it with `argocd-peering seal kubeconfig`\n      kubeconfig:\n",
        "\n    # what the consumer asks for\n    resourceSlices:\n      - name: test\n",
    ] {
        outcome.prints(lines);
    }
}

/// A Tenant that does not ask for the handshake has none, whatever is beside it.
#[test]
fn a_handshake_that_is_not_asked_for_is_not_imported() {
    let texts = ["consumer", "provider"]
        .map(|role| committed(&format!("tests/golden/keys-exchange/{role}.yaml")));
    assert!(imported(&texts, &[]).done().contains("keysExchange:\n"));
    let texts = texts.map(|text| {
        text.replace(
            "authzPolicy: \"KeysExchange\"",
            "authzPolicy: \"TolerateNoHandshake\"",
        )
    });
    assert!(!imported(&texts, &[]).done().contains("keysExchange:\n"));
}

/// Each example's own streams, imported: the streams of the result are the same objects, less the Secrets.
#[test]
fn every_example_is_its_own_import() {
    // what Argo CD is told is the document's, and no object says it: `protection`, and who delivers Secrets
    let objects = |text: &str| -> Vec<Value> {
        let mut objects = documents(text);
        objects.retain(|it| {
            !it["kind"]
                .as_str()
                .is_some_and(|kind| kind.contains("Secret"))
        });
        for object in &mut objects {
            assert!(annotation(object, "argocd.argoproj.io/sync-wave").is_some());
            let annotations = object["metadata"]["annotations"]
                .as_object_mut()
                .expect("annotations");
            annotations.retain(|key, _| !key.starts_with("argocd.argoproj.io/"));
        }
        objects
    };
    for example in Peering::examples() {
        let paths = ["consumer", "provider"]
            .map(|role| format!("tests/golden/{}/{role}.yaml", example.name));
        let [consumer, provider] = paths.each_ref().map(|path| root().join(path));
        let outcome = import(&consumer, &provider).run();
        let text = outcome.done();
        let again = library::streams(text)
            .unwrap_or_else(|error| panic!("{}: {}", example.name, error.brief()));
        for (path, stream) in paths.iter().zip(&again) {
            let (golden, mut imported) = (objects(&committed(path)), objects(stream));
            // Liqo makes it in any case, so no manifests turn it off
            let has_summary = golden.iter().any(|it| it["kind"] == "ForeignCluster");
            imported.retain(|it| has_summary || it["kind"] != "ForeignCluster");
            assert_eq!(golden, imported, "{path}\n{text}");
        }
    }
}

/// A text that YAML 1.1 reads as a boolean or a number stays the text, and one that looks like YAML stays a value.
#[test]
fn what_a_manifest_has_is_a_value_and_never_yaml() {
    let long = "a long text ".repeat(20);
    let plain = "yes off 0x10 1e3 1_000 12 1:30:00 2026-01-01 0o17 +.inf ~ = <<";
    let marks = "a # b|a: b|- a|\"|'|] }|\\|a:|#|%a|--- a|\u{e9}|\u{1f600}";
    let lines = "a\nb|a\n|\n  seed:\n|a\r\nb|\ta|a | a||a\u{85}b|a\u{2028}b";
    let odd = plain.split(' ').chain(marks.split('|'));
    for odd in odd.chain(lines.split('|')).chain([long.as_str()]) {
        let [consumer, provider] = guides();
        let annotation = serde_json::to_string(odd).expect("JSON");
        let with = format!("  name: client\n  annotations: {{ example.org/note: {annotation} }}\n");
        let texts = [replaced(&consumer, "  name: client\n", &with), provider];
        let outcome = imported(&texts, &[]);
        let [consumer, _] = streams(outcome.done());
        let client = consumer
            .iter()
            .find(|it| it["kind"] == "GatewayClient")
            .expect("a client");
        assert_eq!(annotation_of(client), Some(odd), "{outcome}");
    }
}

fn annotation_of(object: &Value) -> Option<&str> {
    annotation(object, "example.org/note")
}
