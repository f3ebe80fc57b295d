//! Argo CD's objects beside the folders: what a pull request can add to them costs no more than a run may take.

use super::memory;
use crate::harness::{Run, Text, committed, put, quickstart};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A checkout with a sound peering in `peerings/q/0`, and so many more folders beside it.
pub(super) fn checkout(folders: usize) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join(".git")).expect("a folder");
    for number in 0..=folders {
        let folder = root.path().join(format!("peerings/q/{number}"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::copy(
            quickstart().join("peering.yaml"),
            folder.join("peering.yaml"),
        )
        .expect("a copy");
    }
    root
}

fn write(root: &Path, name: &str, text: &str) {
    put(root.join(name), text);
}

/// Each entry of these lists has two or three bytes, and up to 72 in memory. More of them than a run keeps are refused.
#[test]
fn lists_of_a_project_take_little_memory() {
    let root = checkout(0);
    for (list, entry, documents) in [
        ("destinations", "{},", 10),
        ("destinations", "{},{name: },", 4),
        ("sourceRepos", "a,", 20),
    ] {
        let entries = entry.repeat(19_000);
        let text = format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {{ name: p }}\nspec: {{ {list}: [{entries}], destinations: [] }}\n---\n"
        );
        let text = if list == "destinations" {
            text.replace(", destinations: []", "")
        } else {
            text
        };
        write(root.path(), "projects.yaml", &text.repeat(documents));
        let (code, shown) = memory::run(&["validate"], root.path());
        assert_eq!(code, Some(1), "{shown}");
        shown.has("error[sealed-file]").lacks("memory");

        write(root.path(), "others.yaml", &text.repeat(2 * documents));
        let words = "more than 16 MiB, or 1048576 values; name fewer folders at once";
        Run::new(["validate", "."])
            .within(root.path())
            .run()
            .fails(2, "flag")
            .says(words);
        write(root.path(), "others.yaml", "");
    }
}

/// So many Applications of one document, each from another repository.
pub(super) fn applications(count: usize) -> String {
    let application = |number: usize| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{ name: a{number} }}\nspec:\n  project: p\n  source: {{ repoURL: https://git.example.org/{number}, path: peerings/q/0, plugin: {{ name: argocd-peering, parameters: [{{ name: role, string: consumer }}] }} }}\n  destination: {{ name: consumer, namespace: n{number} }}\n---\n"
        )
    };
    (0..count).map(application).collect()
}

/// So many sets of argocd-app, each of all folders.
pub(super) fn sets(count: usize) -> String {
    let set = committed("argocd-app/applicationset.yaml");
    format!("{set}---\n").repeat(count)
}

/// What is beyond the Applications that a run makes of sets is not judged.
#[test]
fn applications_of_sets_are_counted() {
    let root = checkout(400);
    write(root.path(), "sets.yaml", &sets(100));
    let validate = Run::new(["validate", "."]).within(root.path()).run();
    validate
        .says("not 88 ApplicationSets of ./sets.yaml: an ApplicationSet makes its Applications");
}

/// A template that is too large is another form.
#[test]
fn a_template_of_a_set_is_bounded() {
    let root = checkout(0);
    let long = format!("{}'", "{{ .role }}".repeat(40_000));
    write(
        root.path(),
        "set.yaml",
        &sets(1).replacen("{{ .role }}'", &long, 1),
    );
    let validate = Run::new(["validate", "."]).within(root.path()).run();
    validate.says("not ./set.yaml: an ApplicationSet makes its Applications");
}

/// Whatever is in them: 20 MiB of empty documents took 24 seconds.
#[test]
fn files_that_declare_nothing_are_counted() {
    let root = checkout(0);
    let text = format!("# argoproj.io/\n#{}\n", "#".repeat((4 << 20) - 32));
    for number in 0..4 {
        write(root.path(), &format!("application{number}.yaml"), &text);
    }
    let validate = || Run::new(["validate", "."]).within(root.path()).run();
    validate().fails(1, "sealed-file");
    write(
        root.path(),
        "another.yaml",
        "# argoproj.io/\n".repeat(64).as_str(),
    );
    let words = "PATHS: the files with `argoproj.io/` in them have more than 16 MiB";
    validate().fails(2, "flag").says(words);
}
