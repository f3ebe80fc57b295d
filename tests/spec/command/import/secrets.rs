//! No secret comes out of an import, in any form, by any way in, but inside a sealed file, which it does not make.

use std::collections::BTreeSet;
use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::cluster::kubectl;
use super::{guides, import, written};
use crate::harness::traces::traces;
use crate::harness::{Outcome, Run, documents};

const SECRETS: [&str; 4] = [
    "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=",
    "IIDYUpVU5r/R3pxp7xnpEU31Ky2+Th7pSWQWyEKKVG8=",
    // the beginning of the guide's kubeconfig
    "YXBpVmVyc2lvbjogdjEKa2luZDogQ29uZmlnCmNsdXN0ZXJzOgotIG5hbWU6IGt1YmVybmV0ZXMKICBjbHVzdGVyOgogICAg",
    "a-token-of-a-service-account-which-is-longer-than-32-bytes",
];

/// The forms in which tools keep a whole object in an annotation: kapp, kubectl and older Rancher as JSON, Rancher as gzip,
/// Banzai's operators as zip; and a person's YAML.
fn whole(object: &str) -> Vec<(&'static str, String)> {
    let packed = compress_to_vec(object.as_bytes(), 6);
    let archive = |magic: &[u8]| STANDARD.encode([magic, &packed].concat());
    vec![
        (
            "kubectl.kubernetes.io/last-applied-configuration",
            object.to_owned(),
        ),
        ("kapp.k14s.io/original", object.to_owned()),
        (
            "kapp.k14s.io/original-diff-md5",
            "58e0494c51d30eb3494f7c9198986bb9".to_owned(),
        ),
        (
            "objectset.rio.cattle.io/applied",
            archive(b"\x1f\x8b\x08\0\0\0\0\0\0\xff"),
        ),
        (
            "banzaicloud.com/last-applied",
            archive(b"PK\x03\x04\x14\0\x08\0\x08\0"),
        ),
        ("example.org/json", format!(" {object}")),
        ("example.org/list", format!("[{object}]")),
        ("example.org/base64", STANDARD.encode(object)),
        (
            "example.org/yaml",
            format!("# saved\nkind: Secret\ndata: {object}\n"),
        ),
    ]
}

/// Those in which the secret cannot be searched for.
const PACKED: [&str; 2] = [
    "objectset.rio.cattle.io/applied",
    "banzaicloud.com/last-applied",
];

/// The objects of both sides, all of them with a Secret in their annotations, and Secrets with it wherever one can be.
fn hostile() -> [Vec<Value>; 2] {
    guides().map(|text| {
        let mut objects = documents(&text);
        let secrets: Vec<_> = objects.iter().filter(|it| it["kind"] == "Secret").cloned().collect();
        assert!(!secrets.is_empty());
        for object in &mut objects {
            let own = if object["kind"] == "Secret" { object.clone() } else { secrets[0].clone() };
            let own = json!({ "kind": "Secret", "data": own["data"], "stringData": { "token": SECRETS[3] } });
            for (key, text) in whole(&own.to_string()) {
                object["metadata"]["annotations"][key] = json!(text);
            }
            object["metadata"]["managedFields"] = json!([own]);
            if object["kind"] == "Secret" {
                object["stringData"] = json!({ "token": SECRETS[3] });
                object["saved"] = own;
                object["metadata"]["annotations"]["example.org/token"] = json!(SECRETS[3]);
                object["metadata"]["labels"]["example.org/token"] = json!(SECRETS[3]);
            }
        }
        objects
    })
}

/// Every text that nothing may show: the secrets in each form, and what holds one.
fn canaries(objects: &[Vec<Value>; 2]) -> Vec<Vec<u8>> {
    let mut canaries: Vec<Vec<u8>> = Vec::new();
    for secret in SECRETS {
        canaries.push(secret.as_bytes().to_vec());
        canaries.extend(
            traces("", secret.as_bytes())
                .into_iter()
                .map(|(_, _, bytes)| bytes),
        );
        if let Ok(bytes) = STANDARD.decode(secret) {
            canaries.extend(traces("", &bytes).into_iter().map(|(_, _, bytes)| bytes));
        }
    }
    for object in objects.iter().flatten() {
        let annotations = object["metadata"]["annotations"]
            .as_object()
            .expect("annotations");
        let packed = annotations
            .iter()
            .filter(|(key, _)| PACKED.contains(&key.as_str()));
        canaries.extend(packed.filter_map(|(_, text)| Some(text.as_str()?.as_bytes().to_vec())));
    }
    canaries
}

#[track_caller]
fn shows_nothing(way: &str, outcome: &Outcome, document: &str, canaries: &[Vec<u8>]) {
    let shown = format!("{}{document}", outcome.everything());
    let windows: BTreeSet<&[u8]> = shown.as_bytes().windows(16).collect();
    for canary in canaries {
        let found = canary.windows(16).find(|part| windows.contains(part));
        let found = found.map(String::from_utf8_lossy);
        assert!(
            found.is_none(),
            "{way}: {found:?} of {}\n{shown}",
            String::from_utf8_lossy(canary)
        );
    }
}

fn files(temp: &TempDir, objects: &[Vec<Value>; 2], way: &str) -> Run {
    let texts = objects.each_ref().map(|side| match way {
        // JSON is YAML
        "documents" => side.iter().map(|it| format!("---\n{it}\n")).collect(),
        "list" => json!({ "apiVersion": "v1", "kind": "List", "items": side }).to_string(),
        _ => json!({ "kind": "List", "items": [{ "kind": "List", "items": side }] }).to_string(),
    });
    let [consumer, provider] = written(temp, &texts);
    import(&consumer, &provider)
}

#[test]
fn no_secret_comes_out_of_any_import() {
    let objects = hostile();
    let canaries = canaries(&objects);
    for secrets in ["keep", "seal"] {
        for way in ["documents", "list", "lists", "live"] {
            let temp = crate::harness::machine::folder();
            let run = match way {
                "live" => kubectl(&objects),
                _ => files(&temp, &objects, way),
            };
            let run = run.args(["--secrets", secrets]);
            let outcome = run.run();
            outcome.done();
            shows_nothing(way, &outcome, "", &canaries);
            let folder = temp.path().join("imported");
            let outcome = run.arg("--output").arg(&folder).typed(temp.path()).run();
            outcome.done();
            let document = fs::read_to_string(folder.join("peering.yaml")).expect("a document");
            shows_nothing(way, &outcome, &document, &canaries);
            assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
            // what nobody means is not lost in silence, but for what kubectl writes
            outcome.says("[kapp.k14s.io/original] is left out");
        }
    }
}

/// Of a Secret its labels are Liqo's, and it has no annotation but Liqo's: no other one can be read from a live cluster.
#[test]
fn a_secret_has_no_label_and_no_annotation_in_the_document() {
    let texts = guides().map(|text| {
        text.replace(
            "    networking.liqo.io/gateway-resource: \"true\"\n  name: gw-keys\n",
            "    networking.liqo.io/gateway-resource: \"true\"\n    example.org/of: a-label\n  \
             annotations: { example.org/of: an-annotation }\n  name: gw-keys\n",
        )
    });
    assert!(texts.iter().all(|it| it.contains("a-label")));
    let temp = crate::harness::machine::folder();
    let [consumer, provider] = written(&temp, &texts);
    for secrets in ["keep", "seal"] {
        import(&consumer, &provider)
            .args(["--secrets", secrets])
            .run()
            .omits("example.org")
            .done();
    }
}
