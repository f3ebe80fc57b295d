//! Argo CD's objects beside the folders: what a pull request can add to them costs no more than a run may take.

use super::memory;
use crate::harness::checkout::quickstart;
use crate::harness::run::Run;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A checkout with a sound peering in `peerings/q/0`, and so many more folders beside it.
fn checkout(folders: usize) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join(".git")).expect("a folder");
    for number in 0..=folders {
        let folder = root.path().join(format!("peerings/q/{number}"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::copy(quickstart().join("peering.yaml"), folder.join("peering.yaml")).expect("a copy");
    }
    root
}

fn write(root: &Path, name: &str, text: &str) {
    fs::write(root.join(name), text).expect("written");
}

/// Each entry of this list has three bytes, and 72 in memory.
#[test]
fn lists_of_a_project_take_little_memory() {
    let root = checkout(0);
    let entries = "{},".repeat(39_000);
    let project = format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {{ name: p }}\nspec: {{ destinations: [{entries}] }}\n---\n"
    );
    write(root.path(), "projects.yaml", &project.repeat(30));
    let (code, shown) = memory::run(&["validate"], root.path());
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("error[sealed-file]") && !shown.contains("memory"), "{shown}");
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
    write(root.path(), "another.yaml", "# argoproj.io/\n".repeat(64).as_str());
    let words =
        "PATHS: the files with `argoproj.io/` in them have more than 16 MiB; name fewer folders at once";
    validate().fails(2, "flag").says(words);
}

/// A set that finds every folder, and one that looks at every folder and finds none.
#[test]
fn folders_of_sets_are_counted() {
    let root = checkout(400);
    let set = |pattern: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{ name: s }}\nspec:\n  generators: [{{ git: {{ directories: [{{ path: {pattern} }}] }} }}]\n  template: {{ spec: {{ source: {{ plugin: {{ name: argocd-peering }} }} }} }}\n---\n"
        )
    };
    for (pattern, sets) in [("peerings/q/*", 1_300), ("peerings/q/*/*", 2_600)] {
        write(root.path(), "sets.yaml", &set(pattern).repeat(sets));
        let words = "PATHS: the patterns of the ApplicationSets have more than 1000000 folders to look at";
        Run::new(["validate", "."]).within(root.path()).run().fails(2, "flag").says(words);
    }
}
