//! A fleet: what is kept of each document, and how many there may be.

use super::documents::CAP;
use super::memory;
use crate::harness::library::contradictions;
use crate::harness::{Repository, Run, Text, committed, put};
use std::fs;
use std::path::Path;

const SLICES: usize = 1900;

/// A document that has the same slices on one cluster as all others.
fn with_slices(number: usize, slices: usize) -> String {
    let slices: String = (0..slices).map(|at| format!("{{name: s{at}}},")).collect();
    format!(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: {{ name: p{number} }}\nspec:\n  \
         consumer: {{ clusterID: hub }}\n  provider: {{ clusterID: p{number} }}\n  authentication:\n    \
         subject: {{ kind: User, name: hub }}\n    credential: pending\n  offloading: {{ resourceSlices: [{slices}] }}\n"
    )
}

/// The same of 64 KiB.
fn document(number: usize) -> String {
    let text = with_slices(number, SLICES) + "#";
    let fill = " a".repeat((CAP - text.len()) / 2 - 1);
    text + &fill + "\n"
}

/// So many of them.
pub(super) fn contradicting(root: &Path, documents: usize) {
    for number in 0..documents {
        let folder = root.join(format!("p{number}"));
        put(folder.join("peering.yaml"), document(number));
    }
}

/// What contradicts another document is kept up to a hundred, and counted beyond.
#[test]
fn a_hundred_contradictions_of_a_document_are_kept() {
    assert_eq!(
        contradictions(&[document(0), document(1)]),
        [(100, SLICES - 100)]
    );
}

/// Of many documents fewer of each are kept.
#[test]
fn contradictions_of_all_documents_are_counted() {
    let documents: Vec<String> = (0..2_500).map(|number| with_slices(number, 60)).collect();
    let found = contradictions(&documents);
    assert_eq!(found.len(), 2_499);
    assert!(
        found.iter().all(|counts| *counts == (40, 20)),
        "{:?}",
        found.first()
    );
}

/// 11,400 slices in six documents are 9,500 contradictions. Of each document the first ones are kept.
#[test]
fn contradictions_are_counted_and_the_first_kept() {
    let root = crate::harness::machine::folder();
    contradicting(root.path(), 6);
    let (code, shown) = memory::run(&["validate"], root.path());
    assert_eq!(code, Some(1), "{shown}");
    shown
        .has("error[duplicate-name]: ")
        .has("error: 1850 more problems in ./p1/peering.yaml\n");
    shown
        .has("problems of 1 more documents")
        .has("\n9500 problems in 5 of 6 peerings\n");
}

fn are_counted(command: &[&str]) {
    let root = crate::harness::machine::folder();
    for number in 0..=20_000 {
        let folder = root.path().join(number.to_string());
        put(folder.join("peering.yaml"), "");
    }
    let words = "there are more than 20000 documents; name fewer folders";
    Run::new(command.iter().copied())
        .within(root.path())
        .run()
        .fails(2, "flag")
        .says(words);
}

#[test]
fn documents_are_counted() {
    are_counted(&["validate", "."]);
}

/// Two states of a fleet are two fleets.
#[test]
#[ignore = "takes a minute in a build for debugging"]
fn documents_of_two_states_are_counted() {
    are_counted(&["diff", ".", "."]);
}

#[test]
fn bytes_of_documents_are_counted() {
    let root = crate::harness::machine::folder();
    let file = |number: usize| root.path().join(format!("{number}.yaml"));
    // refused at its first byte
    let text = format!("%{}\n", "#".repeat(CAP - 2));
    put(file(0), text);
    let all: Vec<_> = (0..=1024).map(file).collect();
    // two names of one file are one peering
    for path in all.iter().skip(1) {
        fs::copy(file(0), path).expect("a copy");
    }
    Run::new(["validate"])
        .args(&all)
        .typed(root.path())
        .run()
        .fails(2, "flag")
        .says("more than 64 MiB");
    // exactly so many, in whatever order they are read
    Run::new(["validate"])
        .args(&all[1..])
        .arg("missing.yaml")
        .typed(root.path())
        .run()
        .fails(1, "syntax")
        .says("1025 problems in 1025 of 1025 peerings");
    let fleet = root.path().join("fleet");
    for (number, path) in (0..=1024).map(|number| (number, fleet.join(number.to_string()))) {
        fs::create_dir_all(&path).expect("a folder");
        fs::copy(file(number), path.join("peering.yaml")).expect("a copy");
    }
    Run::new(["diff", "fleet", "fleet"])
        .within(root.path())
        .run()
        .fails(2, "flag")
        .says("more than 64 MiB");
}

/// A document with 120 fields that do not exist, and two that are missing.
fn with_unknown_fields() -> String {
    let unknown: String = (0..120).map(|at| format!("a{at}: 1\n")).collect();
    format!(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: {{ name: p }}\nspec: {{}}\n{unknown}"
    )
}

