//! Each field of an AppProject, an Application and an ApplicationSet is judged, has no part in a peering, or is said.

use crate::command::validate::{repository, validate};
use crate::harness::run::Outcome;
use crate::harness::{committed, lines, words};
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

#[test]
fn each_field_of_projects_and_sets_is_judged_or_said() {
    for row in lines(include_str!("passed_over.txt")).map(words) {
        let [file, lines, said] = &row[..] else { panic!("{row:?}") };
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
