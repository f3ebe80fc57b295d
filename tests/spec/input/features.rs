//! What the crates that read texts are compiled with: a crate that asks for a feature switches it on for all.

use crate::harness::root;
use std::process::Command;

/// With `include_fs` a YAML text could name files to read.
#[test]
fn no_yaml_includes_a_file() {
    let cargo = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} features:{f}"])
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let tree = String::from_utf8(cargo.stdout).expect("UTF-8");
    let reader = tree.lines().find(|line| line.starts_with("serde-saphyr ")).expect("the reader of YAML");
    let features = reader.split_once("features:").map(|(_, features)| features.trim_end_matches(" (*)"));
    assert_eq!(features, Some("deserialize"), "{reader}");
}