/// Of a report that nobody can read, what is not in it is counted.
#[test]
fn findings_of_a_report_are_counted() {
    let root = crate::harness::machine::folder();
    let text = with_unknown_fields();
    for number in 0..200 {
        let folder = root.path().join(number.to_string());
        put(folder.join("peering.yaml"), &text);
    }
    // 4 findings, and 51 of each other document: 10,000 of 197
    let few: Vec<&str> = text.lines().take(6).collect();
    put(root.path().join("00/peering.yaml"), few.join("\n"));
    for format in ["json", "github"] {
        let outcome = Run::new(["validate", ".", "--format", format])
            .within(root.path())
            .run();
        let counted =
            |it: &str| it.contains("not shown: 488 more findings") || it.contains("\"more\": 488");
        assert!(outcome.stdout.lines().any(counted), "{format}");
        let findings = outcome.stdout.matches("there is no field").count();
        assert!((9_000..10_100).contains(&findings), "{format}: {findings}");
    }
}

/// A person reads the first 200 problems, also of files that are no text.
#[test]
fn files_that_are_shown_are_counted() {
    let root = crate::harness::machine::folder();
    for number in 0..202 {
        put(root.path().join(format!("{number}/peering.yaml")), b"\xff");
    }
    let outcome = Run::new(["validate", "."]).within(root.path()).run();
    outcome.says("error: problems of 2 more documents; `--format json` reports them\n");
}

/// Of a large fleet's documents fewer findings are kept of each, since all are in memory until the report.
#[test]
fn findings_of_a_document_are_fewer_in_a_large_fleet() {
    let root = crate::harness::machine::folder();
    put(root.path().join("0/peering.yaml"), with_unknown_fields());
    for number in 1..5_000 {
        let folder = root.path().join(number.to_string());
        put(folder.join("peering.yaml"), "");
    }
    let validate = Run::new(["validate", "."]).within(root.path());
    let findings = validate.run().stderr;
    assert_eq!(findings.matches("there is no field").count(), 18);
    // 20 are kept of 122
    findings.has("102 more problems in ./0/peering.yaml");
}

/// A set makes two Applications of each document. One that would make more than 10,000 is not judged, and that is said.
#[test]
fn applications_of_sets_are_counted() {
    let root = crate::harness::machine::folder();
    fs::create_dir(root.path().join(".git")).expect("a folder");
    let set = committed("argocd-app/applicationset.yaml");
    put(root.path().join("set.yaml"), set);
    let words = "not ./set.yaml: an ApplicationSet makes its Applications";
    let validate = || Run::new(["validate", "."]).within(root.path()).run();
    let add = |number| {
        let folder = root.path().join(format!("peerings/hub/p{number}"));
        put(folder.join("peering.yaml"), with_slices(number, 0));
    };
    (0..5_000).for_each(add);
    validate().ends(0).silent_on(words);
    add(5_000);
    validate().ends(0).says(words);
}

/// Of two folders with one peering the newer is wrong. For more than fifty documents Git is not asked, and the last by path is wrong.
#[test]
fn documents_whose_age_counts_are_counted() {
    let repository = Repository::new("z");
    repository.copy_of_quickstart("a");
    let add = |number| {
        let file = format!("p{number}/peering.yaml");
        repository.write(&file, with_slices(number, 0));
    };
    let is_wrong = |folder: &str| {
        let outcome = repository.command(&["validate", "."]).run();
        outcome
            .fails(1, "duplicate-peering")
            .says(&format!("--> ./{folder}/peering.yaml:"));
    };
    (0..48).for_each(add);
    is_wrong("a");
    add(48);
    is_wrong("z");
}

/// Files in which an object of Argo CD's can be, whatever is in them: 20 MiB of empty documents took 24 seconds.
#[test]
fn files_with_argo_cds_group_are_counted() {
    let root = crate::harness::machine::folder();
    fs::create_dir(root.path().join(".git")).expect("a folder");
    let peering = root.path().join("peerings/q/peering.yaml");
    put(peering, committed("examples/quickstart/peering.yaml"));
    let text = format!("# argoproj.io/\n#{}\n", "#".repeat((4 << 20) - 32));
    for number in 0..4 {
        put(root.path().join(format!("application{number}.yaml")), &text);
    }
    let validate = || Run::new(["validate", "."]).within(root.path()).run();
    let refused = |text: &str| {
        put(root.path().join("another.yaml"), text);
        let words = "the files with `argoproj.io/` have more than 16 MiB, or 1048576 values";
        validate().fails(2, "flag").says(words);
    };
    validate().fails(1, "sealed-file");
    refused(&"# argoproj.io/\n".repeat(64));
    // an entry of a list has three bytes, and up to 72 in memory
    for number in 0..4 {
        fs::remove_file(root.path().join(format!("application{number}.yaml"))).expect("removed");
    }
    let head = "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: { name: p }\n";
    let project = format!(
        "{head}spec: {{ destinations: [{}] }}\n---\n",
        "{},".repeat(19_000)
    );
    refused(&project.repeat(60));
}
