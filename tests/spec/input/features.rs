//! What the crates that read texts are compiled with: a crate that asks for a feature switches it on for all.

use crate::harness::root;
use std::process::Command;

/// With `include_fs` a YAML text could name files to read. The image writes no YAML but by templates.
#[test]
fn no_yaml_includes_a_file() {
    for (flags, expected) in
        [(&[][..], "deserialize,serialize"), (&["--no-default-features", "--edges=normal"], "deserialize")]
    {
        let cargo = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} features:{f}"])
            .args(flags)
            .current_dir(root())
            .output()
            .expect("cargo");
        assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
        let tree = String::from_utf8(cargo.stdout).expect("UTF-8");
        let reader = tree.lines().find(|line| line.starts_with("serde-saphyr ")).expect("the reader of YAML");
        let features = reader.split_once("features:").map(|(_, features)| features.trim_end_matches(" (*)"));
        assert_eq!(features, Some(expected), "{reader}");
    }
}
