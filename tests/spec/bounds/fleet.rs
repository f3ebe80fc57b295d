//! A fleet: what is kept of each document, and how many there may be.

use super::documents::CAP;
use crate::harness::run::Run;
use std::fs;
use std::path::Path;

const SLICES: usize = 1900;

/// So many documents of 64 KiB that all have the same slices on one cluster.
pub(super) fn contradicting(root: &Path, documents: usize) {
    for number in 0..documents {
        let slices: String = (0..SLICES).map(|at| format!("{{name: s{at}}},")).collect();
        let text = format!(
            "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: {{ name: p{number} }}\nspec:\n  \
             consumer: {{ clusterID: hub }}\n  provider: {{ clusterID: p{number} }}\n  authentication:\n    \
             subject: {{ kind: User, name: hub }}\n    credential: pending\n  offloading: {{ resourceSlices: [{slices}] }}\n#"
        );
        let fill = " a".repeat((CAP - text.len()) / 2 - 1);
        let folder = root.join(format!("p{number}"));
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("peering.yaml"), text + &fill + "\n").expect("written");
    }
}

/// 11,400 slices in six documents are 9,500 contradictions. Of each document the first ones are kept.
#[test]
fn contradictions_are_counted_and_the_first_kept() {
    let root = tempfile::tempdir().expect("a folder");
    contradicting(root.path(), 6);
    let words = "ulimit -d 65536; exec \"$0\" \"$@\"";
    let run = Run::new(["validate", "."]).within(root.path()).through(&["/bin/sh", "-c", words]).run();
    run.fails(1, "duplicate-name").says("error: 1850 more problems in ./p1/peering.yaml\n");
    run.says("problems of 1 more documents").says("\n9500 problems in 5 of 6 peerings\n");
}

#[test]
fn documents_are_counted() {
    let root = tempfile::tempdir().expect("a folder");
    for number in 0..=20_000 {
        let folder = root.path().join(number.to_string());
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("peering.yaml"), "").expect("written");
    }
    let words = "PATHS: there are more than 20000 documents; name fewer folders at once";
    Run::new(["validate", "."]).within(root.path()).run().fails(2, "flag").says(words);
}

#[test]
fn bytes_of_documents_are_counted() {
    let root = tempfile::tempdir().expect("a folder");
    let file = |number: usize| root.path().join(format!("{number}.yaml"));
    // refused at its first byte
    let text = format!("%{}\n", "#".repeat(CAP - 2));
    fs::write(file(0), text).expect("written");
    let all: Vec<_> = (0..=1024).map(file).collect();
    // two names of one file are one peering
    for path in all.iter().skip(1) {
        fs::copy(file(0), path).expect("a copy");
    }
    Run::new(["validate"]).args(all).typed(root.path()).run().fails(2, "flag").says("more than 64 MiB");
}
