//! Each field of an AppProject, an Application and an ApplicationSet is judged, has no part in a peering, or is said.

use crate::command::validate::{repository, validate};
use crate::harness::committed;
use crate::harness::run::Outcome;
use std::fs;

/// With lines at the end of an object's `spec`, and of no other.
fn with(file: &str, lines: &str) -> Outcome {
    let root = repository();
    let mut text = committed(&format!("argocd-app/{file}"));
    if file == "applicationset.yaml" {
        for role in ["consumer", "provider"] {
            let own = root.path().join(format!("peerings/rome-milan/application-{role}.yaml"));
            fs::remove_file(own).expect("removed");
        }
        let folders = root.path().join("peerings");
        fs::create_dir(folders.join("consumer")).expect("a folder");
        fs::rename(folders.join("rome-milan"), folders.join("consumer/provider")).expect("renamed");
        text = text.replace("spec:\n  goTemplate", &format!("spec:\n{lines}  goTemplate"));
    } else {
        text += lines;
    }
    fs::write(root.path().join("object.yaml"), text).expect("written");
    validate(&root, ".")
}

/// A file, what is added to its `spec`, and what is said of that; nothing, where a judge looks at it or it has no part in a peering.
#[rustfmt::skip] // a table
const ROWS: &[(&str, &str, &str)] = &[
    ("project-consumer.yaml", "", ""),
    ("project-consumer.yaml", "  description: a\n  orphanedResources: { warn: true }\n  roles: [{ name: a }]\n", ""),
    ("project-consumer.yaml", "  signatureKeys: [{ keyID: A }]\n", "not `spec.signatureKeys` of ./object.yaml: signatures of commits are not verified here"),
    ("project-consumer.yaml", "  signatureKeys: []\n", ""),
    ("project-consumer.yaml", "  sourceIntegrity: { git: { policies: [] } }\n", "not `spec.sourceIntegrity` of ./object.yaml"),
    ("project-consumer.yaml", "  permitOnlyProjectScopedClusters: true\n", "not `spec.permitOnlyProjectScopedClusters` of ./object.yaml"),
    ("project-consumer.yaml", "  permitOnlyProjectScopedClusters: off\n", ""),
    ("project-consumer.yaml", "  destinationServiceAccounts: [{ server: '*', namespace: '*', defaultServiceAccount: a }]\n", "not `spec.destinationServiceAccounts` of ./object.yaml"),
    ("project-consumer.yaml", "  novel: true\n", "not `spec.novel` of ./object.yaml: no such field of Argo CD's is known here"),
    ("applicationset.yaml", "", ""),
    ("applicationset.yaml", "  applyNestedSelectors: true\n  preservedFields: { labels: [a] }\n", ""),
    ("applicationset.yaml", "  strategy: { type: RollingSync }\n", "not `spec.strategy` of ./object.yaml: in which order its Applications are synced and deleted is not known here"),
    ("applicationset.yaml", "  ignoreApplicationDifferences: [{ jsonPointers: [/spec/source] }]\n", "not `spec.ignoreApplicationDifferences` of ./object.yaml"),
    ("applicationset.yaml", "  novel: [1]\n", "not `spec.novel` of ./object.yaml"),
];

#[test]
fn each_field_of_projects_and_sets_is_judged_or_said() {
    for (file, lines, said) in ROWS {
        let outcome = with(file, lines);
        outcome.done();
        outcome.says(said);
        assert_eq!(outcome.stderr.contains("not `spec."), !said.is_empty(), "{file}: {lines}: {outcome}");
    }
}

/// Each is said once of a project whose windows are for the Application.
#[test]
fn a_sync_window_holds_a_commit_back() {
    let window = |rest: &str| format!("  syncWindows: [{{ schedule: '0 8 * * *', duration: 1h, {rest} }}]\n");
    for (rest, when) in [
        (
            "kind: deny, applications: ['*']",
            "`deny` for the consumer's Application: while one is open, no commit is synced",
        ),
        (
            "kind: allow, clusters: [consumer]",
            "`allow` for the consumer's Application: a commit is synced only while one is open",
        ),
        (
            "kind: allow, applications: ['*'] }, { kind: deny, applications: ['*']",
            "`allow` and `deny` for the consumer's Application: a commit is synced only while one of kind `allow` is open and none of kind `deny`",
        ),
        ("kind: deny, namespaces: ['liqo-tenant-*'], clusters: [other]", "`deny`"),
        ("kind: deny, namespaces: ['liqo-tenant-*'], clusters: [consumer], andOperator: true", "`deny`"),
    ] {
        let outcome = with("project-consumer.yaml", &window(rest));
        outcome.done();
        outcome.says("note[application-setting]: the project `peering-consumer` has sync windows of kind ");
        outcome.says(when).silent_on("not judged");
        assert_eq!(outcome.stderr.matches("note[").count(), 1, "{outcome}");
    }
    for rest in [
        "kind: deny, applications: ['{a,b}']",
        "kind: deny, namespaces: ['liqo-[st]*']",
        "kind: deny, namespaces: ['liqo-tenant-*'], clusters: ['{a,b}'], andOperator: true",
    ] {
        let outcome = with("project-consumer.yaml", &window(rest));
        outcome.done();
        outcome.says("a pattern of its `syncWindows` is not evaluated").silent_on("sync windows of kind");
    }
    // one that is for it is said beside one that may be
    let both = "kind: deny, applications: ['*'] }, { kind: allow, applications: ['{a,b}']";
    let outcome = with("project-consumer.yaml", &window(both));
    outcome.says("sync windows of kind `deny`").says("a pattern of its `syncWindows` is not evaluated");
    for rest in [
        "kind: deny, applications: [other]",
        "kind: deny, namespaces: ['{a,b}'], clusters: [other], andOperator: true",
        "kind: deny, applications: ['!consumer', '?']",
        "kind: deny",
        "kind: deny, andOperator: true",
        "kind: deny, namespaces: ['liqo-tenant-*'], clusters: [other], andOperator: true",
    ] {
        let outcome = with("project-consumer.yaml", &window(rest));
        outcome.done();
        outcome.silent_on("sync window");
    }
}
