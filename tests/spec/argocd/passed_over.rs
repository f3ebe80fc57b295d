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
            let own = root
                .path()
                .join(format!("peerings/rome-milan/application-{role}.yaml"));
            fs::remove_file(own).expect("removed");
        }
        let folders = root.path().join("peerings");
        fs::create_dir(folders.join("consumer")).expect("a folder");
        fs::rename(
            folders.join("rome-milan"),
            folders.join("consumer/provider"),
        )
        .expect("renamed");
        text = text.replace(
            "spec:\n  goTemplate",
            &format!("spec:\n{lines}  goTemplate"),
        );
    } else {
        text += lines;
    }
    fs::write(root.path().join("object.yaml"), text).expect("written");
    validate(&root, ".")
}

#[test]
fn each_field_of_projects_and_sets_is_judged_or_said() {
    for row in lines(include_str!("passed_over.txt")).map(words) {
        let [file, lines, said] = &row[..] else {
            panic!("{row:?}")
        };
        let outcome = with(file, lines);
        outcome.done();
        outcome.says(said);
        assert_eq!(
            outcome.stderr.contains("not `spec."),
            !said.is_empty(),
            "{file}: {lines}: {outcome}"
        );
    }
}
