//! Argo CD's objects beside the folders: what a pull request can add to them costs no more than a run may take.

use super::memory;
use crate::harness::{Run, Text, put, quickstart};
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

/// Of each project its name is kept once, and so many values as a report shows.
#[test]
fn values_of_another_type_take_little_memory() {
    let root = checkout(0);
    let (name, values) = ("p".repeat(2 << 20), "1,".repeat(19_000));
    let text = format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {{ name: {name} }}\nspec: {{ sourceRepos: [{values}], destinations: [] }}\n"
    );
    write(root.path(), "project.yaml", &text);
    let (code, shown) = memory::run(&["validate"], root.path());
    assert_eq!(code, Some(1), "{shown}");
    shown.has("error[sealed-file]").lacks("memory");
}

/// A set with this pattern and this destination of consumers.
pub(super) fn set_of(pattern: &str, destination: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{ name: s }}\nspec:\n  generators: [{{ git: {{ directories: [{{ path: '{pattern}' }}] }} }}]\n  template: {{ spec: {{ source: {{ plugin: {{ name: argocd-peering, parameters: [{{ name: role, string: consumer }}] }} }}, destination: {{ name: '{destination}' }} }} }}\n---\n"
    )
}

const TOO_MUCH: &str =
    "PATHS: the ApplicationSets make more than a run compares; name fewer folders at once";

/// One template that is evaluated for each folder, and one pattern that is tried at each place of each name.
#[test]
fn texts_of_sets_are_counted() {
    let root = checkout(400);
    let long = "{{.role}}".repeat(40_000);
    let pattern = format!("peerings/q/{}", "*x".repeat(300_000));
    for set in [set_of("peerings/q/*", &long), set_of(&pattern, "rome")] {
        write(root.path(), "set.yaml", &set);
        Run::new(["validate", "."])
            .within(root.path())
            .run()
            .fails(2, "flag")
            .says(TOO_MUCH);
    }
}

/// A project with these destinations.
pub(super) fn project(destinations: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {{ name: p }}\nspec: {{ destinations: [{destinations}] }}\n---\n"
    )
}

/// So many Applications in this project, each with a need of its own.
pub(super) fn applications(count: usize) -> String {
    let application = |number: usize| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{ name: a{number} }}\nspec:\n  project: p\n  source: {{ repoURL: https://git.example.org/{number}, path: peerings/q/0, plugin: {{ name: argocd-peering, parameters: [{{ name: role, string: consumer }}] }} }}\n  destination: {{ name: consumer, namespace: n{number} }}\n---\n"
        )
    };
    (0..count).map(application).collect()
}

/// Each is in question for each namespace, object and kind of the streams.
#[test]
fn entries_of_projects_are_counted() {
    let root = checkout(0);
    write(root.path(), "applications.yaml", &applications(1_000));
    let validate = || Run::new(["validate", "."]).within(root.path()).run();
    for pattern in [
        String::new(),
        format!("{{ namespace: '{}' }}", "*x".repeat(4_500)),
    ] {
        write(root.path(), "projects.yaml", &project(&pattern));
        validate().fails(1, "app-project");
    }
    // one pattern, and many projects without any
    for text in [
        project(&format!("{{ namespace: '{}' }}", "*x".repeat(450_000))),
        project("").repeat(800),
    ] {
        write(root.path(), "projects.yaml", &text);
        validate()
            .fails(2, "flag")
            .says("the AppProjects have more entries than a run compares");
    }
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
        Run::new(["validate", "."])
            .within(root.path())
            .run()
            .fails(2, "flag")
            .says(TOO_MUCH);
    }
}

/// A matrix of long lists repeats their texts, and one of empty elements makes as many as there are pairs.
#[test]
fn what_a_matrix_makes_is_counted() {
    let root = checkout(0);
    let long = |name: char, number: usize| {
        format!("{{ {name}: '{number}', x{name}: '{}' }}", "y".repeat(3_000))
    };
    let list =
        |elements: Vec<String>| format!("{{ list: {{ elements: [{}] }} }}", elements.join(", "));
    for lists in [
        ['a', 'b'].map(|name| list((0..400).map(|number| long(name, number)).collect())),
        ['a', 'b'].map(|_| list(vec!["{}".to_owned(); 1_100])),
    ] {
        let generator = format!("matrix: {{ generators: [{}] }}", lists.join(", "));
        let set =
            set_of("*", "rome").replacen("git: { directories: [{ path: '*' }] }", &generator, 1);
        write(root.path(), "set.yaml", &set);
        Run::new(["validate", "."])
            .within(root.path())
            .run()
            .fails(2, "flag")
            .says(TOO_MUCH);
    }
}
