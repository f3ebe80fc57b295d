//! What `validate` sees around a document: the files beside it, and the Applications that lead to it; most of it in `validate.cases`.

use crate::harness::{
    Outcome, REPO, ROLES, Run, copy_of, demo_identity, document, put, quickstart, seal,
};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A repository with one peering of one's own, as `init` writes it.
pub(crate) fn repository() -> TempDir {
    let root = crate::harness::machine::folder();
    fs::create_dir(root.path().join(".git")).expect("a repository");
    peering(&root.path().join("peerings/rome-milan"), "rome-milan");
    root
}

pub(crate) fn peering(folder: &Path, name: &str) {
    let text = document()
        .replace("172.16.183.16", "172.20.0.16")
        .replace("myuser", "rome")
        .replace(
            "# yaml-language-server: $schema=../../docs/peering.schema.json\n",
            "",
        );
    copy_of(&quickstart(), folder);
    put(folder.join("peering.yaml"), text);
    for role in ROLES {
        let application = application(role, role, &format!("peerings/{name}"));
        put(folder.join(format!("application-{role}.yaml")), application);
    }
}

pub(crate) fn application(role: &str, cluster: &str, path: &str) -> String {
    let other = if role == "consumer" {
        "provider"
    } else {
        "consumer"
    };
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: rome-milan-{role}\n  annotations:\n    \
         argocd.argoproj.io/manifest-generate-paths: .\nspec:\n  project: peering-{role}\n  source:\n    repoURL: {REPO}\n    \
         targetRevision: refs/heads/main\n    path: {path}\n    plugin:\n      name: argocd-peering\n      parameters:\n        \
         - {{ name: role, string: {role} }}\n        - {{ name: cluster, string: {cluster} }}\n  destination:\n    name: {cluster}\n    \
         namespace: liqo-tenant-{other}\n  \
         syncPolicy: {{ automated: {{ prune: true }}, retry: {{ limit: 5, refresh: true }}, syncOptions: [PrunePropagationPolicy=background] }}\n"
    )
}

pub(crate) fn validate(root: &TempDir, path: &str) -> Outcome {
    Run::new(["validate", path]).within(root.path()).run()
}

/// Other tools' manifests do not count against the Applications.
#[test]
fn other_manifests_have_no_bound() {
    let root = repository();
    for number in 0..65 {
        let file =
            fs::File::create(root.path().join(format!("other-{number}.yaml"))).expect("a file");
        file.set_len(1 << 20).expect("a length");
    }
    validate(&root, ".").done();
}

/// Latin-1, and UTF-16 as PowerShell writes it and the other way round, which Go's YAML reads.
#[test]
fn what_is_not_utf_8_is_named() {
    let text = application("consumer", "provider", "peerings/rome-milan");
    let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = format!("\u{feff}{text}");
        units.encode_utf16().flat_map(bytes).collect()
    };
    let latin = [b"# caf\xe9\n", text.as_bytes()].concat();
    for bytes in [latin, wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        let root = repository();
        put(root.path().join("apps/both.yaml"), bytes);
        validate(&root, ".").says("it is not UTF-8").done();
    }
}

/// One entry has the Application's project, the other one the document's delivery: a person opens the file, and Argo CD will not.
#[test]
fn an_entry_that_allows_the_delivery_must_allow_the_caller() {
    let root = repository();
    let folder = root.path().join("peerings/consumer-provider");
    peering(&folder, "consumer-provider");
    let file = folder.join("peering.seed.age");
    let write = |of_the_project: &str, of_another: &str| {
        let with = |delivery: &str, projects: Value| {
            let mut entry = seal::terms();
            entry["delivery"] = json!([delivery]);
            entry["projects"] = projects;
            entry
        };
        let project = with(of_the_project, seal::terms()["projects"].clone());
        let another = with(of_another, json!(["other=consumer"]));
        let mut payload = seal::seed_payload(&project);
        payload["bind"] = json!({ "allow": [project, another] });
        put(&file, seal::sealed(&payload));
        let run = Run::new(["validate", "peerings/consumer-provider", "--identity-file"]);
        run.arg(demo_identity("")).within(root.path()).run()
    };
    write("Secret", "SealedSecret").done();
    let refused = write("SealedSecret", "Secret");
    refused
        .fails(1, "denied")
        .says("its terms allow the delivery")
        .says("not `Secret` of ");
}
